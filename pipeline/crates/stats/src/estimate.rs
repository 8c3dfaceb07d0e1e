//! Estimates: the only form in which a statistic leaves this module, so that no number stands without its
//! interval and n.

use serde::{Serialize, Serializer};

/// The confidence of every interval and prediction.
pub const LEVEL: f64 = 0.95;

/// The power at which the smallest visible difference is stated.
pub const POWER: f64 = 0.8;

/// A number that games gave, the interval in which its true value lies with confidence [`LEVEL`], and how
/// many games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number itself.
    pub point: f64,
    /// The lower end. Where the games are too few to bound it, it is infinite, which is `null` in JSON.
    pub low: f64,
    /// The upper end; infinite likewise.
    pub high: f64,
    /// The games that it rests on: all of both sides for an unpaired comparison, the pairs for a paired one.
    pub n: u64,
    /// How the interval was made.
    pub method: Method,
}

impl Estimate {
    /// An estimate whose interval reaches equally far to both sides.
    pub(super) fn symmetric(point: f64, margin: f64, n: u64, method: Method) -> Self {
        Self { point, low: point - margin, high: point + margin, n, method }
    }

    /// An estimate that the games are too few to bound.
    pub(super) const fn unbounded(point: f64, n: u64, method: Method) -> Self {
        Self { point, low: f64::NEG_INFINITY, high: f64::INFINITY, n, method }
    }

    /// Whether the interval holds a value.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The same estimate on another scale, by a rising function.
    pub(super) fn map(self, rising: impl Fn(f64) -> f64) -> Self {
        Self { point: rising(self.point), low: rising(self.low), high: rising(self.high), ..self }
    }

    /// The estimate of the negative.
    pub(super) fn negated(self) -> Self {
        Self { point: -self.point, low: -self.high, high: -self.low, ..self }
    }
}

named! {
    /// How an interval was made.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Method {
        /// Student's t with Hall's correction for skewness.
        SkewT = "skew-adjusted t",
        /// Student's t, where no more than sums are known.
        StudentT = "Student t",
        /// Welch's t, for two samples of unequal variance.
        Welch = "Welch t",
        /// Student's t on the differences of games with the same seed, with the same correction as
        /// [`Method::SkewT`].
        PairedT = "paired t",
        /// Student's t on the middle half, with the spread of the winsorised sample.
        TrimmedT = "trimmed t",
        /// Bonett's interval of a standard deviation.
        Bonett = "Bonett",
        /// Order statistics, without an assumption on the distribution.
        OrderStatistics = "order statistics",
        /// Wilson's score interval of a rate.
        Wilson = "Wilson",
        /// The beta-binomial prediction from Jeffreys' prior.
        BetaBinomial = "beta-binomial",
        /// The ends of two intervals put together, after Newcombe, and Zou and Donner.
        Hybrid = "hybrid",
        /// How many values of one sample lie beyond all of the other, after Rosenbaum.
        Exceedances = "exceedances",
        /// Brunner and Munzel's variance, on the logit scale.
        BrunnerMunzel = "Brunner-Munzel",
        /// Newcombe's score interval of P(A > B), for samples that do not overlap.
        Separated = "Newcombe",
        /// Fisher's z of a correlation.
        FisherZ = "Fisher z",
        /// The normal distribution that holds for many games.
        LargeSample = "large sample",
        /// Welch's t on logarithms.
        LogRatio = "log ratio",
        /// All values under which what was seen is likely enough, beside the likeliest one.
        Likelihood = "likelihood ratio",
        /// Student's t on values from which a group of games was left out in turn.
        Jackknife = "jackknife",
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_is_not_bounded_is_null_in_json() {
        let estimate = Estimate::unbounded(3.0, 1, Method::SkewT);
        assert_eq!(
            serde_json::to_string(&estimate).unwrap(),
            r#"{"point":3.0,"low":null,"high":null,"n":1,"method":"skew-adjusted t"}"#
        );
    }

    #[test]
    fn both_ends_go_with_the_point_to_another_scale() {
        let estimate = Estimate { point: 2.0, low: 1.0, high: 4.0, n: 7, method: Method::SkewT };
        let Estimate { point, low, high, n, .. } = estimate.map(|value| 10.0 * value);
        assert_eq!((point, low, high, n), (20.0, 10.0, 40.0, 7));
        let Estimate { point, low, high, n, .. } = estimate.negated();
        assert_eq!((point, low, high, n), (-2.0, -4.0, -1.0, 7));
        assert!(estimate.contains(1.0) && estimate.contains(4.0), "an interval holds its ends");
        assert!(!estimate.contains(0.9) && !estimate.contains(4.1));
    }
}
