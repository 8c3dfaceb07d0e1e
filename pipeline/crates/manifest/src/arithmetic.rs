//! Computations in papers that can be done again without a game, each with what it is computed from.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A computation in a paper that can be done again: in a manifest, its name is `check` and its fields are `args`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "check", content = "args", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Check {
    /// Whether a mean of n whole numbers with a common divisor can be printed with these digits: "possible" or "impossible".
    GrimAverage {
        /// The printed mean.
        mean: Decimal,
        /// How many numbers it is the mean of.
        n: u64,
        /// What divides all of them.
        divisor: u64,
    },
    /// The smallest n for which all of several printed means are possible.
    SmallestCommonN {
        /// The printed means.
        means: Vec<Decimal>,
        /// What divides all numbers behind them.
        divisor: u64,
    },
    /// The boards that can follow the player's move and the spawn after it: two tiles in each empty cell of each afterstate.
    StatesPerMove {
        /// The empty cells of each legal move's afterstate.
        empty_cells: Vec<u64>,
    },
    /// The same number by the formula 2 |S| m + c, for the same afterstates: right where both agree.
    StatesFormula {
        /// The empty cells of each legal move's afterstate.
        empty_cells: Vec<u64>,
        /// The empty cells that the formula takes for all moves.
        m: u64,
        /// The merged tiles that the formula adds.
        c: u64,
    },
    /// The mean of values with weights.
    WeightedMean {
        /// The values.
        values: Vec<f64>,
        /// Their weights, which need not add up to 1.
        weights: Vec<f64>,
    },
    /// The probability of exactly k successes in n trials.
    BinomialPoint {
        /// The trials.
        n: u64,
        /// The successes.
        k: u64,
        /// The probability of one.
        p: f64,
    },
    /// The probability of at most k successes in n trials.
    BinomialTail {
        /// The trials.
        n: u64,
        /// The most successes.
        k: u64,
        /// The probability of one.
        p: f64,
    },
    /// The expanded nodes (4(e+1))^floor(d/2) * 4^(d mod 2) for each number of empty cells e and its depth d.
    NodeTable {
        /// The empty cells.
        empty: Vec<u32>,
        /// The depth for each.
        depth: Vec<u32>,
    },
    /// Whether a number is an upper bound of the number of states: "an upper bound" or "no upper bound".
    StateBound {
        /// The number.
        bound: u64,
        /// The cells of a board.
        cells: u32,
        /// What each cell can hold.
        states_per_cell: u32,
        /// How many different tiles can end the game, one at a time in any cell.
        terminal_tiles: u32,
    },
    /// Whether two powers are one number: "equal", or both numbers.
    EqualPowers {
        /// Base and exponent of the one.
        first: [u32; 2],
        /// Base and exponent of the other.
        second: [u32; 2],
    },
    /// Whether two pairs of tiles differ by the same number of ranks: "equal", or both differences.
    LogDifferences {
        /// The one pair.
        first: [u32; 2],
        /// The other.
        second: [u32; 2],
    },
    /// A difference of two printed numbers, rounded to a step.
    RoundingOfDifference {
        /// What is subtracted from.
        minuend: Decimal,
        /// What is subtracted.
        subtrahend: Decimal,
        /// The step, such as 100 for hundreds.
        step: u64,
    },
    /// A ratio of two printed numbers: right where numbers that are rounded to these can have it.
    RatioOfPrinted {
        /// The one printed number.
        numerator: Decimal,
        /// The other.
        denominator: Decimal,
    },
    /// Whether a printed value can come from terms that are all even: "possible" or "impossible".
    ParityOfScore {
        /// The printed value.
        score: u64,
    },
    /// Whether a printed largest tile is a power of two: "a power of two" or "no power of two".
    PowerOfTwo {
        /// The printed tile.
        tile: u64,
    },
    /// The share of games that reach a tile, where the smallest largest tile of all games is at least that tile.
    RateFromMinimum {
        /// The smallest largest tile.
        min_max_tile: u64,
        /// The tile that is reached.
        tile: u64,
    },
}

/// A number as it is printed, with all its digits: `9869.20` is not `9869.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The digits without the point.
    pub units: u64,
    /// How many of them stand behind it.
    pub places: u32,
}

impl Decimal {
    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.units as f64 / self.scale() as f64
    }

    /// How many units make 1.
    #[must_use]
    pub const fn scale(self) -> u64 {
        10_u64.pow(self.places)
    }
}

/// A text that is no number as it is printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no printed number: write digits and at most one point, such as \"9869.20\"")]
pub struct DecimalError {
    /// What it says.
    pub text: String,
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let wrong = || DecimalError { text: text.to_owned() };
        let (whole, behind) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{behind}");
        let is_number = !whole.is_empty()
            && digits.len() <= 18
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && text.ends_with(|last: char| last != '.');
        if !is_number {
            return Err(wrong());
        }
        let places = u32::try_from(behind.len()).map_err(|_| wrong())?;
        Ok(Self { units: digits.parse().map_err(|_| wrong())?, places })
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, behind) = (self.units / self.scale(), self.units % self.scale());
        match self.places {
            0 => write!(f, "{whole}"),
            places => write!(f, "{whole}.{behind:0width$}", width = places as usize),
        }
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number as it is printed, as text.",
            "type": "string",
            "pattern": r"^[0-9]+(\.[0-9]+)?$",
            "examples": ["9869.20"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_keep_their_digits() {
        let average: Decimal = "9869.20".parse().unwrap();
        assert_eq!(average, Decimal { units: 986_920, places: 2 });
        assert_eq!(average.to_string(), "9869.20");
        assert_eq!("0.05".parse::<Decimal>().unwrap().to_string(), "0.05");
        assert!((average.value() - 9869.2).abs() < 1e-9);
        for wrong in ["", ".5", "5.", "1.2.3", "-1", "1e5", "1,000"] {
            assert!(wrong.parse::<Decimal>().is_err(), "{wrong}");
        }
    }
}
