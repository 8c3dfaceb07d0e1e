//! Numeric claims: whether a published number is one that other games like ours could have given.
//!
//! For every statistic there is a distribution of what the paper's games would give if they were of the same
//! kind as ours, at the paper's number of games. It accounts for chance on both sides. Its tails at the
//! published number make the verdict, and the p-value is the smallest error rate at which the number would be
//! refused.

mod mean;
mod order;
mod power;
mod rate;
mod sizes;
mod spread;

use serde::Serialize;

pub use power::{MOST_GAMES_OF_OURS, MetricLimits, Power, Side};
pub use rate::counts_printed_as;
pub use sizes::{MOST_GAMES, Sizes, consistent_sizes};

use super::estimate::{Estimate, LEVEL, Method};
use super::measured::{Measured, Statistic};
use sizes::turn;

/// A published number or range, as it is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reported {
    from: f64,
    to: f64,
    /// The step to which both are rounded.
    step: f64,
}

impl Reported {
    /// A number rounded to a step, 0 for one that is exact.
    pub const fn number(value: f64, rounding: f64) -> Self {
        Self::range(value, value, rounding)
    }

    /// Anything from one number to another, both rounded to a step.
    pub const fn range(from: f64, to: f64, rounding: f64) -> Self {
        Self { from, to, step: rounding }
    }

    /// The lowest value that it can stand for.
    pub const fn low(self) -> f64 {
        self.from - self.half_step()
    }

    /// The highest value that it can stand for.
    pub const fn high(self) -> f64 {
        self.to + self.half_step()
    }

    /// How far a printed end may be from what it stands for.
    const fn half_step(self) -> f64 {
        self.step / 2.0
    }

    /// Whether it is a range, and no number.
    const fn is_range(self) -> bool {
        self.from < self.to
    }
}

/// How a published number stands to our games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// Games like ours could have given it.
    Consistent,
    /// Ours is higher than games like the paper's would give.
    Higher,
    /// Ours is lower.
    Lower,
}

/// The smallest difference between the paper's program and ours that the test would have seen with power
/// [`super::POWER`], in units of the metric; from a published range it is the distance to its nearer end.
/// `None` where no difference would do, because the games are too few to bound that side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Visible {
    /// How far below ours the paper's would have to be.
    pub below: Option<f64>,
    /// How far above.
    pub above: Option<f64>,
}

impl Visible {
    const NONE: Self = Self { below: None, above: None };

    /// These differences; those that are not finite are none.
    pub(super) fn new(below: f64, above: f64) -> Self {
        let finite = |difference: f64| difference.is_finite().then_some(difference);
        Self { below: finite(below), above: finite(above) }
    }

    /// The differences for a number that was rounded, which must be as much larger.
    fn widened(self, half: f64) -> Self {
        let widen = |difference: Option<f64>| difference.map(|difference| difference + half);
        Self { below: widen(self.below), above: widen(self.above) }
    }
}

/// A published number, put to the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The statistic in our games.
    pub ours: f64,
    /// How many games are ours.
    pub n: u64,
    /// How many are the paper's.
    pub n_published: u64,
    /// The lower end of where the paper's value would lie, before rounding; infinite where our games do not
    /// bound it.
    pub low: f64,
    /// The upper end, likewise.
    pub high: f64,
    /// The probability that it lies there: [`LEVEL`], or what counts and ranks come to.
    pub level: f64,
    /// The two-sided p-value of the published number.
    pub p_value: f64,
    /// What that says.
    pub agreement: Agreement,
    /// What the test would have seen.
    pub visible: Visible,
    /// How the distribution was made.
    pub method: Method,
}

impl Prediction {
    /// Whether our games are too few to refuse anything.
    pub fn is_empty(&self) -> bool {
        self.low == f64::NEG_INFINITY && self.high == f64::INFINITY
    }
}

/// Predicts the statistic for `n_published` other games and puts the published number to the test. No games
/// are taken as one.
pub fn predict(ours: &Measured<'_>, n_published: u64, reported: Reported) -> Prediction {
    let n_published = n_published.max(1);
    let distribution = distribution(ours, n_published);
    let (p_value, agreement) = judge(distribution.as_ref(), reported);
    let (low, high) = distribution.interval();
    Prediction {
        ours: ours.point(),
        n: ours.n(),
        n_published,
        low,
        high,
        level: distribution.level(),
        p_value,
        agreement,
        visible: distribution.visible().widened(reported.half_step()),
        method: distribution.method(),
    }
}

/// The distribution of a statistic over other games of the same kind.
trait Distribution {
    /// The tails of a published number.
    fn tails(&self, reported: Reported) -> Tails;
    /// The values that are not refused.
    fn interval(&self) -> (f64, f64);
    /// The smallest differences that would be seen.
    fn visible(&self) -> Visible;
    /// How it was made.
    fn method(&self) -> Method;
    /// The probability of the interval.
    fn level(&self) -> f64 {
        LEVEL
    }
    /// How the error rate is split between values that are too low and too high.
    fn split(&self) -> Split {
        Split::EVEN
    }
}

/// How far out a published number lies, taken as the value that it can stand for which lies least far out.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tails {
    /// The probability of at most its highest value.
    at_most: f64,
    /// The probability of at least its lowest value.
    at_least: f64,
}

impl Tails {
    /// Those of a number that nothing speaks against.
    const WHOLE: Self = Self { at_most: 1.0, at_least: 1.0 };
}

/// The shares of the error rate that the lower and the upper tail get.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    lower: f64,
    upper: f64,
}

impl Split {
    const EVEN: Self = Self { lower: 0.5, upper: 0.5 };
}

fn distribution<'a>(ours: &Measured<'a>, theirs: u64) -> Box<dyn Distribution + 'a> {
    match *ours {
        Measured::Summary(Statistic::Mean, sample) => Box::new(mean::MeanOfOthers::new(sample, theirs)),
        Measured::Summary(Statistic::Sd, sample) => {
            Box::new(spread::SdOfOthers::new(sample, theirs, spread::Divisor::LessOne))
        }
        Measured::Summary(Statistic::PopulationSd, sample) => {
            Box::new(spread::SdOfOthers::new(sample, theirs, spread::Divisor::All))
        }
        Measured::Summary(
            statistic @ (Statistic::Median | Statistic::Minimum | Statistic::Maximum),
            sample,
        ) => Box::new(order::RankOfOthers::new(statistic, sample, theirs)),
        Measured::Rate(rate) => Box::new(rate::CountOfOthers::new(rate, theirs)),
    }
}

fn judge(distribution: &dyn Distribution, reported: Reported) -> (f64, Agreement) {
    let Split { lower, upper } = distribution.split();
    let tails = distribution.tails(reported);
    let (too_low, too_high) = (tails.at_most / lower, tails.at_least / upper);
    let p_value = too_low.min(too_high).min(1.0);
    let agreement = if p_value > 1.0 - LEVEL {
        Agreement::Consistent
    } else if too_low < too_high {
        Agreement::Higher
    } else {
        Agreement::Lower
    };
    (p_value, agreement)
}

/// The statistic of our games, with the interval in which that of as many others would lie.
pub(super) fn interval_of_others(ours: &Measured<'_>) -> Estimate {
    let distribution = distribution(ours, ours.n());
    let (low, high) = distribution.interval();
    Estimate { point: ours.point(), low, high, n: ours.n(), method: distribution.method() }
}
