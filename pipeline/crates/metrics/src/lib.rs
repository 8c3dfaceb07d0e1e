//! Metrics: numbers that the games of an experiment give, in the short text form that manifests, tables and
//! reports share.
//!
//! A metric is a statistic of a quantity (`score.mean`), the share of games with an event (`reach.2048`), a
//! special one (`greedy-moves.mean`) or a ratio of two experiments (`nodes.ratio`). Quantities, events and
//! special metrics have a folder each: to add one, write its file with name, words, limits and computation,
//! and add it to the registry in the folder's `mod.rs`.

mod board_value;
mod error;
mod events;
mod games;
mod given;
mod last_board;
mod papers;
mod quantities;
mod ratio;
mod registry;
mod special;
#[cfg(test)]
mod tests;
mod variant;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use stats::{Estimate, Measured, Rate, Sample, Statistic};
use text::Scale;

pub use board_value::BoardValue;
pub use error::{MetricError, UnknownMetricError};
pub use events::{Event, EventKind};
pub use games::{FileHashes, Games};
pub use given::Given;
pub use last_board::{BoardPart, LastBoard};
pub use quantities::{Quantity, QuantityKind};
pub use special::SpecialMetric;
pub use variant::Variant;

use ratio::{CPU_PER_MOVE_RATIO, RATIO};

/// The largest number of a metric without a limit: up to it a floating-point number holds every whole one.
pub const LARGEST_NUMBER: f64 = 1e15;

/// A number that an experiment's games give, written `score.mean`, `reach.2048` or `cpu-per-move.ratio`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    /// A statistic of a quantity that every game has.
    Summary {
        /// What is measured.
        quantity: Quantity,
        /// How the games' values become one number.
        statistic: Statistic,
        /// Which games count.
        given: Given,
    },
    /// The share of games with an event, from 0 to 1.
    Share {
        /// The event.
        event: Event,
        /// Which games count.
        given: Given,
    },
    /// A metric with a computation of its own, and the number that it takes.
    Special(&'static SpecialMetric, u32),
    /// The geometric mean of a quantity, as the ratio of an experiment's to another's.
    Ratio(Quantity),
    /// CPU time per move, as the ratio of an experiment's to another's.
    CpuPerMoveRatio,
}

/// What a metric is computed from.
#[derive(Clone, Debug)]
pub enum Measurement {
    /// A statistic of one value per game.
    Summary(Statistic, Sample),
    /// A count of games.
    Rate(Rate),
}

impl Measurement {
    /// The same, for tests and intervals.
    pub const fn measured(&self) -> Measured<'_> {
        match self {
            Self::Summary(statistic, sample) => Measured::Summary(*statistic, sample),
            Self::Rate(rate) => Measured::Rate(*rate),
        }
    }
}

impl Metric {
    /// A statistic of a quantity over all games.
    pub const fn summary(quantity: Quantity, statistic: Statistic) -> Self {
        Self::Summary { quantity, statistic, given: Given::Always }
    }

    /// The share of games that reach a tile.
    pub const fn reach(tile: u32) -> Self {
        Self::Share { event: Event::reach(tile), given: Given::Always }
    }

    /// Measures games.
    pub fn measure(self, games: &Games) -> Result<Measurement, MetricError> {
        match self {
            Self::Summary { quantity, statistic, given } => {
                Ok(Measurement::Summary(statistic, sample(games.values(quantity, given))?))
            }
            Self::Share { event, given } => {
                let (count, n) = games.count(event, given);
                Rate::new(count, n).map(Measurement::Rate).map_err(|_| MetricError::NoGame)
            }
            Self::Special(metric, number) => {
                Ok(Measurement::Summary(Statistic::Mean, sample((metric.values)(games, number)?)?))
            }
            Self::Ratio(_) | Self::CpuPerMoveRatio => Err(MetricError::OneExperiment),
        }
    }

    /// The metric of some games with its interval, as tables show it.
    pub fn estimate(self, games: &Games) -> Result<Estimate, MetricError> {
        Ok(self.measure(games)?.measured().estimate())
    }

    /// Whether values of the metric are shares, from 0 to 1.
    pub fn is_rate(self) -> bool {
        matches!(self, Self::Share { .. } | Self::Special(..)) && self.limits().1 == 1.0
    }

    /// The lowest and the highest value that the metric can have.
    pub fn limits(self) -> (f64, f64) {
        let max = match self {
            // Half of the games at either end spread most.
            Self::Summary { quantity, statistic: Statistic::Sd | Statistic::PopulationSd, .. } => {
                quantity.max() / 2.0
            }
            Self::Summary { quantity, .. } => quantity.max(),
            Self::Share { .. } => 1.0,
            Self::Special(metric, _) => metric.max,
            Self::Ratio(_) | Self::CpuPerMoveRatio => LARGEST_NUMBER,
        };
        (0.0, max)
    }

    /// Whether the metric needs two experiments.
    pub const fn is_ratio(self) -> bool {
        matches!(self, Self::CpuPerMoveRatio | Self::Ratio(_))
    }

    /// Whether the metric is measured time, which another machine measures differently.
    pub const fn is_timed(self) -> bool {
        matches!(self, Self::CpuPerMoveRatio)
    }

    /// The scale of the metric's numbers.
    pub const fn scale(self) -> Scale {
        match self {
            Self::Summary { .. } => Scale::Points,
            Self::Share { .. } | Self::Special(..) => Scale::Share,
            Self::Ratio(_) | Self::CpuPerMoveRatio => Scale::Ratio,
        }
    }

    /// The metric's name in a sentence, after `the`.
    pub fn words(self) -> String {
        match self {
            Self::Summary { quantity, statistic, given } => {
                format!("{} {}{}", statistic.words(), quantity.words(), given.words())
            }
            Self::Share { event, given } => format!("{}{}", event.words(), given.words()),
            Self::Special(metric, number) => (metric.words)(number),
            Self::Ratio(quantity) => format!("ratio of the geometric mean {}", quantity.words()),
            Self::CpuPerMoveRatio => "ratio of CPU time per move".to_owned(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        if text == CPU_PER_MOVE_RATIO {
            return Some(Self::CpuPerMoveRatio);
        }
        if let Some((metric, number)) = SpecialMetric::parse(text) {
            return Some(Self::Special(metric, number));
        }
        if let Some(name) = text.strip_suffix(RATIO) {
            return Quantity::parse(name).map(Self::Ratio);
        }
        let (text, given) = Given::split(text)?;
        if let Some(event) = Event::parse(text) {
            return Some(Self::Share { event, given });
        }
        let (quantity, name) = text.split_once('.')?;
        let statistic = Statistic::ALL.into_iter().find(|statistic| statistic.name() == name)?;
        Some(Self::Summary { quantity: Quantity::parse(quantity)?, statistic, given })
    }
}

/// The sample of some values.
pub fn sample(values: Vec<f64>) -> Result<Sample, MetricError> {
    if values.is_empty() {
        return Err(MetricError::NoGame);
    }
    Ok(Sample::new(values)?)
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Summary { quantity, statistic, given } => {
                write!(f, "{quantity}.{}{given}", statistic.name())
            }
            Self::Share { event, given } => write!(f, "{event}{given}"),
            Self::Special(metric, number) => f.write_str(&metric.parameter.text(metric.name, *number)),
            Self::Ratio(quantity) => write!(f, "{quantity}{RATIO}"),
            Self::CpuPerMoveRatio => f.write_str(CPU_PER_MOVE_RATIO),
        }
    }
}

impl FromStr for Metric {
    type Err = UnknownMetricError;

    fn from_str(text: &str) -> Result<Self, UnknownMetricError> {
        Self::parse(text).ok_or_else(|| UnknownMetricError(text.to_owned()))
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Metric {
    fn schema_name() -> Cow<'static, str> {
        "Metric".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let (quantities, events) = (Quantity::pattern(), Event::pattern());
        let (special, given) = (SpecialMetric::pattern(), Given::pattern());
        let statistics = Statistic::ALL.map(Statistic::name).join("|");
        json_schema!({
            "description": "A number that an experiment's games give.",
            "type": "string",
            "pattern": format!(
                r"^((({quantities})\.({statistics})|{events})({given})?|{special}|({quantities}|cpu-per-move)\.ratio)$"
            ),
            "examples": ["score.mean", "tile-sum.sd", "max-tile.min", "reach.2048", CPU_PER_MOVE_RATIO],
        })
    }
}
