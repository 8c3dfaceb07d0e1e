//! `moves`: the moves of a game.

use super::QuantityKind;
use crate::LARGEST_NUMBER;

pub(super) static MOVES: QuantityKind = QuantityKind {
    name: "moves",
    words: "number of moves",
    max: LARGEST_NUMBER,
    compares_games: true,
    value: |_, outcome| Some(f64::from(outcome.moves)),
};

#[cfg(test)]
mod tests {
    use records::Outcome;

    use crate::Metric;
    use crate::tests::{games, outcome};

    #[test]
    fn the_length_of_a_game_is_its_number_of_moves() {
        let lasting = |moves| Outcome { moves, ..outcome("2 . . . / . . . . / . . . . / . . . .", 4) };
        let games = games([0, 10, 50].map(lasting).to_vec(), Vec::new());
        let metric: Metric = "moves.mean".parse().unwrap();
        assert_eq!(metric.words(), "mean number of moves");
        assert_eq!(metric.estimate(&games).unwrap().point, 20.0);
    }
}
