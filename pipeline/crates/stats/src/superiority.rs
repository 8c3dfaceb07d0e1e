//! P(A > B): the chance that a game of one experiment scores higher than one of another, ties counting half.

use super::difference::satterthwaite;
use super::estimate::{Estimate, Method};
use super::mean::TAIL;
use super::sample::Sample;
use super::special::{bisect, normal_quantile, t_quantile};

/// P(A > B) with ties half and its interval.
///
/// The variance is that of Brunner and Munzel (2000, Biom. J. 42), which DeLong's equals, taken to the logit
/// scale so that the interval stays within 0 and 1. Where the samples do not overlap that variance is 0, and
/// Newcombe's score interval (2006, Stat. Med. 25, method 5) takes its place.
pub fn superiority(a: &Sample, b: &Sample) -> Estimate {
    let n = a.n() + b.n();
    let placements = Placements::new(a, b);
    let point = placements.share;
    if a.n() < 2 || b.n() < 2 {
        return Estimate { point, low: 0.0, high: 1.0, n, method: Method::BrunnerMunzel };
    }
    let error = placements.error();
    if error == 0.0 {
        return separated(point, a, b);
    }
    let half = t_quantile(1.0 - TAIL, placements.df()) * error / (point * (1.0 - point));
    let centre = libm::log(point / (1.0 - point));
    let share = |logit: f64| 1.0 / (1.0 + libm::exp(-logit));
    Estimate {
        point,
        low: share(centre - half),
        high: share(centre + half),
        n,
        method: Method::BrunnerMunzel,
    }
}

/// Cliff's delta: P(A > B) - P(A < B), from -1 to 1.
pub fn cliffs_delta(a: &Sample, b: &Sample) -> Estimate {
    superiority(a, b).map(|share| 2.0 * share - 1.0)
}

/// How the games of each sample stand among those of the other.
struct Placements {
    share: f64,
    /// For both samples, the variance of the placements over the number of games.
    parts: [f64; 2],
    sizes: [f64; 2],
}

impl Placements {
    fn new(a: &Sample, b: &Sample) -> Self {
        let of_a = placements(a, b);
        Self {
            share: of_a.mean(),
            parts: [of_a.variance() / a.size(), placements(b, a).variance() / b.size()],
            sizes: [a.size(), b.size()],
        }
    }

    fn error(&self) -> f64 {
        (self.parts[0] + self.parts[1]).sqrt()
    }

    fn df(&self) -> f64 {
        satterthwaite(self.parts, self.sizes)
    }
}

/// For every game the share of the others that it beats, ties half.
fn placements(games: &Sample, others: &Sample) -> Sample {
    let beaten = |value| (others.below(value) + others.at_most(value)) as f64 / (2.0 * others.size());
    Sample::new(games.values().iter().map(|&value| beaten(value))).expect("shares are finite")
}

/// The interval where all games of one sample beat all of the other, or all tie.
fn separated(point: f64, a: &Sample, b: &Sample) -> Estimate {
    let z = normal_quantile(1.0 - TAIL);
    let (n, m) = (a.size(), b.size());
    let more = (n + m) / 2.0 - 1.0;
    let possible = |share: f64| {
        let spread = share * (1.0 - share);
        let variance =
            spread * (1.0 + more * ((1.0 - share) / (2.0 - share) + share / (1.0 + share))) / (n * m);
        (share - point).abs() <= z * variance.sqrt()
    };
    Estimate {
        point,
        low: if point == 0.0 { 0.0 } else { bisect(0.0, point, possible) },
        high: if point == 1.0 { 1.0 } else { bisect(point, 1.0, |share| !possible(share)) },
        n: a.n() + b.n(),
        method: Method::Separated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{assert_interval, sample};

    /// Pain scores of two treatments: Brunner and Munzel's own example, also in the documentation of
    /// `scipy.stats.brunnermunzel`, with W = 3.1374674823, 17.683 degrees of freedom and P = 0.788961.
    #[test]
    fn the_published_example_of_brunner_and_munzel_comes_out() {
        let second = sample(&[1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1]);
        let first = sample(&[3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4]);
        let placements = Placements::new(&first, &second);
        assert!((placements.share - 0.788_961).abs() < 5e-7);
        assert!(((placements.share - 0.5) / placements.error() - 3.137_467_482_3).abs() < 1e-9);
        assert!((placements.df() - 17.683).abs() < 5e-4);
        let estimate = superiority(&first, &second);
        // On the logit scale, with the t quantile of `scipy.stats`, 2.103626.
        assert_interval(&estimate, 0.538_686_547_5, 0.922_891_079_2, 1e-9);
    }

    #[test]
    fn samples_that_do_not_overlap_have_an_interval_of_finite_width() {
        let (low, high) = (sample(&[1, 2, 3, 4]), sample(&[5, 6, 7, 8, 9]));
        let (all, none) = (superiority(&high, &low), superiority(&low, &high));
        assert_eq!((all.point, all.high, none.point, none.low), (1.0, 1.0, 0.0, 0.0));
        // Newcombe's method 5, solved in Python.
        assert!((all.low - 0.611_523_230_8).abs() < 1e-9, "{all:?}");
        assert!((all.low - 1.0 + none.high).abs() < 1e-12, "{none:?}");
    }

    #[test]
    fn exchanging_the_samples_mirrors_the_interval() {
        let (a, b) = (sample(&[1, 5, 5, 9, 12]), sample(&[2, 5, 7, 8]));
        let (ab, ba) = (superiority(&a, &b), superiority(&b, &a));
        assert!((ab.low + ba.high - 1.0).abs() < 1e-12 && (ab.point + ba.point - 1.0).abs() < 1e-12);
        assert!((cliffs_delta(&a, &b).point - (2.0 * ab.point - 1.0)).abs() < 1e-15);
    }

    #[test]
    fn ties_alone_are_an_even_chance() {
        let estimate = superiority(&sample(&[4, 4, 4]), &sample(&[4, 4]));
        assert_eq!(estimate.point, 0.5);
        assert_interval(&estimate, 0.130_869_564_0, 0.869_130_436_0, 1e-9);
    }

    #[test]
    fn a_single_game_on_either_side_bounds_no_superiority() {
        let (one, two) = (sample(&[2]), sample(&[1, 3]));
        for estimate in [superiority(&one, &two), superiority(&two, &one)] {
            assert_eq!((estimate.point, estimate.low, estimate.high, estimate.n), (0.5, 0.0, 1.0, 3));
        }
        let overlapping = superiority(&two, &sample(&[2, 4]));
        assert!(overlapping.low > 0.0 && overlapping.high < 1.0, "two games each do: {overlapping:?}");
        let apart = superiority(&sample(&[5, 6]), &sample(&[1, 2, 3]));
        assert_eq!((apart.point, apart.high, apart.n), (1.0, 1.0, 5));
    }
}
