//! The mean of the paper's games: ours, give or take `t s sqrt(1/n + 1/m)`, adjusted for skewness.

use super::super::estimate::{Method, POWER};
use super::super::mean::TAIL;
use super::super::sample::Sample;
use super::super::skew::SkewT;
use super::{Distribution, Reported, Tails, Visible};

pub(super) struct MeanOfOthers(Option<SkewT>);

impl MeanOfOthers {
    pub(super) fn new(sample: &Sample, theirs: u64) -> Self {
        Self(SkewT::new(sample, theirs as f64))
    }
}

/// The shifts with which the mean of others leaves its interval often enough.
pub(super) fn visible(t: Option<SkewT>) -> Visible {
    t.map_or(Visible::NONE, |t| {
        Visible::new(t.quantile(POWER) - t.quantile(TAIL), t.quantile(1.0 - TAIL) - t.quantile(1.0 - POWER))
    })
}

impl Distribution for MeanOfOthers {
    fn tails(&self, reported: Reported) -> Tails {
        self.0.map_or(Tails::WHOLE, |t| Tails {
            at_most: t.at_most(reported.high()),
            at_least: t.at_least(reported.low()),
        })
    }

    fn interval(&self) -> (f64, f64) {
        self.0.map_or((f64::NEG_INFINITY, f64::INFINITY), |t| (t.quantile(TAIL), t.quantile(1.0 - TAIL)))
    }

    fn visible(&self) -> Visible {
        visible(self.0)
    }

    fn method(&self) -> Method {
        Method::SkewT
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Agreement, Prediction, predict};
    use super::*;
    use crate::measured::{Measured, Statistic};
    use crate::samples::{sample, tested};

    /// A published number or range against the mean of 3 to 7.
    fn test(reported: Reported) -> Prediction {
        predict(&Measured::Summary(Statistic::Mean, &sample(&[3, 4, 5, 6, 7])), 5, reported)
    }

    /// Mean 5, s² = 2.5 and no skewness: with m = 5 the margin is `2.776445 sqrt(2.5) sqrt(2/5) = 2.776445`.
    #[test]
    fn a_symmetric_sample_predicts_by_the_textbook_formula() {
        let test = |value, rounding| test(Reported::number(value, rounding));
        let prediction = test(7.776, 0.0);
        assert!((prediction.low - 2.223_555).abs() < 1e-6 && (prediction.high - 7.776_445).abs() < 1e-6);
        assert_eq!(prediction.agreement, Agreement::Consistent);
        assert!((test(7.776_445_105, 0.0).p_value - 0.05).abs() < 1e-8);
        assert_eq!(test(7.8, 0.0).agreement, Agreement::Lower);
        assert_eq!(test(7.8, 0.1).agreement, Agreement::Consistent);
        assert_eq!(test(2.1, 0.1).agreement, Agreement::Higher);
    }

    /// The margin again, plus the 80 % quantile of t with 4 degrees of freedom, 0.940965, plus half a step.
    #[test]
    fn what_is_visible_is_the_margin_and_what_the_power_takes() {
        let visible = test(Reported::number(5.0, 0.5)).visible;
        assert!((visible.above.unwrap() - (2.776_445 + 0.940_965 + 0.25)).abs() < 1e-5, "{visible:?}");
        assert!((visible.below.unwrap() - visible.above.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn one_game_refuses_nothing() {
        let prediction = tested(Statistic::Mean, &sample(&[5]), 5, 1e9);
        assert!(prediction.is_empty() && prediction.p_value == 1.0 && prediction.visible == Visible::NONE);
    }

    #[test]
    fn a_range_agrees_where_any_of_it_does() {
        let test = |low, high| test(Reported::range(low, high, 0.0));
        assert_eq!(test(0.0, 100.0).p_value, 1.0);
        assert_eq!(test(7.0, 100.0).agreement, Agreement::Consistent);
        assert_eq!(test(9.0, 100.0).agreement, Agreement::Lower);
    }
}
