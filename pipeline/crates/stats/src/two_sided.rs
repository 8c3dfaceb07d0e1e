//! A sequential test with two sides: which of two agents is stronger, or that neither is by as much as
//! matters.
//!
//! Two tests stand back to back, one for either agent, each of a difference against none. The likelihood
//! ratio that speaks for an agent is a mixture: mostly of the smallest difference that matters, and to a
//! small part of greater ones, so that a clear lead is seen in a dozen pairs. As soon as one mixture reaches
//! the upper bound, its agent is stronger; as soon as the smallest difference is as unlikely as the lower
//! bound on both sides at once, there is none that matters. A crossing counts whenever it comes, and by the
//! likelihood ratio's own inequality (Ville's) it comes wrongly no more often than the bound says, so the
//! decision follows from the tally alone, and never contradicts it.

use serde::Serialize;

use super::estimate::{Estimate, Method};
use super::sprt::{Likeliest, Sprt, SprtError, Tally, counts_of};

/// The test: is one of two agents stronger by `worth`, and which?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TwoSided {
    worth: f64,
    alpha: f64,
    beta: f64,
    #[serde(skip)]
    sides: [Sprt; 3],
}

/// The differences of the mixture, as multiples of the smallest that matters, and how much each counts.
const MIXTURE: [(f64, f64); 3] = [(1.0, 0.8), (4.0, 0.1), (16.0, 0.1)];

/// What a test with two sides decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stronger {
    /// The first agent is stronger.
    First,
    /// The second is.
    Second,
    /// Neither is by as much as matters.
    Neither,
}

impl TwoSided {
    /// A test with these errors: `alpha` to find one of two equal agents stronger, `beta` to find none
    /// stronger where one is, by `worth`.
    pub fn new(worth: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        Self::among(worth, alpha, beta, 1)
    }

    /// The same, where so many pairs of agents are tested together: both errors then are those of all tests.
    pub fn among(worth: f64, alpha: f64, beta: f64, several: usize) -> Result<Self, SprtError> {
        let share = several.max(1) as f64;
        // Checked as they are given, not as they are shared out.
        Sprt::new(0.0, worth, alpha, beta)?;
        let side = |(multiple, _)| Sprt::new(0.0, multiple * worth, alpha / share / 2.0, beta / share);
        let [first, second, third] = MIXTURE.map(side);
        Ok(Self { worth, alpha, beta, sides: [first?, second?, third?] })
    }

    /// The difference in Elo that matters.
    pub const fn worth(&self) -> f64 {
        self.worth
    }

    /// The logarithms of the likelihood ratios at which each of the two tests stops.
    pub fn bounds(&self) -> (f64, f64) {
        self.sides[0].bounds()
    }

    /// The logarithms of the likelihood ratios: that the first is stronger, and that the second is.
    pub fn llrs(&self, tally: Tally) -> [f64; 2] {
        [self.mixed(tally.turned()), self.mixed(tally)]
    }

    /// The logarithm of the mixture's likelihood ratio that the second is stronger.
    fn mixed(&self, tally: Tally) -> f64 {
        let parts = self.sides.map(|side| side.llr(tally));
        let most = parts.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 =
            parts.iter().zip(MIXTURE).map(|(part, (_, weight))| weight * libm::exp(part - most)).sum();
        most + libm::log(sum)
    }

    /// What the pairs so far decide; nothing while they do not.
    pub fn decide(&self, tally: Tally) -> Option<Stronger> {
        let ((low, high), [first, second]) = (self.bounds(), self.llrs(tally));
        let is_unlikely = |tally: Tally| self.sides[0].llr(tally) <= low;
        match (first, second) {
            _ if first >= high => Some(Stronger::First),
            _ if second >= high => Some(Stronger::Second),
            _ if is_unlikely(tally) && is_unlikely(tally.turned()) => Some(Stronger::Neither),
            _ => None,
        }
    }
}

/// By how much twice the logarithm of the likelihood may fall short of the greatest: chi-squared at 95 % with
/// one degree of freedom.
const FALLS_SHORT: f64 = 3.841_458_820_694_124;

/// The second agent's lead in Elo, with the interval of the shares of points that are likely enough. It is
/// infinite where all pairs went one way, and its interval unbounded without any.
pub fn elo(tally: Tally) -> Estimate {
    let n = tally.pairs();
    if n == 0 {
        return Estimate::unbounded(0.0, 0, Method::Likelihood);
    }
    let share = (tally.wins as f64 + 0.5 * tally.ties as f64) / n as f64;
    let low = if share == 0.0 { 0.0 } else { end(tally, share, 0.0) };
    let high = if share == 1.0 { 1.0 } else { end(tally, share, 1.0) };
    Estimate { point: share, low, high, n, method: Method::Likelihood }.map(elo_of)
}

/// The last share of points towards `to` that is likely enough, by halving.
fn end(tally: Tally, from: f64, to: f64) -> f64 {
    let counts = counts_of(tally);
    let (mut inside, mut outside) = (from, to);
    for _ in 0..60 {
        let share = f64::midpoint(inside, outside);
        let likeliest = Likeliest::of(counts, share);
        let lost: f64 = (0..3).map(|place| counts[place] * likeliest.log_loss(place)).sum();
        if 2.0 * lost <= FALLS_SHORT {
            inside = share;
        } else {
            outside = share;
        }
    }
    inside
}

/// The difference in Elo that a share of points means: infinite where there are none, or all.
fn elo_of(share: f64) -> f64 {
    400.0 * libm::log10(share / (1.0 - share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Rng;

    fn tally(losses: u64, ties: u64, wins: u64) -> Tally {
        Tally { losses, ties, wins }
    }

    #[test]
    fn a_clear_lead_is_found_on_either_side_and_ties_find_none() {
        let test = TwoSided::new(20.0, 0.05, 0.05).unwrap();
        assert_eq!(test.decide(tally(67, 0, 18)), Some(Stronger::First));
        assert_eq!(test.decide(tally(18, 0, 67)), Some(Stronger::Second));
        assert_eq!(test.decide(tally(0, 80, 0)), Some(Stronger::Neither));
        assert_eq!(test.decide(tally(2000, 0, 2000)), Some(Stronger::Neither));
        assert_eq!(test.decide(tally(5, 1, 4)), None);
        assert_eq!(test.decide(Tally::default()), None);
        let [first, second] = test.llrs(tally(30, 4, 20));
        assert!(first > 0.0 && second < 0.0);
    }

    /// With the smallest difference alone it would take about 65 pairs.
    #[test]
    fn a_dozen_pairs_in_a_row_are_enough() {
        let test = TwoSided::new(20.0, 0.05, 0.05).unwrap();
        let needed = (1..100).find(|&wins| test.decide(tally(0, 0, wins)).is_some());
        assert!(needed.is_some_and(|needed| (9..=13).contains(&needed)), "{needed:?}");
    }

    /// What is decided agrees with the interval beside it, whatever the tally: the one is never said against
    /// the other.
    #[test]
    fn a_decision_and_the_interval_never_contradict_each_other() {
        for worth in [5.0, 20.0, 80.0] {
            let test = TwoSided::new(worth, 0.05, 0.05).unwrap();
            let mut decided = 0;
            for total in (10..1000).step_by(30).chain([5000, 40_000]) {
                for wins in (0..=total).step_by((total / 24).max(1) as usize) {
                    for ties in [0, (total - wins) / 3, total - wins] {
                        let tally = tally(total - wins - ties, ties, wins);
                        let elo = elo(tally);
                        let agrees = match test.decide(tally) {
                            Some(Stronger::First) => elo.high < 0.0,
                            Some(Stronger::Second) => elo.low > 0.0,
                            Some(Stronger::Neither) => -worth < elo.low && elo.high < worth,
                            None => continue,
                        };
                        decided += 1;
                        assert!(agrees, "{worth}: {tally:?}: {:?}, {elo:?}", test.decide(tally));
                    }
                }
            }
            assert!(decided > 100, "{worth}: {decided}");
        }
    }

    #[test]
    fn the_lead_of_a_known_match_has_the_published_interval() {
        // 4307 wins, 8620 ties, 4063 losses: 4.99 Elo, with 2.1 standard errors of 1.86 to either side by the
        // normal approximation.
        let elo = elo(tally(4063, 8620, 4307));
        assert!((elo.point - 4.99).abs() < 0.01, "{elo:?}");
        assert!(
            (elo.high - elo.point - 3.66).abs() < 0.05 && (elo.point - elo.low - 3.66).abs() < 0.05,
            "{elo:?}"
        );
    }

    #[test]
    fn the_lead_turns_with_the_tally_and_may_be_infinite() {
        let (one, other) = (elo(tally(10, 3, 30)), elo(tally(30, 3, 10)));
        assert!((one.point + other.point).abs() < 1e-9 && (one.low + other.high).abs() < 1e-6);
        let all = elo(tally(0, 0, 20));
        assert!(all.point == f64::INFINITY && all.high == f64::INFINITY && all.low > 100.0, "{all:?}");
        let none = elo(Tally::default());
        assert_eq!((none.low, none.high), (f64::NEG_INFINITY, f64::INFINITY));
        let ties = elo(tally(0, 50, 0));
        assert!(ties.point == 0.0 && ties.low < 0.0 && ties.high > 0.0 && ties.high < 60.0, "{ties:?}");
    }

    /// Ten tests share the errors, and the two sides of each share its part of `alpha`.
    #[test]
    fn the_bounds_of_one_of_several_tests_are_walds_for_its_part_of_the_errors() {
        let test = TwoSided::among(5.0, 0.05, 0.2, 10).unwrap();
        let (low, high) = test.bounds();
        assert!((low - (0.02_f64 / 0.9975).ln()).abs() < 1e-12, "{low}");
        assert!((high - (0.98_f64 / 0.0025).ln()).abs() < 1e-12, "{high}");
        assert_eq!(test.worth(), 5.0, "what matters is the same for each");
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        for worth in [0.0, -5.0, f64::NAN, f64::INFINITY] {
            assert!(TwoSided::new(worth, 0.05, 0.05).is_err(), "{worth}");
        }
        assert!(TwoSided::new(5.0, 0.5, 0.05).is_err() && TwoSided::new(5.0, 0.05, 0.0).is_err());
        assert!(TwoSided::among(5.0, 0.7, 0.05, 10).is_err(), "the errors of all together are checked");
        let (_, alone) = TwoSided::new(5.0, 0.05, 0.05).unwrap().bounds();
        let (_, together) = TwoSided::among(5.0, 0.05, 0.05, 6).unwrap().bounds();
        assert!(together > alone, "of several tests each asks for more");
    }

    /// How often each decision is taken where a pair that is no tie is won with this probability.
    fn decisions(test: TwoSided, ties: u32, share_of_wins: f64, seed: u64) -> [f64; 3] {
        const RUNS: u32 = 1000;
        let mut rng = Rng::from_seed(seed);
        let mut counts = [0_u32; 3];
        for _ in 0..RUNS {
            let mut tally = Tally::default();
            let decision = loop {
                let second = match rng.below(1000) {
                    drawn if drawn < ties => 1,
                    _ if f64::from(rng.below(1_000_000)) < share_of_wins * 1e6 => 2,
                    _ => 0,
                };
                tally.count(1, second);
                if let Some(decision) = test.decide(tally) {
                    break decision;
                }
            };
            counts[decision as usize] += 1;
        }
        counts.map(|count| f64::from(count) / f64::from(RUNS))
    }

    /// Three standard errors of a rate of 5 % in 1,000 runs are 2.1 %.
    #[test]
    fn both_errors_are_as_rare_as_promised_on_both_sides() {
        let test = TwoSided::new(160.0, 0.05, 0.05).unwrap();
        let share = 1.0 / (1.0 + libm::pow(10.0, -0.4));
        for ties in [0, 300] {
            let wins = (share - 0.5) / (1.0 - f64::from(ties) / 1000.0) + 0.5;
            let [first, second, neither] = decisions(test, ties, 0.5, 21);
            assert!(first + second < 0.07, "{ties}: {first} and {second} of equal agents");
            assert!(first > 0.002 && second > 0.002 && neither > 0.9, "{ties}: {first}, {second}, {neither}");
            for (wins, right) in [(wins, 1), (1.0 - wins, 0)] {
                let found = decisions(test, ties, wins, 22);
                assert!(found[2] < 0.07 && found[2] > 0.002, "{ties}: missed {}", found[2]);
                assert!(found[1 - right] < 0.005, "{ties}: the wrong one: {}", found[1 - right]);
            }
        }
    }
}
