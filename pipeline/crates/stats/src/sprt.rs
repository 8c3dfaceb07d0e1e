//! A sequential test of two agents that play on the same seeds: stop as soon as the pairs of games tell.
//!
//! The generalised sequential probability ratio test (Michel Van den Bergh, "A practical introduction to the
//! GSPRT"): each pair is a loss, a tie or a win, and the ratio is that of the greatest likelihoods under
//! which the expected share of points is the one or the other. Near-identical agents tie on most seeds, and
//! the test learns from ties as well.

use serde::Serialize;

/// How many pairs each outcome has had, from the second agent's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// The first scored higher.
    pub losses: u64,
    /// Both scored the same.
    pub ties: u64,
    /// The second scored higher.
    pub wins: u64,
}

/// The test: is the second agent stronger by `elo1` rather than by `elo0`?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// What a sequential test decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// `elo1` rather than `elo0`.
    Stronger,
    /// `elo0` rather than `elo1`.
    NotStronger,
}

/// Numbers that make no test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SprtError {
    #[error("elo0 is {elo0} and elo1 is {elo1}: both must be finite, and elo1 must be greater")]
    Elo { elo0: f64, elo1: f64 },
    #[error("alpha is {alpha} and beta is {beta}: both must be above 0 and below 0.5")]
    Errors { alpha: f64, beta: f64 },
}

/// An outcome that never came counts as this much of a pair, so that the likelihoods stay above zero.
const NEVER: f64 = 1e-3;

/// The points of a loss, a tie and a win.
const POINTS: [f64; 3] = [0.0, 0.5, 1.0];

impl Sprt {
    /// A test with these errors: `alpha` to find a strength that is not there, `beta` to miss one that is.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Elo { elo0, elo1 });
        }
        let is_error = |error: f64| error > 0.0 && error < 0.5;
        if !(is_error(alpha) && is_error(beta)) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// The two differences between which it decides.
    pub const fn elos(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The logarithms of the likelihood ratio at which the test stops: Wald's bounds.
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// The logarithm of the likelihood ratio; 0 before the first pair.
    pub fn llr(&self, tally: Tally) -> f64 {
        if tally == Tally::default() {
            return 0.0;
        }
        let counts = counts_of(tally);
        let [zero, one] = [self.elo0, self.elo1].map(|elo| Likeliest::of(counts, share_of(elo)));
        (0..3).map(|place| counts[place] * (zero.log_loss(place) - one.log_loss(place))).sum()
    }

    /// What the pairs so far decide; nothing while they do not.
    pub fn decide(&self, tally: Tally) -> Option<Decision> {
        let ((low, high), llr) = (self.bounds(), self.llr(tally));
        match llr {
            _ if llr >= high => Some(Decision::Stronger),
            _ if llr <= low => Some(Decision::NotStronger),
            _ => None,
        }
    }
}

/// How often each outcome came, losses first.
pub(super) fn counts_of(tally: Tally) -> [f64; 3] {
    [tally.losses, tally.ties, tally.wins].map(|count| (count as f64).max(NEVER))
}

impl Tally {
    /// The same pairs from the first agent's view.
    pub const fn turned(self) -> Self {
        Self { losses: self.wins, ties: self.ties, wins: self.losses }
    }

    /// How many pairs there were.
    pub const fn pairs(self) -> u64 {
        self.losses + self.ties + self.wins
    }

    /// Counts a pair by the two scores.
    pub const fn count(&mut self, first: u32, second: u32) {
        if second > first {
            self.wins += 1;
        } else if second < first {
            self.losses += 1;
        } else {
            self.ties += 1;
        }
    }
}

/// The share of points that a difference in Elo means.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// The likeliest distribution of the three outcomes with a given expected share of points: that of the
/// counts, each divided by `1 + x (points - share)`.
pub(super) struct Likeliest {
    share: f64,
    x: f64,
}

impl Likeliest {
    /// Finds `x` by halving: the sum falls in it, from above zero to below, between the two poles.
    pub(super) fn of(counts: [f64; 3], share: f64) -> Self {
        let (mut low, mut high) = (-1.0 / (1.0 - share), 1.0 / share);
        for _ in 0..64 {
            let x = f64::midpoint(low, high);
            let term = |place: usize| {
                let distance = POINTS[place] - share;
                counts[place] * distance / (1.0 + x * distance)
            };
            if term(0) + term(1) + term(2) > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        Self { share, x: f64::midpoint(low, high) }
    }

    /// By how much the logarithm of an outcome's probability falls short of that of its frequency.
    pub(super) fn log_loss(&self, place: usize) -> f64 {
        libm::log(1.0 + self.x * (POINTS[place] - self.share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Rng;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    /// A match of chess programs whose ratio has been published.
    #[test]
    fn the_ratio_of_a_known_match_is_the_published_one() {
        let tally = Tally { losses: 4063, ties: 8620, wins: 4307 };
        let llr = test(0.0, 3.0).llr(tally);
        assert!((llr - 2.99).abs() < 0.005, "{llr}");
        let turned = Tally { losses: 4307, ties: 8620, wins: 4063 };
        assert!((test(-3.0, 0.0).llr(turned) + llr).abs() < 1e-9);
    }

    /// With 19 to 1 on either side, Wald's bounds are the logarithm of 19.
    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = test(0.0, 10.0).bounds();
        assert!((low + 19.0_f64.ln()).abs() < 1e-12 && (high - 19.0_f64.ln()).abs() < 1e-12);
        let uneven = Sprt::new(-3.0, 10.0, 0.01, 0.2).unwrap();
        assert_eq!(uneven.elos(), (-3.0, 10.0));
        let (low, high) = uneven.bounds();
        assert!((low - (0.2_f64 / 0.99).ln()).abs() < 1e-12 && (high - 80.0_f64.ln()).abs() < 1e-12);
    }

    /// Only ties: the likeliest distribution with the share `s` above one half has `2 s - 1` wins, and ties
    /// otherwise.
    #[test]
    fn ties_alone_speak_for_equal_strength() {
        let test = test(0.0, 20.0);
        let expected = 100.0 * (2.0 - 2.0 * share_of(20.0)).ln();
        let llr = test.llr(Tally { ties: 100, ..Tally::default() });
        assert!((llr - expected).abs() < 0.02, "{llr} for {expected}");
        assert_eq!(test.decide(Tally { ties: 60, ..Tally::default() }), Some(Decision::NotStronger));
        assert_eq!(test.decide(Tally::default()), None);
    }

    #[test]
    fn wins_decide_for_strength_and_losses_against_it() {
        let test = test(0.0, 50.0);
        let tally = |wins, losses| Tally { wins, losses, ties: 0 };
        assert_eq!(test.decide(tally(90, 10)), Some(Decision::Stronger));
        assert_eq!(test.decide(tally(10, 90)), Some(Decision::NotStronger));
        assert_eq!(test.decide(tally(5, 4)), None);
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        assert!(Sprt::new(5.0, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, f64::NAN, 0.05, 0.05).is_err());
        assert!(Sprt::new(f64::NEG_INFINITY, 5.0, 0.05, 0.05).is_err());
        assert!(Sprt::new(0.0, f64::INFINITY, 0.05, 0.05).is_err());
        for error in [0.0, 0.5, 0.7, -0.1] {
            assert!(Sprt::new(0.0, 5.0, error, 0.05).is_err(), "{error}");
            assert!(Sprt::new(0.0, 5.0, 0.05, error).is_err(), "{error}");
        }
        assert!(Sprt::new(0.0, 5.0, 0.49, 0.01).is_ok());
    }

    /// How often the test decides for strength, where a pair is a win with this share, in 1,000, of those
    /// that are no tie.
    fn decided_for_strength(test: Sprt, ties: u32, share_of_wins: f64, seed: u64) -> f64 {
        const RUNS: u32 = 2000;
        let mut rng = Rng::from_seed(seed);
        let mut run = || {
            let mut tally = Tally::default();
            loop {
                let second = match rng.below(1000) {
                    drawn if drawn < ties => 1,
                    _ if f64::from(rng.below(1_000_000)) < share_of_wins * 1e6 => 2,
                    _ => 0,
                };
                tally.count(1, second);
                if let Some(decision) = test.decide(tally) {
                    return decision == Decision::Stronger;
                }
            }
        };
        f64::from((0..RUNS).filter(|_| run()).count() as u32) / f64::from(RUNS)
    }

    /// Three standard errors of a rate of 5 % in 2,000 runs are 1.5 %.
    #[test]
    fn both_errors_are_as_rare_as_promised() {
        let test = test(0.0, 80.0);
        for ties in [0, 300] {
            let apart = 1.0 - f64::from(ties) / 1000.0;
            let wins = (share_of(80.0) - 0.5) / apart + 0.5;
            let found = decided_for_strength(test, ties, 0.5, 11);
            let missed = 1.0 - decided_for_strength(test, ties, wins, 12);
            assert!(found < 0.065 && missed < 0.065, "{ties}: found {found}, missed {missed}");
            assert!(found > 0.01 && missed > 0.01, "{ties}: found {found}, missed {missed}");
        }
    }

    #[test]
    fn a_pair_is_won_lost_or_tied_by_its_scores() {
        let mut tally = Tally::default();
        for (first, second) in [(1, 2), (5, 9), (0, 1), (3, 3), (8, 8), (7, 2)] {
            tally.count(first, second);
        }
        assert_eq!((tally.wins, tally.ties, tally.losses, tally.pairs()), (3, 2, 1, 6));
    }
}
