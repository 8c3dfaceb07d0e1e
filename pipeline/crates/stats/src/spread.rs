//! The interval of a standard deviation.
//!
//! The usual one by chi-squared holds for normal data only, and BCa covers 64 to 89 % at 10 and 30 games of
//! real scores. Bonett's (2006, "Approximate confidence interval for standard deviation of nonnormal
//! distributions", Comput. Stat. Data Anal. 50) takes the kurtosis from the sample and covers 89 to 98 %;
//! where a few games far from all others make most of the spread, 76 to 93 %.

use super::estimate::{Estimate, Method};
use super::mean::TAIL;
use super::sample::Sample;
use super::special::normal_quantile;

/// The fewest games from which a kurtosis is taken.
const FEWEST: u64 = 5;

/// The standard deviation, with n - 1 below, and Bonett's interval.
pub fn sd(sample: &Sample) -> Estimate {
    let point = sample.sd();
    let Some(kurtosis) = kurtosis(sample) else {
        return Estimate { low: 0.0, ..Estimate::unbounded(point, sample.n(), Method::Bonett) };
    };
    if point == 0.0 {
        return Estimate::symmetric(point, 0.0, sample.n(), Method::Bonett);
    }
    let correction = small_sample_correction(sample.size());
    let half = normal_quantile(1.0 - TAIL) * log_variance_error(kurtosis, sample.size());
    let end = |sign: f64| point * (correction * libm::exp(sign * half)).sqrt();
    Estimate { point, low: end(-1.0), high: end(1.0), n: sample.n(), method: Method::Bonett }
}

/// The standard deviation with n below, for papers that report that, with the same interval scaled.
pub fn population_sd(sample: &Sample) -> Estimate {
    let factor = ((sample.size() - 1.0) / sample.size()).sqrt();
    Estimate { point: sample.population_sd(), ..sd(sample).map(|value| value * factor) }
}

/// The kurtosis about a trimmed mean, which is less biased than that about the mean. `None` from too few
/// games.
pub(super) fn kurtosis(sample: &Sample) -> Option<f64> {
    if sample.n() < FEWEST {
        return None;
    }
    let n = sample.size();
    let trim = (n / (2.0 * (n - 4.0).sqrt())) as usize;
    let kept = &sample.sorted()[trim..sample.sorted().len() - trim];
    let centre = kept.iter().sum::<f64>() / kept.len() as f64;
    let fourth = sample.sum_of(|value| {
        let square = (value - centre) * (value - centre);
        square * square
    });
    let squares = sample.variance() * (n - 1.0);
    Some(if squares == 0.0 { 1.0 } else { n * fourth / (squares * squares) })
}

/// The constant c that makes the tails of the interval equal for few games.
pub(super) fn small_sample_correction(games: f64) -> f64 {
    games / (games - normal_quantile(1.0 - TAIL))
}

/// The standard error of the logarithm of the variance of so many games.
pub(super) fn log_variance_error(kurtosis: f64, games: f64) -> f64 {
    let variance = (kurtosis - (games - 3.0) / games) / (games - 1.0);
    small_sample_correction(games) * variance.max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{assert_interval, mice, one_to};

    /// Bonett's own formula on the mice of Efron and Tibshirani, evaluated in Python with
    /// `scipy.stats.trim_mean`.
    #[test]
    fn the_interval_is_bonetts() {
        let estimate = sd(&mice());
        assert_interval(&estimate, 18.430166034549252, 125.14736848392774, 1e-9);
    }

    /// Bonett cuts a share of 1 / 2√(n - 4) off either end: two of five games, and of eight; three of forty.
    #[test]
    fn the_kurtosis_is_about_the_mean_of_what_bonetts_share_leaves() {
        let about = |sample: &Sample, centre: f64| {
            let squares = sample.sum_of(|value| (value - sample.mean()) * (value - sample.mean()));
            let fourth = sample.sum_of(|value| libm::pow(value - centre, 4.0));
            sample.size() * fourth / (squares * squares)
        };
        // Of the squares of 1 to 40 those of 4 to 37 are left, whose mean is 17561 / 34; of 1 to 8 those of 3
        // to 6, 86 / 4.
        for (last, centre) in [(5, 9.0), (8, 21.5), (40, 516.5)] {
            let sample = Sample::new((1..=last).map(|root| f64::from(root * root))).unwrap();
            let (found, expected) = (kurtosis(&sample).unwrap(), about(&sample, centre));
            assert!((found / expected - 1.0).abs() < 1e-12, "{last} games: {found} for {expected}");
        }
    }

    #[test]
    fn four_games_bound_no_spread() {
        let estimate = sd(&one_to(4));
        assert_eq!((estimate.low, estimate.high), (0.0, f64::INFINITY));
    }

    #[test]
    fn the_population_form_is_smaller_by_its_divisor() {
        let sample = Sample::new([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!(population_sd(&sample).point, 2.0);
        assert!((population_sd(&sample).high / sd(&sample).high - (7.0_f64 / 8.0).sqrt()).abs() < 1e-15);
    }
}
