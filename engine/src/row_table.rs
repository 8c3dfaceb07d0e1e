//! Row tables: a function of four ranks, computed once for all 65,536 rows.

use std::ops::Add;

use crate::board::{Grid, unpack_row};

/// The number of packed rows.
pub const ROWS: usize = 1 << 16;

/// A value for every packed row.
///
/// ```
/// use engine::{Board, RowTable};
///
/// let empty = RowTable::from_fn(|ranks| ranks.iter().filter(|&&rank| rank == 0).count() as i32);
/// let board: Board = "2 . . 2 / . 4 . . / . . . . / . . . 8".parse()?;
/// assert_eq!(empty.rows(*board), 12);
/// assert_eq!(empty.rows_and_columns(*board), 24);
/// # Ok::<(), engine::TextError>(())
/// ```
#[derive(Clone)]
pub struct RowTable<T>(Box<[T; ROWS]>);

impl<T: Copy> RowTable<T> {
    /// Computes the table of a function of the four ranks of a row, the leftmost (in a column: the topmost)
    /// first.
    pub fn from_fn(mut value: impl FnMut([u8; 4]) -> T) -> Self {
        Self::from_rows(|row| value(unpack_row(row)))
    }

    /// Computes the table of a function of packed rows.
    pub(crate) fn from_rows(value: impl FnMut(u16) -> T) -> Self {
        let values: Box<[T]> = (0..=u16::MAX).map(value).collect();
        let Ok(values) = values.try_into() else { unreachable!("there are as many u16 as rows") };
        Self(values)
    }

    /// The value of one row.
    #[inline]
    pub fn get(&self, row: u16) -> T {
        self.0[usize::from(row)]
    }
}

impl<T: Copy + Add<Output = T>> RowTable<T> {
    /// The sum over the four rows, top to bottom.
    #[inline]
    pub fn rows(&self, grid: Grid) -> T {
        self.sum(grid.rows())
    }

    /// The sum over the four columns, left to right.
    #[inline]
    pub fn columns(&self, grid: Grid) -> T {
        self.sum(grid.columns())
    }

    /// The sum over rows, then columns. The order of additions is fixed, so that floating-point sums are too.
    #[inline]
    pub fn rows_and_columns(&self, grid: Grid) -> T {
        self.rows(grid) + self.columns(grid)
    }

    #[inline]
    fn sum(&self, [a, b, c, d]: [u16; 4]) -> T {
        self.get(a) + self.get(b) + self.get(c) + self.get(d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn rows_read_from_the_left_and_columns_from_the_top() {
        let first = RowTable::from_fn(|ranks| u32::from(ranks[0]));
        let board: Board = "2 4 8 16 / 32 . . . / 64 . . . / 128 . . .".parse().unwrap();
        assert_eq!(first.rows(*board), 1 + 5 + 6 + 7);
        assert_eq!(first.columns(*board), 1 + 2 + 3 + 4);
        assert_eq!(first.rows_and_columns(*board), 29);
    }
}
