//! `points-per-move`: the score divided by the moves. A game without a move has none.

use super::{LARGEST_TILE, QuantityKind};

pub(super) static POINTS_PER_MOVE: QuantityKind = QuantityKind {
    name: "points-per-move",
    words: "points per move",
    // A slide merges at most eight times, and no merge gives more than the largest tile.
    max: 8.0 * LARGEST_TILE,
    compares_games: false,
    value: |_, outcome| match outcome.moves {
        0 => None,
        moves => Some(f64::from(outcome.score) / f64::from(moves)),
    },
};

#[cfg(test)]
mod tests {
    use records::Outcome;

    use crate::Metric;
    use crate::tests::{games, outcome};

    #[test]
    fn points_per_move_are_averaged_over_the_games_with_a_move() {
        let game =
            |(score, moves)| Outcome { score, moves, ..outcome("2 . . . / . . . . / . . . . / . . . .", 4) };
        let games = games([(100, 10), (0, 0), (60, 3)].map(game).to_vec(), Vec::new());
        let metric: Metric = "points-per-move.mean".parse().unwrap();
        assert_eq!(metric.words(), "mean points per move");
        assert_eq!(metric.estimate(&games).unwrap().point, 15.0);
    }
}
