//! `greedy-moves.mean`: the share of moves that take the largest reward at hand, where rewards differ.

use engine::{Game, Rules, Slides, TileSeed};
use records::GameRecord;

use super::{Parameter, SpecialMetric, directions, replayed};

pub(super) static GREEDY_MOVES: SpecialMetric = SpecialMetric {
    name: "greedy-moves.mean",
    parameter: Parameter::None,
    words: |_| "mean share of moves that take the largest reward at hand".to_owned(),
    max: 1.0,
    values: |games, _| replayed(games, greedy),
};

/// The share of a game; `None` if rewards never differ.
fn greedy(record: &GameRecord, rules: &Rules) -> Option<f64> {
    let slides = Slides::of(rules.merging);
    let mut game = Game::new(rules, TileSeed(record.tile_seed));
    let (mut choices, mut largest) = (0_u32, 0_u32);
    for direction in directions(record) {
        let board = game.board();
        let reward = |direction| slides.slide(board, direction).map(|slide| slide.reward);
        let rewards = || game.legal_moves().iter().filter_map(reward);
        if rewards().min() < rewards().max() {
            choices += 1;
            largest += u32::from(reward(direction) == rewards().max());
        }
        game.play(direction).ok()?;
    }
    (choices > 0).then(|| f64::from(largest) / f64::from(choices))
}

#[cfg(test)]
mod tests {
    use super::super::tests::record;
    use super::*;

    #[test]
    fn a_greedy_game_is_greedy_and_a_modest_one_is_not() {
        let rules = Rules::default();
        assert_eq!(greedy(&record(200, i64::from), &rules), Some(1.0));
        assert_eq!(greedy(&record(200, |reward| -i64::from(reward)), &rules), Some(0.0));
        assert_eq!(greedy(&record(0, i64::from), &rules), None);
    }
}
