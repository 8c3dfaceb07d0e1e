//! What all three searches share: the order of the moves, the leaves, and the decision. The engine's
//! [`engine::Model`] is the tree that they walk. A slide that makes the tile at which the rules stop, or
//! 65536, ends the search too (D-5).

use engine::agent::{Budget, Decision, Failure, MoveValues};
use engine::{Board, Direction, Grid, Odds, Slides};

use crate::heuristic::Heuristic;

/// The order in which moves are tried. Of equal ones the first is played, since only a larger value replaces
/// it (D-6).
pub const MOVE_ORDER: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// The ranks of tiles that can spawn.
pub(crate) fn spawned_ranks(four: Odds) -> &'static [u8] {
    match (four.numerator(), four.denominator()) {
        (0, _) => &[1],
        (fours, all) if fours == all => &[2],
        _ => &[1, 2],
    }
}

/// The value of a board at which the search ends after a spawn.
#[inline]
pub(crate) fn leaf_board(heuristic: &impl Heuristic, board: Board) -> f64 {
    if board.legal_moves().is_empty() { heuristic.lost(*board) } else { heuristic.value(*board) }
}

/// The value of a board at which the search ends after one more move: that of its best afterstate. With one
/// that is worth `enough`, the others are not looked at.
///
/// Most of the time goes here. Heuristics do not see which way the board is mirrored, so columns slide as the
/// rows of the mirrored board, and are valued there. Which tile a move makes does not matter: its afterstate
/// is a leaf anyway.
#[inline]
pub(crate) fn best_leaf(slides: &Slides, heuristic: &impl Heuristic, board: Board, enough: f64) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for grid in [*board, board.transposed()] {
        let towards_low = from_rows(grid.rows().map(|row| slides.row_towards_low(row)));
        let towards_high = from_rows(grid.rows().map(|row| slides.row_towards_high(row)));
        for slid in [towards_low, towards_high] {
            if slid != grid {
                let value = heuristic.value(slid);
                best = if value > best { value } else { best };
            }
            if best >= enough {
                return best;
            }
        }
    }
    if best == f64::NEG_INFINITY { heuristic.lost(*board) } else { best }
}

/// The decision for the best of the valued moves, of equals the first in [`MOVE_ORDER`]. The root itself is
/// expanded as well.
pub(crate) fn decide(values: &MoveValues, layers: u32, budget: Budget) -> Result<Decision, Failure> {
    let nodes = 1 + values.total_nodes();
    Ok(Decision { nodes, ..values.decide(MOVE_ORDER, layers, budget.amount())? })
}

#[inline]
fn from_rows([a, b, c, d]: [u16; 4]) -> Grid {
    *Board::from_packed(u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48)
}
