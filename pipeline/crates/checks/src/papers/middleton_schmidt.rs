//! Middleton and Schmidt: differences of ranks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArgumentError, Computation, Computed, StatedValue, is_tile};

/// Whether two pairs of tiles differ by the same number of ranks: "equal", or both differences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LogDifferences {
    /// The one pair.
    first: [u32; 2],
    /// The other.
    second: [u32; 2],
}

impl Computation for LogDifferences {
    fn validate(&self) -> Result<(), ArgumentError> {
        self.first.iter().try_for_each(|&tile| is_tile("first", u64::from(tile)))?;
        self.second.iter().try_for_each(|&tile| is_tile("second", u64::from(tile)))
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let ([a, b], [c, d]) = (self.first, self.second);
        let (first, second) = (a.ilog2().abs_diff(b.ilog2()), c.ilog2().abs_diff(d.ilog2()));
        let because = format!("{a} and {b} are {first} ranks apart, {c} and {d} are {second}");
        let value = if first == second { "equal".to_owned() } else { format!("{first} and {second}") };
        Computed::text(value, published, because)
    }
}
