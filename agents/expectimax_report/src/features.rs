//! The evaluation function: section "Approach", the weighted sum of three features.
//!
//! Features are whole numbers from tables of lines, so the order in which a board is read cannot change a
//! value; the weighted sum is the only floating-point arithmetic.

use std::ops::{Add, Sub};

use engine::board::tile;
use engine::prelude::*;

/// Section "Results": the weight of each feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureWeights {
    /// Of the corner feature.
    pub corner: f64,
    /// Of the adjacency feature.
    pub adjacency: f64,
    /// Of the number of empty cells.
    pub empty: f64,
}

/// The three features of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// How much the bigger tiles gather in a corner.
    pub corner: i32,
    /// How little neighbours differ: zero at best.
    pub adjacency: i32,
    /// The number of empty cells.
    pub empty: i32,
}

/// What the corner and adjacency features take for a tile.
// D-6: the report speaks of values, and does not say whether they are a tile's own or its exponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureValues {
    /// Its exponent: 11 for a 2048.
    Exponents,
    /// Its value: 2048.
    Tiles,
}

impl FeatureValues {
    /// What stands for a tile of this rank; nothing for an empty cell.
    pub const fn of(self, rank: u8) -> i32 {
        match self {
            Self::Exponents => rank as i32,
            Self::Tiles => tile(rank) as i32,
        }
    }
}

/// EVAL(s), with its tables.
#[derive(Clone)]
pub struct Eval {
    weights: FeatureWeights,
    lines: RowTable<Shares>,
}

impl Eval {
    /// Computes the tables.
    pub fn new(weights: FeatureWeights, values: FeatureValues) -> Self {
        Self { weights, lines: RowTable::from_fn(|ranks| Shares::of_line(ranks, values)) }
    }

    /// EVAL(s) of a board or an afterstate.
    #[inline]
    pub fn eval(&self, grid: Grid) -> f64 {
        self.weigh(self.features(grid))
    }

    /// The three features of a board or an afterstate.
    #[inline]
    pub fn features(&self, grid: Grid) -> Features {
        features(self.lines.rows(grid), self.lines.columns(grid))
    }

    /// EVAL(s) = w_corner * f_corner + w_adjacency * f_adjacency + w_empty * f_empty, added up from left to
    /// right.
    #[inline]
    fn weigh(&self, Features { corner, adjacency, empty }: Features) -> f64 {
        self.weights.corner * f64::from(corner)
            + self.weights.adjacency * f64::from(adjacency)
            + self.weights.empty * f64::from(empty)
    }

    /// Reads a grid once, to evaluate it many times with one more tile.
    #[inline]
    pub fn with_one_more(&self, grid: Grid) -> OneMore<'_> {
        let (rows, columns) = (grid.rows(), grid.columns());
        let shares = [self.lines.rows(grid), self.lines.columns(grid)];
        OneMore { evaluation: self, rows, columns, shares }
    }
}

/// A grid that is evaluated with one more tile here or there: only one row and one column change.
pub struct OneMore<'a> {
    evaluation: &'a Eval,
    rows: [u16; 4],
    columns: [u16; 4],
    shares: [Shares; 2],
}

impl OneMore<'_> {
    /// EVAL(s) of the grid with a tile of this rank in a cell that was empty.
    #[inline]
    pub fn eval(&self, cell: usize, rank: u8) -> f64 {
        let (row, column) = (cell / 4, cell % 4);
        let lines = &self.evaluation.lines;
        let change =
            |line: u16, place: usize| lines.get(line | u16::from(rank) << (4 * place)) - lines.get(line);
        let rows = self.shares[0] + change(self.rows[row], column);
        let columns = self.shares[1] + change(self.columns[column], row);
        self.evaluation.weigh(features(rows, columns))
    }
}

/// The features from the sums over rows and over columns.
///
/// The corner feature is the largest of four sums, one for each corner, of a cell's value times its gradient:
/// 3 in the corner and one less for every step away, down to -3. A gradient splits into one along the row and
/// one along the column, `3 - r - c = (3 - 2r) / 2 + (3 - 2c) / 2`, and another corner only turns their
/// signs. So the largest sum is that of the absolute tilts, halved; the tilts are both odd or both even.
#[inline]
fn features(rows: Shares, columns: Shares) -> Features {
    Features {
        corner: (rows.tilt().abs() + columns.tilt().abs()) / 2,
        adjacency: -(rows.difference() + columns.difference()),
        empty: rows.empty(),
    }
}

/// What a line adds to the features, side by side in one number so that one addition adds all three:
/// the tilt from bit 32 on, the difference from bit 8 on, the number of empty cells below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shares(i64);

impl Shares {
    fn of_line(ranks: [u8; 4], values: FeatureValues) -> Self {
        let empty = ranks.iter().filter(|&&rank| rank == 0).count();
        let tilt = tilt(ranks.map(|rank| values.of(rank)));
        let difference = difference(ranks, values);
        Self((i64::from(tilt) << 32) + (i64::from(difference) << 8) + empty as i64)
    }

    #[inline]
    const fn tilt(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline]
    const fn difference(self) -> i32 {
        (self.0 as u32 >> 8) as i32
    }

    #[inline]
    const fn empty(self) -> i32 {
        (self.0 & 0xff) as i32
    }
}

impl Add for Shares {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Shares {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

/// First rule: bigger tiles should be clustered in a corner. How far a line leans to its first cell, times
/// two.
// D-2: the report gives no formula; a linear gradient from the best of the four corners is ours.
const fn tilt([a, b, c, d]: [i32; 4]) -> i32 {
    3 * a + b - c - 3 * d
}

/// Second rule: adjacent tiles should differ as little as possible. What the neighbours of a line differ by;
/// an empty cell is nobody's neighbour.
// D-3: the report gives no formula; the sum over the pairs of neighbouring cells that both hold a tile is
// ours.
fn difference(ranks: [u8; 4], values: FeatureValues) -> i32 {
    let pairs = ranks.windows(2).filter(|pair| pair[0] != 0 && pair[1] != 0);
    pairs.map(|pair| (values.of(pair[0]) - values.of(pair[1])).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Board;

    fn features(text: &str, values: FeatureValues) -> Features {
        let board: Board = text.parse().unwrap();
        let weights = FeatureWeights { corner: 1.0, adjacency: 2.0, empty: 3.0 };
        Eval::new(weights, values).features(*board)
    }

    #[test]
    fn the_corner_feature_is_the_gradient_of_the_best_corner() {
        let corner = |text| features(text, FeatureValues::Exponents).corner;
        // The gradient of the top left: 3 2 1 0 / 2 1 0 -1 / 1 0 -1 -2 / 0 -1 -2 -3.
        assert_eq!(corner("1024 . . . / . . . . / . . . . / . . . ."), 3 * 10);
        assert_eq!(corner(". . . . / . 1024 . . / . . . . / . . . ."), 10);
        // 3*10 + 2*8 + 2*7 + 1*3 + 0*1 - 3*2
        assert_eq!(corner("1024 256 8 2 / 128 . . . / . . . . / . . . 4"), 30 + 16 + 3 + 14 - 6);
        // Top right: 3*9 + 2*3 - 3*2. Top left: 0*9 + 1*3 + 0*2 = 3.
        assert_eq!(corner(". . 8 512 / . . . . / . . . . / 4 . . ."), 27 + 6 - 6);
        // Bottom right: 3*5 + 2*4 + 2*3.
        assert_eq!(corner(". . . . / . . . . / . . . 8 / . . 16 32"), 15 + 8 + 6);
        assert_eq!(corner(". . . . / 8 . . . / . . . . / 32 16 . ."), 3 * 5 + 2 * 4 + 3);
    }

    #[test]
    fn the_adjacency_feature_counts_pairs_of_tiles_only() {
        let adjacency = |text| features(text, FeatureValues::Exponents).adjacency;
        assert_eq!(adjacency("1024 . 2 . / . 4 . . / . . . . / . . . ."), 0);
        assert_eq!(adjacency("2 2 . . / 2 2 . . / . . . . / . . . ."), 0);
        // Rows: |10-8| + |8-3|, |7-1|; columns: |10-7|, |8-1|.
        assert_eq!(adjacency("1024 256 8 . / 128 2 . . / . . . . / . . . 4"), -(2 + 5 + 6 + 3 + 7));
    }

    #[test]
    fn the_third_feature_is_the_number_of_empty_cells() {
        assert_eq!(features("2 2 . . / . . . . / . 8 . . / . . . .", FeatureValues::Exponents).empty, 13);
        assert_eq!(features("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2", FeatureValues::Exponents).empty, 0);
    }

    #[test]
    fn tile_values_take_the_place_of_exponents() {
        let board = "1024 256 8 . / 128 2 . . / . . . . / . . . 4";
        let expected = Features {
            // 3*1024 + 2*256 + 1*8 + 2*128 + 1*2 - 3*4
            corner: 3072 + 512 + 8 + 256 + 2 - 12,
            // Rows: 768 + 248, 126; columns: 896, 254.
            adjacency: -(768 + 248 + 126 + 896 + 254),
            empty: 10,
        };
        assert_eq!(features(board, FeatureValues::Tiles), expected);
    }

    #[test]
    fn the_largest_tiles_do_not_run_into_each_other() {
        let stripes = "32768 2 32768 2 / 2 32768 2 32768 / 32768 2 32768 2 / 2 32768 2 32768";
        let expected = Features { corner: 0, adjacency: -24 * 32766, empty: 0 };
        assert_eq!(features(stripes, FeatureValues::Tiles), expected);
        let split = "32768 32768 . . / 32768 32768 . . / 32768 32768 . . / 32768 32768 . .";
        // Half of 4 rows of 3 + 1 and of columns that lean to neither side.
        assert_eq!(features(split, FeatureValues::Tiles).corner, 4 * 4 * 32768 / 2);
        let split = ". . 32768 32768 / . . 32768 32768 / . . 32768 32768 / . . 32768 32768";
        assert_eq!(features(split, FeatureValues::Tiles).corner, 4 * 4 * 32768 / 2);
    }

    #[test]
    fn the_evaluation_is_the_weighted_sum() {
        let board: Board = "1024 256 8 . / 128 2 . . / . . . . / . . . 4".parse().unwrap();
        let weights = FeatureWeights { corner: 1.0, adjacency: 2.0, empty: 3.0 };
        let eval = Eval::new(weights, FeatureValues::Exponents).eval(*board);
        // Corner: 3*10 + 2*8 + 1*3 + 2*7 + 1*1 - 3*2 = 58; adjacency: -23; 10 empty cells.
        assert_eq!(eval, 1.0 * 58.0 + 2.0 * -23.0 + 3.0 * 10.0);
    }

    #[test]
    fn one_more_tile_changes_one_row_and_one_column() {
        let board: Board = "1024 256 8 . / 128 . . 2 / . 4 . . / . . 2 4".parse().unwrap();
        for values in [FeatureValues::Exponents, FeatureValues::Tiles] {
            let evaluation = Eval::new(FeatureWeights { corner: 1.0, adjacency: 2.0, empty: 3.0 }, values);
            let one_more = evaluation.with_one_more(*board);
            for (cell, rank) in board.empty_cells().flat_map(|cell| [(cell, 1), (cell, 2)]) {
                let spawned = Board::from_packed(board.packed() | u64::from(rank) << (4 * cell));
                assert_eq!(one_more.eval(cell, rank), evaluation.eval(*spawned), "cell {cell}");
            }
        }
    }
}
