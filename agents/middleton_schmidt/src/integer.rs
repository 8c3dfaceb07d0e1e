//! The second implementation before its dictionaries (section "Base 2048 Implementation"): a board is a
//! 64-bit integer, "all manipulations of the board state are done using bit operations", and nothing is
//! looked up yet.

use engine::{Afterstate, Board, Direction, Merging, Rng, Rules, spawn};

use crate::boards::{RandomGame, random_moves};
use crate::naive::{final_value_of, initial_value_of};

/// The rank of a cell, by shift and mask.
fn rank(board: u64, cell: usize) -> u8 {
    (board >> (4 * cell) & 15) as u8
}

/// The initial heuristics, cell by cell.
pub fn initial_value(board: &Board) -> f64 {
    let packed = board.packed();
    initial_value_of(|cell| rank(packed, cell))
}

/// The final heuristics, line by line.
pub fn final_value(board: &Board) -> f64 {
    let packed = board.packed();
    final_value_of(|cell| rank(packed, cell))
}

/// A slid board.
struct Slid {
    board: u64,
    /// The highest rank that a merge made.
    made: u8,
}

/// Slides all four lines of a board; none if nothing changes.
fn slide(board: u64, direction: Direction, merging: Merging) -> Option<Slid> {
    let mut slid = Slid { board: 0, made: 0 };
    for line in 0..4 {
        // The cell of the line at the wall, and how far the next one is from it.
        let (wall, step): (i32, i32) = match direction {
            Direction::Up => (line, 4),
            Direction::Right => (4 * line + 3, -1),
            Direction::Down => (12 + line, -4),
            Direction::Left => (4 * line, 1),
        };
        slide_line(board, |place| (wall + step * place) as usize, merging, &mut slid);
    }
    (slid.board != board).then_some(slid)
}

/// Slides one line, whose cells `cell` gives from the wall outwards, onto the slid board.
fn slide_line(board: u64, cell: impl Fn(i32) -> usize, merging: Merging, slid: &mut Slid) {
    let (mut rest, mut last, mut is_fresh) = (0, 0, false);
    for place in 0..4 {
        let tile = rank(board, cell(place));
        if tile == 0 {
            continue;
        }
        if tile == last && (merging == Merging::Cascading || !is_fresh) {
            // A packed cell has no room for 65536: the game is over by `made` before anyone looks at it.
            slid.board += u64::from(tile < 15) << (4 * cell(rest - 1));
            (last, is_fresh) = (tile + 1, true);
            slid.made = slid.made.max(last);
        } else {
            slid.board |= u64::from(tile) << (4 * cell(rest));
            (rest, last, is_fresh) = (rest + 1, tile, false);
        }
    }
}

/// A game of random moves: draw for draw that of [`crate::naive::random_game`].
pub fn random_game(rules: &Rules, rng: &mut Rng) -> RandomGame {
    let end = rules.stop_at.map_or(16, |stop| stop.rank());
    let (board, moves) = random_moves(
        spawn::start(rules, rng),
        rng,
        |board, direction| slide(board.packed(), direction, rules.merging),
        |slid, rng| {
            (slid.made < end).then(|| spawn::spawn(Afterstate::from_packed(slid.board), rules.four, rng))
        },
    );
    RandomGame { board, moves }
}
