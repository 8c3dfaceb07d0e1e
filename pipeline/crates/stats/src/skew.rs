//! The t statistic of a mean, made symmetric: the one method behind the intervals of means and the
//! predictions of published ones.
//!
//! Scores are skewed, and then t = (theirs - ours) / s is skewed the other way, since a high mean comes with
//! a large s. Hall's cubic (1992, "On the removal of skewness by transformation", J. R. Stat. Soc. B 54)
//! takes that out to first order and is rising, so it can be inverted into an interval. The cumulants here
//! are those for the mean of m other games, which become Hall's own for m without end.

use super::sample::Sample;
use super::special::{t_cdf, t_quantile};

/// The distribution of the mean of other games of the same kind, seen from ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct SkewT {
    mean: f64,
    /// The standard error of the difference between both means.
    error: f64,
    df: f64,
    /// The coefficient of the square in the transformation.
    square: f64,
    /// The constant of the transformation.
    shift: f64,
}

impl SkewT {
    /// The distribution of the mean of `theirs` games, which is the true mean for infinitely many. `None`
    /// from fewer than two of ours, which have no spread to go by.
    pub(super) fn new(sample: &Sample, theirs: f64) -> Option<Self> {
        Self::of_games(sample, sample.size(), theirs)
    }

    /// The same, had `n` games of ours come out as these did.
    pub(super) fn of_games(sample: &Sample, n: f64, theirs: f64) -> Option<Self> {
        if sample.n() < 2 {
            return None;
        }
        let scale = (1.0 / n + 1.0 / theirs).sqrt();
        let skewness = sample.skewness();
        let bias = skewness / (2.0 * n * scale);
        let third_cumulant = skewness * (1.0 / theirs + 2.0 / n) / scale;
        Some(Self {
            mean: sample.mean(),
            error: sample.sd() * scale,
            df: n - 1.0,
            square: -third_cumulant / 6.0,
            shift: third_cumulant / 6.0 - bias,
        })
    }

    /// The probability that their mean is at most this.
    pub(super) fn at_most(&self, value: f64) -> f64 {
        t_cdf(self.symmetric(value), self.df)
    }

    /// The probability that their mean is at least this.
    pub(super) fn at_least(&self, value: f64) -> f64 {
        t_cdf(-self.symmetric(value), self.df)
    }

    /// The value below which their mean lies with this probability.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let y = t_quantile(share, self.df) - self.shift;
        let a = self.square;
        let t = if a.abs() < FLAT { y } else { (libm::cbrt(1.0 + 3.0 * a * y) - 1.0) / a };
        self.mean + t * self.error
    }

    /// The t statistic of a value, without its skewness.
    fn symmetric(&self, value: f64) -> f64 {
        if value == self.mean {
            return self.shift;
        }
        let t = (value - self.mean) / self.error;
        if t.is_infinite() {
            return t;
        }
        let a = self.square;
        t + a * t * t + a * a * t * t * t / 3.0 + self.shift
    }
}

/// A coefficient below which the transformation is the identity to the last bit that matters.
const FLAT: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn skewed() -> Sample {
        Sample::new([1.0, 2.0, 3.0, 5.0, 8.0, 40.0]).unwrap()
    }

    #[test]
    fn the_probability_of_a_quantile_is_its_share() {
        let mirrored = Sample::new(skewed().values().iter().map(|value| -value)).unwrap();
        let even = Sample::new([1.0, 2.0, 3.0, 4.0]).unwrap();
        for sample in [skewed(), mirrored, even] {
            for theirs in [1.0, 6.0, 100.0, f64::INFINITY] {
                let others = SkewT::new(&sample, theirs).unwrap();
                for share in [0.01, 0.2, 0.5, 0.9, 0.975] {
                    let value = others.quantile(share);
                    let (below, above) = (others.at_most(value), others.at_least(value));
                    assert!(
                        (below - share).abs() < 1e-6 && (above - (1.0 - share)).abs() < 1e-6,
                        "{share}: {below}"
                    );
                }
            }
        }
    }

    /// Hall (1992): with g = γ / √n the statistic is t + g t² / 3 + g² t³ / 27 + g / 6 for t = (ours - true)
    /// / s, of which ours is the mirror image.
    #[test]
    fn the_true_mean_is_transformed_by_halls_cubic() {
        let sample = skewed();
        let true_mean = SkewT::new(&sample, f64::INFINITY).unwrap();
        let g = sample.skewness() / sample.size().sqrt();
        for value in [2.0, 9.0, 15.0] {
            let t = (sample.mean() - value) * sample.size().sqrt() / sample.sd();
            let hall = t + g * t * t / 3.0 + g * g * t * t * t / 27.0 + g / 6.0;
            assert!((true_mean.symmetric(value) + hall).abs() < 1e-9, "{value}: {hall}");
        }
    }

    #[test]
    fn every_mean_is_finite() {
        let others = SkewT::new(&skewed(), 5.0).unwrap();
        assert_eq!((others.at_most(f64::INFINITY), others.at_most(f64::NEG_INFINITY)), (1.0, 0.0));
        assert_eq!((others.at_least(f64::INFINITY), others.at_least(f64::NEG_INFINITY)), (0.0, 1.0));
    }

    #[test]
    fn one_game_has_no_spread_to_go_by_and_equal_ones_are_certain() {
        assert!(SkewT::new(&Sample::new([3.0]).unwrap(), 5.0).is_none());
        let certain = SkewT::new(&Sample::new([3.0, 3.0]).unwrap(), 5.0).unwrap();
        assert_eq!((certain.at_most(2.9), certain.at_most(3.1)), (0.0, 1.0));
        assert_eq!((certain.at_least(2.9), certain.at_least(3.1)), (1.0, 0.0));
        assert_eq!(certain.quantile(0.9), 3.0);
    }
}
