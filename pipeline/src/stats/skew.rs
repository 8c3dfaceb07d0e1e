//! The t statistic of a mean, made symmetric: the one method behind the intervals of means and the predictions of published ones.
//!
//! Scores are skewed, and then t = (theirs - ours) / s is skewed the other way, since a high mean comes with a large s. Hall's
//! cubic (1992, "On the removal of skewness by transformation", J. R. Stat. Soc. B 54) takes that out to first order and is
//! rising, so it can be inverted into an interval. The cumulants here are those for the mean of m other games, which become Hall's
//! own for m without end.

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
    /// The distribution of the mean of `theirs` games, which is the true mean for infinitely many. `None` from fewer than two of
    /// ours, which have no spread to go by.
    pub(super) fn new(sample: &Sample, theirs: f64) -> Option<Self> {
        if sample.n() < 2 {
            return None;
        }
        let n = sample.size();
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
        if t.is_infinite() || self.square.abs() < FLAT {
            return t + self.shift;
        }
        let a = self.square;
        t + a * t * t + a * a * t * t * t / 3.0 + self.shift
    }
}

/// A coefficient below which the transformation is the identity to the last bit that matters.
const FLAT: f64 = 1e-9;
