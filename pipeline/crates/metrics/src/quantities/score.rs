//! `score`: the score of a game.

use super::{LARGEST_TILE, QuantityKind};

pub(super) static SCORE: QuantityKind = QuantityKind {
    name: "score",
    words: "score",
    // A tile of rank k has brought at most k - 1 times its value, and the last board holds less than two of
    // the largest.
    max: 15.0 * 2.0 * LARGEST_TILE,
    compares_games: true,
    value: |_, outcome| Some(f64::from(outcome.score)),
};
