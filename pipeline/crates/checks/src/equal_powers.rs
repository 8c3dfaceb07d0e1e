//! Whether two powers are the same number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArgumentError, Computation, Computed, StatedValue};

/// Whether two powers are one number: "equal", or both numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct EqualPowers {
    /// Base and exponent of the one.
    first: [u32; 2],
    /// Base and exponent of the other.
    second: [u32; 2],
}

impl Computation for EqualPowers {
    fn validate(&self) -> Result<(), ArgumentError> {
        let fits = |argument, [base, exponent]: [u32; 2]| match u128::from(base).checked_pow(exponent) {
            Some(_) => Ok(()),
            None => {
                Err(ArgumentError::new(argument, format!("is {base}^{exponent}: write a power below 2^128")))
            }
        };
        fits("first", self.first)?;
        fits("second", self.second)
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let [first, second] =
            [self.first, self.second].map(|[base, exponent]| u128::from(base).saturating_pow(exponent));
        let ([a, b], [c, d]) = (self.first, self.second);
        let because = format!("{a}^{b} = {first} and {c}^{d} = {second}");
        let value = if first == second { "equal".to_owned() } else { format!("{first} and {second}") };
        Computed::text(value, published, because)
    }
}
