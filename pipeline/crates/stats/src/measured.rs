//! What a claim is about, as measured in our games: the sample with the statistic that the paper took of its
//! own.

use super::difference::{hybrid, maxima, minima, welch};
use super::estimate::Estimate;
use super::mean::mean;
use super::median::median;
use super::predict::interval_of_others;
use super::rate::{Rate, rate};
use super::sample::Sample;
use super::spread::{population_sd, sd};

named! {
    /// How the values of games become one number.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Statistic {
        /// The mean.
        Mean = "mean",
        /// The standard deviation with n - 1 below.
        Sd = "sd",
        /// The standard deviation with n below.
        PopulationSd = "population-sd",
        /// The median.
        Median = "median",
        /// The smallest value.
        Minimum = "min",
        /// The largest value.
        Maximum = "max",
    }
}

impl Statistic {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Mean, Self::Sd, Self::PopulationSd, Self::Median, Self::Minimum, Self::Maximum];

    /// The name in a sentence, before what it is taken of.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sd | Self::PopulationSd => "standard deviation of the",
            Self::Median => "median",
            Self::Minimum => "lowest",
            Self::Maximum => "highest",
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
    /// The statistic with the interval that a table shows. For an extreme it is where that of as many other
    /// games would lie.
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
    pub fn n(&self) -> u64 {
        match self {
            Self::Summary(_, sample) => sample.n(),
            Self::Rate(rate) => rate.n(),
        }
    }

    /// This less the other, for independent games; `None` where they are different statistics.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{one_to, sample};
    use crate::{LEVEL, Reported, predict};

    #[test]
    fn a_statistic_alone_is_the_one_that_has_an_interval() {
        let sample = sample(&[2, 4, 4, 6]);
        let alone = |statistic| Measured::Summary(statistic, &sample).point();
        assert_eq!((alone(Statistic::Mean), alone(Statistic::Median)), (4.0, 4.0));
        assert_eq!((alone(Statistic::Minimum), alone(Statistic::Maximum)), (2.0, 6.0));
        assert!((alone(Statistic::Sd) - (8.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((alone(Statistic::PopulationSd) - 2.0_f64.sqrt()).abs() < 1e-12);
        for statistic in Statistic::ALL {
            let measured = Measured::Summary(statistic, &sample);
            let estimate = measured.estimate();
            assert_eq!((estimate.point, estimate.n, measured.n()), (measured.point(), 4, 4), "{statistic:?}");
        }
        let rate = Measured::Rate(Rate::new(3, 12).unwrap());
        assert_eq!((rate.point(), rate.estimate().point, rate.n()), (0.25, 0.25, 12));
    }

    #[test]
    fn statistics_have_the_names_that_manifests_ask_for() {
        let names = Statistic::ALL.map(Statistic::name);
        assert_eq!(names, ["mean", "sd", "population-sd", "median", "min", "max"]);
    }

    #[test]
    fn each_statistic_has_its_own_interval_of_a_difference() {
        let (a, b) = (sample(&[2, 4, 4, 9, 11, 30]), sample(&[1, 2, 3, 5]));
        let minus = |one, other| Measured::Summary(one, &a).minus(&Measured::Summary(other, &b));
        assert_eq!(minus(Statistic::Mean, Statistic::Mean), Some(welch(&a, &b)));
        assert_eq!(minus(Statistic::Maximum, Statistic::Maximum), Some(maxima(&a, &b)));
        assert_eq!(minus(Statistic::Minimum, Statistic::Minimum), Some(minima(&a, &b)));
        assert_eq!(minus(Statistic::Median, Statistic::Median), Some(hybrid(&median(&a), &median(&b))));
        assert_eq!(minus(Statistic::Sd, Statistic::PopulationSd), None);
    }

    #[test]
    fn a_prediction_is_empty_where_one_game_is_all_and_holds_at_its_level() {
        let (one, many) = (sample(&[5]), one_to(8));
        let predicted =
            |sample| predict(&Measured::Summary(Statistic::Mean, sample), 0, Reported::number(5.0, 0.5));
        assert!(predicted(&one).is_empty() && !predicted(&many).is_empty());
        assert_eq!((predicted(&many).level, predicted(&many).n_published), (LEVEL, 1), "no games are one");
        // The largest of as many others is bounded on one side alone.
        let largest = predict(&Measured::Summary(Statistic::Maximum, &many), 8, Reported::number(5.0, 0.5));
        assert!(
            !largest.is_empty() && largest.high == f64::INFINITY && largest.low > f64::NEG_INFINITY,
            "{largest:?}"
        );
    }
}
