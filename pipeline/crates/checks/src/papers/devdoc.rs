//! The developer's document: averages without a number of games.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grim_average::is_possible;
use crate::{Computation, Computed, Decimal, StatedValue};

/// The most games that are tried.
const MAX_GAMES: u64 = 1_000_000;

/// The smallest n for which all of several printed means are possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SmallestCommonN {
    /// The printed means.
    #[schemars(length(min = 1, max = 100))]
    means: Vec<Decimal>,
    /// What divides all numbers behind them.
    #[schemars(range(min = 1))]
    divisor: u64,
}

impl Computation for SmallestCommonN {
    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { means, divisor } = self;
        let because =
            format!("the first n at which multiples of {divisor} can have all {} means", means.len());
        match (1..=MAX_GAMES).find(|&n| means.iter().all(|&mean| is_possible(mean, n, *divisor))) {
            Some(n) => Computed::number(n as f64, published, because),
            None => Computed { value: format!("none up to {MAX_GAMES}"), is_right: false, because },
        }
    }
}
