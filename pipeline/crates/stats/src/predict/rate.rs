//! The count of the paper's games that reach a tile: beta-binomial, from our count and Jeffreys' prior.
//!
//! Counts are steps, so no interval of them can hold exactly 95 %. Each tail counts half of the published
//! count's own probability (mid-p): then, averaged over the true rates, the test accepts what is true in 95
//! to 97 % of cases, and in at least 93 % at any of them, for 10 to 100 games on either side. With all of it,
//! the test would refuse too seldom.

use std::ops::RangeInclusive;

use super::super::discrete::Counts;
use super::super::estimate::{Method, POWER};
use super::super::mean::TAIL;
use super::super::rate::Rate;
use super::super::special::bisect;
use super::{Distribution, Reported, Tails, Visible};

/// How much of its own probability a count has in its tail.
const OWN: f64 = 0.5;

/// What is allowed for the error of decimal fractions: 0.285 is a little less in binary.
const FRACTION_ERROR: f64 = 1e-9;

/// The highest share that a program is thought to have, short of 1, where a beta distribution ends.
const CERTAIN: f64 = 1.0 - 1e-9;

/// The counts of `n` games that are printed as this rate: 0.58 stands for 58 of 100, and for none of 10.
pub fn counts_printed_as(reported: Reported, n: u64) -> Option<RangeInclusive<u64>> {
    let (low, high) = scaled(reported, n);
    let (lowest, highest) = ((low - FRACTION_ERROR).ceil().max(0.0), (high + FRACTION_ERROR).floor());
    (lowest <= highest).then_some(lowest as u64..=highest as u64)
}

/// The ends of a published rate as counts of `n` games, not whole and not beyond the games.
fn scaled(reported: Reported, n: u64) -> (f64, f64) {
    let scale = |share: f64| (share * n as f64).clamp(0.0, n as f64);
    (scale(reported.low()), scale(reported.high()))
}

pub(super) struct CountOfOthers {
    /// How many games of ours did it, and of how many; whole numbers, unless they are thought up.
    count: f64,
    n: f64,
    theirs: u64,
    counts: Counts,
}

/// What `n` games of ours would see if this share of them reached the tile.
pub(super) fn visible(share: f64, n: u64, theirs: u64) -> Visible {
    let n = n as f64;
    CountOfOthers::of_count(share * n, n, theirs).visible()
}

impl CountOfOthers {
    pub(super) fn new(ours: Rate, theirs: u64) -> Self {
        Self::of_count(ours.count() as f64, ours.n() as f64, theirs)
    }

    fn of_count(count: f64, n: f64, theirs: u64) -> Self {
        Self { count, n, theirs, counts: Counts::beta_binomial(theirs, count + 0.5, n - count + 0.5) }
    }

    fn share(&self) -> f64 {
        self.count / self.n
    }

    /// The lowest and the highest count that is not refused.
    fn accepted(&self) -> (u64, u64) {
        (self.counts.lowest(TAIL, OWN), self.counts.highest(TAIL, OWN))
    }

    /// The smallest share at which the paper's program would be refused with enough power; beyond 1 if there
    /// is none.
    fn visible_above(&self) -> f64 {
        let (_, high) = self.accepted();
        let seen = |share| self.shifted(share).above(high) >= POWER;
        if seen(CERTAIN) { bisect(self.share().min(CERTAIN), CERTAIN, seen) } else { f64::INFINITY }
    }

    /// How the paper's counts would lie if its program's rate were this and our games as uncertain as they
    /// are.
    fn shifted(&self, share: f64) -> Counts {
        let weight = self.n + 1.0;
        Counts::beta_binomial(self.theirs, share * weight, (1.0 - share) * weight)
    }
}

impl Distribution for CountOfOthers {
    fn tails(&self, reported: Reported) -> Tails {
        // Where no count would be printed so, the two on either side stand for it.
        let (lowest, highest) = match counts_printed_as(reported, self.theirs) {
            Some(counts) => counts.into_inner(),
            None => {
                let (low, high) = scaled(reported, self.theirs);
                (low.floor() as u64, high.ceil() as u64)
            }
        };
        Tails {
            at_most: self.counts.below(highest) + OWN * self.counts.exactly(highest),
            at_least: self.counts.above(lowest) + OWN * self.counts.exactly(lowest),
        }
    }

    fn interval(&self) -> (f64, f64) {
        let (low, high) = self.accepted();
        (low as f64 / self.theirs as f64, high as f64 / self.theirs as f64)
    }

    fn visible(&self) -> Visible {
        let mirrored = Self::of_count(self.n - self.count, self.n, self.theirs);
        let share = self.share();
        Visible::new(mirrored.visible_above() - (1.0 - share), self.visible_above() - share)
    }

    fn level(&self) -> f64 {
        let (low, high) = self.accepted();
        1.0 - self.counts.below(low) - self.counts.above(high)
    }

    fn method(&self) -> Method {
        Method::BetaBinomial
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::measured::Measured;
    use super::super::{Agreement, predict};
    use super::*;

    fn reported(value: f64, rounding: f64) -> Reported {
        Reported::number(value, rounding)
    }

    #[test]
    fn a_rounded_rate_stands_for_every_count_that_is_printed_so() {
        assert_eq!(counts_printed_as(reported(0.58, 0.01), 100), Some(58..=58));
        assert_eq!(counts_printed_as(reported(0.58, 0.01), 1000), Some(575..=585));
        assert_eq!(counts_printed_as(reported(0.58, 0.01), 10), None);
        assert_eq!(counts_printed_as(reported(0.29, 0.0), 100), Some(29..=29));
        assert_eq!(counts_printed_as(reported(1.0, 0.01), 7), Some(7..=7));
        assert_eq!(counts_printed_as(reported(0.0, 0.01), 7), Some(0..=0));
    }

    #[test]
    fn games_that_are_thought_up_see_what_as_many_played_ones_do() {
        let played = CountOfOthers::new(Rate::new(15, 50).unwrap(), 20).visible();
        assert!(played.below.is_some() && played.above.is_some());
        assert_eq!(visible(0.3, 50, 20), played);
    }

    /// Both of two games, with a beta distribution of a + b = 11 whose mean is 0.3: a (a + 1) / 11 · 12.
    #[test]
    fn a_shifted_rate_is_as_uncertain_as_ours_with_its_prior() {
        let shifted = CountOfOthers::of_count(5.0, 10.0, 2).shifted(0.3);
        assert!((shifted.exactly(2) - 3.3 * 4.3 / 132.0).abs() < 1e-12, "{}", shifted.exactly(2));
    }

    fn test(count: u64, n: u64, value: f64, n_published: u64) -> super::super::Prediction {
        predict(&Measured::Rate(Rate::new(count, n).unwrap()), n_published, reported(value, 0.01))
    }

    /// `scipy.stats.betabinom(100, 86.5, 14.5)`: the upper tail above 95 and half of 95 itself is 0.01468276.
    #[test]
    fn the_p_value_is_twice_the_tail_of_the_beta_binomial_distribution() {
        let prediction = test(86, 100, 0.95, 100);
        assert!((prediction.p_value - 0.02936551906414956).abs() < 1e-12, "{prediction:?}");
        assert_eq!(prediction.agreement, Agreement::Lower);
        assert_eq!((prediction.low, prediction.high), (0.76, 0.94));
    }

    #[test]
    fn none_of_ours_and_none_of_theirs_agree_and_many_of_theirs_do_not() {
        assert_eq!(test(0, 1000, 0.0, 50).agreement, Agreement::Consistent);
        assert_eq!(test(0, 1000, 0.1, 50).agreement, Agreement::Lower);
        assert_eq!(test(1000, 1000, 0.9, 50).agreement, Agreement::Higher);
        assert_eq!(test(1000, 1000, 1.0, 50).agreement, Agreement::Consistent);
    }

    #[test]
    fn a_rate_that_no_count_gives_is_taken_at_its_neighbours() {
        assert_eq!(test(5, 10, 0.58, 10).p_value, 1.0);
    }

    /// Each of these numbers of games takes as long as any other: nothing is made that grows with them.
    #[test]
    fn a_paper_may_have_played_a_billion_games() {
        for (count, n) in [(0, 1000), (300, 1000), (1000, 1000)] {
            let share = count as f64 / n as f64;
            let of = |n_published| test(count, n, share, n_published);
            let (listed, smooth, most) = (of(100_000), of(100_001), of(1_000_000_000));
            assert_eq!(most.agreement, Agreement::Consistent);
            assert_ne!(test(count, n, 0.9 - 0.8 * share, 1_000_000_000).agreement, Agreement::Consistent);
            for (one, other, within) in [
                (listed.low, smooth.low, 2e-5),
                (listed.high, smooth.high, 2e-5),
                (smooth.low, most.low, 1e-3),
                (smooth.high, most.high, 1e-3),
                (listed.p_value, smooth.p_value, 1e-5),
                (listed.level, smooth.level, 1e-3),
                (listed.visible.above.unwrap_or(1.0), smooth.visible.above.unwrap_or(1.0), 2e-5),
                (listed.visible.below.unwrap_or(1.0), smooth.visible.below.unwrap_or(1.0), 2e-5),
            ] {
                assert!((one - other).abs() <= within, "{count} of {n}: {one} and {other}");
            }
        }
    }

    #[test]
    fn the_other_half_of_the_games_sees_the_mirror_image() {
        let (none, all) = (test(0, 1000, 0.0, 50).visible, test(1000, 1000, 1.0, 50).visible);
        assert!((none.above.unwrap() - all.below.unwrap()).abs() < 1e-9);
        assert_eq!((none.below, all.above), (None, None));
    }

    #[test]
    fn a_rate_that_is_far_enough_is_refused_with_its_power() {
        // So many games of ours leave the paper's count all but binomial.
        let ours = Measured::Rate(Rate::new(500_000, 1_000_000).unwrap());
        let prediction = predict(&ours, 100, Reported::number(0.5, 0.0));
        let above = prediction.visible.above.unwrap();
        let most = (prediction.high * 100.0).round() as u64;
        let power = Counts::binomial(100, 0.5 + above).above(most);
        assert!((power - 0.8).abs() < 1e-3, "{power} at {above}");
        assert!((prediction.visible.below.unwrap() - above).abs() < 1e-9, "one half is its own mirror image");
    }

    #[test]
    fn the_level_of_a_count_is_what_the_accepted_ones_come_to() {
        let prediction =
            predict(&Measured::Rate(Rate::new(30, 100).unwrap()), 20, Reported::number(0.3, 0.0));
        let counts = Counts::beta_binomial(20, 30.5, 70.5);
        let [low, high] = [prediction.low, prediction.high].map(|share| (share * 20.0).round() as u64);
        let level: f64 = (low..=high).map(|count| counts.exactly(count)).sum();
        assert!((prediction.level - level).abs() < 1e-12 && level > 0.9, "{level}");
    }
}
