//! The first implementation (section "Base 2048 Implementation"): boards as plain arrays, and every operation
//! a loop over cells.
//!
//! Nothing is looked up here: slides, heuristics and powers are computed anew each time. [`crate::boards`]
//! measures what the packed board with row tables gains over it, and tests hold the row tables against it.

use engine::naive::NaiveBoard;
use engine::{Board, Rng, Rules};

use crate::boards::{RandomGame, random_moves};
use crate::final_heuristics::FinalWeights;
use crate::initial_heuristics::InitialWeights;

/// The initial heuristics, cell by cell, with the gradient's matrix laid on every corner.
pub fn initial_value(NaiveBoard(ranks): &NaiveBoard) -> f64 {
    initial_value_of(|cell| ranks[cell])
}

/// The same for a board of any form, by the rank of each cell.
#[inline]
pub(crate) fn initial_value_of(rank: impl Fn(usize) -> u8) -> f64 {
    let weights = InitialWeights::default();
    let mut corners = [0; 4];
    let (mut empty, mut max) = (0, 0);
    for row in 0..4 {
        for column in 0..4 {
            let rank = i32::from(rank(4 * row as usize + column as usize));
            corners[0] += (3 - row - column) * rank;
            corners[1] += (column - row) * rank;
            corners[2] += (row - column) * rank;
            corners[3] += (row + column - 3) * rank;
            empty += i32::from(rank == 0);
            max = max.max(rank);
        }
    }
    let corner = corners.into_iter().max().unwrap_or(0);
    weights.corner * f64::from(corner) + weights.empty * f64::from(empty) + weights.max_tile * f64::from(max)
}

/// The final heuristics, line by line.
///
/// The powers of ranks are products and a root. So they may differ from the row table's, which are by `libm`,
/// in their last bits.
pub fn final_value(NaiveBoard(ranks): &NaiveBoard) -> f64 {
    final_value_of(|cell| ranks[cell])
}

/// The same for a board of any form, by the rank of each cell.
#[inline]
pub(crate) fn final_value_of(rank: impl Fn(usize) -> u8) -> f64 {
    let row = |row: usize| [0, 1, 2, 3].map(|column| rank(4 * row + column));
    let column = |column: usize| [0, 1, 2, 3].map(|row| rank(4 * row + column));
    (0..4).map(|line| line_value(row(line)) + line_value(column(line))).sum()
}

fn line_value(ranks: [u8; 4]) -> f64 {
    let weights = FinalWeights::default();
    let (mut empty, mut merges, mut sum, mut falls, mut rises) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let (mut previous, mut run) = (0, 1.0);
    for rank in ranks {
        let factor = f64::from(rank);
        sum += factor * factor * factor * factor.sqrt();
        if rank == 0 {
            empty += 1.0;
        } else if rank == previous {
            run += 1.0;
            merges += if run == 2.0 { 2.0 } else { 1.0 };
        } else {
            (previous, run) = (rank, 1.0);
        }
    }
    for pair in ranks.windows(2) {
        let fall = fourth_power(pair[0]) - fourth_power(pair[1]);
        if fall > 0.0 { falls += fall } else { rises -= fall }
    }
    weights.loss_penalty + weights.empty * empty + weights.merges * merges
        - weights.monotonicity * f64::min(falls, rises)
        - weights.sum * sum
}

fn fourth_power(rank: u8) -> f64 {
    let square = f64::from(rank) * f64::from(rank);
    square * square
}

/// A game of random moves. As in the paper, it is over when no direction changes the board.
pub fn random_game(rules: &Rules, rng: &mut Rng) -> RandomGame {
    let (board, moves) = random_moves(
        NaiveBoard::start(rules, rng),
        rng,
        |board: NaiveBoard, direction| board.slide(direction, rules.merging),
        |mut slide, rng| {
            let goes_on = !slide.board.is_stopped(rules);
            goes_on.then(|| {
                slide.board.spawn(rules, rng);
                slide.board
            })
        },
    );
    RandomGame { board: Board::from_ranks(board.0).unwrap_or_default(), moves }
}
