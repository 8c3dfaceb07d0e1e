//! The density of a sample, for violins.

use std::f64::consts::PI;

use super::sample::Sample;
use super::special::normal_density;

/// The bins in which distances between games are counted to choose a bandwidth.
const BINS: usize = 1000;

/// The density of a sample at `points` evenly spaced values from its smallest to its largest, both included.
///
/// It is a sum of normal densities, one a game, with the bandwidth of Sheather and Jones: that of Silverman
/// would blur the peaks that the largest tiles make. Nothing is drawn beyond the games there were, so the
/// area is a little below 1. A sample of equal values has no density and gives nothing.
pub fn density(sample: &Sample, points: usize) -> Vec<(f64, f64)> {
    let (low, high) = (sample.minimum(), sample.maximum());
    if low == high || points < 2 {
        return Vec::new();
    }
    let width = bandwidth(sample);
    let step = (high - low) / (points - 1) as f64;
    (0..points)
        .map(|point| {
            let at = low + step * point as f64;
            let sum: f64 = sample.sorted().iter().map(|value| normal_density((at - value) / width)).sum();
            (at, sum / (sample.size() * width))
        })
        .collect()
}

/// The bandwidth by the direct plug-in of Sheather and Jones (1991, J. R. Stat. Soc. B 53), and Silverman's
/// where the seventh power of a width is too large or too small a number for it. A single game, and games
/// that are all alike, have none: 0.
pub fn bandwidth(sample: &Sample) -> f64 {
    let n = sample.size();
    let scale = scale(sample);
    let distances = Distances::new(sample);
    let sixth = -distances.functional(
        1.23 * scale * libm::pow(n, -1.0 / 9.0),
        |d| ((d - 15.0) * d + 45.0) * d - 15.0,
        -15.0,
        7.0,
    );
    let pilot = libm::pow(2.394 / (n * sixth), 1.0 / 7.0);
    let fourth = distances.functional(pilot, |d| (d - 6.0) * d + 3.0, 3.0, 5.0);
    let chosen = libm::pow(1.0 / (2.0 * PI.sqrt() * n * fourth), 0.2);
    if chosen.is_finite() { chosen } else { 0.9 * scale * libm::pow(n, -0.2) }
}

/// The smaller of the standard deviation and what the quartiles say it is; the one above 0 where the other is
/// 0.
fn scale(sample: &Sample) -> f64 {
    let quartiles = (sample.quantile(0.75) - sample.quantile(0.25)) / 1.349;
    if quartiles > 0.0 { quartiles.min(sample.sd()) } else { sample.sd() }
}

/// How many pairs of games are how many bins apart.
struct Distances {
    pairs: Vec<f64>,
    bin: f64,
    n: f64,
}

impl Distances {
    fn new(sample: &Sample) -> Self {
        let bin = (sample.maximum() - sample.minimum()) * 1.01 / BINS as f64;
        let mut games = [0_u32; BINS];
        for value in sample.values() {
            games[(((value - sample.minimum()) / bin) as usize).min(BINS - 1)] += 1;
        }
        let mut pairs = vec![0.0; BINS];
        for (first, &count) in games.iter().enumerate().filter(|(_, count)| **count > 0) {
            let count = f64::from(count);
            pairs[0] += count * (count - 1.0) / 2.0;
            for (second, &other) in games.iter().enumerate().skip(first + 1) {
                pairs[second - first] += count * f64::from(other);
            }
        }
        Self { pairs, bin, n: sample.size() }
    }

    /// The integral of the squared derivative of the density, estimated with a bandwidth; `polynomial` is the
    /// derivative of the normal density over the density, as a function of the squared distance, `own` its
    /// value at 0 and `power` that of the bandwidth below.
    fn functional(&self, width: f64, polynomial: impl Fn(f64) -> f64, own: f64, power: f64) -> f64 {
        let sum: f64 = (0..)
            .zip(&self.pairs)
            .filter(|(_, pairs)| **pairs > 0.0)
            .map(|(bins, pairs)| {
                let distance = f64::from(bins) * self.bin / width;
                pairs * libm::exp(-0.5 * distance * distance) * polynomial(distance * distance)
            })
            .sum();
        (2.0 * sum + self.n * own) / (self.n * (self.n - 1.0) * libm::pow(width, power) * (2.0 * PI).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::{EXPECTIMAX_FINAL, scores};

    /// The same formulas over all pairs without bins, in Python on the 1,000 games of the fixture: 2107.3.
    #[test]
    fn the_bandwidth_is_the_plug_in_one() {
        let width = bandwidth(&scores(EXPECTIMAX_FINAL));
        assert!((width / 2107.3 - 1.0).abs() < 1e-3, "{width}");
    }

    /// Two games one apart, without bins: their quartiles are a half apart, and so 1.23 · 0.5 / 1.349 ·
    /// 2^(-1/9) is the first width.
    #[test]
    fn two_games_are_enough_for_the_plug_in() {
        let functional = |width: f64, own: f64, apart: fn(f64) -> f64, power| {
            let d = 1.0 / (width * width);
            let pair = libm::exp(-d / 2.0) * apart(d);
            2.0 * (own + pair) / (2.0 * libm::pow(width, power) * (2.0 * PI).sqrt())
        };
        let first = 1.23 * 0.5 / 1.349 * libm::pow(2.0, -1.0 / 9.0);
        let sixth = -functional(first, -15.0, |d| d * d * d - 15.0 * d * d + 45.0 * d - 15.0, 7.0);
        let pilot = libm::pow(2.394 / (2.0 * sixth), 1.0 / 7.0);
        let fourth = functional(pilot, 3.0, |d| d * d - 6.0 * d + 3.0, 5.0);
        let expected = libm::pow(4.0 * PI.sqrt() * fourth, -0.2);
        let width = bandwidth(&Sample::new([7.0, 8.0]).unwrap());
        assert!((width / expected - 1.0).abs() < 1e-3, "{width} for {expected}");
    }

    /// Quartiles 2.698 apart make the scale 2, and 32 games half of it: 0.9 · 2 / 2.
    #[test]
    fn numbers_that_the_plug_in_cannot_hold_have_silvermans_bandwidth() {
        let bulk = [0.0, 2.698].iter().flat_map(|&value| [value; 15]);
        let values: Vec<f64> = bulk.chain([-100.0, 100.0]).collect();
        for unit in [1e80, 1e-80] {
            let sample = Sample::new(values.iter().map(|value| value * unit)).unwrap();
            let width = bandwidth(&sample) / unit;
            assert!((width - 0.9).abs() < 1e-9, "{width} of {unit:e}");
        }
    }

    /// Where more than half of the games are alike, the quartiles have nothing between them, and the standard
    /// deviation stands in.
    #[test]
    fn games_that_are_mostly_alike_have_a_bandwidth() {
        let sample = Sample::new([5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0]).unwrap();
        let width = bandwidth(&sample);
        assert!(width > 0.1 && width < sample.sd(), "{width}");
        assert!(density(&sample, 9).iter().all(|(_, density)| density.is_finite()));
    }

    #[test]
    fn one_game_and_equal_games_have_no_bandwidth() {
        assert_eq!(bandwidth(&Sample::new([5.0]).unwrap()), 0.0);
        assert_eq!(bandwidth(&Sample::new([5.0; 9]).unwrap()), 0.0);
    }

    #[test]
    fn the_area_is_nearly_one_and_ends_with_the_games() {
        let sample = scores(EXPECTIMAX_FINAL);
        let curve = density(&sample, 400);
        let step = curve[1].0 - curve[0].0;
        let area: f64 = curve.iter().map(|(_, density)| density * step).sum();
        assert!((0.98..1.0).contains(&area), "{area}");
        assert_eq!((curve[0].0, curve[399].0), (sample.minimum(), sample.maximum()));
    }

    #[test]
    fn few_or_equal_games_have_a_density_or_none() {
        assert!(density(&Sample::new([3.0; 4]).unwrap(), 50).is_empty());
        let two = density(&Sample::new([1.0, 2.0]).unwrap(), 5);
        assert!(two.iter().all(|(_, density)| density.is_finite() && *density > 0.0), "{two:?}");
    }

    #[test]
    fn a_curve_has_as_many_points_as_are_asked_for_from_two_on() {
        let sample = Sample::new([1.0, 2.0, 4.0]).unwrap();
        assert!(density(&sample, 0).is_empty() && density(&sample, 1).is_empty());
        let at = |points| density(&sample, points).iter().map(|(at, _)| *at).collect::<Vec<_>>();
        assert_eq!(at(2), [1.0, 4.0]);
        assert_eq!(at(4), [1.0, 2.0, 3.0, 4.0]);
    }
}
