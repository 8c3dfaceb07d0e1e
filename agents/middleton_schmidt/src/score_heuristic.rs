//! The game's score as a heuristic, of which section "Initial Heuristics" says that it "does not provide a
//! good basis".
//!
//! A board does not tell its score, but nearly so: that of its tiles, had each been made from 2s. Every 4
//! that spawned counts 4 too much in it, which is the same for all leaves of a search but for the 4s in the
//! tree (D-13).

use engine::{Grid, RowTable};

use crate::heuristic::Heuristic;

/// The score that the tiles of a board stand for.
pub struct ScoreHeuristic(RowTable<f64>);

impl Default for ScoreHeuristic {
    /// Builds the row table.
    fn default() -> Self {
        Self(RowTable::from_fn(|ranks| ranks.map(score_of_making).iter().sum()))
    }
}

/// What the merges that made a tile from 2s have brought.
fn score_of_making(rank: u8) -> f64 {
    f64::from(rank.saturating_sub(1)) * f64::from(1_u32 << rank)
}

impl Heuristic for ScoreHeuristic {
    /// Whole numbers below 2^53, so that the order of the sum is of no matter.
    #[inline]
    fn value(&self, grid: Grid) -> f64 {
        grid.rows().into_iter().map(|row| self.0.get(row)).sum()
    }

    /// The score stays when the game ends.
    #[inline]
    fn lost(&self, grid: Grid) -> f64 {
        self.value(grid)
    }
}
