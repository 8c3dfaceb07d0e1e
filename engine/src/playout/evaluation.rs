//! What a greedy playout goes by: the value of a board as a sum over its rows and columns.

use std::sync::OnceLock;

use crate::board::Grid;
use crate::row_table::RowTable;
use crate::rules::Merging;
use crate::slide::Slides;

/// Values must be less than this away from 0, so that the sum over eight rows and columns fits 32 bits.
const BOUND: u32 = 1 << 28;

/// A value of grids: the sum of an integer function over the four rows and the four columns.
///
/// It depends on no rules; what it needs to know of a way of merging it works out when first played with
/// under such rules.
///
/// ```
/// use engine::playout::{Evaluation, Playouts};
/// use engine::{Board, Rules};
///
/// let empty = Evaluation::new(|ranks| ranks.iter().filter(|&&rank| rank == 0).count() as i32);
/// let board: Board = "2 . . 2 / . 4 . . / . . . . / . . . 8".parse()?;
/// assert_eq!(empty.value(*board), 24);
/// let playout = Playouts::new(&Rules::default()).greedy(&empty, board, 7);
/// assert!(playout.moves > 50);
/// # Ok::<(), engine::TextError>(())
/// ```
pub struct Evaluation {
    rows: RowTable<i32>,
    slid: [OnceLock<RowTable<i64>>; 2],
}

/// An evaluation with the tables for one way of merging at hand.
#[derive(Clone, Copy)]
pub(super) struct SlideValues<'a> {
    rows: &'a RowTable<i32>,
    /// The value of every row slid to its low end, plus 2^32 times that of the row slid to its high end: four
    /// loads and three additions value a board's rows at both ends.
    slid: &'a RowTable<i64>,
}

impl Evaluation {
    /// The evaluation by a function of the four ranks of a row, the leftmost first, or of a column, the
    /// topmost first.
    ///
    /// # Panics
    /// Panics if a value is not between -2^28 and 2^28, both excluded.
    pub fn new(value: impl FnMut([u8; 4]) -> i32) -> Self {
        Self::from_table(RowTable::from_fn(value))
    }

    /// The evaluation by a table of such values.
    ///
    /// # Panics
    /// As [`Evaluation::new`] does.
    pub fn from_table(rows: RowTable<i32>) -> Self {
        let fits = |row| rows.get(row).unsigned_abs() < BOUND;
        assert!((0..=u16::MAX).all(fits), "a row's value must lie between -2^28 and 2^28");
        Self { rows, slid: [OnceLock::new(), OnceLock::new()] }
    }

    /// The value of a grid.
    pub fn value(&self, grid: Grid) -> i32 {
        self.rows.rows_and_columns(grid)
    }

    pub(super) fn of(&self, merging: Merging) -> SlideValues<'_> {
        let slid = &self.slid[usize::from(merging == Merging::Cascading)];
        SlideValues { rows: &self.rows, slid: slid.get_or_init(|| self.build(Slides::of(merging))) }
    }

    fn build(&self, slides: &Slides) -> RowTable<i64> {
        let value = |row| i64::from(self.rows.get(row));
        RowTable::from_rows(|row| {
            value(slides.row_towards_low(row)) + (value(slides.row_towards_high(row)) << 32)
        })
    }
}

impl SlideValues<'_> {
    /// The value of a grid.
    #[inline]
    pub(super) fn value(self, grid: Grid) -> i32 {
        self.rows.rows_and_columns(grid)
    }

    /// The sum over the rows of a packed board.
    #[inline(always)]
    pub(super) fn rows(self, board: u64) -> i64 {
        let row = |shift: u32| self.rows.get((board >> shift) as u16);
        i64::from(row(0) + row(16) + row(32) + row(48))
    }

    /// The sums over the rows of a packed board after they slid to the low end, and to the high end.
    #[inline(always)]
    pub(super) fn slid_rows(self, board: u64) -> [i64; 2] {
        let row = |shift: u32| self.slid.get((board >> shift) as u16);
        let sum = row(0) + row(16) + row(32) + row(48);
        let low = i64::from(sum as i32);
        [low, (sum - low) >> 32]
    }
}
