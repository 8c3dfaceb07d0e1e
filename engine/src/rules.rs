//! The rules of one game of 2048, as data: the papers do not all play the same game.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Board, MAX_PACKED_RANK, rank_of_tile, tile};
use crate::text::serialize_as_text;

/// What can differ between two games of 2048. The default is the standard game.
///
/// Whatever these say, a slide that makes a 65536 tile scores and ends the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The odds that a spawned tile is a 4.
    pub four: Odds,
    /// How tiles merge in one slide.
    pub merging: Merging,
    /// The board that a game begins on.
    pub start: Start,
    /// The tile whose making ends the game; absent: the game goes on until no move is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_at: Option<StopTile>,
    /// Who places the tile that comes after a slide.
    // Left out where it is chance, so that what was identified before there was a choice keeps its identity.
    #[serde(skip_serializing_if = "Spawning::is_random")]
    pub spawn: Spawning,
}

impl Rules {
    /// Checks what the parts alone cannot: that no game begins beyond its own end.
    ///
    /// # Errors
    /// Returns an error if the start can hold the tile that ends the game, or can hold no tile at all.
    pub fn validate(&self) -> Result<(), RulesError> {
        let largest = match &self.start {
            Start::TwoTiles => 2,
            Start::Scatter(odds) if odds.total() == 0 => return Err(RulesError::NoScatter),
            Start::Scatter(_) => 3,
            Start::Board(board) => board.max_rank(),
        };
        match self.stop_at {
            Some(stop) if stop.rank() <= largest => {
                Err(RulesError::StartsBeyondStop { largest: tile(largest), stop: tile(stop.rank()) })
            }
            _ => Ok(()),
        }
    }
}

/// Why rules make no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// Odds are no ratio between 0 and 1.
    #[error("odds are a ratio from 0 to 1 such as \"1/10\"")]
    Odds,
    /// A tile is none that a game can stop at.
    #[error("a game stops at a tile from 8 to 32768, a power of two")]
    StopTile,
    /// A start can hold the tile that ends the game.
    #[error("the start can hold the tile {largest}, but the game stops at {stop}: raise `stop_at`")]
    StartsBeyondStop {
        /// The largest tile that a start can hold.
        largest: u32,
        /// The tile that ends the game.
        stop: u32,
    },
    /// All weights of a scatter are zero, or their sum is too large.
    #[error("the weights of a scatter must add up to a number from 1 to 4294967295")]
    NoScatter,
}

/// How tiles merge within one slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Merging {
    /// The standard game: a tile made in this slide does not merge again.
    #[default]
    Once,
    /// Tiles are taken from the wall outwards; each slides until blocked and merges with an equal blocker,
    /// even with one that was made in this slide. `2 2 4 8` to the left gives `16`, while `2 2 2 2` gives
    /// `4 4`.
    Cascading,
}

/// Who places the tile that comes after a slide. The start is chance's in either case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Spawning {
    /// The standard game: chance does.
    #[default]
    Random,
    /// The agent that plays does too, against itself: it is asked for the tile that hurts it most, by its own
    /// evaluation.
    Adversarial,
}

impl Spawning {
    /// Whether chance places the tiles.
    pub const fn is_random(&self) -> bool {
        matches!(self, Self::Random)
    }
}

/// The board that a game begins on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The standard game: two spawned tiles.
    #[default]
    TwoTiles,
    /// Each cell by itself is empty, 2, 4 or 8, with these odds.
    Scatter(Scatter),
    /// Every game begins on this board, written as tiles.
    Board(#[schemars(with = "String")] Board),
}

/// How often a scattered cell is empty or holds a tile, as integer weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scatter {
    /// The weight of an empty cell.
    pub empty: u32,
    /// The weight of a 2.
    pub two: u32,
    /// The weight of a 4.
    pub four: u32,
    /// The weight of an 8.
    pub eight: u32,
}

impl Scatter {
    /// The weights by rank: empty, 2, 4, 8.
    pub const fn weights(self) -> [u32; 4] {
        [self.empty, self.two, self.four, self.eight]
    }

    /// The sum of the weights; zero where it does not fit 32 bits, which is no scatter either.
    pub const fn total(self) -> u32 {
        let total = self.empty as u64 + self.two as u64 + self.four as u64 + self.eight as u64;
        if total > u32::MAX as u64 { 0 } else { total as u32 }
    }
}

/// A probability as a ratio of integers in lowest terms, written `"1/10"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Odds {
    numerator: u32,
    denominator: u32,
}

impl Odds {
    /// The ratio in lowest terms; none if it is no probability.
    pub const fn new(numerator: u32, denominator: u32) -> Option<Self> {
        if denominator == 0 || numerator > denominator {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Some(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The upper part of the ratio.
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// The lower part of the ratio, at least 1.
    pub const fn denominator(self) -> u32 {
        self.denominator
    }

    /// The ratio as a floating-point number, for agents that weigh by it.
    pub fn probability(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

const fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Default for Odds {
    /// One in ten: the standard odds of a 4.
    fn default() -> Self {
        Self { numerator: 1, denominator: 10 }
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl FromStr for Odds {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let (numerator, denominator) = text.split_once('/').ok_or(RulesError::Odds)?;
        let part = |text: &str| text.trim().parse().map_err(|_| RulesError::Odds);
        Self::new(part(numerator)?, part(denominator)?).ok_or(RulesError::Odds)
    }
}

serialize_as_text!(Odds);

impl JsonSchema for Odds {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Odds".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A probability as a ratio of integers.",
            "type": "string",
            "pattern": "^[0-9]+/[0-9]+$",
            "examples": ["1/10"],
        })
    }
}

/// A tile whose making ends the game: a power of two from 8 to 32768.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u32", into = "u32")]
#[schemars(with = "u32")]
pub struct StopTile(u8);

impl StopTile {
    /// The tile with this rank.
    pub const fn from_rank(rank: u8) -> Option<Self> {
        if rank >= 3 && rank <= MAX_PACKED_RANK { Some(Self(rank)) } else { None }
    }

    /// The tile's rank.
    pub const fn rank(self) -> u8 {
        self.0
    }
}

impl TryFrom<u32> for StopTile {
    type Error = RulesError;

    fn try_from(tile: u32) -> Result<Self, RulesError> {
        rank_of_tile(tile).and_then(Self::from_rank).ok_or(RulesError::StopTile)
    }
}

impl From<StopTile> for u32 {
    fn from(stop: StopTile) -> Self {
        tile(stop.0)
    }
}

serialize_as_text!(Board);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odds_are_kept_in_lowest_terms() {
        assert_eq!("2/20".parse(), Ok(Odds::default()));
        assert_eq!("0/5".parse::<Odds>().unwrap().to_string(), "0/1");
        for wrong in ["1", "1/0", "3/2", "-1/2", "a/b", ""] {
            assert_eq!(wrong.parse::<Odds>(), Err(RulesError::Odds), "{wrong}");
        }
    }

    #[test]
    fn rules_round_trip_through_json() {
        let rules = Rules {
            four: Odds::new(1, 4).unwrap(),
            merging: Merging::Cascading,
            start: Start::Board("2 . . . / . . . . / . . . . / . . . 4".parse().unwrap()),
            stop_at: Some(2048.try_into().unwrap()),
            spawn: Spawning::Random,
        };
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(
            json,
            r#"{"four":"1/4","merging":"cascading","start":{"board":"2 . . . / . . . . / . . . . / . . . 4"},"stop_at":2048}"#
        );
        assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), rules);
        let adversarial = Rules { spawn: Spawning::Adversarial, ..Rules::default() };
        let json = serde_json::to_string(&adversarial).unwrap();
        assert_eq!(json, r#"{"four":"1/10","merging":"once","start":"two-tiles","spawn":"adversarial"}"#);
        assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), adversarial);
        assert_eq!(serde_json::from_str::<Rules>("{}").unwrap(), Rules::default());
    }

    #[test]
    fn wrong_rules_are_rejected_with_the_reason() {
        let error = |json: &str| serde_json::from_str::<Rules>(json).unwrap_err().to_string();
        assert!(error(r#"{"fours":"1/10"}"#).contains("unknown field `fours`"));
        assert!(error(r#"{"stop_at":2047}"#).contains("power of two"));
        assert!(error(r#"{"start":{"board":"2 2"}}"#).contains("4 rows"));
        let beyond =
            Rules { stop_at: Some(8.try_into().unwrap()), start: scatter([16, 4, 2, 1]), ..Rules::default() };
        assert_eq!(beyond.validate(), Err(RulesError::StartsBeyondStop { largest: 8, stop: 8 }));
        let nothing = Rules { start: scatter([0; 4]), ..Rules::default() };
        assert_eq!(nothing.validate(), Err(RulesError::NoScatter));
        let too_much = Rules { start: scatter([u32::MAX; 4]), ..Rules::default() };
        assert_eq!(too_much.validate(), Err(RulesError::NoScatter));
    }

    fn scatter([empty, two, four, eight]: [u32; 4]) -> Start {
        Start::Scatter(Scatter { empty, two, four, eight })
    }
}
