//! `reach.TILE`: the game reaches a tile.

use super::{EventKind, Parameter};

pub(super) static REACH: EventKind = EventKind {
    name: "reach",
    parameter: Parameter::Tile,
    words: |tile| format!("share that reaches {tile}"),
    happens: |outcome, tile| outcome.max_tile >= tile,
};
