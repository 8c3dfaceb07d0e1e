//! Section "Final Heuristics": those of nneonneo's 2048-ai, with its weights.
//!
//! The paper names them and where they come from, but prints neither formulas nor numbers. Both are that
//! program's (D-7).

use engine::prelude::*;

use crate::heuristic::Heuristic;

engine::params! {
    /// The weights of the final heuristics.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct FinalWeights {
        /// What every row and column is worth by itself, so that a lost board, worth 0, is this much worse.
        #[serde(rename = "final_loss_penalty")]
        pub loss_penalty: f64 = 200_000.0,
        /// Of each empty cell.
        #[serde(rename = "final_empty")]
        pub empty: f64 = 270.0,
        /// Of the tiles that could merge: the paper's smoothness.
        #[serde(rename = "final_merges")]
        pub merges: f64 = 700.0,
        /// Of what a row lacks to be monotone.
        #[serde(rename = "final_monotonicity")]
        pub monotonicity: f64 = 47.0,
        /// The power of the ranks whose differences make the monotonicity.
        #[serde(rename = "final_monotonicity_power")]
        pub monotonicity_power: f64 = 4.0,
        /// Of the sum penalty.
        #[serde(rename = "final_sum")]
        pub sum: f64 = 11.0,
        /// The power of the ranks in the sum penalty.
        #[serde(rename = "final_sum_power")]
        pub sum_power: f64 = 3.5,
    }
}

/// The final heuristics through a row table (section "Speed"): the sum over rows and columns.
pub struct FinalHeuristics(RowTable<f64>);

impl FinalHeuristics {
    /// Builds the row table.
    pub fn new(weights: FinalWeights) -> Self {
        Self::with_smoothness(weights, |ranks| f64::from(merges(ranks)))
    }

    /// The same with smoothness as section "Better Heuristics" describes it: a penalty, where the program
    /// that the final heuristics are taken from has a reward (D-7).
    pub fn as_described(weights: FinalWeights) -> Self {
        Self::with_smoothness(weights, |ranks| -f64::from(roughness(ranks)))
    }

    fn with_smoothness(weights: FinalWeights, smoothness: fn([u8; 4]) -> f64) -> Self {
        let for_monotonicity = powers(weights.monotonicity_power);
        let for_sum = powers(weights.sum_power);
        Self(RowTable::from_fn(|ranks| {
            weights.loss_penalty
                + weights.empty * f64::from(empty(ranks))
                + weights.merges * smoothness(ranks)
                - weights.monotonicity * monotonicity(ranks.map(|rank| for_monotonicity[usize::from(rank)]))
                - weights.sum * sum(ranks.map(|rank| for_sum[usize::from(rank)]))
        }))
    }
}

impl Default for FinalHeuristics {
    fn default() -> Self {
        Self::new(FinalWeights::default())
    }
}

impl Heuristic for FinalHeuristics {
    #[inline]
    fn value(&self, grid: Grid) -> f64 {
        self.0.rows_and_columns(grid)
    }

    /// The loss penalty stands in every row and column instead.
    #[inline]
    fn lost(&self, _: Grid) -> f64 {
        0.0
    }
}

/// All ranks to some power; an empty cell counts 0. By `libm`, which gives the same on every machine.
fn powers(exponent: f64) -> [f64; 16] {
    std::array::from_fn(|rank| if rank == 0 { 0.0 } else { libm::pow(rank as f64, exponent) })
}

/// The empty cells of a row.
fn empty(ranks: [u8; 4]) -> u32 {
    ranks.iter().filter(|&&rank| rank == 0).count() as u32
}

/// k for every run of k equal tiles, two at least, whatever empty cells lie between them.
// DEVIATION: section "Better Heuristics" describes smoothness as a penalty on the difference of neighbours.
// The program whose heuristics the final ones are has no such term, and rewards equal tiles instead.
fn merges(ranks: [u8; 4]) -> u32 {
    let tiles: Vec<u8> = ranks.into_iter().filter(|&rank| rank != 0).collect();
    tiles.chunk_by(|a, b| a == b).map(|run| run.len() as u32).filter(|&length| length >= 2).sum()
}

/// How far the ranks of neighbours are apart, in all; empty cells between two tiles do not part them. "A
/// smoothness penalty punishes rows that contain tiles of great difference in value at a scale with their
/// distance from each other" (section "Better Heuristics").
fn roughness(ranks: [u8; 4]) -> u32 {
    let tiles: Vec<u8> = ranks.into_iter().filter(|&rank| rank != 0).collect();
    tiles.windows(2).map(|pair| u32::from(pair[0].abs_diff(pair[1]))).sum()
}

/// The smaller of what falls and what rises along a row: 0 where it is monotone.
fn monotonicity(powers: [f64; 4]) -> f64 {
    let (mut falls, mut rises) = (0.0, 0.0);
    for pair in powers.windows(2) {
        let fall = pair[0] - pair[1];
        if fall > 0.0 {
            falls += fall;
        } else {
            rises -= fall;
        }
    }
    f64::min(falls, rises)
}

/// The sum penalty of a row, from left to right.
fn sum([a, b, c, d]: [f64; 4]) -> f64 {
    a + b + c + d
}
