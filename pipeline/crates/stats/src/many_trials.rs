//! The beta-binomial distribution of so many trials that its counts cannot be listed.
//!
//! Its probability is a smooth function of the count, so all counts but those near either end are summed as
//! an integral: by the Euler–Maclaurin formula `f(j) + … + f(k - 1)` is the integral from `j - 1/2` to `k -
//! 1/2`, less a 24th of the difference of the slopes there. On the scale of log odds the integrand falls off
//! on both sides without a bend, and Gauss's rule on a few panels has all its digits. Near the ends, where a
//! distribution can be as steep as it likes, the counts are taken one by one.

use super::special::bisect;

/// How many counts at either end are taken one by one.
const EDGE: u64 = 512;
/// The parts into which the log odds are divided.
const PANELS: u32 = 128;
/// What a probability may be of the largest, as a logarithm, before it is left out.
const NEGLIGIBLE: f64 = 45.0;
/// Gauss's rule of four points on [-1, 1]: where, and with which weight.
const GAUSS: [(f64, f64); 4] = [
    (-0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
    (-0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
    (0.339_981_043_584_856_3, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
];

/// The successes in many trials whose chance is itself drawn from the beta distribution of `a` and `b`.
#[derive(Clone, Debug)]
pub(super) struct ManyTrials {
    weight: Weight,
    trials: u64,
    /// What all weights add up to.
    total: f64,
    /// The weights of the lowest counts, and of the highest.
    lowest: Vec<f64>,
    highest: Vec<f64>,
    /// The first panel's lower end in log odds, how wide each is, and the weight in each.
    from: f64,
    width: f64,
    panels: Vec<f64>,
}

impl ManyTrials {
    /// The distribution; there must be more trials than counts are taken one by one.
    pub(super) fn new(trials: u64, a: f64, b: f64) -> Self {
        let weight = Weight::new(trials, a, b);
        let lowest: Vec<f64> = (0..EDGE).map(|count| weight.of(count as f64)).collect();
        let highest: Vec<f64> = (trials + 1 - EDGE..=trials).map(|count| weight.of(count as f64)).collect();
        let (from, to) = weight.range();
        let width = (to - from) / f64::from(PANELS);
        let panel = |number: u32| {
            let start = from + f64::from(number) * width;
            weight.integral(start, start + width)
        };
        let panels: Vec<f64> = (0..PANELS).map(panel).collect();
        let mut made = Self { weight, trials, total: 1.0, lowest, highest, from, width, panels };
        made.total = made.lowest.iter().chain(&made.panels).chain(&made.highest).sum::<f64>()
            + made.slope(EDGE)
            - made.slope(trials + 1 - EDGE);
        made
    }

    /// The largest count.
    pub(super) const fn last(&self) -> u64 {
        self.trials
    }

    /// The probability of exactly this count.
    pub(super) fn exactly(&self, count: u64) -> f64 {
        if count > self.trials { 0.0 } else { self.weight.of(count as f64) / self.total }
    }

    /// The probability of fewer than this.
    pub(super) fn below(&self, count: u64) -> f64 {
        if count > self.trials {
            1.0
        } else if count <= EDGE {
            self.lowest[..count as usize].iter().sum::<f64>() / self.total
        } else if count > self.trials + 1 - EDGE {
            1.0 - self.at_least(count)
        } else {
            let to = self.weight.log_odds(count as f64 - 0.5);
            let middle = self.between(f64::NEG_INFINITY, to) + self.slope(EDGE) - self.slope(count);
            (self.lowest.iter().sum::<f64>() + middle).max(0.0) / self.total
        }
    }

    /// The probability of this or more.
    pub(super) fn at_least(&self, count: u64) -> f64 {
        let high = self.trials + 1 - EDGE;
        if count <= EDGE {
            1.0 - self.below(count)
        } else if count >= high {
            self.highest.iter().skip((count - high) as usize).rev().sum::<f64>() / self.total
        } else {
            let from = self.weight.log_odds(count as f64 - 0.5);
            let middle = self.between(from, f64::INFINITY) + self.slope(count) - self.slope(high);
            (self.highest.iter().sum::<f64>() + middle).max(0.0) / self.total
        }
    }

    /// The smallest count that holds, of a condition that holds from some count on; the largest where it
    /// never does.
    pub(super) fn first(&self, holds: impl Fn(u64) -> bool) -> u64 {
        let (mut low, mut high) = (0, self.trials);
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        high
    }

    /// The weight between two log odds.
    fn between(&self, from: f64, to: f64) -> f64 {
        let part = |(number, &whole): (usize, &f64)| {
            let start = self.from + number as f64 * self.width;
            let (low, high) = (from.max(start), to.min(start + self.width));
            if low >= high {
                0.0
            } else if high - low >= self.width {
                whole
            } else {
                self.weight.integral(low, high)
            }
        };
        self.panels.iter().enumerate().map(part).sum()
    }

    /// A 24th of the slope just before a count.
    fn slope(&self, count: u64) -> f64 {
        (self.weight.of(count as f64) - self.weight.of(count as f64 - 1.0)) / 24.0
    }
}

/// What a count's probability is in proportion to: `Γ(k + a) / Γ(k + 1) · Γ(n - k + b) / Γ(n - k + 1)`, near
/// 1 at the mean.
#[derive(Clone, Copy, Debug)]
struct Weight {
    n: f64,
    a: f64,
    b: f64,
    log_at_mean: f64,
}

impl Weight {
    fn new(trials: u64, a: f64, b: f64) -> Self {
        let n = trials as f64;
        let weight = Self { n, a, b, log_at_mean: 0.0 };
        Self { log_at_mean: weight.log(n * a / (a + b)), ..weight }
    }

    fn log(&self, count: f64) -> f64 {
        log_gamma_ratio(count, self.a) + log_gamma_ratio(self.n - count, self.b) - self.log_at_mean
    }

    fn of(&self, count: f64) -> f64 {
        libm::exp(self.log(count))
    }

    /// The log odds of a count, half a count being added to either side.
    fn log_odds(&self, count: f64) -> f64 {
        libm::log((count + 0.5) / (self.n - count + 0.5))
    }

    /// The share that log odds stand for, and what is missing from 1.
    fn share(log_odds: f64) -> (f64, f64) {
        (1.0 / (1.0 + libm::exp(-log_odds)), 1.0 / (1.0 + libm::exp(log_odds)))
    }

    /// The logarithm of the weight of a unit of log odds.
    fn log_density(&self, log_odds: f64) -> f64 {
        let (share, rest) = Self::share(log_odds);
        let whole = self.n + 1.0;
        self.log(whole * share - 0.5) + libm::log(whole * share * rest)
    }

    /// The weight between two log odds that lie near each other.
    fn integral(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (from + (to - from) / 2.0, (to - from) / 2.0);
        let at = |(place, weight): (f64, f64)| weight * libm::exp(self.log_density(middle + half * place));
        GAUSS.into_iter().map(at).sum::<f64>() * half
    }

    /// The log odds between the two ends that are taken one by one, outside of which the weight is
    /// negligible.
    fn range(&self) -> (f64, f64) {
        let edge = EDGE as f64 - 0.5;
        let (low, high) = (self.log_odds(edge), self.log_odds(self.n - edge));
        let peak = libm::log(self.a / self.b).clamp(low, high);
        let counts = |log_odds| self.log_density(log_odds) > self.log_density(peak) - NEGLIGIBLE;
        let from = if counts(low) { low } else { bisect(low, peak, counts) };
        let to = if counts(high) { high } else { bisect(peak, high, |log_odds| !counts(log_odds)) };
        (from, to)
    }
}

/// The logarithm of `Γ(x + a) / Γ(x + 1)`. The gamma functions of large numbers differ in their last digits
/// only, so what they have in common in Stirling's formula is left out.
fn log_gamma_ratio(x: f64, a: f64) -> f64 {
    const LARGE: f64 = 100.0;
    if x < LARGE {
        return libm::lgamma(x + a) - libm::lgamma(x + 1.0);
    }
    let (above, below, apart) = (x + a, x + 1.0, a - 1.0);
    let correction = |z: f64| (1.0 / 12.0 - 1.0 / (360.0 * z * z)) / z;
    (below - 0.5) * libm::log1p(apart / below) + apart * (libm::log(above) - 1.0) + correction(above)
        - correction(below)
}

#[cfg(test)]
mod tests {
    use super::super::discrete::{Counts, MOST_LISTED};
    use super::*;

    /// Where the listed counts end, both ways give the same tails: of common and rare events, few games of
    /// ours and many.
    #[test]
    fn sums_and_integrals_agree_where_one_gives_way_to_the_other() {
        for (count, ours) in [
            (0.0, 10.0),
            (0.0, 1e3),
            (1.0, 1e7),
            (3e2, 1e3),
            (5e5, 1e6),
            (1e3, 1e3),
            (2e3, 1e6),
            (9_999_990.0, 1e7),
            // Steep where the integral begins, and where it ends.
            (540.0, 1e5),
            (99_460.0, 1e5),
        ] {
            let (a, b) = (count + 0.5, ours - count + 0.5);
            let (listed, smooth) =
                (Counts::beta_binomial(MOST_LISTED, a, b), ManyTrials::new(MOST_LISTED, a, b));
            for share in
                [0.0, 1e-5, 1e-3, 0.0055, 0.006, 0.1, 0.29, 0.3, 0.31, 0.5, 0.501, 0.9, 0.9945, 0.999, 1.0]
            {
                let k = (share * MOST_LISTED as f64) as u64;
                for (name, one, other) in [
                    ("below", listed.below(k), smooth.below(k)),
                    ("at least", listed.at_least(k), smooth.at_least(k)),
                    ("exactly", listed.exactly(k), smooth.exactly(k)),
                ] {
                    assert!((one - other).abs() < 1e-7, "{count} of {ours}, {name} {k}: {one} and {other}");
                }
            }
        }
    }

    /// `scipy.special.betainc`: with ever more trials the share of successes has the beta distribution
    /// itself.
    #[test]
    fn a_billion_trials_are_all_but_the_beta_distribution() {
        let counts = ManyTrials::new(1_000_000_000, 86.5, 14.5);
        assert!((counts.below(900_000_000) - 0.904_418_109_675_165_7).abs() < 1e-6);
        assert!((counts.below(900_000_000) + counts.at_least(900_000_000) - 1.0).abs() < 1e-12);
        assert!((counts.below(1_000_000_001) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn ratios_of_gamma_functions_have_their_digits_at_every_size() {
        // Γ(x + 3) / Γ(x + 1) = (x + 1)(x + 2)
        for x in [0.0, 5.0, 99.9, 100.0, 1e4, 1e9] {
            let right = libm::log((x + 1.0) * (x + 2.0));
            assert!((log_gamma_ratio(x, 3.0) - right).abs() < 1e-11, "{x}");
        }
    }
}
