//! Differences between two experiments, always first minus second.

use super::discrete::Counts;
use super::estimate::{Estimate, Method};
use super::mean::{TAIL, mean_among};
use super::sample::Sample;
use super::special::t_quantile;

/// The difference of two means, by Welch. Most of the skewness cancels in a difference, so t needs no
/// adjustment.
pub fn welch(a: &Sample, b: &Sample) -> Estimate {
    welch_among(a, b, 1)
}

/// The same, where it is one of so many differences that are looked at together: all of their intervals hold
/// at once.
pub fn welch_among(a: &Sample, b: &Sample, several: usize) -> Estimate {
    let tail = TAIL / several.max(1) as f64;
    let (point, n) = (a.mean() - b.mean(), a.n() + b.n());
    if a.n() < 2 || b.n() < 2 {
        return Estimate::unbounded(point, n, Method::Welch);
    }
    let parts = [a, b].map(|sample| sample.variance() / sample.size());
    let variance = parts[0] + parts[1];
    if variance == 0.0 {
        return Estimate::symmetric(point, 0.0, n, Method::Welch);
    }
    let df = satterthwaite(parts, [a.size(), b.size()]);
    Estimate::symmetric(point, t_quantile(1.0 - tail, df) * variance.sqrt(), n, Method::Welch)
}

/// The degrees of freedom of a sum of two variances that each come from a sample.
pub(super) fn satterthwaite(parts: [f64; 2], sizes: [f64; 2]) -> f64 {
    let sum = parts[0] + parts[1];
    sum * sum / (parts[0] * parts[0] / (sizes[0] - 1.0) + parts[1] * parts[1] / (sizes[1] - 1.0))
}

/// Two samples that are not of the same number of games, and so not of the same seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} games cannot be paired with {}", games[0], games[1])]
pub struct PairingError {
    /// The games of the first and of the second.
    pub games: [u64; 2],
}

/// The difference of two means where the games stand in pairs of the same seed: the mean of the pairs'
/// differences, with the interval of a [`mean`](crate::mean()).
pub fn paired(a: &Sample, b: &Sample) -> Result<Estimate, PairingError> {
    paired_among(a, b, 1)
}

/// The same, where it is one of so many differences that are looked at together: all of their intervals hold
/// at once.
pub fn paired_among(a: &Sample, b: &Sample, several: usize) -> Result<Estimate, PairingError> {
    if a.n() != b.n() {
        return Err(PairingError { games: [a.n(), b.n()] });
    }
    let differences = Sample::new(a.values().iter().zip(b.values()).map(|(a, b)| a - b));
    let differences = differences.expect("there are games, and differences of scores are finite");
    Ok(Estimate { method: Method::PairedT, ..mean_among(&differences, several) })
}

/// The difference of two independent estimates whose own intervals are good, though not symmetric.
///
/// The distance from each point to the end that matters stands for its standard error (Zou and Donner 2008,
/// "Construction of confidence limits about effect measures", Stat. Med. 27). With Wilson intervals this is
/// Newcombe's interval of a difference of rates (1998, "Interval estimation for the difference between
/// independent proportions", Stat. Med. 17, method 10).
pub fn hybrid(a: &Estimate, b: &Estimate) -> Estimate {
    let point = a.point - b.point;
    let below = libm::hypot(a.point - a.low, b.high - b.point);
    let above = libm::hypot(a.high - a.point, b.point - b.low);
    Estimate { point, low: point - below, high: point + above, n: a.n + b.n, method: Method::Hybrid }
}

/// The difference of two maxima, as a shift of one distribution against the other.
///
/// How many values of one sample lie above all of the other depends on chance alone if both have the same
/// distribution (Rosenbaum 1965, J. Am. Stat. Assoc. 60). The interval holds the shifts under which there are
/// not too many on either side.
pub fn maxima(a: &Sample, b: &Sample) -> Estimate {
    let point = a.maximum() - b.maximum();
    Estimate {
        point,
        low: a.ranked((a.n() + 1).saturating_sub(too_many(a.n(), b.n()))) - b.maximum(),
        high: a.maximum() - b.ranked((b.n() + 1).saturating_sub(too_many(b.n(), a.n()))),
        n: a.n() + b.n(),
        method: Method::Exceedances,
    }
}

/// The difference of two minima, likewise.
pub fn minima(a: &Sample, b: &Sample) -> Estimate {
    let mirrored = |sample: &Sample| {
        Sample::new(sample.values().iter().map(|value| -value)).expect("a mirrored sample is a sample")
    };
    maxima(&mirrored(a), &mirrored(b)).negated()
}

/// The fewest values of a sample above all of the other that chance gives in no more than one tail of cases;
/// one more than there are where no number is so rare.
fn too_many(own: u64, others: u64) -> u64 {
    let below = Counts::games_below(own, others, others);
    (0..=own).find(|&above| below.below(own - above + 1) <= TAIL).unwrap_or(own + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::{Rate, rate};
    use crate::samples::{assert_interval, mice, sample};

    /// Method 10 in table II of Newcombe's paper.
    #[test]
    fn differences_of_rates_are_the_published_ones() {
        for ([a, n, b, m], low, high) in [
            ([56, 70, 48, 80], 0.0524, 0.3339),
            ([9, 10, 3, 10], 0.1705, 0.8090),
            ([6, 7, 2, 7], 0.0582, 0.8062),
            ([5, 56, 0, 29], -0.0381, 0.1926),
            ([0, 10, 0, 20], -0.1611, 0.2775),
            ([0, 10, 0, 10], -0.2775, 0.2775),
            ([10, 10, 0, 20], 0.6791, 1.0000),
            ([10, 10, 0, 10], 0.6075, 1.0000),
        ] {
            let wilson = |count, n| rate(Rate::new(count, n).unwrap());
            let estimate = hybrid(&wilson(a, n), &wilson(b, m));
            assert!((estimate.low - low).abs() < 5e-5 && (estimate.high - high).abs() < 5e-5, "{estimate:?}");
        }
    }

    /// The treated and the untreated mice of Efron and Tibshirani (1993, table 2.1);
    /// `scipy.stats.ttest_ind(equal_var=False)`.
    #[test]
    fn welchs_interval_of_the_mice_is_that_of_scipy() {
        let treated = sample(&[94, 197, 16, 38, 99, 141, 23]);
        let estimate = welch(&treated, &mice());
        assert_interval(&estimate, -34.15278514001334, 95.42262640985462, 1e-8);
    }

    #[test]
    fn pairs_that_differ_by_the_same_leave_no_doubt() {
        let (a, b) = (sample(&[5, 900, 40]), sample(&[3, 898, 38]));
        let estimate = paired(&a, &b).unwrap();
        assert_eq!((estimate.point, estimate.low, estimate.high, estimate.n), (2.0, 2.0, 2.0, 3));
        let apart = paired(&a, &sample(&[1])).unwrap_err();
        assert_eq!(apart, PairingError { games: [3, 1] });
        assert_eq!(apart.to_string(), "3 games cannot be paired with 1");
    }

    /// With five games each, five of one above all of the other come in 1 of C(10, 5) = 252 orders, four or
    /// more in 1/42.
    #[test]
    fn four_of_five_maxima_above_the_other_sample_are_too_many() {
        assert_eq!(too_many(5, 5), 4);
        let (a, b) = (sample(&[4, 21, 22, 23, 30]), sample(&[1, 2, 3, 5, 20]));
        let estimate = maxima(&a, &b);
        assert_eq!((estimate.point, estimate.low, estimate.high), (10.0, 1.0, 28.0));
        assert!(minima(&a, &b).contains(0.0));
    }

    #[test]
    fn three_games_each_bound_no_difference_of_maxima() {
        let estimate = maxima(&sample(&[7, 8, 9]), &sample(&[1, 2, 3]));
        assert_eq!((estimate.low, estimate.high), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn a_single_game_on_either_side_bounds_no_difference_of_means() {
        let (one, two) = (sample(&[5]), sample(&[1, 3]));
        for estimate in [welch(&one, &two), welch(&two, &one)] {
            assert_eq!((estimate.low, estimate.high, estimate.n), (f64::NEG_INFINITY, f64::INFINITY, 3));
        }
        // Two degrees of freedom: t(0.975) is 4.302653, and the variance of each mean is 1.
        let estimate = welch(&two, &sample(&[2, 4]));
        assert!((estimate.point, estimate.n) == (-1.0, 4), "{estimate:?}");
        assert!((estimate.high - (-1.0 + 4.302_653 * 2.0_f64.sqrt())).abs() < 1e-5, "{estimate:?}");
        let estimate = welch(&sample(&[7, 7]), &sample(&[4, 4, 4]));
        assert_eq!((estimate.low, estimate.high), (3.0, 3.0), "what does not vary leaves no doubt");
    }

    #[test]
    fn a_difference_says_how_it_came_about_and_of_how_many_games() {
        let pairs = paired(&sample(&[5, 9]), &sample(&[3, 4])).unwrap();
        assert_eq!((pairs.method, pairs.n), (Method::PairedT, 2));
        let wilson = |count, n| rate(Rate::new(count, n).unwrap());
        let rates = hybrid(&wilson(3, 10), &wilson(1, 7));
        assert_eq!((rates.method, rates.n), (Method::Hybrid, 17));
        let largest = maxima(&sample(&[1, 2, 3]), &sample(&[1, 2]));
        assert_eq!((largest.method, largest.n), (Method::Exceedances, 5));
    }
}
