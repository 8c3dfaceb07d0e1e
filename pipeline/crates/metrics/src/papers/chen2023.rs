//! Chen's report: its board values reward a largest tile in a corner.

use crate::board_value::Feature;
use crate::last_board::{BoardPart, LastBoard, part_of};

/// The rank of the largest tile if that stands in a corner, else 0; of several, the first row by row.
pub(crate) const CORNER_RANK: Feature = Feature {
    name: "corner-rank",
    max: 16.0,
    value: |board| match board.max_cells().next() {
        Some(first) if part_of(first) == BoardPart::Corners => u32::from(board.max_rank()),
        _ => 0,
    },
};

/// 1 if a corner holds a largest tile, else 0.
pub(crate) const CORNER_BEST: Feature =
    Feature { name: "corner-best", max: 1.0, value: |board| u32::from(lag(board) == 0) };

/// How many ranks the best corner is behind the largest tile.
pub(crate) const CORNER_LAG: Feature =
    Feature { name: "corner-lag", max: 16.0, value: |board| u32::from(lag(board)) };

fn lag(board: LastBoard) -> u8 {
    board.max_rank() - board.max_corner_rank()
}
