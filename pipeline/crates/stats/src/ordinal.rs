//! Ordinal claims: that one experiment beats another.

use serde::Serialize;

use super::estimate::Estimate;
use super::measured::Measured;

/// Whether the games bear out an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The whole interval of the difference is on the claimed side.
    Confirmed,
    /// The whole interval is on the other side.
    Contradicted,
    /// The interval holds 0.
    Undecided,
}

/// The lead of one experiment over another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lead {
    /// How far the claimed better one is ahead; negative where it is behind.
    pub lead: Estimate,
    /// What that says of the claim.
    pub order: Order,
}

impl Lead {
    /// What a lead with its interval says.
    pub fn of(lead: Estimate) -> Self {
        let order = if lead.low > 0.0 {
            Order::Confirmed
        } else if lead.high < 0.0 {
            Order::Contradicted
        } else {
            Order::Undecided
        };
        Self { lead, order }
    }
}

/// Tests the claim that one experiment beats another, higher values being better unless `lower_wins`.
///
/// `None` where the two are different statistics.
pub fn lead(better: &Measured<'_>, worse: &Measured<'_>, lower_wins: bool) -> Option<Lead> {
    let difference = better.minus(worse)?;
    Some(Lead::of(if lower_wins { difference.negated() } else { difference }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::Statistic;
    use crate::rate::Rate;
    use crate::sample::Sample;

    fn from(first: u32) -> Sample {
        Sample::new((first..first + 20).map(f64::from)).unwrap()
    }

    fn order(better: &Measured<'_>, worse: &Measured<'_>, lower_wins: bool) -> Order {
        lead(better, worse, lower_wins).unwrap().order
    }

    fn of(statistic: Statistic, sample: &Sample) -> Measured<'_> {
        Measured::Summary(statistic, sample)
    }

    #[test]
    fn every_statistic_tells_a_higher_sample_from_a_lower_one() {
        let (high, low) = (from(30), from(0));
        let statistics = [Statistic::Mean, Statistic::Median, Statistic::Minimum, Statistic::Maximum];
        for (high, low) in statistics.map(|statistic| (of(statistic, &high), of(statistic, &low))) {
            assert_eq!(order(&high, &low, false), Order::Confirmed);
            assert_eq!(order(&high, &low, true), Order::Contradicted);
            assert_eq!(order(&high, &high, false), Order::Undecided);
        }
    }

    #[test]
    fn a_wider_sample_has_the_larger_deviation() {
        let narrow = from(0);
        let wide = Sample::new(narrow.values().iter().map(|value| 9.0 * value)).unwrap();
        let (wide, narrow) = (of(Statistic::Sd, &wide), of(Statistic::Sd, &narrow));
        assert_eq!(order(&wide, &narrow, false), Order::Confirmed);
        assert_eq!(order(&narrow, &wide, false), Order::Contradicted);
    }

    #[test]
    fn rates_are_told_apart_by_enough_games() {
        let rate = |count, n| Measured::Rate(Rate::new(count, n).unwrap());
        assert_eq!(order(&rate(56, 70), &rate(48, 80), false), Order::Confirmed);
        assert_eq!(order(&rate(8, 10), &rate(6, 10), false), Order::Undecided);
    }

    #[test]
    fn games_that_are_all_alike_have_no_order() {
        let equal = Sample::new([5.0; 4]).unwrap();
        let mean = Measured::Summary(Statistic::Mean, &equal);
        let Lead { lead, order } = lead(&mean, &mean, false).unwrap();
        assert_eq!((lead.low, lead.high, order), (0.0, 0.0, Order::Undecided));
    }

    #[test]
    fn different_statistics_have_no_order() {
        let sample = from(0);
        assert_eq!(lead(&of(Statistic::Mean, &sample), &of(Statistic::Median, &sample), false), None);
    }
}
