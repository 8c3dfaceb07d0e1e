//! The game as the course framework shows it to a player: `actions`, `possibleTiles`, `getTile`. Its `move`
//! and `gameOver` are the engine's [`engine::Model`]: a slid board has an empty cell beside a tile, so only a
//! tile can end the game there.

use engine::board::CELLS;
use engine::prelude::*;

/// The framework lists the legal actions in this order.
pub(crate) const ACTIONS: [Direction; 4] =
    [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

/// The ranks of the tiles that may come, a 2 and a 4. `possibleTiles` names both for every empty cell and
/// gives no odds, so every search counts them alike, whatever the rules say of a 4.
pub(crate) const SPAWNS: [u8; 2] = [1, 2];

/// `actions` of the root.
pub(crate) fn actions(position: &Position) -> impl Iterator<Item = Direction> {
    ACTIONS.into_iter().filter(|&direction| position.legal.contains(direction))
}

/// `possibleTiles`, each added to the board: for every empty cell, row by row, a 2 and then a 4.
#[inline]
pub(crate) fn possible_tiles(afterstate: Afterstate) -> impl Iterator<Item = Board> {
    let boards = move |cell| SPAWNS.map(|rank| afterstate.with_spawn(cell, rank));
    afterstate.empty_cells().flat_map(boards)
}

/// How many `possibleTiles` there are.
#[inline]
pub(crate) fn possible_count(grid: Grid) -> u64 {
    u64::from(grid.empty_count()) * SPAWNS.len() as u64
}

/// `getTile(0, 0)`: the rank in the top left corner.
#[inline]
pub(crate) const fn corner(grid: Grid) -> u8 {
    (grid.packed() & 15) as u8
}

/// The four rows and four columns of sixteen ranks, each from the left or the top.
pub(crate) fn lines(ranks: &[u8; CELLS]) -> impl Iterator<Item = [u8; 4]> {
    let row = |line: usize| std::array::from_fn(|step| ranks[4 * line + step]);
    let column = |line: usize| std::array::from_fn(|step| ranks[4 * step + line]);
    (0..4).map(row).chain((0..4).map(column))
}
