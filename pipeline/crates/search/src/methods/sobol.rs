//! Sobol's sequence with Owen's scrambling: a sample that covers a space evenly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sobol_burley::{NUM_DIMENSIONS, sample};

use super::sample::Sample;
use crate::limits::MOST_SOBOL_POINTS;
use crate::{Place, Study};

/// Points of Sobol's sequence with Owen's scrambling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sobol {
    /// How many points.
    #[schemars(range(min = 1, max = MOST_SOBOL_POINTS))]
    pub points: usize,
    /// How many of them are one batch.
    #[schemars(range(min = 1, max = MOST_SOBOL_POINTS))]
    pub batch: usize,
}

impl Sample for Sobol {
    const NAME: &'static str = "Sobol sequence";

    fn points(&self) -> usize {
        self.points
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn resized(&self, points: usize, batch: usize) -> Self {
        Self { points, batch }
    }

    fn description(&self, points: &str) -> String {
        format!("{points} of a scrambled Sobol sequence")
    }

    fn units<'a>(&'a self, study: &'a Study) -> Box<dyn Fn(usize) -> Vec<f64> + 'a> {
        let place = study.place("sobol");
        Box::new(move |number| sobol(place, number, study.space.len()))
    }
}

/// A point of Sobol's sequence in the unit cube, scrambled by a place.
///
/// # Panics
/// Where there are more dimensions, or more points, than the sequence has.
pub fn sobol(place: Place, number: usize, dimensions: usize) -> Vec<f64> {
    assert!(dimensions <= NUM_DIMENSIONS as usize, "the sequence has {NUM_DIMENSIONS} dimensions");
    let number = u32::try_from(number).expect("the sequence has 65536 points");
    let seed = (place.bits() >> 32) as u32;
    (0..dimensions as u32).map(|dimension| f64::from(sample(number, dimension, seed))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample::testing::{assert_covers, units};
    use super::*;
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
    }
}
