//! Section "Initial Heuristics": corner gradient, empty tiles, max tile, and a fixed loss penalty.

use std::ops::Add;

use engine::prelude::*;

use crate::heuristic::Heuristic;

engine::params! {
    /// The weights of the initial heuristics.
    ///
    /// The authors tuned theirs by hand and print none, so these are a decision (D-4): found on seeds apart
    /// from the experiments'.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct InitialWeights {
        /// Of the corner gradient.
        #[serde(rename = "initial_corner")]
        pub corner: f64 = 1.0,
        /// Of each empty cell.
        #[serde(rename = "initial_empty")]
        pub empty: f64 = 2.0,
        /// Of the max tile's rank.
        #[serde(rename = "initial_max_tile")]
        pub max_tile: f64 = 8.0,
        /// What a board without a legal move is worth less than nothing.
        #[serde(rename = "initial_loss_penalty")]
        pub loss_penalty: f64 = 1000.0,
    }
}

/// The initial heuristics through a row table (section "Speed").
pub struct InitialHeuristics {
    features: RowTable<Features>,
    weights: InitialWeights,
}

/// What one row, or several together, bring to the heuristics.
#[derive(Clone, Copy)]
struct Features {
    /// How steeply the ranks fall from the first cell to the last, in halves: see [`corner_gradient`].
    slope: i16,
    empty: u8,
    max_rank: u8,
}

impl Features {
    fn of_row(ranks: [u8; 4]) -> Self {
        let [a, b, c, d] = ranks.map(i16::from);
        Self {
            slope: 3 * a + b - c - 3 * d,
            empty: ranks.iter().filter(|&&rank| rank == 0).count() as u8,
            max_rank: a.max(b).max(c).max(d) as u8,
        }
    }
}

impl Add for Features {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            slope: self.slope + other.slope,
            empty: self.empty + other.empty,
            max_rank: self.max_rank.max(other.max_rank),
        }
    }
}

/// The paper's matrix A for the best of the four corners (D-3), from the slopes of all rows and of all
/// columns.
///
/// The weight `3 - i - j` of row i and column j is `(3/2 - i) + (3/2 - j)`. So A's weighted sum is that of a
/// slope down the columns and one along the rows; another corner turns the sign of one or both, and the best
/// corner has both positive.
#[inline]
fn corner_gradient(rows_slope: i16, columns_slope: i16) -> i16 {
    (rows_slope.abs() + columns_slope.abs()) / 2
}

impl InitialHeuristics {
    /// Builds the row table.
    pub fn new(weights: InitialWeights) -> Self {
        Self { features: RowTable::from_fn(Features::of_row), weights }
    }
}

impl Default for InitialHeuristics {
    fn default() -> Self {
        Self::new(InitialWeights::default())
    }
}

impl Heuristic for InitialHeuristics {
    #[inline]
    fn value(&self, grid: Grid) -> f64 {
        let Features { slope: rows_slope, empty, max_rank } = self.features.rows(grid);
        let columns_slope = self.features.columns(grid).slope;
        self.weights.corner * f64::from(corner_gradient(rows_slope, columns_slope))
            + self.weights.empty * f64::from(empty)
            + self.weights.max_tile * f64::from(max_rank)
    }

    fn lost(&self, _: Grid) -> f64 {
        -self.weights.loss_penalty
    }
}
