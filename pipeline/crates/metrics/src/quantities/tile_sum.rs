//! `tile-sum`: the sum of the tiles on the last board.

use super::{LARGEST_TILE, QuantityKind};
use crate::LastBoard;

pub(super) static TILE_SUM: QuantityKind = QuantityKind {
    name: "tile-sum",
    words: "sum of tiles",
    // The largest tile ends a game, so its board holds less than twice as much.
    max: 2.0 * LARGEST_TILE,
    compares_games: true,
    value: |_, outcome| Some(f64::from(LastBoard::of(outcome)?.tile_sum())),
};
