//! Why a text is no metric, and why games have none.

use std::fmt;

use stats::{SampleError, Statistic};

use crate::{BoardValue, Event, Quantity, SpecialMetric};

/// Why a metric cannot be computed from some games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MetricError {
    #[error("no game counts for this claim")]
    NoGame,
    #[error(transparent)]
    Sample(#[from] SampleError),
    #[error("the games of {experiment} were not timed")]
    NotTimed { experiment: String },
    #[error("the ratio needs a value above 0 of every game of {experiment}")]
    NotPositive { experiment: String },
    #[error("its games cannot be replayed: {problem}")]
    NotReplayed { problem: String },
    #[error("all games reach {tile}, or none does, or their scores are all the same")]
    NothingToExplain { tile: u32 },
    #[error("a ratio needs two experiments")]
    OneExperiment,
}

/// A text that names no metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMetricError(pub String);

impl fmt::Display for UnknownMetricError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (quantities, features) = (Quantity::names("`, `"), BoardValue::features("`, `"));
        let statistics = Statistic::ALL.map(Statistic::name).join("`, `.");
        let (events, special) = (Event::usage(), SpecialMetric::usage());
        write!(
            f,
            "`{}` is not a metric: write a quantity (`{quantities}`, or a sum of `{features}` in this order with \
             weights, such as `tile-sum+10*corner-rank`) with `.{statistics}` or `.at-least.NUMBER`; or {events}; \
             all of these also with `.if-reach-TILE` or `.if-not-reach-TILE`; or {special}; or a quantity with \
             `.ratio`, or `cpu-per-move.ratio`. A tile is a power of two from 2 to 65536",
            self.0
        )
    }
}

impl std::error::Error for UnknownMetricError {}
