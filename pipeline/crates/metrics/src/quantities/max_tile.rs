//! `max-tile`: the largest tile on the last board.

use super::{LARGEST_TILE, QuantityKind};

pub(super) static MAX_TILE: QuantityKind = QuantityKind {
    name: "max-tile",
    words: "largest tile",
    max: LARGEST_TILE,
    compares_games: false,
    value: |_, outcome| Some(f64::from(outcome.max_tile)),
};
