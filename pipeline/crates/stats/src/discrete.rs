//! Distributions of counts. Each is built from the ratios of neighbouring probabilities, outwards from near
//! its centre, and then made to sum to 1: that needs no logarithm, loses no digit to cancellation and is the
//! same on every machine.

use super::many_trials::ManyTrials;

/// The most trials of a paper whose counts are listed one by one; more are summed as an integral, in a time
/// that does not grow with them. Where one gives way to the other, both give the same tails to within 1e-7.
pub(super) const MOST_LISTED: u64 = 100_000;

/// The probabilities of 0, 1, … up to a largest count.
#[derive(Clone, Debug)]
pub(super) enum Counts {
    /// Each by itself.
    Listed(Vec<f64>),
    /// A smooth function of the count.
    Smooth(Box<ManyTrials>),
}

impl Counts {
    /// The distribution on `0..=last` with these ratios, `ratio(k)` being that of `k + 1` to `k`.
    fn from_ratios(last: u64, centre: f64, ratio: impl Fn(f64) -> f64) -> Self {
        let last = last as usize;
        let centre = (centre as usize).min(last);
        let mut weights = vec![0.0; last + 1];
        weights[centre] = 1.0;
        for k in centre..last {
            weights[k + 1] = weights[k] * ratio(k as f64);
        }
        for k in (0..centre).rev() {
            weights[k] = weights[k + 1] / ratio(k as f64);
        }
        let total: f64 = weights.iter().sum();
        Self::Listed(weights.into_iter().map(|weight| weight / total).collect())
    }

    /// The successes in `trials` of this chance.
    pub(super) fn binomial(trials: u64, chance: f64) -> Self {
        let n = trials as f64;
        let odds = chance / (1.0 - chance);
        Self::from_ratios(trials, n * chance, |k| (n - k) / (k + 1.0) * odds)
    }

    /// The successes in `trials` whose chance is itself drawn from the beta distribution of `a` and `b`.
    pub(super) fn beta_binomial(trials: u64, a: f64, b: f64) -> Self {
        if trials > MOST_LISTED {
            return Self::Smooth(Box::new(ManyTrials::new(trials, a, b)));
        }
        let n = trials as f64;
        Self::from_ratios(trials, n * a / (a + b), |k| (n - k) / (k + 1.0) * (k + a) / (n - k - 1.0 + b))
    }

    /// How many of `ours` games lie below the one of the given rank among `theirs`, all from one
    /// distribution.
    ///
    /// Every order of the games in which they could come is equally likely, whatever the distribution: the
    /// count `i` has the chance `C(rank - 1 + i, i) C(theirs - rank + ours - i, ours - i) / C(ours + theirs,
    /// ours)`.
    pub(super) fn games_below(ours: u64, theirs: u64, rank: u64) -> Self {
        let (n, m, r) = (ours as f64, theirs as f64, rank as f64);
        Self::from_ratios(ours, n * r / (m + 1.0), |i| (r + i) / (i + 1.0) * (n - i) / (m - r + n - i))
    }

    /// The largest count.
    pub(super) fn last(&self) -> u64 {
        match self {
            Self::Listed(each) => each.len() as u64 - 1,
            Self::Smooth(counts) => counts.last(),
        }
    }

    /// The probability of exactly this count.
    pub(super) fn exactly(&self, count: u64) -> f64 {
        match self {
            Self::Listed(each) => each.get(count as usize).copied().unwrap_or(0.0),
            Self::Smooth(counts) => counts.exactly(count),
        }
    }

    /// The probability of fewer than this.
    pub(super) fn below(&self, count: u64) -> f64 {
        match self {
            Self::Listed(each) => each[..each.len().min(count as usize)].iter().sum(),
            Self::Smooth(counts) => counts.below(count),
        }
    }

    /// The probability of this or more, summed from the far end, where the small ones are.
    pub(super) fn at_least(&self, count: u64) -> f64 {
        match self {
            Self::Listed(each) => each.iter().skip(count as usize).rev().sum(),
            Self::Smooth(counts) => counts.at_least(count),
        }
    }

    /// The probability of more than this.
    pub(super) fn above(&self, count: u64) -> f64 {
        self.at_least(count + 1)
    }

    /// The smallest count whose lower tail, with this share of its own probability, is heavier than `tail`.
    pub(super) fn lowest(&self, tail: f64, own: f64) -> u64 {
        let each = match self {
            Self::Listed(each) => each,
            Self::Smooth(counts) => {
                return counts.first(|count| counts.below(count) + own * counts.exactly(count) > tail);
            }
        };
        let mut below = 0.0;
        for (count, probability) in (0..).zip(each) {
            if below + own * probability > tail {
                return count;
            }
            below += probability;
        }
        self.last()
    }

    /// The largest count whose upper tail, with this share of its own probability, is heavier than `tail`.
    pub(super) fn highest(&self, tail: f64, own: f64) -> u64 {
        let each = match self {
            Self::Listed(each) => each,
            Self::Smooth(counts) => {
                let light = |count| counts.at_least(count + 1) + own * counts.exactly(count) <= tail;
                let first = counts.first(light);
                return if light(first) { first.saturating_sub(1) } else { first };
            }
        };
        let mut above = 0.0;
        for (count, probability) in each.iter().enumerate().rev() {
            if above + own * probability > tail {
                return count as u64;
            }
            above += probability;
        }
        0
    }
}

/// The chance that none of `ours` games lies below the one of the given rank among `theirs`: the lowest of
/// all are as many of theirs. It is a ratio of binomial coefficients, multiplied out over the games or over
/// the ranks, whichever are fewer.
pub(super) fn none_below(ours: u64, theirs: u64, rank: u64) -> f64 {
    let (n, m, r) = (ours as f64, theirs as f64, rank as f64);
    let (factors, beside) = if r < n { (rank, m) } else { (ours, n + m - r) };
    let mut chance = 1.0;
    for index in (0..factors).map(|index| index as f64) {
        chance *= (beside - index) / (n + m - index);
        if chance < NEGLIGIBLE {
            break;
        }
    }
    chance
}

/// The chance that all of `ours` games lie below the one of the given rank among `theirs`.
pub(super) fn all_below(ours: u64, theirs: u64, rank: u64) -> f64 {
    none_below(ours, theirs, theirs + 1 - rank)
}

/// A chance that no error rate comes near.
const NEGLIGIBLE: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-12, "{value} is not {expected}");
    }

    /// The values on the right are those of `scipy.stats.betabinom` and `binom` 1.17.
    #[test]
    fn counts_have_the_probabilities_of_scipy() {
        let counts = Counts::beta_binomial(100, 86.5, 14.5);
        close(counts.exactly(95), 0.011074428621276153);
        close(counts.below(80), 0.11172528156569167);
        close(counts.above(95), 0.009145545221436704);
        let counts = Counts::beta_binomial(50, 0.5, 1000.5);
        close(counts.exactly(0), 0.975905881893607);
        close(counts.above(1), 0.0008471938111020558);
        let counts = Counts::binomial(20, 0.3);
        close(counts.below(4), 0.10708680450373087);
    }

    #[test]
    fn a_chance_of_0_or_1_leaves_one_count() {
        assert_eq!(Counts::binomial(7, 0.0).exactly(0), 1.0);
        assert_eq!(Counts::binomial(7, 1.0).exactly(7), 1.0);
    }

    /// Three of our games and two of theirs stand in ten equally likely orders. The larger of theirs is the
    /// lowest but one of all in one order, the third in two, the fourth in three and the last in four.
    #[test]
    fn our_games_below_their_largest_are_counted_over_all_orders() {
        let counts = Counts::games_below(3, 2, 2);
        for (count, orders) in [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)] {
            close(counts.exactly(count), orders / 10.0);
        }
    }

    /// C(16, 10) / C(20, 10): all ten of theirs are below our seventh.
    #[test]
    fn tails_of_games_below_are_ratios_of_binomial_coefficients() {
        close(Counts::games_below(10, 10, 10).below(7), 8008.0 / 184_756.0);
        close(Counts::games_below(1000, 250, 250).above(999), 250.0 / 1250.0);
    }

    /// All three are symmetric. Weights that began far from the centre would have more digits than a number
    /// can hold on the way there.
    #[test]
    fn large_distributions_begin_where_they_are_heavy() {
        let (n, half) = (20_000, 10_000);
        for counts in [
            Counts::binomial(n, 0.5),
            Counts::beta_binomial(n, 9000.0, 9000.0),
            Counts::games_below(n, n - 1, half),
        ] {
            close(counts.below(half) + counts.exactly(half) / 2.0, 0.5);
            close(counts.exactly(half - 50), counts.exactly(half + 50));
        }
    }

    #[test]
    fn the_chances_of_the_outermost_counts_have_a_closed_form() {
        for (n, m, rank) in [(3, 2, 2), (10, 10, 10), (10, 10, 1), (30, 10, 5), (5, 40, 20), (7, 3, 2)] {
            let counts = Counts::games_below(n, m, rank);
            close(none_below(n, m, rank), counts.exactly(0));
            close(all_below(n, m, rank), counts.exactly(n));
        }
        close(all_below(9750, 250, 250), 0.025);
        assert!(none_below(10_000_000, 1_000_000_000, 500_000_000) < 1e-12, "and it takes no time");
    }

    #[test]
    fn a_count_at_the_border_of_a_tail_is_the_first_that_is_heavier() {
        let counts = Counts::games_below(3, 2, 2);
        assert_eq!((counts.lowest(0.05, 1.0), counts.lowest(0.11, 1.0), counts.lowest(0.2, 0.5)), (0, 1, 2));
        assert_eq!((counts.highest(0.3, 1.0), counts.highest(0.45, 1.0)), (3, 2));
    }

    #[test]
    fn a_tail_that_is_as_heavy_as_asked_for_is_not_heavier() {
        // A quarter, a half and a quarter.
        let counts = Counts::binomial(2, 0.5);
        assert_eq!((counts.lowest(0.25, 1.0), counts.lowest(0.24, 1.0)), (1, 0));
        assert_eq!((counts.highest(0.25, 1.0), counts.highest(0.24, 1.0)), (1, 2));
        assert_eq!((counts.lowest(1.0, 1.0), counts.highest(1.0, 1.0)), (2, 0), "none is");
    }

    #[test]
    fn the_border_of_a_tail_is_found_among_many_trials_as_among_few() {
        for trials in [MOST_LISTED, MOST_LISTED + 1] {
            let counts = Counts::beta_binomial(trials, 300.5, 700.5);
            assert_eq!(counts.last(), trials);
            for count in [27_000, 30_000, 33_333] {
                // Half of the count's own probability is more than the quarter that the tail leaves to it.
                let quarter = 0.25 * counts.exactly(count);
                assert_eq!(counts.lowest(counts.below(count) + quarter, 0.5), count, "of {trials}");
                assert_eq!(counts.highest(counts.above(count) + quarter, 0.5), count, "of {trials}");
                assert_eq!(counts.lowest(counts.below(count) + quarter, 0.0), count + 1, "of {trials}");
                assert_eq!(counts.highest(counts.above(count) + quarter, 0.0), count - 1, "of {trials}");
            }
            assert_eq!((counts.lowest(1.0, 1.0), counts.highest(1.0, 1.0)), (trials, 0));
        }
    }
}
