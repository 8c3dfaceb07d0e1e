//! `max-tile-in-corner`, `max-tile-between-corners`, `max-tile-in-center`: the game ends with a largest tile
//! there.

use records::Outcome;

use super::{EventKind, Parameter};
use crate::{BoardPart, LastBoard};

pub(super) static CORNER: EventKind = EventKind {
    name: "max-tile-in-corner",
    parameter: Parameter::None,
    words: |_| words(BoardPart::Corners),
    happens: |outcome, _| has_max_tile_in(outcome, BoardPart::Corners),
};

pub(super) static BETWEEN_CORNERS: EventKind = EventKind {
    name: "max-tile-between-corners",
    parameter: Parameter::None,
    words: |_| words(BoardPart::BetweenCorners),
    happens: |outcome, _| has_max_tile_in(outcome, BoardPart::BetweenCorners),
};

pub(super) static CENTER: EventKind = EventKind {
    name: "max-tile-in-center",
    parameter: Parameter::None,
    words: |_| words(BoardPart::Center),
    happens: |outcome, _| has_max_tile_in(outcome, BoardPart::Center),
};

fn words(part: BoardPart) -> String {
    format!("share with the largest tile {}", part.words())
}

fn has_max_tile_in(outcome: &Outcome, part: BoardPart) -> bool {
    LastBoard::of(outcome).is_some_and(|board| board.has_max_tile_in(part))
}
