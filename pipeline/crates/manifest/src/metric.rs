//! Metrics: what a claim is about, in the short text form that manifests, tables and reports share.

use std::fmt;
use std::str::FromStr;

use engine::board::rank_of_tile;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use stats::Statistic;

use super::habit::Habit;
use super::last_board::{BoardPart, BoardValue, Feature};
use super::limits::LARGEST_NUMBER;

/// A number that an experiment's games give, written `score.mean`, `reach.2048` or `cpu-per-move.ratio`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// The share of games in which something happens, from 0 to 1.
    Share {
        /// What happens.
        event: Event,
        /// Which games count.
        given: Given,
    },
    /// The mean of what a replay shows of every game.
    Habit(Habit),
    /// The share of the variance of scores that lies between the games that reach a tile and those that do not, from 0 to 1.
    Explained {
        /// The tile.
        tile: u32,
    },
    /// The geometric mean of a quantity, as the ratio of an experiment's to another's.
    Ratio(Quantity),
    /// CPU time a move, as the ratio of an experiment's to another's.
    CpuPerMoveRatio,
}

impl Metric {
    /// A statistic of a quantity over all games.
    #[must_use]
    pub const fn summary(quantity: Quantity, statistic: Statistic) -> Self {
        Self::Summary { quantity, statistic, given: Given::Always }
    }

    /// The share of games that reach a tile.
    #[must_use]
    pub const fn reach(tile: u32) -> Self {
        Self::Share { event: Event::Reach(tile), given: Given::Always }
    }

    /// Whether values of the metric are shares, from 0 to 1.
    #[must_use]
    pub const fn is_rate(self) -> bool {
        matches!(self, Self::Share { .. } | Self::Explained { .. } | Self::Habit(Habit::Greedy))
    }

    /// The lowest and the highest value that the metric can have.
    #[must_use]
    pub fn limits(self) -> (f64, f64) {
        match self {
            Self::Summary { quantity, statistic: Statistic::Sd | Statistic::PopulationSd, .. } => {
                // Half of the games at either end spread most.
                (0.0, quantity.most() / 2.0)
            }
            Self::Summary { quantity, .. } => (0.0, quantity.most()),
            Self::Share { .. } | Self::Explained { .. } | Self::Habit(Habit::Greedy) => (0.0, 1.0),
            Self::Habit(Habit::RandomGain) | Self::Ratio(_) | Self::CpuPerMoveRatio => (0.0, LARGEST_NUMBER),
        }
    }

    /// Whether the metric needs two experiments.
    #[must_use]
    pub const fn is_ratio(self) -> bool {
        matches!(self, Self::CpuPerMoveRatio | Self::Ratio(_))
    }

    /// Whether the metric is measured time, which another machine measures differently.
    #[must_use]
    pub const fn is_timed(self) -> bool {
        matches!(self, Self::CpuPerMoveRatio)
    }
}

/// Something that happens in a game or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// The game reaches a tile.
    Reach(u32),
    /// The score stays below a number.
    ScoreBelow(u32),
    /// A quantity comes to a number.
    AtLeast(Quantity, u32),
    /// At the end a largest tile stands in a part of the board.
    MaxTileIn(BoardPart),
}

/// Which games of an experiment count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Given {
    /// All of them.
    #[default]
    Always,
    /// Those that reach a tile.
    Reached(u32),
    /// Those that do not.
    NotReached(u32),
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
    /// The merges in 1,000 moves.
    Merges,
    /// A value of the last board.
    BoardValue(BoardValue),
}

impl Quantity {
    /// Those that a single name stands for, in the order of tables.
    pub const NAMED: [Self; 5] = [Self::Score, Self::TileSum, Self::MaxTile, Self::Nodes, Self::Merges];

    /// More than any game has. A tile of 65,536 ends a game, so the board that it ends on holds less than twice as much; and a
    /// tile of rank k has brought at most k - 1 times its value as a score.
    fn most(self) -> f64 {
        const LARGEST_TILE: f64 = 65_536.0;
        match self {
            Self::MaxTile => LARGEST_TILE,
            Self::TileSum => 2.0 * LARGEST_TILE,
            Self::Score => 15.0 * 2.0 * LARGEST_TILE,
            Self::Nodes => LARGEST_NUMBER,
            // In 1,000 moves; a slide merges at most eight times.
            Self::Merges => 8_000.0,
            Self::BoardValue(value) => value.most(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let named = Self::NAMED.into_iter().find(|quantity| quantity.to_string() == text);
        named.or_else(|| BoardValue::parse(text).map(Self::BoardValue))
    }

    fn names(between: &str) -> String {
        Self::NAMED.map(|quantity| quantity.to_string()).join(between)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score => f.write_str("score"),
            Self::TileSum => f.write_str("tile-sum"),
            Self::MaxTile => f.write_str("max-tile"),
            Self::Nodes => f.write_str("nodes"),
            Self::Merges => f.write_str("merges"),
            Self::BoardValue(value) => value.fmt(f),
        }
    }
}

const REACH: &str = "reach";
const SCORE_BELOW: &str = "score-below";
const AT_LEAST: &str = "at-least";
const IF_REACHED: &str = "if-reach-";
const IF_NOT_REACHED: &str = "if-not-reach-";
const EXPLAINED: &str = "score.explained-by.";
const RATIO: &str = ".ratio";
const CPU_PER_MOVE_RATIO: &str = "cpu-per-move.ratio";

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Summary { quantity, statistic, given } => {
                write!(f, "{quantity}.{}{given}", statistic.name())
            }
            Self::Share { event, given } => write!(f, "{event}{given}"),
            Self::Habit(habit) => f.write_str(habit.metric()),
            Self::Explained { tile } => write!(f, "{EXPLAINED}{tile}"),
            Self::Ratio(quantity) => write!(f, "{quantity}{RATIO}"),
            Self::CpuPerMoveRatio => f.write_str(CPU_PER_MOVE_RATIO),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(tile) => write!(f, "{REACH}.{tile}"),
            Self::ScoreBelow(score) => write!(f, "{SCORE_BELOW}.{score}"),
            Self::AtLeast(quantity, number) => write!(f, "{quantity}.{AT_LEAST}.{number}"),
            Self::MaxTileIn(part) => f.write_str(part.event()),
        }
    }
}

/// With the dot that parts it from what comes before.
impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => Ok(()),
            Self::Reached(tile) => write!(f, ".{IF_REACHED}{tile}"),
            Self::NotReached(tile) => write!(f, ".{IF_NOT_REACHED}{tile}"),
        }
    }
}

/// A text that names no metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMetric(pub String);

impl fmt::Display for UnknownMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quantities = Quantity::names("`, `");
        let features = Feature::ALL.map(Feature::name).join("`, `");
        let statistics = Statistic::ALL.map(Statistic::name).join("`, `.");
        let parts = BoardPart::ALL.map(BoardPart::event).join("`, `");
        let habits = Habit::ALL.map(Habit::metric).join("`, `");
        write!(
            f,
            "`{}` is not a metric: write one of `{quantities}`, or a sum of `{features}` in this order with weights, such as \
             `tile-sum+10*corner-rank`, with one of `.{statistics}` or with `.{AT_LEAST}.` and a number, or `{REACH}.` with a \
             tile from 2 to 65536, or `{SCORE_BELOW}.` with a number, or one of `{parts}`, each also with `.{IF_REACHED}` or \
             `.{IF_NOT_REACHED}` and a tile, or `{habits}`, or `{EXPLAINED}` with a tile, or one of the first with `{RATIO}`, \
             or `{CPU_PER_MOVE_RATIO}`",
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
    if let Some(habit) = Habit::parse(text) {
        return Some(Metric::Habit(habit));
    }
    if let Some(tile) = text.strip_prefix(EXPLAINED) {
        return Some(Metric::Explained { tile: parse_tile(tile)? });
    }
    if let Some(name) = text.strip_suffix(RATIO) {
        return Quantity::parse(name).map(Metric::Ratio);
    }
    let (text, given) = split_given(text)?;
    if let Some(event) = parse_event(text) {
        return Some(Metric::Share { event, given });
    }
    let (subject, rest) = text.split_once('.')?;
    let quantity = Quantity::parse(subject)?;
    let statistic = Statistic::ALL.into_iter().find(|statistic| statistic.name() == rest)?;
    Some(Metric::Summary { quantity, statistic, given })
}

/// The text before a condition, and the condition; none where that is wrong.
fn split_given(text: &str) -> Option<(&str, Given)> {
    let Some((before, condition)) = text.rsplit_once('.') else { return Some((text, Given::Always)) };
    if let Some(tile) = condition.strip_prefix(IF_REACHED) {
        return Some((before, Given::Reached(parse_tile(tile)?)));
    }
    if let Some(tile) = condition.strip_prefix(IF_NOT_REACHED) {
        return Some((before, Given::NotReached(parse_tile(tile)?)));
    }
    Some((text, Given::Always))
}

fn parse_event(text: &str) -> Option<Event> {
    if let Some(part) = BoardPart::ALL.into_iter().find(|part| part.event() == text) {
        return Some(Event::MaxTileIn(part));
    }
    match text.split_once('.')? {
        (REACH, tile) => parse_tile(tile).map(Event::Reach),
        (SCORE_BELOW, score) => parse_number(score).map(Event::ScoreBelow),
        (subject, rest) => match rest.split_once('.')? {
            (AT_LEAST, number) => Some(Event::AtLeast(Quantity::parse(subject)?, parse_number(number)?)),
            _ => None,
        },
    }
}

fn parse_tile(text: &str) -> Option<u32> {
    parse_number(text).filter(|&tile| rank_of_tile(tile).is_some_and(|rank| rank > 0))
}

/// A number in the one form in which it is printed.
fn parse_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
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
        let quantities = format!("{}|{}", Quantity::names("|"), BoardValue::pattern());
        let parts = BoardPart::ALL.map(BoardPart::event).join("|");
        let statistics = Statistic::ALL.map(Statistic::name).join("|");
        let habits = Habit::ALL.map(Habit::metric).join("|").replace('.', r"\.");
        json_schema!({
            "description": "A number that an experiment's games give.",
            "type": "string",
            "pattern": format!(
                r"^((({quantities})\.({statistics}|{AT_LEAST}\.[0-9]+)|{REACH}\.[1-9][0-9]*|{SCORE_BELOW}\.[0-9]+|{parts})(\.({IF_REACHED}|{IF_NOT_REACHED})[1-9][0-9]*)?|{habits}|score\.explained-by\.[1-9][0-9]*|({quantities}|cpu-per-move)\.ratio)$"
            ),
            "examples": ["score.mean", "tile-sum.sd", "max-tile.min", "reach.2048", CPU_PER_MOVE_RATIO],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_read_back_from_its_text() {
        let givens = [Given::Always, Given::Reached(4096), Given::NotReached(2)];
        let value = Quantity::BoardValue(BoardValue::parse("tile-sum+2*corner-lag").unwrap());
        let quantities = Quantity::NAMED.into_iter().chain([value]);
        let mut events: Vec<Event> = (1..=16).map(|rank| Event::Reach(1 << rank)).collect();
        events.extend(BoardPart::ALL.map(Event::MaxTileIn));
        events.extend(quantities.clone().map(|quantity| Event::AtLeast(quantity, 2048)));
        events.push(Event::ScoreBelow(60_000));
        let mut metrics = vec![Metric::CpuPerMoveRatio, Metric::Explained { tile: 4096 }];
        metrics.extend(quantities.clone().map(Metric::Ratio));
        metrics.extend(Habit::ALL.map(Metric::Habit));
        for given in givens {
            metrics.extend(events.iter().map(|&event| Metric::Share { event, given }));
            for quantity in quantities.clone() {
                metrics.extend(Statistic::ALL.map(|statistic| Metric::Summary {
                    quantity,
                    statistic,
                    given,
                }));
            }
        }
        for metric in metrics {
            assert_eq!(metric.to_string().parse(), Ok(metric));
        }
    }

    #[test]
    fn texts_read_as_the_metric_that_they_name() {
        assert_eq!("tile-sum.mean".parse(), Ok(Metric::summary(Quantity::TileSum, Statistic::Mean)));
        assert_eq!("reach.2048".parse(), Ok(Metric::reach(2048)));
        let (quantity, statistic) = (Quantity::Score, Statistic::Median);
        let given = Given::NotReached(4096);
        assert_eq!(
            "score.median.if-not-reach-4096".parse(),
            Ok(Metric::Summary { quantity, statistic, given })
        );
        let event = Event::ScoreBelow(60_000);
        assert_eq!(
            "score-below.60000.if-reach-4096".parse(),
            Ok(Metric::Share { event, given: Given::Reached(4096) })
        );
        let value = Quantity::BoardValue(BoardValue::parse("tile-sum+100*corner-best").unwrap());
        let event = Event::AtLeast(value, 2048);
        assert_eq!(
            "tile-sum+100*corner-best.at-least.2048".parse(),
            Ok(Metric::Share { event, given: Given::Always })
        );
        assert_eq!("tile-sum.max".parse(), Ok(Metric::summary(Quantity::TileSum, Statistic::Maximum)));
    }

    #[test]
    fn limits_leave_room_for_every_game() {
        let high = |text: &str| text.parse::<Metric>().unwrap().limits().1;
        assert_eq!((high("reach.2048"), high("max-tile.max")), (1.0, 65_536.0));
        // A board with one tile of each rank from 2 to 16, made of spawned 2s alone.
        let tiles = (2..=16_u32).map(|rank| f64::from(1_u32 << rank));
        let score: f64 = (2..=16_u32).map(|rank| f64::from((rank - 1) << rank)).sum();
        assert!(tiles.sum::<f64>() < high("tile-sum.mean") && score < high("score.mean"), "{score}");
        assert_eq!(high("score.sd") * 2.0, high("score.max"));
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
            "cpu-per-move.ratio.if-reach-2048",
            "score.mean.if-reach-2000",
            "score.mean.if-reach",
            "score-below.6e4",
            "max-tile-between-corners.mean",
            "max-tile-in-center.",
            "score.at-least",
            "score.at-least.",
            "score.at-least.2e3",
            "points.at-least.2048",
            "reach.at-least.2048",
            "tile-sum+corner.mean",
            "corner-rank+tile-sum.mean",
            "greedy-moves",
            "greedy-moves.mean.if-reach-2048",
            "score.explained-by.3000",
            "reach.ratio",
        ];
        for text in wrong {
            let error = text.parse::<Metric>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "`{text}` is not a metric: write one of `score`, `tile-sum`, `max-tile`, `nodes`, `merges`, or a sum of \
                     `tile-sum`, `corner-rank`, `corner-best`, `corner-lag` in this order with weights, such as \
                     `tile-sum+10*corner-rank`, with one of `.mean`, `.sd`, `.population-sd`, `.median`, `.min`, `.max` or with \
                     `.at-least.` and a number, or `reach.` with a tile from 2 to 65536, or `score-below.` with a number, or one of \
                     `max-tile-in-corner`, `max-tile-between-corners`, `max-tile-in-center`, each also with `.if-reach-` or `.if-not-reach-` and a tile, or \
                     `greedy-moves.mean`, `random-gain.mean`, or `score.explained-by.` with a tile, or one of the first with `.ratio`, or \
                     `cpu-per-move.ratio`"
                )
            );
        }
    }
}
