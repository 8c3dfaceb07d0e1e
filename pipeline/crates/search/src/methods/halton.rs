//! Halton's sequence with random digits: a sample that covers a space evenly, however many points it has.
//!
//! The coordinates of a point are its number in the base of one prime for each parameter, with the digits
//! behind the point in reverse order. Alone they would run along lines where the primes are large, so every
//! digit is permuted at random, as in Owen, "A randomized Halton algorithm in R" (2017).

use super::sample::sample;
use crate::limits::MOST_TRIALS;
use crate::{Place, SearchProblem};

sample! {
    /// Points of Halton's sequence with random digits.
    Halton, "Halton sequence", MOST_TRIALS, "{points} of a Halton sequence with random digits"
}

impl Halton {
    fn units(self, study: &SearchProblem) -> impl Fn(usize) -> Vec<f64> + use<> {
        let place = study.place("halton");
        let bases = primes().take(study.space.len()).enumerate();
        let axes: Vec<Axis> = bases.map(|(gene, base)| Axis::new(place.at(gene), base)).collect();
        move |number| axes.iter().map(|axis| axis.at(number)).collect()
    }
}

/// One coordinate of the sequence.
struct Axis {
    base: usize,
    /// The permutation of each digit, as far as digits can be told apart.
    digits: Vec<Vec<usize>>,
}

impl Axis {
    fn new(place: Place, base: usize) -> Self {
        let count = (f64::from(f64::MANTISSA_DIGITS) / libm::log2(base as f64)).ceil() as usize;
        Self { base, digits: (0..count).map(|digit| place.at(digit).permutation(base)).collect() }
    }

    /// The coordinate of a point. Digits that its number does not have are 0, and permuted as all others.
    fn at(&self, mut number: usize) -> f64 {
        let (mut coordinate, mut step) = (0.0, 1.0);
        for digits in &self.digits {
            step /= self.base as f64;
            coordinate += digits[number % self.base] as f64 * step;
            number /= self.base;
        }
        // The largest digits of all sum up to 1 within rounding.
        coordinate.min(1.0 - f64::EPSILON)
    }
}

fn primes() -> impl Iterator<Item = usize> {
    (2..).filter(|number| {
        (2..*number).take_while(|factor| factor * factor <= *number).all(|factor| number % factor != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::testing::{assert_covers, units};
    use super::*;
    use crate::testing::real_study;

    #[test]
    fn points_cover_better_than_chance_and_differ_with_the_seed() {
        assert_covers(&Halton { points: 60, batch: 60 }, 30);
    }

    #[test]
    fn a_coordinate_has_one_point_in_each_of_the_parts_that_a_power_of_its_prime_makes() {
        let all = units(&Halton { points: 81, batch: 81 }, &real_study(2, 3));
        for (gene, parts) in [(0, 64), (1, 81)] {
            let mut places: Vec<usize> =
                all[..parts].iter().map(|unit| (unit[gene] * parts as f64 + 1e-3) as usize).collect();
            places.sort_unstable();
            assert_eq!(places, (0..parts).collect::<Vec<_>>(), "coordinate {gene}");
        }
    }

    #[test]
    fn every_parameter_has_its_own_prime() {
        assert_eq!(primes().take(8).collect::<Vec<_>>(), [2, 3, 5, 7, 11, 13, 17, 19]);
        assert_eq!(primes().nth(49), Some(229));
    }
}
