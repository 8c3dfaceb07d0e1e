//! What a claim is about, as measured in our games: the sample with the statistic that the paper took of its own.

use super::difference::{hybrid, maxima, minima, welch};
use super::estimate::Estimate;
use super::mean::mean;
use super::median::median;
use super::predict::interval_of_others;
use super::rate::{Rate, rate};
use super::sample::Sample;
use super::spread::{population_sd, sd};

/// How the values of games become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation with n - 1 below.
    Sd,
    /// The standard deviation with n below.
    PopulationSd,
    /// The median.
    Median,
    /// The smallest value.
    Minimum,
    /// The largest value.
    Maximum,
}

impl Statistic {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Mean, Self::Sd, Self::PopulationSd, Self::Median, Self::Minimum, Self::Maximum];

    /// The name in a metric's text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sd => "sd",
            Self::PopulationSd => "population-sd",
            Self::Median => "median",
            Self::Minimum => "min",
            Self::Maximum => "max",
        }
    }
}

/// A statistic and the games to take it of.
#[derive(Clone, Copy, Debug)]
pub enum Measured<'a> {
    /// A statistic of values.
    Summary(Statistic, &'a Sample),
    /// The share of games that reach a tile.
    Rate(Rate),
}

impl Measured<'_> {
    /// The statistic with the interval that a table shows. For an extreme it is where that of as many other games would lie.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        match *self {
            Self::Summary(Statistic::Mean, sample) => mean(sample),
            Self::Summary(Statistic::Sd, sample) => sd(sample),
            Self::Summary(Statistic::PopulationSd, sample) => population_sd(sample),
            Self::Summary(Statistic::Median, sample) => median(sample),
            Self::Summary(Statistic::Minimum | Statistic::Maximum, _) => interval_of_others(self),
            Self::Rate(count) => rate(count),
        }
    }

    /// The statistic alone.
    #[must_use]
    pub fn point(&self) -> f64 {
        match *self {
            Self::Summary(Statistic::Mean, sample) => sample.mean(),
            Self::Summary(Statistic::Sd, sample) => sample.sd(),
            Self::Summary(Statistic::PopulationSd, sample) => sample.population_sd(),
            Self::Summary(Statistic::Median, sample) => sample.quantile(0.5),
            Self::Summary(Statistic::Minimum, sample) => sample.minimum(),
            Self::Summary(Statistic::Maximum, sample) => sample.maximum(),
            Self::Rate(rate) => rate.share(),
        }
    }

    /// How many games.
    #[must_use]
    pub fn n(&self) -> u64 {
        match self {
            Self::Summary(_, sample) => sample.n(),
            Self::Rate(rate) => rate.n(),
        }
    }

    /// This less the other, for independent games; `None` where they are different statistics.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Option<Estimate> {
        match (*self, *other) {
            (Self::Rate(_), Self::Rate(_)) => Some(hybrid(&self.estimate(), &other.estimate())),
            (Self::Summary(statistic, a), Self::Summary(same, b)) if statistic == same => {
                Some(match statistic {
                    Statistic::Mean => welch(a, b),
                    Statistic::Maximum => maxima(a, b),
                    Statistic::Minimum => minima(a, b),
                    _ => hybrid(&self.estimate(), &other.estimate()),
                })
            }
            _ => None,
        }
    }
}
