//! The comparison of two experiments, as two commits or two agents are compared: all that can be said of a
//! difference, second minus first.

use serde::Serialize;

use super::difference::{PairingError, hybrid, paired, welch};
use super::effect::{correlation, hedges_g};
use super::estimate::Estimate;
use super::median::median;
use super::rate::{Rate, rate};
use super::sample::Sample;
use super::superiority::{cliffs_delta, superiority};

/// Whether the games of two experiments have the same seeds, game by game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// They have, in the same order.
    SameSeeds,
    /// They have not.
    Independent,
}

/// How the second experiment differs from the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Whether the games were taken in pairs.
    pub pairing: Pairing,
    /// The difference of the means, by pairs where there are pairs.
    pub mean: Estimate,
    /// The difference of the medians, as of independent games: wider than need be where pairs are alike.
    pub median: Estimate,
    /// The chance that a game of the second scores higher than one of the first, ties half, as of independent
    /// games.
    pub superiority: Estimate,
    /// The same chance as Cliff's delta.
    pub cliffs_delta: Estimate,
    /// Hedges' g; `None` if no game differs from another.
    pub hedges_g: Option<Estimate>,
    /// How much games of one seed have in common; `None` without pairs, or if one side is constant.
    pub correlation: Option<Estimate>,
}

/// Compares two experiments.
pub fn compare(first: &Sample, second: &Sample, pairing: Pairing) -> Result<Comparison, PairingError> {
    let (mean, correlation) = match pairing {
        Pairing::SameSeeds => (paired(first, second)?.negated(), correlation(first, second)?),
        Pairing::Independent => (welch(second, first), None),
    };
    Ok(Comparison {
        pairing,
        mean,
        median: hybrid(&median(second), &median(first)),
        superiority: superiority(second, first),
        cliffs_delta: cliffs_delta(second, first),
        hedges_g: hedges_g(second, first),
        correlation,
    })
}

/// The difference of the rates at which two experiments reach a tile, second minus first, as of independent
/// games.
pub fn compare_rates(first: Rate, second: Rate) -> Estimate {
    hybrid(&rate(second), &rate(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Method;

    #[test]
    fn pairs_that_are_alike_narrow_the_difference_of_the_means() {
        let first = Sample::new([100.0, 900.0, 400.0, 650.0, 210.0, 330.0]).unwrap();
        let second = Sample::new([103.0, 902.0, 405.0, 652.0, 211.0, 335.0]).unwrap();
        let pairs = compare(&first, &second, Pairing::SameSeeds).unwrap();
        let apart = compare(&first, &second, Pairing::Independent).unwrap();
        assert_eq!((pairs.mean.point, pairs.mean.n, apart.mean.n), (3.0, 6, 12));
        assert!(pairs.mean.low > 0.0 && apart.mean.low < 0.0);
        assert!(pairs.correlation.unwrap().point > 0.99);
        assert_eq!((apart.correlation, apart.mean.method), (None, Method::Welch));
        assert!(pairs.superiority.point > 0.5);
    }

    #[test]
    fn only_equally_many_games_are_paired() {
        let (one, two) = (Sample::new([1.0]).unwrap(), Sample::new([1.0, 2.0]).unwrap());
        assert_eq!(compare(&one, &two, Pairing::SameSeeds), Err(PairingError { games: [1, 2] }));
    }
}
