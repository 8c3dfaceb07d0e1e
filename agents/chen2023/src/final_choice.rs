//! The final choice: which move is played when the search is over (section 5.4.1).

use engine::prelude::*;

use crate::uct::{Arms, Stats};

/// A criterion for the move to play. All break ties by taking the last, as the released program does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FinalChoice {
    /// The largest `value/(n + 1)`.
    #[default]
    AsReleased,
    /// Max child: the largest mean value.
    Max,
    /// Robust child: the most visits.
    Robust,
    /// Max-robust child: the most visits and the largest mean value at once. Without one the search goes on.
    MaxRobust,
    /// Secure child: the largest lower confidence bound.
    Secure,
}

impl FinalChoice {
    /// The number of the move to play, of the legal ones, of which there is at least one. The secure child is
    /// reckoned with the mirror image of the bound that selects (D-7): the weight of the doubt, and
    /// `log_root`, which is `sqrt(ln(N + 1))` of the board.
    pub fn choose(self, tried: &Arms, legal: usize, weight: f64, log_root: f64) -> usize {
        let last_max =
            |key: &dyn Fn(Stats) -> f64| last_max((0..legal).map(|number| key(tried.stats(number))));
        let robust = || last_max(&|stats| f64::from(stats.visits));
        match self {
            Self::AsReleased => last_max(&Stats::low_mean),
            Self::Max => last_max(&mean),
            Self::Robust => robust(),
            Self::MaxRobust => max_robust(tried, legal).unwrap_or_else(robust),
            Self::Secure => last_max(&|stats| stats.low_mean() - weight * stats.doubt(log_root)),
        }
    }

    /// Whether the search may end: the max-robust child must exist.
    pub fn is_settled(self, tried: &Arms, legal: usize) -> bool {
        self != Self::MaxRobust || max_robust(tried, legal).is_some()
    }
}

/// The last move that no other beats in either respect.
fn max_robust(tried: &Arms, legal: usize) -> Option<usize> {
    let moves = || (0..legal).map(|number| tried.stats(number));
    let is_best =
        |stats: Stats| moves().all(|other| other.visits <= stats.visits && mean(other) <= mean(stats));
    (0..legal).rev().find(|&number| is_best(tried.stats(number)))
}

/// The mean value, below all others without a visit.
fn mean(stats: Stats) -> f64 {
    stats.mean().unwrap_or(f64::NEG_INFINITY)
}

/// The number of the largest, of equals the last; 0 where there is none.
fn last_max(keys: impl Iterator<Item = f64>) -> usize {
    keys.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(number, _)| number)
}
