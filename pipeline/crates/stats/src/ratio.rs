//! Ratios of positive quantities, such as CPU times: differences of their logarithms, so that 2 and 1/2 are
//! equally far from 1.

use super::difference::welch;
use super::estimate::{Estimate, LEVEL, Method};
use super::predict::{Agreement, Prediction, Reported, Visible};
use super::sample::Sample;
use super::special::normal_quantile;

/// The ratio of the geometric means of two samples of logarithms, the first over the second.
pub fn ratio_of_logs(first: &Sample, second: &Sample) -> Estimate {
    exponential(welch(first, second))
}

/// An estimate of a logarithm as one of the number itself.
pub fn exponential(log: Estimate) -> Estimate {
    Estimate { method: Method::LogRatio, ..log.map(libm::exp) }
}

/// Puts a published ratio to the test, from the logarithms of our games. The paper's own games are taken to
/// vary as ours do, so the interval of ours widens by as much as `n_published` games would stray.
pub fn predict_ratio(first: &Sample, second: &Sample, n_published: u64, reported: Reported) -> Prediction {
    let n = first.n().min(second.n());
    let log = welch(first, second);
    let widening = (1.0 + n as f64 / n_published.max(1) as f64).sqrt();
    let margin = (log.high - log.point) * widening;
    let [low, high] = [log.point - margin, log.point + margin].map(libm::exp);
    let agreement = if reported.high() < low {
        Agreement::Higher
    } else if reported.low() > high {
        Agreement::Lower
    } else {
        Agreement::Consistent
    };
    let point = libm::exp(log.point);
    // As far again beyond the margin as the power takes, on a scale where the margin is 1.96.
    let seen = libm::exp(margin * (1.0 + normal_quantile(0.8) / normal_quantile(0.975)));
    let visible = Visible::new(point - point / seen, point * seen - point);
    Prediction {
        ours: point,
        n,
        n_published,
        low,
        high,
        level: LEVEL,
        p_value: p_value(&log, margin, reported),
        agreement,
        visible,
        method: Method::LogRatio,
    }
}

/// Two-sided, with the margin as 1.96 standard errors.
fn p_value(log: &Estimate, margin: f64, reported: Reported) -> f64 {
    let (low, high) = (libm::log(reported.low().max(f64::MIN_POSITIVE)), libm::log(reported.high()));
    let distance = (low - log.point).max(log.point - high).max(0.0);
    if margin == 0.0 {
        return if distance == 0.0 { 1.0 } else { 0.0 };
    }
    let z = distance / margin * normal_quantile(0.975);
    2.0 * (1.0 - super::special::normal_cdf(z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs(values: [f64; 4]) -> Sample {
        Sample::new(values.map(libm::log)).unwrap()
    }

    /// The logarithms are 0, ln 2, 0, ln 2 and ln 8 more: the ratio is 8, and Welch's margin with 6 degrees
    /// of freedom is 2.446912 * sqrt(2 * 0.160151 / 4).
    #[test]
    fn a_ratio_is_a_difference_of_logarithms() {
        let (slow, fast) = (logs([8.0, 16.0, 8.0, 16.0]), logs([1.0, 2.0, 1.0, 2.0]));
        let ratio = ratio_of_logs(&slow, &fast);
        assert!((ratio.point - 8.0).abs() < 1e-12, "{ratio:?}");
        let margin = 2.446_912 * (2.0 * 0.160_151 / 4.0_f64).sqrt();
        assert!((libm::log(ratio.high / 8.0) - margin).abs() < 1e-5, "{ratio:?}");
        assert!((ratio.low * ratio.high - 64.0).abs() < 1e-9);
    }

    #[test]
    fn as_many_games_of_the_paper_widen_by_the_root_of_two() {
        let (slow, fast) = (logs([8.0, 16.0, 8.0, 16.0]), logs([1.0, 2.0, 1.0, 2.0]));
        let of = |value| predict_ratio(&slow, &fast, 4, Reported::number(value, 0.0));
        let ours = ratio_of_logs(&slow, &fast);
        let widened = libm::log(of(8.0).high / 8.0) / libm::log(ours.high / 8.0);
        assert!((widened - 2.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(of(8.0).agreement, Agreement::Consistent);
        assert!((of(8.0).p_value - 1.0).abs() < 1e-12);
        assert_eq!(of(100.0).agreement, Agreement::Lower);
        assert_eq!(of(0.5).agreement, Agreement::Higher);
        assert!((of(of(8.0).high).p_value - 0.05).abs() < 1e-9);
    }

    #[test]
    fn what_is_visible_lies_as_far_beyond_the_margin_as_the_power_takes() {
        let (slow, fast) = (logs([8.0, 16.0, 8.0, 16.0]), logs([1.0, 2.0, 1.0, 2.0]));
        let prediction = predict_ratio(&slow, &fast, 0, Reported::number(8.0, 0.0));
        // No games are one; z(0.8) is 0.841621 and z(0.975) 1.959964.
        let margin = 2.446_912 * (2.0 * 0.160_151 / 4.0_f64).sqrt() * 5.0_f64.sqrt();
        let seen = libm::exp(margin * (1.0 + 0.841_621 / 1.959_964));
        let (below, above) = (prediction.visible.below.unwrap(), prediction.visible.above.unwrap());
        assert!((below / (8.0 - 8.0 / seen) - 1.0).abs() < 1e-4, "{below}");
        assert!((above / (8.0 * seen - 8.0) - 1.0).abs() < 1e-4, "{above}");
        assert_eq!((prediction.ours, prediction.n), (libm::exp(libm::log(8.0)), 4));
    }

    #[test]
    fn ratios_that_leave_no_doubt_fit_or_do_not() {
        let (slow, fast) = (logs([8.0; 4]), logs([1.0; 4]));
        let of = |low, high| predict_ratio(&slow, &fast, 4, Reported::range(low, high, 0.0));
        assert_eq!((of(7.0, 9.0).p_value, of(7.0, 9.0).agreement), (1.0, Agreement::Consistent));
        assert_eq!((of(9.0, 10.0).p_value, of(9.0, 10.0).agreement), (0.0, Agreement::Lower));
        assert_eq!((of(6.0, 7.0).p_value, of(6.0, 7.0).agreement), (0.0, Agreement::Higher));
    }

    #[test]
    fn a_range_is_as_far_off_as_its_nearer_end() {
        let (slow, fast) = (logs([8.0, 16.0, 8.0, 16.0]), logs([1.0, 2.0, 1.0, 2.0]));
        let p_value = |low, high| predict_ratio(&slow, &fast, 4, Reported::range(low, high, 0.0)).p_value;
        assert!((p_value(2.0, 4.0) - p_value(4.0, 4.0)).abs() < 1e-12);
        assert!((p_value(16.0, 99.0) - p_value(2.0, 4.0)).abs() < 1e-12, "twice is as far as half");
        assert!(p_value(16.0, 99.0) < p_value(12.0, 99.0) && p_value(4.0, 12.0) == 1.0);
    }
}
