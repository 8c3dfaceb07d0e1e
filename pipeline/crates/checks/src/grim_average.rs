//! The GRIM test: whether a mean of whole numbers can have the digits that are printed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Computation, Computed, Decimal, StatedValue};

/// Whether a mean of n whole numbers with a common divisor can be printed with these digits: "possible" or
/// "impossible".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct GrimAverage {
    /// The printed mean.
    mean: Decimal,
    /// How many numbers it is the mean of.
    #[schemars(range(min = 1))]
    n: u64,
    /// What divides all of them.
    #[schemars(range(min = 1))]
    divisor: u64,
}

impl Computation for GrimAverage {
    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { mean, n, divisor } = *self;
        let because = format!("the mean of {n} multiples of {divisor} moves in steps of {divisor}/{n}");
        Computed::word(is_possible(mean, n, divisor), ["possible", "impossible"], published, because)
    }
}

/// Whether the mean of n multiples of a divisor can be printed like this.
pub(crate) fn is_possible(mean: Decimal, n: u64, divisor: u64) -> bool {
    // The sum is a multiple k of the divisor, and k * divisor / n rounds to the printed units:
    // |2 k divisor scale - 2 units n| <= n, tried for the nearest k on both sides.
    let (n, divisor) = (u128::from(n), u128::from(divisor));
    let (units, scale) = (u128::from(mean.units), u128::from(mean.scale()));
    let nearest = units * n / (divisor * scale);
    [nearest, nearest + 1].iter().any(|k| (2 * k * divisor * scale).abs_diff(2 * units * n) <= n)
}
