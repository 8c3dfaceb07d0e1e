//! The same rules again, on a plain array and written for clarity: the oracle that the fast engine is
//! tested against.
//!
//! Tiles are moved one by one as the rules say it, cell after cell; nothing here is shared with the tables of
//! [`crate::slide`]. It also serves to measure what a packed board gains.

use std::fmt;
use std::str::FromStr;

use crate::board::{CAP_RANK, CELLS, Grid, tile};
use crate::direction::Direction;
use crate::rules::{Merging, Rules, Start};
use crate::seed::Rng;
use crate::text::{self, TextError};

/// A board as an array of ranks, row by row. Unlike the packed form it holds a 65536 tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NaiveBoard(pub [u8; CELLS]);

/// A naive slide: the board after it, and its reward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveSlide {
    /// The slid board.
    pub board: NaiveBoard,
    /// The sum of the merged tiles' values.
    pub reward: u32,
}

impl NaiveBoard {
    /// Slides all tiles; none if nothing changes.
    pub fn slide(&self, direction: Direction, merging: Merging) -> Option<NaiveSlide> {
        let mut board = *self;
        let mut reward = 0;
        for line in lines(direction) {
            reward += board.slide_line(line, merging);
        }
        (board != *self).then_some(NaiveSlide { board, reward })
    }

    /// Moves the tiles of one line, given as cells from the wall outwards, and returns what their merges
    /// score.
    fn slide_line(&mut self, line: [usize; 4], merging: Merging) -> u32 {
        let mut reward = 0;
        let mut made = [false; 4];
        for from in 1..4 {
            let rank = self.0[line[from]];
            if rank == 0 {
                continue;
            }
            let mut to = from;
            while to > 0 && self.0[line[to - 1]] == 0 {
                to -= 1;
            }
            self.0[line[from]] = 0;
            let blocker_may_merge = merging == Merging::Cascading || (to > 0 && !made[to - 1]);
            if to > 0 && self.0[line[to - 1]] == rank && blocker_may_merge {
                self.0[line[to - 1]] = rank + 1;
                made[to - 1] = true;
                reward += tile(rank + 1);
            } else {
                self.0[line[to]] = rank;
            }
        }
        reward
    }

    /// The directions in which something changes.
    pub fn legal_moves(&self, merging: Merging) -> Vec<Direction> {
        Direction::ALL.into_iter().filter(|&direction| self.slide(direction, merging).is_some()).collect()
    }

    /// Puts a new tile on the board: one draw, the upper half for the cell, the lower half for its rank.
    pub fn spawn(&mut self, rules: &Rules, rng: &mut Rng) {
        let empty: Vec<usize> = (0..CELLS).filter(|&cell| self.0[cell] == 0).collect();
        let bits = rng.next_u64();
        let (upper, lower) = (bits >> 32, bits & 0xffff_ffff);
        let cell = empty[((upper * empty.len() as u64) >> 32) as usize];
        let is_four = (lower * u64::from(rules.four.denominator())) >> 32 < u64::from(rules.four.numerator());
        self.0[cell] = if is_four { 2 } else { 1 };
    }

    /// The board that a game begins on.
    pub fn start(rules: &Rules, rng: &mut Rng) -> Self {
        let mut board = Self::default();
        match &rules.start {
            Start::TwoTiles => {
                board.spawn(rules, rng);
                board.spawn(rules, rng);
            }
            Start::Scatter(odds) => {
                for cell in &mut board.0 {
                    let drawn = ((rng.next_u64() >> 32) * u64::from(odds.total())) >> 32;
                    let ends = [odds.empty, odds.empty + odds.two, odds.empty + odds.two + odds.four];
                    *cell = ends.iter().filter(|&&end| drawn >= u64::from(end)).count() as u8;
                }
            }
            Start::Board(start) => board.0 = start.ranks(),
        }
        board
    }

    /// Whether the board holds the tile that ends the game under these rules.
    pub fn is_stopped(&self, rules: &Rules) -> bool {
        let stop = rules.stop_at.map_or(CAP_RANK, |stop| stop.rank());
        self.0.iter().any(|&rank| rank >= stop)
    }
}

/// The cells of the four lines along which tiles move, each from the wall outwards.
fn lines(direction: Direction) -> [[usize; 4]; 4] {
    std::array::from_fn(|line| {
        std::array::from_fn(|step| match direction {
            Direction::Up => 4 * step + line,
            Direction::Down => 4 * (3 - step) + line,
            Direction::Left => 4 * line + step,
            Direction::Right => 4 * line + 3 - step,
        })
    })
}

impl From<Grid> for NaiveBoard {
    fn from(grid: Grid) -> Self {
        Self(grid.ranks())
    }
}

impl fmt::Display for NaiveBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_tiles(f, &self.0)
    }
}

impl FromStr for NaiveBoard {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        text::parse_tiles(text).map(Self)
    }
}
