//! Samples that cover a space evenly: Sobol's sequence, scrambled, and Latin hypercubes.

use serde::{Deserialize, Serialize};
use sobol_burley::{NUM_DIMENSIONS, sample};

use crate::trial::count;
use crate::{Follower, Method, Origin, Place, Study, Trial};

/// Sobol's sequence with Owen's scrambling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sobol {
    /// How many points.
    pub points: usize,
    /// How many of them are one batch.
    pub batch: usize,
}

/// A Latin hypercube: cut each parameter's range into as many parts as there are points, and every part holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latin {
    /// How many points.
    pub points: usize,
    /// How many of them are one batch.
    pub batch: usize,
}

impl Method for Sobol {
    fn follower<'a>(&'a self, study: &'a Study) -> Box<dyn Follower + 'a> {
        let place = study.place("sobol");
        Box::new(move |finished: &[Vec<Trial>]| {
            let numbers = next_numbers(self.points, self.batch, finished);
            let point = |number| study.space.point(&sobol(place, number, study.space.len()));
            study.proposals(numbers.clone().map(point), Origin::Sample, numbers.start)
        })
    }
}

impl Method for Latin {
    fn follower<'a>(&'a self, study: &'a Study) -> Box<dyn Follower + 'a> {
        let place = study.place("latin");
        let orders: Vec<Vec<usize>> =
            (0..study.space.len()).map(|gene| place.at(0).at(gene).permutation(self.points)).collect();
        let coordinate = move |number: usize, gene: usize| {
            (orders[gene][number] as f64 + place.at(1).at(number).at(gene).unit()) / self.points as f64
        };
        Box::new(move |finished: &[Vec<Trial>]| {
            let numbers = next_numbers(self.points, self.batch, finished);
            let points = numbers.clone().map(|number| {
                let unit: Vec<f64> = (0..study.space.len()).map(|gene| coordinate(number, gene)).collect();
                study.space.point(&unit)
            });
            study.proposals(points, Origin::Sample, numbers.start)
        })
    }
}

/// The numbers of the points that are the next batch.
fn next_numbers(points: usize, batch: usize, finished: &[Vec<Trial>]) -> std::ops::Range<usize> {
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
mod tests {
    use super::*;
    use crate::testing::{play, real_study, sphere};

    fn units(method: &impl Method, study: &Study) -> Vec<Vec<f64>> {
        let batches = play(method, study, sphere);
        batches.iter().flatten().map(|trial| study.space.unit(&trial.point)).collect()
    }

    /// How many of the equal parts of a parameter's range hold exactly one point.
    fn parts_with_one(units: &[Vec<f64>], gene: usize) -> usize {
        let mut counts = vec![0; units.len()];
        for unit in units {
            counts[((unit[gene] * units.len() as f64) as usize).min(units.len() - 1)] += 1;
        }
        counts.into_iter().filter(|&count| count == 1).count()
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_part_of_every_range() {
        let study = real_study(4, 1);
        let units = units(&Latin { points: 25, batch: 10 }, &study);
        assert_eq!(units.len(), 25);
        // Rounding may move a point that lies on the border of its part.
        assert!((0..4).all(|gene| parts_with_one(&units, gene) >= 23));
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
