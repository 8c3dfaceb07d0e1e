//! Rollouts: games played to their end from a board, and the measure of their last board (section 3.2).

use engine::board::tile;
use engine::playout::{Evaluation, Playout, Playouts};
use engine::prelude::*;

use crate::measure::Measure;

/// How a rollout chooses its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RolloutPolicy {
    /// Section 3.2: the move after which free cells less smoothness are most, of equals the last.
    #[default]
    Greedy,
    /// Section 4.1: "played out randomly".
    Random,
}

impl RolloutPolicy {
    /// What greedy moves go by; none for random ones.
    pub fn evaluation(self) -> Option<Evaluation> {
        (self == Self::Greedy).then(|| Evaluation::new(frees_less_smoothness))
    }
}

/// Plays the rollouts that a search asks for.
pub trait Play {
    /// The values of many rollouts. `sink` gets each with the number of its job as it ends; `jobs` is asked
    /// for another whenever a lane of the engine has become free, so it may depend on what the sink has got.
    fn values(&self, jobs: impl Iterator<Item = (Board, u64)>, sink: impl FnMut(usize, u32));
}

/// Plays and values rollouts under some rules.
pub struct Rollouts {
    playouts: Playouts,
    /// What greedy moves go by; none for random ones.
    greedy: Option<Evaluation>,
    measure: Measure,
}

impl Rollouts {
    /// For games under these rules.
    pub fn new(rules: &Rules, policy: RolloutPolicy, measure: Measure) -> Self {
        Self { playouts: Playouts::new(rules), greedy: policy.evaluation(), measure }
    }

    /// The value of one rollout.
    pub fn value(&self, start: Board, seed: u64) -> u32 {
        self.measured(match &self.greedy {
            Some(evaluation) => self.playouts.greedy(evaluation, start, seed),
            None => self.playouts.random(start, seed),
        })
    }

    #[inline]
    fn measured(&self, playout: Playout) -> u32 {
        self.measure.of(*playout.board)
    }
}

impl Play for Rollouts {
    fn values(&self, jobs: impl Iterator<Item = (Board, u64)>, mut sink: impl FnMut(usize, u32)) {
        let sink = |job, playout| sink(job, self.measured(playout));
        match &self.greedy {
            Some(evaluation) => self.playouts.greedy_many(evaluation, jobs, sink),
            None => self.playouts.random_many(jobs, sink),
        }
    }
}

/// One row's or column's part of twice the free cells less the smoothness: rows and columns each count every
/// free cell, but only their own pairs of neighbours.
fn frees_less_smoothness(ranks: [u8; 4]) -> i32 {
    let frees = ranks.iter().filter(|&&rank| rank == 0).count() as i32;
    let tiles = ranks.map(|rank| tile(rank) as i32);
    let smoothness: i32 = tiles.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
    frees - 2 * smoothness
}
