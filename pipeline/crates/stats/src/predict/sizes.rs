//! Papers that do not say how many games they played: at which numbers the published value is consistent.

use std::fmt;

use serde::Serialize;

use super::super::measured::Measured;
use super::{Agreement, Reported, distribution, judge};

/// The most games that a paper is thought to have played; what is consistent with so many is consistent with
/// any number.
pub const MOST_GAMES: u64 = 100_000;

/// The numbers up to which each is tried by itself.
const EACH: u64 = 128;

/// The numbers of games with which a published value is consistent.
///
/// A mean fits up to some number, since more games would have come closer to ours. A maximum that is high for
/// few games fits from some number on. Between the two ends a rate can miss now and then, where no count is
/// printed as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sizes {
    /// Any number.
    Every,
    /// None.
    None,
    /// This many and fewer.
    UpTo(u64),
    /// This many and more.
    From(u64),
    /// From the first to the second.
    Between(u64, u64),
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every => f.write_str("consistent at every number of games"),
            Self::None => f.write_str("consistent at no number of games"),
            Self::UpTo(most) => write!(f, "consistent up to {most} games"),
            Self::From(fewest) => write!(f, "consistent from {fewest} games on"),
            Self::Between(fewest, most) => write!(f, "consistent from {fewest} to {most} games"),
        }
    }
}

/// The numbers of games at which a published value is consistent with ours.
pub fn consistent_sizes(ours: &Measured<'_>, reported: Reported) -> Sizes {
    let consistent = |n| judge(distribution(ours, n).as_ref(), reported).1 == Agreement::Consistent;
    let tried: Vec<(u64, bool)> = grid().map(|n| (n, consistent(n))).collect();
    let (Some(first), Some(last)) =
        (tried.iter().position(|(_, fits)| *fits), tried.iter().rposition(|(_, fits)| *fits))
    else {
        return Sizes::None;
    };
    let fewest = (first > 0).then(|| turn(tried[first - 1].0, tried[first].0, consistent));
    let most = tried.get(last + 1).map(|&(beyond, _)| turn(tried[last].0, beyond, |n| !consistent(n)) - 1);
    match (fewest, most) {
        (None, None) => Sizes::Every,
        (None, Some(most)) => Sizes::UpTo(most),
        (Some(fewest), None) => Sizes::From(fewest),
        (Some(fewest), Some(most)) => Sizes::Between(fewest, most),
    }
}

/// Every small number of games, then steps of an eighth.
fn grid() -> impl Iterator<Item = u64> {
    let steps = std::iter::successors(Some(EACH), |&n| (n < MOST_GAMES).then(|| (n + n / 8).min(MOST_GAMES)));
    (1..EACH).chain(steps)
}

/// The number at which a condition that is false at `low` and true at `high` turns true.
pub(super) fn turn(mut low: u64, mut high: u64, turned: impl Fn(u64) -> bool) -> u64 {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if turned(middle) { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::super::predict;
    use super::*;
    use crate::measured::Statistic;
    use crate::rate::Rate;
    use crate::samples::one_to;

    #[test]
    fn numbers_of_games_are_tried_in_steps_of_an_eighth_at_most() {
        let tried: Vec<u64> = grid().collect();
        assert_eq!((tried[0], tried.last()), (1, Some(&MOST_GAMES)));
        let is_step = |pair: &[u64]| pair[0] < pair[1] && pair[1] - pair[0] <= (pair[0] / 8).max(1);
        assert!(tried.windows(2).all(is_step), "{tried:?}");
    }

    #[test]
    fn a_mean_fits_up_to_the_last_number_that_predicts_it() {
        let sample = one_to(400);
        let mean = Measured::Summary(Statistic::Mean, &sample);
        let sizes = |value| consistent_sizes(&mean, Reported::number(value, 1.0));
        let Sizes::UpTo(most) = sizes(220.0) else { panic!("a mean nearby fits few games") };
        let test = |n| predict(&mean, n, Reported::number(220.0, 1.0)).agreement;
        assert_eq!((test(most), test(most + 1)), (Agreement::Consistent, Agreement::Lower));
        assert_eq!((sizes(201.0), sizes(9e9)), (Sizes::Every, Sizes::None));
    }

    #[test]
    fn a_maximum_fits_from_some_number_on_or_up_to_one() {
        let sample = one_to(1000);
        let maximum = Measured::Summary(Statistic::Maximum, &sample);
        let sizes = |value| consistent_sizes(&maximum, Reported::number(value, 0.0));
        // The largest of m exceeds all 1,000 of ours in more than 2.5 % of orders from m = 26 on, and 989 of
        // them from m = 3 on.
        assert!(matches!(sizes(2000.0), Sizes::From(26)), "{}", sizes(2000.0));
        assert!(matches!(sizes(900.0), Sizes::UpTo(_)), "{}", sizes(900.0));
        assert!(matches!(sizes(990.0), Sizes::Between(3, _)), "{}", sizes(990.0));
    }

    #[test]
    fn a_rate_fits_fewer_games_the_farther_it_is() {
        let ours = Measured::Rate(Rate::new(500, 1000).unwrap());
        let most = |value| match consistent_sizes(&ours, Reported::number(value, 0.01)) {
            Sizes::UpTo(most) => most,
            other => panic!("{other}"),
        };
        assert!(most(0.6) > most(0.7) && most(0.7) > most(0.8));
        assert_eq!(consistent_sizes(&ours, Reported::number(0.5, 0.01)), Sizes::Every);
    }

    #[test]
    fn sizes_are_told_by_their_ends() {
        let told = [Sizes::Every, Sizes::None, Sizes::UpTo(3), Sizes::From(4), Sizes::Between(5, 6)]
            .map(|sizes| sizes.to_string().replace("consistent ", ""));
        let ends = ["up to 3 games", "from 4 games on", "from 5 to 6 games"];
        assert_eq!(told[..2], ["at every number of games", "at no number of games"]);
        assert_eq!(told[2..], ends);
    }

    #[test]
    fn the_first_of_many_games_that_fit_is_found_between_the_steps() {
        // More than one in 40 orders from 231 games on, which is none of the steps.
        let sample = one_to(9_000);
        let (measured, reported) =
            (Measured::Summary(Statistic::Maximum, &sample), Reported::number(20_000.0, 0.0));
        let Sizes::From(fewest) = consistent_sizes(&measured, reported) else {
            panic!("a larger value than all of ours takes many games");
        };
        let fits = |n| predict(&measured, n, reported).agreement == Agreement::Consistent;
        assert!(fewest == 231 && fits(fewest) && !fits(fewest - 1), "{fewest}");
    }
}
