//! One tuple: its cells, and how their ranks become an index.

use std::fmt;
use std::str::FromStr;

use engine::board::CELLS;
use thiserror::Error;

/// The most cells that a tuple may have: its table then has 2^28 weights.
pub const MAX_CELLS: usize = 7;

/// Cells of the board, in rising order, that look up a weight together.
///
/// Its text is the cells as hexadecimal digits, row by row from the top left: `012456` are the left three
/// cells of the upper two rows. The rank in the first cell is the lowest four bits of the index.
///
/// ```
/// use engine::Board;
/// use tuples::Tuple;
///
/// let tuple: Tuple = "012456".parse()?;
/// let board: Board = "2 4 8 16 / 32 . . 2 / . . . . / . . . .".parse()?;
/// assert_eq!(tuple.index(board.packed()), 0x005_321);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tuple {
    cells: Vec<u8>,
    runs: Vec<CellRun>,
}

/// Neighbouring cells of a tuple, which go from a packed grid into the index at one stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CellRun {
    /// By how much the grid is shifted down.
    shift: u32,
    /// The bits of the index that are the run's.
    mask: u32,
}

impl CellRun {
    #[inline(always)]
    pub(crate) const fn read(self, packed: u64) -> usize {
        ((packed >> self.shift) as u32 & self.mask) as usize
    }
}

impl Tuple {
    /// A tuple of these cells.
    ///
    /// # Errors
    /// Returns an error if there is none or too many, or one is off the board or not above the one before it.
    pub fn new(cells: Vec<u8>) -> Result<Self, TupleError> {
        let rising = cells.windows(2).all(|pair| pair[0] < pair[1]);
        let on_board = cells.iter().all(|&cell| usize::from(cell) < CELLS);
        if cells.is_empty() || cells.len() > MAX_CELLS || !rising || !on_board {
            return Err(TupleError);
        }
        let mut runs: Vec<CellRun> = Vec::new();
        for (place, &cell) in cells.iter().enumerate() {
            // In a rising list no cell comes before its place, so every shift goes down.
            let shift = 4 * (u32::from(cell) - place as u32);
            let mask = 15 << (4 * place);
            match runs.last_mut() {
                Some(run) if run.shift == shift => run.mask |= mask,
                _ => runs.push(CellRun { shift, mask }),
            }
        }
        Ok(Self { cells, runs })
    }

    /// Its cells.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The length of its table: 16 for each cell, multiplied.
    pub fn table_len(&self) -> usize {
        1 << (4 * self.cells.len())
    }

    /// The index of the weight in its table that a packed grid looks up.
    #[inline]
    pub fn index(&self, packed: u64) -> usize {
        self.runs.iter().fold(0, |index, run| index | run.read(packed))
    }

    pub(crate) fn runs(&self) -> &[CellRun] {
        &self.runs
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells.iter().try_for_each(|cell| write!(f, "{cell:x}"))
    }
}

/// A list of cells that is not a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a tuple is 1 to {MAX_CELLS} cells from 0 to f in rising order, such as 012456")]
pub struct TupleError;

impl FromStr for Tuple {
    type Err = TupleError;

    fn from_str(text: &str) -> Result<Self, TupleError> {
        let cell = |digit: char| digit.to_digit(16).map(|cell| cell as u8);
        text.chars().map(cell).collect::<Option<Vec<u8>>>().ok_or(TupleError).and_then(Self::new)
    }
}
