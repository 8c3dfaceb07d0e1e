//! The power to refuse: whether a test of a published number could have come out against it, and with how
//! many games of ours it could.
//!
//! Not to be refused says something only of a number that might have been. A side of ours, lower or higher,
//! can be refused where some difference that the metric leaves room for would have been seen with power
//! [`POWER`]. The largest of m games has no such difference below it unless more than 4 m games are ours, and
//! none above it unless 39 m are: with fewer, no value is too large to be believed.

use super::super::discrete::{all_below, none_below};
use super::super::estimate::POWER;
use super::super::measured::{Measured, Statistic};
use super::super::rate::Rate;
use super::super::skew::SkewT;
use super::{Agreement, Prediction, Reported, Visible, distribution, judge, mean, order, rate, turn};

/// The values that a metric can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetricLimits {
    /// The lowest.
    pub low: f64,
    /// The highest; infinite where there is none.
    pub high: f64,
}

/// Where the paper's value lies, seen from ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is lower.
    Below,
    /// It is higher.
    Above,
}

impl Side {
    const BOTH: [Self; 2] = [Self::Below, Self::Above];

    const fn other(self) -> Self {
        match self {
            Self::Below => Self::Above,
            Self::Above => Self::Below,
        }
    }
}

impl Visible {
    const fn on(self, side: Side) -> Option<f64> {
        match side {
            Side::Below => self.below,
            Side::Above => self.above,
        }
    }
}

/// The most games of ours that are thought of: the most that an experiment may have.
pub const MOST_GAMES_OF_OURS: u64 = 10_000_000;

/// The test of a published number, with all that its power depends on.
#[derive(Clone, Copy, Debug)]
pub struct Power<'a> {
    /// Ours.
    pub ours: Measured<'a>,
    /// How many games the paper's number comes from.
    pub n_published: u64,
    /// The paper's number.
    pub reported: Reported,
    /// What the metric can be.
    pub limits: MetricLimits,
}

impl Power<'_> {
    /// Whether a number that was not refused could have been: some difference would have been seen, and the
    /// number does not lie where every other one would have passed as well.
    pub fn can_refuse(&self, prediction: &Prediction) -> bool {
        !self.is_beyond_all(prediction) && Side::BOTH.into_iter().any(|side| self.sees(self.ours.n(), side))
    }

    /// How many games of ours could refuse the number on the side where it lies, or on the other where no
    /// number of games can; `None` if neither side can be refused with as many games as an experiment may
    /// have.
    pub fn games_to_refuse(&self, prediction: &Prediction) -> Option<u64> {
        let Some(side) = self.side() else {
            return Side::BOTH.into_iter().filter_map(|side| self.games(side)).min();
        };
        let other = || if self.is_beyond_all(prediction) { None } else { self.games(side.other()) };
        self.games(side).or_else(other)
    }

    /// Where the published number lies; `None` if ours is one that it can stand for.
    fn side(&self) -> Option<Side> {
        let point = self.ours.point();
        if self.reported.high() < point {
            Some(Side::Below)
        } else if self.reported.low() > point {
            Some(Side::Above)
        } else {
            None
        }
    }

    /// Whether the number lies on a side on which our games set no bound at all.
    fn is_beyond_all(&self, prediction: &Prediction) -> bool {
        match self.side() {
            Some(Side::Below) => prediction.low == f64::NEG_INFINITY,
            Some(Side::Above) => prediction.high == f64::INFINITY,
            None => false,
        }
    }

    /// The fewest games, more than ours, with which a difference on this side would be seen.
    fn games(&self, side: Side) -> Option<u64> {
        let mut low = self.ours.n();
        while low < MOST_GAMES_OF_OURS {
            let high = (low * 2).min(MOST_GAMES_OF_OURS);
            if self.sees(high, side) {
                return Some(turn(low, high, |n| self.sees(n, side)));
            }
            low = high;
        }
        None
    }

    /// Whether so many games like ours would see a difference on this side.
    fn sees(&self, n: u64, side: Side) -> bool {
        match self.ours {
            Measured::Rate(_) if self.reported.is_range() => self.refuses_a_certain_rate(n, side),
            Measured::Summary(Statistic::Median | Statistic::Minimum | Statistic::Maximum, _)
                if n != self.ours.n() =>
            {
                self.ranks_are_bounded(n, side)
            }
            _ => self.visible(n).on(side).is_some_and(|difference| self.has_room(side, difference)),
        }
    }

    /// What so many games like ours would see.
    fn visible(&self, n: u64) -> Visible {
        let theirs = self.n_published;
        match self.ours {
            Measured::Summary(Statistic::Mean, sample) => {
                mean::visible(SkewT::of_games(sample, n as f64, theirs as f64))
            }
            Measured::Rate(ours) => rate::visible(ours.share(), n, theirs),
            _ => distribution(&self.ours, theirs).visible(),
        }
        .widened(self.reported.half_step())
    }

    /// Whether the metric leaves room for a difference: between the paper's value and ours, or, for a range,
    /// between ours and its end.
    fn has_room(&self, side: Side, difference: f64) -> bool {
        let MetricLimits { low, high } = self.limits;
        let point = self.ours.point();
        match (side, self.reported.is_range()) {
            (Side::Below, false) => point - difference >= low,
            (Side::Above, false) => point + difference <= high,
            (Side::Below, true) => self.reported.high() + difference <= high,
            (Side::Above, true) => self.reported.low() - difference >= low,
        }
    }

    /// Whether a range of rates is refused where every game of ours does it, or none does: no rate is further
    /// from it.
    fn refuses_a_certain_rate(&self, n: u64, side: Side) -> bool {
        let (count, refused) = match side {
            Side::Below => (n, Agreement::Higher),
            Side::Above => (0, Agreement::Lower),
        };
        let certain = Rate::new(count, n).map(Measured::Rate);
        certain.is_ok_and(|certain| {
            judge(distribution(&certain, self.n_published).as_ref(), self.reported).1 == refused
        })
    }

    /// Whether the value of the paper's games of a rank is bounded by so many games of ours, and mostly
    /// bounded on the other side.
    fn ranks_are_bounded(&self, n: u64, side: Side) -> bool {
        let Measured::Summary(statistic, _) = self.ours else { return false };
        let theirs = self.n_published.max(1);
        let (low, high) = order::ranks(statistic, theirs);
        let (lowest, highest) = (none_below(n, theirs, low), all_below(n, theirs, high));
        // A side that can be refused has a share of the error rate, and one that cannot has none.
        let split = order::split(lowest, highest);
        match side {
            Side::Below => split.lower > 0.0 && 1.0 - highest > POWER,
            Side::Above => split.upper > 0.0 && 1.0 - lowest > POWER,
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::Rng;

    use super::super::super::sample::Sample;
    use super::super::predict;
    use super::*;

    const SCORES: MetricLimits = MetricLimits { low: 0.0, high: 1e6 };
    const SHARES: MetricLimits = MetricLimits { low: 0.0, high: 1.0 };

    fn from_to(first: u32, last: u32) -> Sample {
        Sample::new((first..=last).map(f64::from)).unwrap()
    }

    /// Whether a number that was not refused could have been, and the games with which it could.
    fn power(
        ours: Measured<'_>,
        n_published: u64,
        reported: Reported,
        limits: MetricLimits,
    ) -> (bool, Option<u64>) {
        let power = Power { ours, n_published, reported, limits };
        let prediction = predict(&ours, n_published, reported);
        (power.can_refuse(&prediction), power.games_to_refuse(&prediction))
    }

    fn of_maximum(n: u32, m: u64, published: f64) -> (bool, Option<u64>) {
        let sample = from_to(1001, 1000 + n);
        power(Measured::Summary(Statistic::Maximum, &sample), m, Reported::number(published, 0.0), SCORES)
    }

    /// The largest of m games exceeds all n of ours with the chance m / (n + m), which is 2.5 % at n = 39 m
    /// and 20 % at n = 4 m.
    #[test]
    fn a_largest_value_takes_39_times_the_papers_games_above_ours_and_4_times_as_many_below() {
        let above = 1e5;
        for m in [2, 10, 25] {
            assert_eq!(of_maximum(5, m, above), (false, Some(39 * m)), "{m}");
            let bounded = |n: u64| {
                let sample = from_to(1001, 1000 + n as u32);
                let largest = Measured::Summary(Statistic::Maximum, &sample);
                predict(&largest, m, Reported::number(above, 0.0)).high.is_finite()
            };
            assert_eq!((bounded(39 * m - 1), bounded(39 * m)), (false, true), "{m}");
            let below = 1000.0;
            assert_eq!(of_maximum(5, m, below).1, Some(4 * m + 1), "{m}");
            assert!(
                !of_maximum(4 * m as u32 - 1, m, below).0 && of_maximum(4 * m as u32 + 1, m, below).0,
                "{m}"
            );
        }
    }

    #[test]
    fn a_smallest_value_takes_as_many_games_on_the_other_side() {
        let sample = from_to(1001, 1005);
        let of = |published| {
            let smallest = Measured::Summary(Statistic::Minimum, &sample);
            power(smallest, 10, Reported::number(published, 0.0), SCORES).1
        };
        assert_eq!((of(900.0), of(2000.0)), (Some(390), Some(41)));
        assert_eq!(of(1001.0), Some(41), "of ours itself the side counts that takes fewer");
    }

    #[test]
    fn an_extreme_that_the_metric_ends_at_cannot_be_missed_on_that_side() {
        let sample = from_to(1001, 1400);
        let sees = |side, limits| {
            let (ours, reported) =
                (Measured::Summary(Statistic::Maximum, &sample), Reported::number(1400.0, 0.0));
            Power { ours, n_published: 10, reported, limits }.sees(400, side)
        };
        assert!(sees(Side::Above, SCORES) && sees(Side::Below, SCORES));
        assert!(!sees(Side::Above, MetricLimits { low: 0.0, high: 1400.0 }), "nothing is larger");
        assert!(!sees(Side::Below, MetricLimits { low: 1400.0, high: 1e6 }), "nothing is smaller");
    }

    #[test]
    fn there_is_room_for_a_difference_up_to_where_the_metric_ends() {
        let sample = from_to(70, 80);
        let room = |reported, side, difference| {
            let (ours, limits) =
                (Measured::Summary(Statistic::Mean, &sample), MetricLimits { low: 0.0, high: 100.0 });
            Power { ours, n_published: 10, reported, limits }.has_room(side, difference)
        };
        // From ours, 75, for a number; from its ends for a range.
        for (reported, below, above) in
            [(Reported::number(75.0, 0.0), 75.0, 25.0), (Reported::range(30.0, 60.0, 0.0), 40.0, 30.0)]
        {
            assert!(room(reported, Side::Below, below) && !room(reported, Side::Below, below + 1.0));
            assert!(room(reported, Side::Above, above) && !room(reported, Side::Above, above + 1.0));
        }
    }

    /// From 4 m games on a lower one would be refused, and still any that is higher than all of ours would
    /// pass.
    #[test]
    fn a_number_beyond_all_of_ours_is_held_against_its_own_side() {
        assert!(of_maximum(100, 10, 1100.0).0, "the largest of ours is as likely as any");
        assert!(of_maximum(100, 10, 1090.0).0);
        assert_eq!(of_maximum(100, 10, 1101.0), (false, Some(390)));
        let sample = from_to(1001, 1100);
        let smallest = |published| {
            let ours = Measured::Summary(Statistic::Minimum, &sample);
            power(ours, 10, Reported::number(published, 0.0), SCORES)
        };
        assert!(smallest(1005.0).0);
        assert_eq!(smallest(900.0), (false, Some(390)));
    }

    #[test]
    fn so_many_games_of_a_paper_that_no_experiment_can_match_them_leave_it_undecided() {
        assert_eq!(of_maximum(100, 1_000_000_000, 1e5), (false, None));
        let most = MOST_GAMES_OF_OURS / 39;
        assert_eq!(of_maximum(100, most, 1e5).1, Some(39 * most));
        assert_eq!(of_maximum(100, most + 1, 1e5).1, None);
    }

    /// One game of the paper does it or does not; at a half, neither is refused, and at one in a hundred that
    /// it does.
    #[test]
    fn one_game_refuses_a_rate_only_where_it_is_rare() {
        let rate = |count| Measured::Rate(Rate::new(count, 1000).unwrap());
        let of = |count, published| power(rate(count), 1, Reported::number(published, 0.0), SHARES);
        assert_eq!(of(500, 1.0), (false, None));
        assert!(of(10, 0.0).0);
        let few = Measured::Rate(Rate::new(0, 3).unwrap());
        let (can, games) = power(few, 1, Reported::number(0.0, 0.0), SHARES);
        let games = games.expect("enough games without one make one a surprise");
        assert!(!can && games > 3, "{games}");
        let of_none =
            |n| power(Measured::Rate(Rate::new(0, n).unwrap()), 1, Reported::number(0.0, 0.0), SHARES).0;
        assert_eq!((of_none(games - 1), of_none(games)), (false, true));
    }

    /// A range of rates that ends at 0 or 1 cannot be missed there. Ten games of which four at least are
    /// asked for refuse a program that never does it, and two of which one is asked for do not until it is
    /// seen never to do it in more games.
    #[test]
    fn a_range_of_rates_can_be_refused_where_a_program_that_never_does_it_would_be() {
        let of = |n, m, low, high| {
            let ours = Measured::Rate(Rate::new(n / 2, n).unwrap());
            power(ours, m, Reported::range(low, high, 0.0), SHARES)
        };
        assert!(of(30, 10, 0.333, 1.0).0);
        assert_eq!(of(30, 10, 0.0, 1.0), (false, None), "anything fits");
        let (can, games) = of(4, 2, 0.5, 1.0);
        let games = games.expect("a program that never does it is refused by many games");
        assert!(!can);
        assert_eq!((of(games - 1, 2, 0.5, 1.0).0, of(games, 2, 0.5, 1.0).0), (false, true));
    }

    /// 0.06 - 0.005 + 0.005 is less than 0.06 + 0.005 - 0.005.
    #[test]
    fn a_number_is_no_range_however_it_is_rounded() {
        for (value, rounding) in [(0.06, 0.01), (0.1, 0.1), (7.0, 0.0), (41.5, 0.1), (300.0, 100.0)] {
            assert!(!Reported::number(value, rounding).is_range(), "{value} to {rounding}");
            assert!(Reported::range(value, value + 0.01, rounding).is_range(), "{value} to {rounding}");
        }
    }

    #[test]
    fn a_mean_whose_games_stray_further_than_the_metric_reaches_refuses_nothing_below() {
        let sample = Sample::new([0.0, 100.0, 0.0, 200.0]).unwrap();
        let mean = Measured::Summary(Statistic::Mean, &sample);
        let narrow = MetricLimits { low: 0.0, high: 200.0 };
        let (can, games) = power(mean, 100, Reported::number(75.0, 0.0), narrow);
        let games = games.expect("more games see less");
        assert!(!can && games > 4 && games < 100, "{games}");
        assert!(power(mean, 100, Reported::number(75.0, 0.0), SCORES).0, "there is room above");
        let of_one = power(mean, 1, Reported::number(75.0, 0.0), narrow);
        assert_eq!(of_one, (false, None), "one game strays too far");
    }

    #[test]
    fn a_range_of_means_can_be_missed_only_where_the_metric_goes_on() {
        let sample = from_to(40, 60);
        let mean = Measured::Summary(Statistic::Mean, &sample);
        let of = |low, high| {
            power(mean, 20, Reported::range(low, high, 0.0), MetricLimits { low: 0.0, high: 100.0 }).0
        };
        assert!(of(45.0, 55.0) && of(30.0, 100.0) && of(0.0, 70.0));
        assert!(!of(2.0, 99.0), "neither end is far enough from where the metric ends");
    }

    /// Where a difference is said to be visible, a paper's games that differ by it are refused in four of
    /// five cases.
    #[test]
    fn a_visible_difference_of_extremes_is_seen_with_its_power() {
        let mut rng = Rng::from_seed(15);
        let uniform = |rng: &mut Rng| (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        for (statistic, side, n) in [
            (Statistic::Maximum, Side::Below, 50),
            (Statistic::Minimum, Side::Above, 50),
            (Statistic::Maximum, Side::Above, 400),
            (Statistic::Median, Side::Below, 50),
        ] {
            let seen = (0..1000).filter(|_| {
                let sample = Sample::new((0..n).map(|_| 100.0 + uniform(&mut rng))).unwrap();
                let theirs = Sample::new((0..10).map(|_| 100.0 + uniform(&mut rng))).unwrap();
                let ours = Measured::Summary(statistic, &sample);
                let visible = predict(&ours, 10, Reported::number(0.0, 0.0)).visible;
                let (shift, refused) = match side {
                    Side::Below => (-visible.below.expect("bounded below"), Agreement::Higher),
                    Side::Above => (visible.above.expect("bounded above"), Agreement::Lower),
                };
                let published = Measured::Summary(statistic, &theirs).point() + shift;
                predict(&ours, 10, Reported::number(published, 0.0)).agreement == refused
            });
            let share = seen.count() as f64 / 1000.0;
            assert!((0.77..0.95).contains(&share), "{statistic:?} {side:?}: {share}");
        }
    }
}
