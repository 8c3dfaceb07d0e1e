//! Metrics: what a claim is about, in the short text form that manifests, tables and reports share.

use std::fmt;
use std::str::FromStr;

use engine::board::rank_of_tile;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number that an experiment's games give, written `score.mean`, `reach.2048` or `cpu-per-move.ratio`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// A statistic of a quantity that every game has.
    Summary {
        /// What is measured.
        quantity: Quantity,
        /// How the games' values become one number.
        statistic: Statistic,
    },
    /// The share of games that reach a tile, from 0 to 1.
    Reach {
        /// The tile.
        tile: u32,
    },
    /// CPU time a move, as the ratio of an experiment's to another's.
    CpuPerMoveRatio,
}

impl Metric {
    /// Whether values of the metric are shares, from 0 to 1.
    #[must_use]
    pub const fn is_rate(self) -> bool {
        matches!(self, Self::Reach { .. })
    }

    /// Whether the metric needs two experiments.
    #[must_use]
    pub const fn is_ratio(self) -> bool {
        matches!(self, Self::CpuPerMoveRatio)
    }
}

/// What is measured of every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// The score.
    Score,
    /// The sum of the tiles on the last board.
    TileSum,
    /// The largest tile on the last board.
    MaxTile,
    /// The nodes expanded for a move.
    Nodes,
}

impl Quantity {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 4] = [Self::Score, Self::TileSum, Self::MaxTile, Self::Nodes];

    /// The name in a metric's text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::TileSum => "tile-sum",
            Self::MaxTile => "max-tile",
            Self::Nodes => "nodes",
        }
    }
}

/// How the values of many games become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Sd,
    /// The median.
    Median,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
}

impl Statistic {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 5] = [Self::Mean, Self::Sd, Self::Median, Self::Min, Self::Max];

    /// The name in a metric's text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sd => "sd",
            Self::Median => "median",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

const REACH: &str = "reach";
const CPU_PER_MOVE_RATIO: &str = "cpu-per-move.ratio";

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Summary { quantity, statistic } => write!(f, "{}.{}", quantity.name(), statistic.name()),
            Self::Reach { tile } => write!(f, "{REACH}.{tile}"),
            Self::CpuPerMoveRatio => f.write_str(CPU_PER_MOVE_RATIO),
        }
    }
}

/// A text that names no metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMetric(pub String);

impl fmt::Display for UnknownMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quantities = Quantity::ALL.map(Quantity::name).join("`, `");
        let statistics = Statistic::ALL.map(Statistic::name).join("`, `.");
        write!(
            f,
            "`{}` is no metric: write one of `{quantities}` with one of `.{statistics}`, or `{REACH}.` with a tile from 2 to \
             65536, or `{CPU_PER_MOVE_RATIO}`",
            self.0
        )
    }
}

impl std::error::Error for UnknownMetric {}

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(text: &str) -> Result<Self, UnknownMetric> {
        parse(text).ok_or_else(|| UnknownMetric(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Metric> {
    if text == CPU_PER_MOVE_RATIO {
        return Some(Metric::CpuPerMoveRatio);
    }
    let (subject, rest) = text.split_once('.')?;
    if subject == REACH {
        let tile: u32 = rest.parse().ok()?;
        let canonical = tile.to_string() == rest;
        return (canonical && rank_of_tile(tile).is_some_and(|rank| rank > 0))
            .then_some(Metric::Reach { tile });
    }
    let quantity = Quantity::ALL.into_iter().find(|quantity| quantity.name() == subject)?;
    let statistic = Statistic::ALL.into_iter().find(|statistic| statistic.name() == rest)?;
    Some(Metric::Summary { quantity, statistic })
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
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Metric".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let quantities = Quantity::ALL.map(Quantity::name).join("|");
        let statistics = Statistic::ALL.map(Statistic::name).join("|");
        json_schema!({
            "description": "A number that an experiment's games give.",
            "type": "string",
            "pattern": format!(r"^(({quantities})\.({statistics})|{REACH}\.[1-9][0-9]*|cpu-per-move\.ratio)$"),
            "examples": ["score.mean", "tile-sum.sd", "max-tile.min", "reach.2048", CPU_PER_MOVE_RATIO],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_read_back_from_its_text() {
        let summaries = Quantity::ALL
            .into_iter()
            .flat_map(|quantity| Statistic::ALL.map(|statistic| Metric::Summary { quantity, statistic }));
        let reaches = (1..=16).map(|rank| Metric::Reach { tile: 1 << rank });
        for metric in summaries.chain(reaches).chain([Metric::CpuPerMoveRatio]) {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
    }

    #[test]
    fn texts_read_as_the_metric_that_they_name() {
        let mean = Metric::Summary { quantity: Quantity::TileSum, statistic: Statistic::Mean };
        assert_eq!("tile-sum.mean".parse(), Ok(mean));
        assert_eq!("reach.2048".parse(), Ok(Metric::Reach { tile: 2048 }));
    }

    #[test]
    fn other_texts_are_refused_with_all_that_is_allowed() {
        let wrong = [
            "",
            "score",
            "score.average",
            "points.mean",
            "Score.mean",
            "score.mean ",
            "reach",
            "reach.2047",
            "reach.0",
            "reach.+2048",
            "reach.131072",
            "cpu-per-move",
            "cpu-per-move.mean",
        ];
        for text in wrong {
            let error = text.parse::<Metric>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "`{text}` is no metric: write one of `score`, `tile-sum`, `max-tile`, `nodes` with one of `.mean`, `.sd`, \
                     `.median`, `.min`, `.max`, or `reach.` with a tile from 2 to 65536, or `cpu-per-move.ratio`"
                )
            );
        }
    }
}
