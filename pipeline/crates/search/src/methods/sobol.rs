//! Sobol's sequence with Owen's scrambling: a sample that covers a space evenly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sobol_burley::{NUM_DIMENSIONS, sample};

use super::{Method, Proposer, SMOKE_TRIALS, SearchMethod, counted};
use crate::limits::MOST_SOBOL_POINTS;
use crate::trial::count;
use crate::{Origin, Place, Study, Trial};

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

impl Method for Sobol {
    fn name(&self) -> &'static str {
        "Sobol sequence"
    }

    fn description(&self) -> String {
        format!("{} of a scrambled Sobol sequence", counted(self.points, "point"))
    }

    fn most_trials(&self) -> u64 {
        self.points as u64
    }

    fn most_batches(&self) -> u64 {
        (self.points as u64).div_ceil(self.batch.max(1) as u64)
    }

    fn smoke_sized(&self) -> SearchMethod {
        Self { points: self.points.min(2 * SMOKE_TRIALS), batch: self.batch.min(SMOKE_TRIALS) }.into()
    }

    fn proposer<'a>(&'a self, study: &'a Study) -> Box<dyn Proposer + 'a> {
        let place = study.place("sobol");
        Box::new(move |finished: &[Vec<Trial>]| {
            let numbers = next_numbers(self.points, self.batch, finished);
            let point = |number| study.space.point(&sobol(place, number, study.space.len()));
            study.proposals(numbers.clone().map(point), Origin::Sample, numbers.start)
        })
    }
}

/// The numbers of the points that are the next batch.
pub(super) fn next_numbers(points: usize, batch: usize, finished: &[Vec<Trial>]) -> std::ops::Range<usize> {
    let first = count(finished);
    first..points.min(first + batch.max(1))
}

/// A point of Sobol's sequence in the unit cube, scrambled by a place.
///
/// # Panics
/// Where there are more dimensions, or more points, than the sequence has.
#[must_use]
pub fn sobol(place: Place, number: usize, dimensions: usize) -> Vec<f64> {
    assert!(dimensions <= NUM_DIMENSIONS as usize, "the sequence has {NUM_DIMENSIONS} dimensions");
    let number = u32::try_from(number).expect("the sequence has 65536 points");
    let seed = (place.bits() >> 32) as u32;
    (0..dimensions as u32).map(|dimension| f64::from(sample(number, dimension, seed))).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::testing::{play, real_study, sphere};

    fn units(method: &impl Method, study: &Study) -> Vec<Vec<f64>> {
        let batches = play(method, study, sphere);
        batches.iter().flatten().map(|trial| study.space.unit(&trial.point)).collect()
    }

    /// How many of the equal parts of a parameter's range hold exactly one point.
    pub(in crate::methods) fn parts_with_one(units: &[Vec<f64>], gene: usize) -> usize {
        let mut counts = vec![0; units.len()];
        for unit in units {
            counts[((unit[gene] * units.len() as f64) as usize).min(units.len() - 1)] += 1;
        }
        counts.into_iter().filter(|&count| count == 1).count()
    }

    #[test]
    fn sobol_points_cover_better_than_chance_and_differ_with_the_seed() {
        let study = real_study(4, 1);
        let method = Sobol { points: 64, batch: 64 };
        let units = units(&method, &study);
        assert!((0..4).all(|gene| parts_with_one(&units, gene) >= 62), "chance fills 37 % of the parts so");
        let other = real_study(4, 2);
        assert_ne!(units[0], other.space.unit(&method.propose(&other, &[])[0].point));
    }

    #[test]
    fn batches_are_parts_of_one_sequence() {
        let study = real_study(3, 1);
        let whole = units(&Sobol { points: 30, batch: 30 }, &study);
        assert_eq!(units(&Sobol { points: 30, batch: 7 }, &study), whole);
    }
}
