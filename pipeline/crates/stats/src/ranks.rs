//! Ranks with intervals: which places of a table several methods may really have.
//!
//! A method's rank is at least one more than the number of those that are certainly ahead of it, and at most
//! as many as there are less those that are certainly behind (Mohamad, Goeman and van Zwet 2022,
//! "Simultaneous confidence intervals for ranks"). Which are certain, the differences of the means say, by
//! Welch; for each method all of its differences hold at once. No resampling is needed, and methods whose
//! ranks cannot be told apart show it: bootstrapped ranks hold too seldom just there.

use super::difference::welch_among;
use super::sample::Sample;

/// The places that a method may have, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// Its place by the means, which it shares with those of an equal mean.
    pub rank: usize,
    /// The best place that it may have.
    pub best: usize,
    /// The worst.
    pub worst: usize,
}

/// The ranks of samples by their means, the highest first. Each interval holds with the usual confidence.
pub fn ranks(samples: &[Sample]) -> Vec<Rank> {
    let others = samples.len().saturating_sub(1).max(1);
    let rank = |(place, sample): (usize, &Sample)| {
        let (mut ahead, mut behind, mut before) = (0, 0, 0);
        for (_, other) in samples.iter().enumerate().filter(|(other, _)| *other != place) {
            let difference = welch_among(other, sample, others);
            ahead += usize::from(difference.low > 0.0);
            behind += usize::from(difference.high < 0.0);
            before += usize::from(difference.point > 0.0);
        }
        Rank { rank: before + 1, best: ahead + 1, worst: samples.len() - behind }
    };
    samples.iter().enumerate().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(middle: f64, spread: f64) -> Sample {
        Sample::new((0..40).map(|game| middle + spread * (f64::from(game) - 19.5))).unwrap()
    }

    fn places(samples: &[Sample]) -> Vec<(usize, usize, usize)> {
        ranks(samples).into_iter().map(|rank| (rank.rank, rank.best, rank.worst)).collect()
    }

    #[test]
    fn methods_that_differ_clearly_have_one_place_each() {
        assert_eq!(
            places(&[around(100.0, 1.0), around(300.0, 1.0), around(200.0, 1.0)]),
            [(3, 3, 3), (1, 1, 1), (2, 2, 2)]
        );
    }

    #[test]
    fn methods_that_cannot_be_told_apart_share_their_places() {
        let samples = [around(100.0, 1.0), around(101.0, 1.0), around(10.0, 1.0)];
        assert_eq!(places(&samples), [(2, 1, 2), (1, 1, 2), (3, 3, 3)]);
    }

    #[test]
    fn one_method_is_the_first_and_equal_means_share_a_rank() {
        assert_eq!(places(&[around(5.0, 1.0)]), [(1, 1, 1)]);
        assert_eq!(places(&[around(5.0, 1.0), around(5.0, 2.0)]), [(1, 1, 2), (1, 1, 2)]);
        assert_eq!(places(&[around(5.0, 0.0), around(5.0, 0.0)]), [(1, 1, 2), (1, 1, 2)], "always the same");
        assert!(places(&[]).is_empty());
    }

    #[test]
    fn a_single_game_leaves_every_place_open() {
        let one = Sample::new([1e9]).unwrap();
        assert_eq!(places(&[one, around(5.0, 1.0), around(50.0, 0.1)])[0], (1, 1, 3));
    }

    #[test]
    fn more_methods_make_each_interval_wider() {
        // The two are told apart by themselves, but not among thirty differences that hold at once.
        let pair = [around(100.0, 1.0), around(106.0, 1.0)];
        assert_eq!(places(&pair), [(2, 2, 2), (1, 1, 1)]);
        let far = (0..30).map(|place| around(-1000.0 * f64::from(place + 1), 1.0));
        let many: Vec<Sample> = pair.into_iter().chain(far).collect();
        assert_eq!(places(&many)[..2], [(2, 1, 2), (1, 1, 2)]);
    }
}
