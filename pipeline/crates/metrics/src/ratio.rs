//! Ratios of two experiments: differences of logarithms, one for each game.

use stats::Sample;

use crate::{Games, Given, Metric, MetricError, sample};

pub(crate) const RATIO: &str = ".ratio";
pub(crate) const CPU_PER_MOVE_RATIO: &str = "cpu-per-move.ratio";

impl Metric {
    /// The logarithms of a ratio's quantity, or of CPU times per move, one for each game of an experiment.
    pub fn logs(self, games: &Games, experiment: &str) -> Result<Sample, MetricError> {
        let experiment = || experiment.to_owned();
        let values = match self {
            Self::Ratio(quantity) => games.values(quantity, Given::Always),
            _ => match games.cpu_ns_per_move() {
                times if times.is_empty() => return Err(MetricError::NotTimed { experiment: experiment() }),
                times => times,
            },
        };
        if values.iter().any(|&value| value <= 0.0) {
            return Err(MetricError::NotPositive { experiment: experiment() });
        }
        sample(values.into_iter().map(libm::log).collect())
    }
}
