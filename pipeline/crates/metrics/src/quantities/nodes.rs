//! `nodes`: the nodes expanded per move. A game without a move has none.

use super::QuantityKind;
use crate::LARGEST_NUMBER;

pub(super) static NODES: QuantityKind = QuantityKind {
    name: "nodes",
    words: "number of nodes per move",
    max: LARGEST_NUMBER,
    compares_games: true,
    value: |_, outcome| (outcome.moves > 0).then(|| outcome.nodes as f64 / f64::from(outcome.moves)),
};
