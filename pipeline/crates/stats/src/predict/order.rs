//! An order statistic of the paper's games, the largest above all: how many of our games lie below it follows
//! from chance alone, whatever the distribution of scores, since every order of all games is equally likely.
//!
//! The largest of m other games exceeds all n of ours with probability m / (n + m). Where that is more than a
//! tail, no value is too large to be believed, and the interval has no upper end: it takes 39 times the
//! paper's games to have one. The error rate that cannot be spent there is then spent on the other side. With
//! distinct values the interval holds what [`Distribution::level`] says, exactly; with ties, more.

use super::super::discrete::Counts;
use super::super::estimate::{LEVEL, Method, POWER};
use super::super::measured::Statistic;
use super::super::sample::Sample;
use super::{Distribution, Reported, Split, Tails, Visible};

pub(super) struct RankOfOthers<'a> {
    sample: &'a Sample,
    /// How many of our games lie below the paper's value, or below one that it is at least as high as.
    lower: Counts,
    /// The same for a value that it is at most as high as.
    upper: Counts,
    split: Split,
}

impl<'a> RankOfOthers<'a> {
    /// The median, the minimum or the maximum.
    pub(super) fn new(statistic: Statistic, sample: &'a Sample, theirs: u64) -> Self {
        let (low, high) = ranks(statistic, theirs);
        let lower = Counts::games_below(sample.n(), theirs, low);
        let upper = Counts::games_below(sample.n(), theirs, high);
        let split = split(lower.exactly(0), upper.exactly(sample.n()));
        Self { sample, lower, upper, split }
    }

    /// The fewest and the most of our games that may lie below a value that is not refused.
    fn accepted(&self) -> (u64, u64) {
        let error = 1.0 - LEVEL;
        (self.lower.lowest(error * self.split.lower, 1.0), self.upper.highest(error * self.split.upper, 1.0))
    }
}

/// The ranks of the paper's games that an order statistic lies between. The median of an even number of games
/// lies between the two middle ones, and is tested as either.
pub(super) const fn ranks(statistic: Statistic, theirs: u64) -> (u64, u64) {
    match statistic {
        Statistic::Minimum => (1, 1),
        Statistic::Maximum => (theirs, theirs),
        _ => (theirs.div_ceil(2), theirs / 2 + 1),
    }
}

/// How to split the error rate, from the probabilities of the lowest and the highest place among our games:
/// evenly if both can be refused, all to one side if only that can, to none if neither.
pub(super) fn split(lowest: f64, highest: f64) -> Split {
    let error = 1.0 - LEVEL;
    if lowest.max(highest) <= error / 2.0 {
        Split::EVEN
    } else if lowest.min(highest) > error {
        Split { lower: 0.0, upper: 0.0 }
    } else if lowest < highest {
        Split { lower: 1.0, upper: 0.0 }
    } else {
        Split { lower: 0.0, upper: 1.0 }
    }
}

impl Distribution for RankOfOthers<'_> {
    fn tails(&self, reported: Reported) -> Tails {
        Tails {
            at_most: self.lower.below(self.sample.at_most(reported.high()) + 1),
            at_least: self.upper.at_least(self.sample.below(reported.low())),
        }
    }

    fn interval(&self) -> (f64, f64) {
        let (fewest, most) = self.accepted();
        (self.sample.ranked(fewest), self.sample.ranked(most + 1))
    }

    /// The shift of all scores with which the value leaves the interval often enough.
    fn visible(&self) -> Visible {
        let (low, high) = self.interval();
        let mostly_above = self.sample.ranked(self.lower.highest(POWER, 1.0));
        let mostly_below = self.sample.ranked(self.upper.lowest(POWER, 1.0) + 1);
        Visible::new(mostly_below - low, high - mostly_above)
    }

    fn method(&self) -> Method {
        Method::OrderStatistics
    }

    fn level(&self) -> f64 {
        let (fewest, most) = self.accepted();
        1.0 - self.lower.below(fewest) - self.upper.above(most)
    }

    fn split(&self) -> Split {
        self.split
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Agreement, Prediction};
    use super::*;
    use crate::samples::{one_to, tested};

    /// The largest of ten others lies below our seventh of ten in 8008 of 184,756 orders, the rank at which 5
    /// % is not yet reached, and above all of ours in half: the whole error rate goes below.
    #[test]
    fn a_largest_value_is_bounded_below_by_rank_and_not_above() {
        let sample = one_to(10);
        let test = |value| tested(Statistic::Maximum, &sample, 10, value);
        let prediction = test(7.0);
        assert_eq!((prediction.low, prediction.high), (7.0, f64::INFINITY));
        assert!((prediction.level - (1.0 - 8008.0 / 184_756.0)).abs() < 1e-12);
        assert_eq!([prediction, test(1e9)].map(|test| test.agreement), [Agreement::Consistent; 2]);
        assert_eq!(test(6.9).agreement, Agreement::Higher);
        assert!((test(6.9).p_value - 8008.0 / 184_756.0).abs() < 1e-12);
        assert_eq!(prediction.visible.above, None);
    }

    /// With one game of the paper's and 99 of ours each rank has 1 %: two games are left out on either side.
    #[test]
    fn one_other_game_lies_within_all_but_the_outermost() {
        let prediction = tested(Statistic::Maximum, &one_to(99), 1, 98.5);
        assert_eq!((prediction.low, prediction.high), (2.0, 98.0));
        assert!((prediction.level - 0.96).abs() < 1e-12 && (prediction.p_value - 0.04).abs() < 1e-12);
        assert_eq!(prediction.agreement, Agreement::Lower);
    }

    #[test]
    fn the_error_rate_is_spent_where_something_can_be_refused() {
        let shares = |lowest, highest| {
            let Split { lower, upper } = split(lowest, highest);
            (lower, upper)
        };
        assert_eq!((shares(0.024, 0.001), shares(0.001, 0.024)), ((0.5, 0.5), (0.5, 0.5)));
        assert_eq!((shares(0.001, 0.026), shares(0.026, 0.001)), ((1.0, 0.0), (0.0, 1.0)));
        assert_eq!((shares(0.049, 0.9), shares(0.9, 0.049)), ((1.0, 0.0), (0.0, 1.0)));
        assert_eq!(shares(0.051, 0.051), (0.0, 0.0));
        assert_eq!(shares(0.04, 0.04), (0.0, 1.0), "of two sides that are alike it is the upper one");
    }

    #[test]
    fn the_smallest_value_mirrors_the_largest() {
        let prediction = tested(Statistic::Minimum, &one_to(10), 10, 4.0);
        assert_eq!((prediction.low, prediction.high), (f64::NEG_INFINITY, 4.0));
        assert_eq!(prediction.visible.below, None);
    }

    #[test]
    fn five_games_say_nothing_of_the_largest_of_one() {
        let prediction = tested(Statistic::Maximum, &one_to(5), 1, 1e9);
        assert!(prediction.is_empty() && prediction.p_value == 1.0 && prediction.level == 1.0);
    }

    /// Three others have their middle one below the first of our three in 4 of the 20 orders of both.
    #[test]
    fn a_median_is_tested_by_its_rank() {
        let sample = one_to(3);
        let distribution = RankOfOthers::new(Statistic::Median, &sample, 3);
        let tails = distribution.tails(Reported::number(0.5, 0.0));
        assert!((tails.at_most - 4.0 / 20.0).abs() < 1e-12 && (tails.at_least - 1.0).abs() < 1e-12);
        let prediction = tested(Statistic::Median, &one_to(1000), 100, 500.0);
        let Prediction { low, high, p_value, .. } = prediction;
        assert!(low > 390.0 && high < 610.0 && p_value > 0.9, "{prediction:?}");
        let visible = prediction.visible;
        assert!(visible.above.unwrap() > 100.0 && visible.above.unwrap() < 160.0);
        assert_eq!(visible.below, visible.above, "the numbers from 1 to 1000 are their own mirror image");
    }

    #[test]
    fn the_median_of_one_game_is_also_its_largest_and_its_smallest() {
        let sample = one_to(100);
        let interval = |statistic, theirs| RankOfOthers::new(statistic, &sample, theirs).interval();
        let median = interval(Statistic::Median, 1);
        assert_eq!(median, interval(Statistic::Maximum, 1));
        assert_eq!(median, interval(Statistic::Minimum, 1));
        let (low, high) = interval(Statistic::Median, 3);
        assert!(low > median.0 && high < median.1, "three games stray less: {low} to {high}");
    }
}
