//! Checks of a paper's arithmetic: computations that can be repeated without a game.
//!
//! Each check is a struct of its arguments. Its doc comments and ranges are the schema that an author sees,
//! and `Computation` holds what the ranges cannot express and the computation itself. To add a check, write
//! the struct and add a line to the registry below; a check that only one paper needs goes to `papers/`.

mod decimal;
mod equal_powers;
mod grim_average;
mod papers;
mod ratio_of_printed;
#[cfg(test)]
mod tests;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use decimal::{Decimal, DecimalError};

macro_rules! registry {
    ($($check:ident in $($module:ident)::+;)+) => {
        $(pub use $($module)::+::$check;)+

        /// A check with its arguments: in a manifest, `check` names it and `args` holds its fields.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "check", content = "args", rename_all = "kebab-case")]
        #[allow(missing_docs)]
        pub enum Check { $($check($check)),+ }

        impl Check {
            fn computation(&self) -> &dyn Computation {
                match self { $(Self::$check(check) => check),+ }
            }
        }
    };
}

registry! {
    GrimAverage in grim_average;
    EqualPowers in equal_powers;
    RatioOfPrinted in ratio_of_printed;
    LargestTilePlace in papers::chen2023;
    ParityOfScore in papers::chen2023;
    PowerOfTwo in papers::chen2023;
    RateFromMinimum in papers::chen2023;
    RoundingOfDifference in papers::chen2023;
    TilesOfExponents in papers::chen2023;
    SmallestCommonN in papers::devdoc;
    NodeTable in papers::expectimax_report;
    StateBound in papers::expectimax_report;
    LogDifferences in papers::middleton_schmidt;
    BinomialPoint in papers::ripstein2023;
    BinomialTail in papers::ripstein2023;
    StatesFormula in papers::ripstein2023;
    StatesPerMove in papers::ripstein2023;
    WeightedMean in papers::ripstein2023;
}

impl Check {
    /// Checks what the schema cannot express, so that the computation has an answer.
    pub fn validate(&self) -> Result<(), ArgumentError> {
        self.computation().validate()
    }

    /// Repeats the computation with valid arguments, and compares it with what the paper states.
    pub fn compute(&self, published: &StatedValue) -> Computed {
        self.computation().compute(published)
    }
}

/// What a check does with its arguments.
trait Computation {
    /// Checks what the schema cannot express.
    fn validate(&self) -> Result<(), ArgumentError> {
        Ok(())
    }

    /// Repeats the computation.
    fn compute(&self, published: &StatedValue) -> Computed;
}

/// An argument that leaves a computation without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{argument}` {problem}")]
pub struct ArgumentError {
    /// The argument.
    pub argument: &'static str,
    /// What is wrong, and what to write instead.
    pub problem: String,
}

impl ArgumentError {
    fn new(argument: &'static str, problem: impl Into<String>) -> Self {
        Self { argument, problem: problem.into() }
    }
}

/// Checks that two lists have the same length.
fn same_length(
    (one, count): (&'static str, usize),
    (other, against): (&str, usize),
) -> Result<(), ArgumentError> {
    if count == against {
        return Ok(());
    }
    let problem = format!("has {count} entries and `{other}` {against}: give one for each");
    Err(ArgumentError::new(one, problem))
}

/// Checks that a number is a tile.
fn is_tile(argument: &'static str, value: u64) -> Result<(), ArgumentError> {
    if value >= 2 && value.is_power_of_two() {
        return Ok(());
    }
    let problem = format!("has {value}, which is not a tile: write 2, 4, 8 and so on");
    Err(ArgumentError::new(argument, problem))
}

/// What a paper says that a computation gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StatedValue {
    /// A number.
    Number(f64),
    /// Words.
    Text(String),
}

impl StatedValue {
    fn decimal(&self) -> Option<Decimal> {
        match self {
            Self::Number(_) => None,
            Self::Text(text) => text.parse().ok(),
        }
    }
}

impl fmt::Display for StatedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// The result of a computation, and whether the paper states the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Computed {
    /// The right value, as text.
    pub value: String,
    /// Whether the paper states it.
    pub is_right: bool,
    /// How it is computed, for readers.
    pub because: String,
}

impl Computed {
    /// A text: right if the paper states the same.
    fn text(value: String, published: &StatedValue, because: String) -> Self {
        let is_right = matches!(published, StatedValue::Text(text) if *text == value);
        Self { value, is_right, because }
    }

    /// One of two words.
    fn word(holds: bool, words: [&str; 2], published: &StatedValue, because: String) -> Self {
        Self::text(words[usize::from(!holds)].to_owned(), published, because)
    }

    /// A number that is known to all digits: right if it rounds to the printed one.
    fn number(value: f64, published: &StatedValue, because: String) -> Self {
        let (is_right, places) = match (published, published.decimal()) {
            (StatedValue::Number(printed), _) => ((value - printed).abs() < 1e-9 * value.abs().max(1.0), 4),
            (_, Some(printed)) => {
                // Half a unit of the last printed digit, and a little for the last bit of the computation.
                let is_right = (value - printed.value()).abs() <= printed.half_unit() * (1.0 + 1e-9);
                (is_right, printed.places.max(4))
            }
            (_, None) => (false, 4),
        };
        let mut text = format!("{value:.*}", places as usize);
        if text.contains('.') {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
        Self { value: text, is_right, because }
    }
}
