//! Sentences of the page that follow from what is in it: its lead, since a folder of results may hold one
//! paper or a comparison alone, and the rules of games.

use engine::{Merging, Rules, Spawning, Start};
use manifest::Paper;
use stats::Estimate;
use text::Scale;

use crate::report::RuleSet;
use crate::tables::ReportInput;

/// One or two sentences below the title.
pub(super) fn lead(papers: &[&Paper]) -> String {
    let claiming =
        papers.iter().filter(|paper| !paper.comparison && paper.claims.iter().any(|claim| !claim.audit));
    let who = match claiming.count() {
        0 => {
            return "Programs play 2048, and every game is kept as a record that anyone can replay."
                .to_owned();
        }
        1 => "One paper says how well its programs play 2048.".to_owned(),
        count => format!("{} papers say how well their programs play 2048.", number(count)),
    };
    format!(
        "{who} Here every program plays again, every game is kept as a record that anyone can replay, and every claim gets a verdict \
         with its interval."
    )
}

/// A number at the beginning of a sentence.
fn number(count: usize) -> String {
    const WORDS: [&str; 11] =
        ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
    let word = count.checked_sub(2).and_then(|place| WORDS.get(place));
    word.map_or_else(|| text::thousands(count as f64), |&word| word.to_owned())
}

/// A number of points with its interval.
pub(super) fn interval(estimate: &Estimate) -> String {
    let Estimate { point, low, high, .. } = *estimate;
    format!("{} ({})", Scale::Points.text(point), Scale::Points.interval(low, high))
}

/// The rules of a paper's experiments, those of equal rules together.
pub(super) fn rule_sets(input: ReportInput<'_>, paper: &Paper) -> Vec<RuleSet> {
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
    use std::path::Path;

    use super::*;
    use manifest::load_folder;

    fn papers() -> Vec<Paper> {
        load_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../paper-configs")).unwrap()
    }

    #[test]
    fn the_lead_counts_the_papers_that_claim_something() {
        let papers = papers();
        let claims = |paper: &&Paper| paper.claims.iter().any(|claim| !claim.audit);
        let (claiming, silent): (Vec<&Paper>, Vec<&Paper>) = papers.iter().partition(claims);
        assert!(claiming.len() == 6 && silent.len() == 2, "the baselines and the comparison claim nothing");
        assert!(
            lead(&papers.iter().collect::<Vec<_>>())
                .starts_with("Six papers say how well their programs play")
        );
        assert!(lead(&claiming[..2]).starts_with("Two papers say "));
        assert!(
            lead(&[claiming[0], silent[0]])
                .starts_with("One paper says how well its programs play 2048. Here")
        );
        assert!(lead(&silent).starts_with("Programs play 2048, and "));
        assert_eq!((number(12), number(13)), ("Twelve".to_owned(), "13".to_owned()));
    }

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
