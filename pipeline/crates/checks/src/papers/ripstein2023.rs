//! Ripstein's thesis: binomial chances, weighted means, and how many states follow a move.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArgumentError, Computation, Computed, StatedValue, same_length};

/// Successes in independent trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Trials {
    /// The trials: as many as have binomial coefficients that a floating-point number holds.
    #[schemars(range(min = 1, max = 1000))]
    n: u64,
    /// The successes.
    k: u64,
    /// The probability of one.
    #[schemars(range(min = 0, max = 1))]
    p: f64,
}

impl Trials {
    fn validate(&self) -> Result<(), ArgumentError> {
        let Self { n, k, .. } = self;
        if k <= n {
            return Ok(());
        }
        let problem = format!("is {k}, but there are only {n} trials: write at most {n}");
        Err(ArgumentError::new("k", problem))
    }

    /// The probability of exactly k successes.
    fn probability(&self, k: u64) -> f64 {
        let Self { n, p, .. } = *self;
        if k > n {
            return 0.0;
        }
        let ways: f64 = (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product();
        let power = |base: f64, exponent: u64| (0..exponent).fold(1.0, |product, _| product * base);
        ways * power(p, k) * power(1.0 - p, n - k)
    }
}

/// The probability of exactly k successes in n trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct BinomialPoint(Trials);

impl Computation for BinomialPoint {
    fn validate(&self) -> Result<(), ArgumentError> {
        self.0.validate()
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let Trials { n, k, p } = self.0;
        Computed::number(self.0.probability(k), published, format!("P(X = {k}) for n = {n}, p = {p}"))
    }
}

/// The probability of at most k successes in n trials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct BinomialTail(Trials);

impl Computation for BinomialTail {
    fn validate(&self) -> Result<(), ArgumentError> {
        self.0.validate()
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let Trials { n, k, p } = self.0;
        let value = (0..=k).map(|k| self.0.probability(k)).sum();
        Computed::number(value, published, format!("P(X <= {k}) for n = {n}, p = {p}"))
    }
}

/// The boards that can follow the player's move and the spawn after it: two tiles in each empty cell of each
/// afterstate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct StatesPerMove {
    /// The empty cells of each legal move's afterstate.
    #[schemars(length(min = 1, max = 4), inner(range(max = 16)))]
    empty_cells: Vec<u64>,
}

impl Computation for StatesPerMove {
    fn compute(&self, published: &StatedValue) -> Computed {
        let terms: Vec<String> = self.empty_cells.iter().map(|cells| format!("2*{cells}")).collect();
        Computed::number(states(&self.empty_cells) as f64, published, terms.join(" + "))
    }
}

/// Two tiles for every empty cell of every afterstate.
fn states(empty_cells: &[u64]) -> u128 {
    empty_cells.iter().map(|&cells| 2 * u128::from(cells)).sum()
}

/// The same number by the formula 2 |S| m + c, for the same afterstates: right if both agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct StatesFormula {
    /// The empty cells of each legal move's afterstate.
    #[schemars(length(min = 1, max = 4), inner(range(max = 16)))]
    empty_cells: Vec<u64>,
    /// The empty cells that the formula takes for all moves.
    #[schemars(range(max = 16))]
    m: u64,
    /// The merged tiles that the formula adds.
    c: u64,
}

impl Computation for StatesFormula {
    fn compute(&self, _: &StatedValue) -> Computed {
        let Self { empty_cells, m, c } = self;
        let moves = empty_cells.len() as u128;
        let (right, formula) = (states(empty_cells), 2 * moves * u128::from(*m) + u128::from(*c));
        let because = format!("the formula gives 2*{moves}*{m} + {c} = {formula}");
        Computed { value: right.to_string(), is_right: right == formula, because }
    }
}

/// The mean of values with weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct WeightedMean {
    /// The values.
    #[schemars(length(min = 1))]
    values: Vec<f64>,
    /// Their weights, which need not add up to 1.
    #[schemars(inner(range(min = 0)))]
    weights: Vec<f64>,
}

impl WeightedMean {
    fn sums(&self) -> (f64, f64) {
        let sum = self.values.iter().zip(&self.weights).map(|(value, weight)| value * weight).sum();
        (sum, self.weights.iter().sum())
    }
}

impl Computation for WeightedMean {
    fn validate(&self) -> Result<(), ArgumentError> {
        same_length(("values", self.values.len()), ("weights", self.weights.len()))?;
        let (sum, total) = self.sums();
        if total == 0.0 {
            return Err(ArgumentError::new("weights", "add up to 0: give one above 0"));
        }
        if (sum / total).is_finite() && total.is_finite() {
            return Ok(());
        }
        Err(ArgumentError::new("values", "and `weights` are too large to be added up"))
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let (sum, total) = self.sums();
        let term = |(value, weight): (&f64, &f64)| format!("{weight}*{value}");
        let terms: Vec<String> = self.values.iter().zip(&self.weights).map(term).collect();
        Computed::number(sum / total, published, format!("({}) / {total}", terms.join(" + ")))
    }
}
