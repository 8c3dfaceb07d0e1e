//! What a computation can be made from: arguments that it has no answer for are refused when the manifest is read, so that no
//! verdict divides by zero or counts beyond its numbers.

use super::{Check, Decimal};

/// An argument that leaves a computation without an answer, and what to write instead.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum ArgsError {
    #[error("`{argument}` is {value}: write at least {least}")]
    TooLow { argument: &'static str, value: u64, least: u64 },
    #[error("`{argument}` is {value}: write at most {most}")]
    TooHigh { argument: &'static str, value: u64, most: u64 },
    #[error("`{argument}` is empty: give at least one")]
    Empty { argument: &'static str },
    #[error("`means` has {count} entries: write at most {MOST_MEANS}")]
    ManyMeans { count: usize },
    #[error("`{one}` has {count} entries and `{other}` {against}: give one for each")]
    Unpaired { one: &'static str, count: usize, other: &'static str, against: usize },
    #[error("`{argument}` has {value}, which is not a tile: write powers of two from 2 on")]
    NoTile { argument: &'static str, value: u64 },
    #[error("`empty_cells` has {count} entries: a board has at most {MOVES} moves")]
    ManyMoves { count: usize },
    #[error("`weights` has {weight}: write numbers from 0 on")]
    NegativeWeight { weight: f64 },
    #[error("`weights` add up to 0: give one above 0")]
    NoWeight,
    #[error("`{argument}` is {base}^{exponent}: write a power below 2^128")]
    LargePower { argument: &'static str, base: u32, exponent: u32 },
    #[error("`values` and `weights` are too large to be added up")]
    TooLarge,
    #[error("`k` is {k}, and there are {n} trials: write at most {n}")]
    ManySuccesses { k: u64, n: u64 },
    #[error("`p` is {p}: write a probability, from 0 to 1")]
    NoProbability { p: f64 },
    #[error("`denominator` is {denominator}: write a number above 0")]
    DividesByZero { denominator: Decimal },
}

/// The cells of a board.
const CELLS: u64 = 16;
/// What a cell can hold: nothing, or a tile from 2 to 131072.
const STATES_PER_CELL: u64 = 18;
/// The legal moves of a board, at most.
const MOVES: usize = 4;
/// The most trials whose binomial coefficients a floating-point number holds.
const MOST_TRIALS: u64 = 1_000;
/// The most printed means for which a common n is looked for.
const MOST_MEANS: usize = 100;
/// The greatest depth whose nodes are counted.
const DEEPEST: u64 = 20;

impl Check {
    /// Checks that the computation has an answer.
    ///
    /// # Errors
    /// Which argument leaves it without one, why, and what to write instead.
    pub(super) fn validate(&self) -> Result<(), ArgsError> {
        match self {
            Self::GrimAverage { mean: _, n, divisor } => {
                at_least("n", *n, 1)?;
                at_least("divisor", *divisor, 1)
            }
            Self::SmallestCommonN { means, divisor } => {
                filled("means", means)?;
                if means.len() > MOST_MEANS {
                    return Err(ArgsError::ManyMeans { count: means.len() });
                }
                at_least("divisor", *divisor, 1)
            }
            Self::StatesPerMove { empty_cells } => afterstates(empty_cells),
            Self::StatesFormula { empty_cells, m, c: _ } => {
                afterstates(empty_cells)?;
                at_most("m", *m, CELLS)
            }
            Self::WeightedMean { values, weights } => weighted(values, weights),
            Self::BinomialPoint { n, k, p } | Self::BinomialTail { n, k, p } => trials(*n, *k, *p),
            Self::NodeTable { empty, depth } => node_table(empty, depth),
            Self::StateBound { bound: _, cells, states_per_cell, terminal_tiles } => {
                within("cells", u64::from(*cells), 1, CELLS)?;
                within("states_per_cell", u64::from(*states_per_cell), 1, STATES_PER_CELL)?;
                at_most("terminal_tiles", u64::from(*terminal_tiles), STATES_PER_CELL)
            }
            Self::EqualPowers { first, second } => {
                power("first", *first)?;
                power("second", *second)
            }
            Self::LogDifferences { first, second } => {
                first.iter().try_for_each(|&one| tile("first", u64::from(one)))?;
                second.iter().try_for_each(|&one| tile("second", u64::from(one)))
            }
            Self::RoundingOfDifference { minuend: _, subtrahend: _, step } => at_least("step", *step, 1),
            Self::RatioOfPrinted { numerator: _, denominator } => divisible_by(*denominator),
            // Whether these are what the paper prints them as is the very question, so any number will do.
            Self::ParityOfScore { score: _ } | Self::PowerOfTwo { tile: _ } => Ok(()),
            Self::RateFromMinimum { min_max_tile, tile: reached } => {
                tile("min_max_tile", *min_max_tile)?;
                tile("tile", *reached)
            }
        }
    }
}

fn at_least(argument: &'static str, value: u64, least: u64) -> Result<(), ArgsError> {
    if value >= least { Ok(()) } else { Err(ArgsError::TooLow { argument, value, least }) }
}

fn at_most(argument: &'static str, value: u64, most: u64) -> Result<(), ArgsError> {
    if value <= most { Ok(()) } else { Err(ArgsError::TooHigh { argument, value, most }) }
}

fn within(argument: &'static str, value: u64, least: u64, most: u64) -> Result<(), ArgsError> {
    at_least(argument, value, least)?;
    at_most(argument, value, most)
}

fn filled<T>(argument: &'static str, values: &[T]) -> Result<(), ArgsError> {
    if values.is_empty() { Err(ArgsError::Empty { argument }) } else { Ok(()) }
}

/// Two lists of which each entry of one belongs to one of the other.
fn paired<T, U>(
    (one, values): (&'static str, &[T]),
    (other, others): (&'static str, &[U]),
) -> Result<(), ArgsError> {
    filled(one, values)?;
    if values.len() == others.len() {
        return Ok(());
    }
    let (count, against) = (values.len(), others.len());
    Err(ArgsError::Unpaired { one, count, other, against })
}

/// A power whose digits a whole number holds.
fn power(argument: &'static str, [base, exponent]: [u32; 2]) -> Result<(), ArgsError> {
    match u128::from(base).checked_pow(exponent) {
        Some(_) => Ok(()),
        None => Err(ArgsError::LargePower { argument, base, exponent }),
    }
}

fn tile(argument: &'static str, value: u64) -> Result<(), ArgsError> {
    if value >= 2 && value.is_power_of_two() {
        return Ok(());
    }
    Err(ArgsError::NoTile { argument, value })
}

fn afterstates(empty_cells: &[u64]) -> Result<(), ArgsError> {
    filled("empty_cells", empty_cells)?;
    if empty_cells.len() > MOVES {
        return Err(ArgsError::ManyMoves { count: empty_cells.len() });
    }
    empty_cells.iter().try_for_each(|&cells| at_most("empty_cells", cells, CELLS))
}

fn weighted(values: &[f64], weights: &[f64]) -> Result<(), ArgsError> {
    paired(("values", values), ("weights", weights))?;
    if let Some(&weight) = weights.iter().find(|&&weight| weight < 0.0) {
        return Err(ArgsError::NegativeWeight { weight });
    }
    let total: f64 = weights.iter().sum();
    if total == 0.0 {
        return Err(ArgsError::NoWeight);
    }
    let sum: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let is_finite = (sum / total).is_finite() && total.is_finite();
    if is_finite { Ok(()) } else { Err(ArgsError::TooLarge) }
}

fn trials(n: u64, k: u64, p: f64) -> Result<(), ArgsError> {
    within("n", n, 1, MOST_TRIALS)?;
    if k > n {
        return Err(ArgsError::ManySuccesses { k, n });
    }
    let is_probability = (0.0..=1.0).contains(&p);
    if is_probability { Ok(()) } else { Err(ArgsError::NoProbability { p }) }
}

fn node_table(empty: &[u32], depth: &[u32]) -> Result<(), ArgsError> {
    paired(("empty", empty), ("depth", depth))?;
    empty.iter().try_for_each(|&cells| at_most("empty", u64::from(cells), CELLS))?;
    depth.iter().try_for_each(|&plies| at_most("depth", u64::from(plies), DEEPEST))
}

/// A number that is printed as 0 may be 0.
fn divisible_by(denominator: Decimal) -> Result<(), ArgsError> {
    if denominator.units > 0 {
        return Ok(());
    }
    Err(ArgsError::DividesByZero { denominator })
}
