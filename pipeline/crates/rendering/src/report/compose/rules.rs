//! Rules in words.

use engine::{Merging, Rules, Spawning, Start};

use crate::report::RuleSet;
use crate::tables::ReportInput;

/// The rules of a paper's experiments, those of equal rules together.
pub(super) fn rule_sets(input: ReportInput<'_>, paper: &manifest::Paper) -> Vec<RuleSet> {
    let mut sets: Vec<RuleSet> = Vec::new();
    for (experiment, games) in input.with_games(paper) {
        let text = rules_text(&games.identity.rules);
        let key = format!("{}/{}", paper.id, experiment.id);
        match sets.iter_mut().find(|set| set.text == text) {
            Some(set) => set.experiments.push(key),
            None => sets.push(RuleSet { experiments: vec![key], text }),
        }
    }
    sets
}

/// The rules of a game in a sentence.
fn rules_text(rules: &Rules) -> String {
    let start = match &rules.start {
        Start::TwoTiles => "A game begins with two spawned tiles".to_owned(),
        Start::Scatter(scatter) => {
            let [empty, two, four, eight] = scatter.weights();
            format!(
                "At the start, each cell by itself is empty or holds a 2, 4 or 8, with weights {empty}, {two}, {four} and {eight}"
            )
        }
        Start::Board(board) => format!("Every game begins on {board}"),
    };
    let merging = match rules.merging {
        Merging::Once => "a merged tile does not merge again in the same move",
        Merging::Cascading => "a merged tile can merge again in the same move",
    };
    let end = match rules.stop_at {
        None => "the game ends when no move is legal".to_owned(),
        Some(stop) => {
            format!(
                "the game ends when a {} tile is made or no move is legal",
                engine::board::tile(stop.rank())
            )
        }
    };
    let spawn = match rules.spawn {
        Spawning::Random => format!("a spawned tile is a 4 with odds {}", rules.four),
        Spawning::Adversarial => {
            "after each slide the agent itself places the tile that it fears most".to_owned()
        }
    };
    format!("{start}; {spawn}; {merging}; {end}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_apart_by_their_words() {
        let standard = rules_text(&Rules::default());
        assert_eq!(
            standard,
            "A game begins with two spawned tiles; a spawned tile is a 4 with odds 1/10; a merged tile does not merge again in \
             the same move; the game ends when no move is legal."
        );
        let cascading = Rules { merging: Merging::Cascading, ..Rules::default() };
        assert!(rules_text(&cascading).contains("a merged tile can merge again"));
        let stopped = Rules { stop_at: Some(2048.try_into().unwrap()), ..Rules::default() };
        assert!(
            rules_text(&stopped).ends_with("the game ends when a 2048 tile is made or no move is legal.")
        );
        let adversarial = Rules { spawn: Spawning::Adversarial, ..Rules::default() };
        assert!(rules_text(&adversarial).contains("the agent itself places the tile"));
    }
}
