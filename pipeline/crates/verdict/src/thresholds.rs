//! Thresholds that we chose: a paper says "uncommon", and we write at most a quarter. A verdict on such a
//! range tells for which other thresholds it would be the same, so that a reader with another quarter in mind
//! knows what to make of it.

use serde::Serialize;

use super::Ruling;
use manifest::{Chosen, Published};
use stats::{MetricLimits, last_alike};

/// The ends of a published range between which a verdict is the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Thresholds {
    /// The lower ends, from the first to the second, where that end is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<[f64; 2]>,
    /// The upper ends, where that one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<[f64; 2]>,
}

/// The share of a range that its two ends stay apart: a range of one number is a number, and tested as such.
const APART: f64 = 1e-9;

/// The thresholds with which `rule` gives what it gives for the range as it is. Each end is moved by itself.
pub(super) fn thresholds(
    published: Published,
    chosen: Chosen,
    limits: MetricLimits,
    rule: impl Fn(Published) -> Ruling,
) -> Option<Thresholds> {
    let Published::Range(low, high) = published else { return None };
    let now = rule(published);
    let apart = (high - low) * APART;
    let with_low = |end| rule(Published::Range(end, high)) == now;
    let with_high = |end| rule(Published::Range(low, end)) == now;
    let lower_ends = || [last_alike(low, limits.low, with_low), last_alike(low, high - apart, with_low)];
    let upper_ends = || [last_alike(high, low + apart, with_high), last_alike(high, limits.high, with_high)];
    Some(Thresholds {
        low: matches!(chosen, Chosen::Low | Chosen::Both).then(lower_ends),
        high: matches!(chosen, Chosen::High | Chosen::Both).then(upper_ends),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: MetricLimits = MetricLimits { low: 0.0, high: 1.0 };

    /// A number of ours, 0.3, that is in the range or not.
    fn rule(published: Published) -> Ruling {
        assert!(
            matches!(published, Published::Range(low, high) if low < high),
            "a range stays one: {published:?}"
        );
        match published {
            Published::Range(low, _) if low > 0.3 => Ruling::Lower,
            Published::Range(_, high) if high < 0.3 => Ruling::Higher,
            _ => Ruling::Consistent,
        }
    }

    fn of(low: f64, high: f64, chosen: Chosen) -> Thresholds {
        thresholds(Published::Range(low, high), chosen, SHARES, rule).unwrap()
    }

    fn close(ends: Option<[f64; 2]>, expected: [f64; 2]) {
        let ends = ends.unwrap();
        assert!(
            ends.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-8),
            "{ends:?} {expected:?}"
        );
    }

    #[test]
    fn a_chosen_end_may_move_up_to_ours() {
        let uncommon = of(0.0, 0.25, Chosen::High);
        close(uncommon.high, [0.0, 0.3]);
        assert_eq!(uncommon.low, None);
        close(of(0.0, 0.5, Chosen::High).high, [0.3, 1.0]);
        close(of(0.333, 1.0, Chosen::Low).low, [0.3, 1.0]);
        close(of(0.25, 1.0, Chosen::Low).low, [0.0, 0.3]);
        let both = of(0.2, 0.4, Chosen::Both);
        close(both.low, [0.0, 0.3]);
        close(both.high, [0.3, 1.0]);
    }

    #[test]
    fn a_number_has_no_ends() {
        assert_eq!(thresholds(Published::Number(0.5), Chosen::High, SHARES, rule), None);
    }
}
