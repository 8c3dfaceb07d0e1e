//! The root of a search: every move valued, the best one played.

use engine::Board;
use engine::agent::{Budget, Decision, Failure, MoveValues};

use crate::tree::{MOVE_ORDER, Move, Tree};

/// Values every legal move of a board. `value` gives that of a move and the positions expanded for it.
pub(crate) fn value_moves(
    tree: &Tree,
    board: Board,
    mut value: impl FnMut(Move) -> (f64, u64),
) -> MoveValues {
    let mut values = MoveValues::default();
    for direction in MOVE_ORDER {
        if let Some(slid) = tree.slide(board, direction) {
            let (value, nodes) = value(slid);
            values.value[direction as usize] = Some(value);
            values.nodes[direction as usize] = nodes;
        }
    }
    values
}

/// The decision for the best of the valued moves, of equals the first in [`MOVE_ORDER`].
pub(crate) fn decide(values: &MoveValues, layers: u32, budget: Budget) -> Result<Decision, Failure> {
    let (direction, value) = values.first_best(MOVE_ORDER).ok_or("the position has no legal move")?;
    // The root itself is expanded as well.
    let nodes = 1 + values.nodes.iter().sum::<u64>();
    Ok(Decision { direction, nodes, spent: budget.amount(), depth: layers, value: Some(value) })
}
