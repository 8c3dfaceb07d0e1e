//! Ratios of printed numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArgumentError, Computation, Computed, Decimal, StatedValue};

/// A ratio of two printed numbers: right if numbers that round to these can have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RatioOfPrinted {
    /// The one printed number.
    numerator: Decimal,
    /// The other.
    denominator: Decimal,
}

impl Computation for RatioOfPrinted {
    fn validate(&self) -> Result<(), ArgumentError> {
        match self.denominator {
            // A number that is printed as 0 may be 0.
            zero @ Decimal { units: 0, .. } => {
                Err(ArgumentError::new("denominator", format!("is {zero}: write a number above 0")))
            }
            _ => Ok(()),
        }
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { numerator, denominator } = *self;
        let ends =
            |number: Decimal| (number.value() - number.half_unit(), number.value() + number.half_unit());
        let ((least, most), (least_below, most_below)) = (ends(numerator), ends(denominator));
        let (low, high) = (least / most_below, most / least_below);
        let is_right =
            published.decimal().map(ends).is_some_and(|(least, most)| most >= low && least <= high);
        let value = format!("{:.3}", numerator.value() / denominator.value());
        let because = format!(
            "numbers that round to {numerator} and {denominator} have ratios from {low:.3} to {high:.3}"
        );
        Computed { value, is_right, because }
    }
}
