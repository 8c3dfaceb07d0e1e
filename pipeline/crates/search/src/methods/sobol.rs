//! Sobol's sequence with Owen's scrambling: a sample that covers a space evenly.

use sobol_burley::{NUM_DIMENSIONS, sample as sobol_sample};

use super::sample::sample;
use crate::limits::MOST_SOBOL_POINTS;
use crate::{Place, SearchProblem};

sample! {
    /// Points of Sobol's sequence with Owen's scrambling.
    Sobol, "Sobol sequence", MOST_SOBOL_POINTS, "{points} of a scrambled Sobol sequence"
}

impl Sobol {
    fn units(self, study: &SearchProblem) -> impl Fn(usize) -> Vec<f64> + use<> {
        let (place, genes) = (study.place("sobol"), study.space.len());
        move |number| sobol(place, number, genes)
    }
}

/// A point of Sobol's sequence in the unit cube, scrambled by a place.
///
/// # Panics
/// Panics if there are more dimensions, or more points, than the sequence has.
pub fn sobol(place: Place, number: usize, dimensions: usize) -> Vec<f64> {
    assert!(dimensions <= NUM_DIMENSIONS as usize, "the sequence has {NUM_DIMENSIONS} dimensions");
    let number = u32::try_from(number).expect("the sequence has 65536 points");
    let seed = (place.bits() >> 32) as u32;
    (0..dimensions as u32).map(|dimension| f64::from(sobol_sample(number, dimension, seed))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::testing::{assert_covers, units};
    use super::*;
    use crate::Halton;
    use crate::testing::real_study;

    #[test]
    fn sobol_points_cover_better_than_chance_and_differ_with_the_seed() {
        assert_covers(&Sobol { points: 64, batch: 64 }, 62);
    }

    #[test]
    fn batches_are_parts_of_one_sequence() {
        let study = real_study(3, 1);
        let whole = units(&Sobol { points: 30, batch: 30 }, &study);
        assert_eq!(units(&Sobol { points: 30, batch: 7 }, &study), whole);
        let whole = units(&Halton { points: 30, batch: 30 }, &study);
        assert_eq!(units(&Halton { points: 30, batch: 7 }, &study), whole);
    }
}
