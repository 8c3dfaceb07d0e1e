//! What a search says of the moves of a position, and which of them it takes.

use engine::Direction;
use engine::agent::{Decision, Failure, MoveValues};

use crate::course::ACTIONS;

/// What a search found below a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Searched {
    /// The value of the position.
    pub(crate) value: f64,
    /// The calls of the printed search function that it took, this position's own included.
    pub(crate) nodes: u64,
}

impl Searched {
    /// A position that is valued as it stands.
    pub(crate) const fn leaf(value: f64) -> Self {
        Self { value, nodes: 1 }
    }
}

/// The values of the root's moves so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    values: MoveValues,
}

impl Choice {
    /// Takes up a move.
    pub(crate) fn consider(&mut self, direction: Direction, Searched { value, nodes }: Searched) {
        self.values.value[direction as usize] = Some(value);
        self.values.nodes[direction as usize] = nodes;
    }

    /// The values of all moves.
    pub(crate) const fn move_values(&self) -> MoveValues {
        self.values
    }

    /// The nodes of all moves.
    pub(crate) fn nodes(&self) -> u64 {
        self.values.nodes.iter().sum()
    }

    /// The best move, from a search that looked so many plies ahead. The printed programs take another only if it is better: of
    /// equals the first of [`ACTIONS`] stays.
    pub(crate) fn decide(&self, plies: u32) -> Result<Decision, Failure> {
        let (direction, value) = self.values.first_best(ACTIONS).ok_or("the position has no legal move")?;
        Ok(Decision { direction, nodes: self.nodes(), spent: 0, depth: plies, value: Some(value) })
    }
}

/// The score as the searches carry it: no game comes near the end of 32 bits.
pub(crate) fn score_of(position: &engine::agent::Position) -> Result<u32, Failure> {
    u32::try_from(position.score).map_err(|_| format!("a score of {} is no score", position.score).into())
}
