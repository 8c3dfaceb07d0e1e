//! The standard deviation of the paper's games: the logarithm of its ratio to ours is about normal, with
//! Bonett's error on both sides. The F distribution would hold for normal scores only.

use super::super::estimate::{Method, POWER};
use super::super::mean::TAIL;
use super::super::sample::Sample;
use super::super::special::{normal_cdf, normal_quantile};
use super::super::spread::{kurtosis, log_variance_error, small_sample_correction};
use super::{Distribution, Reported, Tails, Visible};

/// The fewest games of the paper whose spread is predicted: below, Bonett's correction has no sense.
const FEWEST: u64 = 3;

/// What the sum of squares is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divisor {
    /// The games less one.
    LessOne,
    /// The games.
    All,
}

pub(super) struct SdOfOthers {
    ours: f64,
    /// Our own logarithm of the standard deviation as far as the paper's would be, in its own form.
    centre: f64,
    /// The standard error of the logarithm; infinite where there are too few games.
    error: f64,
}

impl SdOfOthers {
    pub(super) fn new(sample: &Sample, theirs: u64, divisor: Divisor) -> Self {
        let (n, m) = (sample.size(), theirs as f64);
        let (ours, theirs_form) = match divisor {
            Divisor::LessOne => (sample.sd(), 1.0),
            Divisor::All => (sample.population_sd(), ((m - 1.0) / m).sqrt()),
        };
        let kurtosis = kurtosis(sample).filter(|_| theirs >= FEWEST && ours > 0.0);
        let Some(kurtosis) = kurtosis else {
            return Self { ours, centre: 0.0, error: f64::INFINITY };
        };
        let correction = (small_sample_correction(n) / small_sample_correction(m)).sqrt();
        Self {
            ours,
            centre: libm::log(sample.sd() * theirs_form * correction),
            error: libm::hypot(log_variance_error(kurtosis, n), log_variance_error(kurtosis, m)) / 2.0,
        }
    }

    fn z(&self, value: f64) -> f64 {
        (libm::log(value.max(f64::MIN_POSITIVE)) - self.centre) / self.error
    }

    /// The value that lies so many standard errors from the centre.
    fn at(&self, z: f64) -> f64 {
        libm::exp(self.centre + z * self.error)
    }
}

impl Distribution for SdOfOthers {
    fn tails(&self, reported: Reported) -> Tails {
        if self.error.is_infinite() {
            return Tails::WHOLE;
        }
        Tails { at_most: normal_cdf(self.z(reported.high())), at_least: normal_cdf(-self.z(reported.low())) }
    }

    fn interval(&self) -> (f64, f64) {
        if self.error.is_infinite() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        (self.at(normal_quantile(TAIL)), self.at(normal_quantile(1.0 - TAIL)))
    }

    fn visible(&self) -> Visible {
        if self.error.is_infinite() {
            return Visible::NONE;
        }
        let shift = libm::exp((normal_quantile(1.0 - TAIL) + normal_quantile(POWER)) * self.error);
        Visible::new(self.ours * (1.0 - 1.0 / shift), self.ours * (shift - 1.0))
    }

    fn method(&self) -> Method {
        Method::Bonett
    }
}

#[cfg(test)]
mod tests {
    use super::super::Agreement;
    use super::*;
    use crate::measured::Statistic;
    use crate::samples::{one_to, tested};

    fn sample() -> Sample {
        Sample::new((0..30).map(|index| f64::from(index * 7 % 30))).unwrap()
    }

    #[test]
    fn our_own_deviation_is_one_that_as_many_games_would_give() {
        let sample = sample();
        let test = |factor: f64| tested(Statistic::Sd, &sample, 30, sample.sd() * factor);
        assert_eq!(test(1.0).p_value, 1.0);
        let agreements = [0.5, 1.0, 2.0].map(|factor| test(factor).agreement);
        assert_eq!(agreements, [Agreement::Higher, Agreement::Consistent, Agreement::Lower]);
    }

    #[test]
    fn both_forms_of_the_deviation_give_the_same_verdict() {
        let sample = sample();
        let value = 6.0;
        let less_one = tested(Statistic::Sd, &sample, 10, value);
        let all = tested(Statistic::PopulationSd, &sample, 10, value * 0.9_f64.sqrt());
        assert!((less_one.p_value - all.p_value).abs() < 1e-12, "{less_one:?} {all:?}");
    }

    #[test]
    fn few_games_on_either_side_refuse_nothing() {
        assert!(tested(Statistic::Sd, &one_to(4), 100, 1e6).is_empty());
        assert!(tested(Statistic::Sd, &sample(), 2, 1e6).is_empty());
    }

    #[test]
    fn the_interval_of_a_deviation_ends_where_the_test_does_and_is_symmetric_in_ratios() {
        let sample = sample();
        let of = |value: f64, n| tested(Statistic::Sd, &sample, n, value);
        let own = of(sample.sd(), 30);
        assert!((own.low * own.high / sample.sd().powi(2) - 1.0).abs() < 1e-9, "{own:?}");
        for end in [own.low, own.high] {
            assert!((of(end, 30).p_value - 0.05).abs() < 1e-9, "{end}");
        }
        assert!(of(1.0, 300).high < own.high && of(1.0, 5).high > own.high, "more games stray less");
        // z(0.975) is 1.959964, and z(0.8) 0.841621.
        let seen = libm::pow(own.high / sample.sd(), (1.959_964 + 0.841_621) / 1.959_964);
        let (below, above) = (own.visible.below.unwrap(), own.visible.above.unwrap());
        assert!((above / (sample.sd() * (seen - 1.0)) - 1.0).abs() < 1e-5, "{above}");
        assert!((below / (sample.sd() * (1.0 - 1.0 / seen)) - 1.0).abs() < 1e-5, "{below}");
    }
}
