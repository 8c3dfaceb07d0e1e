//! What a search finds below a position.

use engine::prelude::*;

/// What a search found below a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NodeValue {
    /// The value of the position.
    pub(crate) value: f64,
    /// The calls of the printed search function that it took, this position's own included.
    pub(crate) nodes: u64,
}

impl NodeValue {
    /// A position that is valued as it stands.
    pub(crate) const fn leaf(value: f64) -> Self {
        Self { value, nodes: 1 }
    }

    /// Makes it the value of a move.
    pub(crate) const fn set(self, values: &mut MoveValues, direction: Direction) {
        values.set(direction, self.value, self.nodes);
    }
}

/// The score as the searches carry it: no game comes near the end of 32 bits.
pub(crate) fn score_of(position: &Position) -> Result<u32, Failure> {
    u32::try_from(position.score).map_err(|_| format!("a score of {} is no score", position.score).into())
}
