//! What playing a sample of games again can show: the chance that a forged game was among them.

use serde::Serialize;

use super::RecomputedRows;

/// The shares of forged games that one asks about.
pub const SHARES: [f64; 3] = [0.01, 0.05, 0.20];

/// The chances to see a forged share of each experiment's games, one for each of [`SHARES`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chances {
    /// If every experiment is forged alike.
    pub over_all: [f64; 3],
    /// If only one is, and that the one of which the least was played again.
    pub at_least: [f64; 3],
}

impl Chances {
    /// The chances that a sample of games had. Games of which only the beginning was played count for
    /// nothing.
    pub fn of<'a>(experiments: impl Iterator<Item = &'a RecomputedRows>) -> Self {
        let mut unseen = [1.0; 3];
        let mut at_least: Option<[f64; 3]> = None;
        for experiment in experiments {
            let at_least = at_least.get_or_insert([1.0; 3]);
            for (place, share) in SHARES.into_iter().enumerate() {
                let missed = unseen_chance(experiment.stored, experiment.whole, share);
                unseen[place] *= missed;
                at_least[place] = at_least[place].min(1.0 - missed);
            }
        }
        Self { over_all: unseen.map(|unseen| 1.0 - unseen), at_least: at_least.unwrap_or_default() }
    }
}

/// The chance that none of `drawn` out of `games` is among the forged ones: hypergeometric.
fn unseen_chance(games: u64, drawn: u64, share: f64) -> f64 {
    let forged = (share * games as f64).ceil() as u64;
    let honest = games.saturating_sub(forged);
    if drawn > honest {
        return 0.0;
    }
    (0..drawn).map(|taken| (honest - taken) as f64 / (games - taken) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_is_that_of_drawing_without_putting_back() {
        let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}, {expected}");
        is(unseen_chance(100, 1, 0.01), 0.99);
        is(unseen_chance(100, 2, 0.05), 95.0 / 100.0 * 94.0 / 99.0);
        is(unseen_chance(100, 100, 0.01), 0.0);
        is(unseen_chance(100, 0, 0.2), 1.0);
        is(unseen_chance(3, 1, 0.01), 2.0 / 3.0);
        is(unseen_chance(0, 0, 0.2), 1.0);
    }

    #[test]
    fn experiments_are_seen_together_and_each_by_itself() {
        let sampled = |stored, whole| RecomputedRows { stored, whole, ..RecomputedRows::default() };
        let chances = Chances::of([sampled(100, 1), sampled(100, 10)].iter());
        assert!((chances.over_all[0] - (1.0 - 0.99 * 0.9)).abs() < 1e-12);
        assert!((chances.at_least[0] - 0.01).abs() < 1e-12);
        let part = Chances::of([sampled(100, 0)].iter());
        assert_eq!((part.over_all, part.at_least), ([0.0; 3], [0.0; 3]));
        let none = Chances::of(std::iter::empty());
        assert_eq!((none.over_all, none.at_least), ([0.0; 3], [0.0; 3]));
    }
}
