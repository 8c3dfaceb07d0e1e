//! Many claims at once: how many misses chance alone would bring.

use serde::Serialize;

/// The misses in a family of claims, against those that chance would bring if every claim were true.
///
/// The probability takes the claims as independent. Claims about the same games are not: their misses come
/// together, so many at once are less surprising than it says. The expected number holds either way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Misses {
    /// The claims that were tested.
    pub claims: u64,
    /// Those that the test refused.
    pub seen: u64,
    /// How many it would refuse by chance.
    pub expected: f64,
    /// The probability of at least as many as were seen.
    pub p_value: f64,
}

/// Counts the misses: for every claim the level at which its prediction holds, and whether it was missed.
pub fn misses(claims: impl IntoIterator<Item = (f64, bool)>) -> Misses {
    let (mut tested, mut seen, mut expected) = (0, 0, 0.0);
    // The chances of 0, 1, 2, … misses among the claims so far, up to the last that is not too small for a
    // number.
    let mut chances = vec![1.0];
    for (level, missed) in claims {
        tested += 1;
        seen += u64::from(missed);
        expected += 1.0 - level;
        chances.push(0.0);
        for count in (0..chances.len()).rev() {
            let one_fewer = if count == 0 { 0.0 } else { chances[count - 1] };
            chances[count] = chances[count] * level + one_fewer * (1.0 - level);
        }
        // Among thousands of claims nearly all chances are 0, and would be added up for each claim again.
        while chances.last() == Some(&0.0) {
            chances.pop();
        }
    }
    let at_least = chances.get(seen as usize..).unwrap_or_default();
    let p_value = at_least.iter().rev().fold(0.0, |sum, chance| sum + chance).min(1.0);
    Misses { claims: tested, seen, expected, p_value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.binom.sf(2, 20, 0.05)` is 0.07548367.
    #[test]
    fn claims_of_one_level_miss_binomially() {
        let misses = misses((0..20).map(|claim| (0.95, claim < 3)));
        assert_eq!((misses.claims, misses.seen), (20, 3));
        assert!(
            (misses.expected - 1.0).abs() < 1e-12 && (misses.p_value - 0.075_483_67).abs() < 1e-8,
            "{misses:?}"
        );
    }

    #[test]
    fn claims_of_different_levels_add_up() {
        let misses = misses([(0.9, true), (0.5, true)]);
        assert!((misses.expected - 0.6).abs() < 1e-12 && (misses.p_value - 0.05).abs() < 1e-12, "{misses:?}");
    }

    /// `scipy.stats.binom.sf(19, 2000, 0.01)` is 0.53019, and all of 2000 claims are missed in one of 10^4000
    /// cases.
    #[test]
    fn chances_that_are_too_small_for_a_number_are_none() {
        let likely = misses((0..2000).map(|claim| (0.99, claim < 20)));
        assert!((likely.p_value - 0.530_19).abs() < 1e-5, "{likely:?}");
        let never = misses((0..2000).map(|_| (0.99, true)));
        assert_eq!((never.seen, never.p_value.to_bits()), (2000, 0.0_f64.to_bits()));
        let surely = misses((0..2000).map(|_| (0.0, true)));
        assert_eq!(surely.p_value.to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn no_claims_and_no_misses_surprise_nobody() {
        assert_eq!(misses([]), Misses { claims: 0, seen: 0, expected: 0.0, p_value: 1.0 });
        assert!((misses([(0.95, false)]).p_value - 1.0).abs() < 1e-15);
    }
}
