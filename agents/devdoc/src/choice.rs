//! What a search says of the moves of a position, and which of them it takes.

use engine::Direction;
use engine::agent::{Decision, Failure, MoveValues};

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

/// The values of the root's moves so far, and the first best of them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice {
    best: Option<(Direction, f64)>,
    values: MoveValues,
}

impl Choice {
    /// Takes up a move. It becomes the best only if it is better: of equals the first stays.
    pub(crate) fn consider(&mut self, direction: Direction, Searched { value, nodes }: Searched) {
        self.values.value[direction as usize] = Some(value);
        self.values.nodes[direction as usize] = nodes;
        if self.best.is_none_or(|(_, best)| value > best) {
            self.best = Some((direction, value));
        }
    }

    /// The values of all moves.
    pub(crate) const fn move_values(&self) -> MoveValues {
        self.values
    }

    /// The nodes of all moves.
    pub(crate) fn nodes(&self) -> u64 {
        self.values.nodes.iter().sum()
    }

    /// The best move, from a search that looked so many plies ahead.
    pub(crate) fn decide(&self, plies: u32) -> Result<Decision, Failure> {
        let (direction, value) = self.best.ok_or("the position has no legal move")?;
        Ok(Decision { direction, nodes: self.nodes(), spent: 0, depth: plies, value: Some(value) })
    }
}

/// The score as the searches carry it: no game comes near the end of 32 bits.
pub(crate) fn score_of(position: &engine::agent::Position) -> Result<u32, Failure> {
    u32::try_from(position.score).map_err(|_| format!("a score of {} is no score", position.score).into())
}
