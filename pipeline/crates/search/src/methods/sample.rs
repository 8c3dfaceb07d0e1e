//! Samples: methods whose points follow from the seed alone, in batches of one size.

use super::{Method, Proposer, SMOKE_TRIALS, SearchMethod, counted};
use crate::trial::count;
use crate::{Origin, Study, Trial};

/// A sample of a space. It is a [`Method`] by this alone.
pub(super) trait Sample: Into<SearchMethod> {
    /// Its name in tables and figures.
    const NAME: &'static str;

    /// How many points it has.
    fn points(&self) -> usize;

    /// How many of them are one batch.
    fn batch(&self) -> usize;

    /// The same sample with other numbers of both.
    fn resized(&self, points: usize, batch: usize) -> Self;

    /// How it samples, with the number of its points in words.
    fn description(&self, points: &str) -> String;

    /// Its points in the unit cube, by their numbers.
    fn units<'a>(&'a self, study: &'a Study) -> Box<dyn Fn(usize) -> Vec<f64> + 'a>;
}

impl<S: Sample> Method for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn description(&self) -> String {
        Sample::description(self, &counted(self.points(), "point"))
    }

    fn most_trials(&self) -> u64 {
        self.points() as u64
    }

    fn most_batches(&self) -> u64 {
        self.points().div_ceil(self.batch().max(1)) as u64
    }

    fn smoke_sized(&self) -> SearchMethod {
        self.resized(self.points().min(2 * SMOKE_TRIALS), self.batch().min(SMOKE_TRIALS)).into()
    }

    fn proposer<'a>(&'a self, study: &'a Study) -> Box<dyn Proposer + 'a> {
        let units = self.units(study);
        Box::new(move |finished: &[Vec<Trial>]| {
            let first = count(finished);
            let numbers = first..self.points().min(first + self.batch().max(1));
            study.proposals(numbers.map(|number| study.space.point(&units(number))), Origin::Sample, first)
        })
    }
}

#[cfg(test)]
pub(super) mod testing {
    use crate::testing::{play, real_study, sphere};
    use crate::{Method, Study};

    /// All points of a sample in the unit cube.
    pub(in crate::methods) fn units(method: &impl Method, study: &Study) -> Vec<Vec<f64>> {
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

    /// Asserts that a sample of four parameters covers each evenly, by how many parts hold one point, and
    /// differs with the seed; chance fills 37 % of the parts so.
    pub(in crate::methods) fn assert_covers(method: &impl Method, least: usize) {
        let study = real_study(4, 1);
        let all = units(method, &study);
        assert_eq!(all.len() as u64, method.most_trials());
        assert!((0..4).all(|gene| parts_with_one(&all, gene) >= least), "{all:?}");
        let other = real_study(4, 2);
        assert_ne!(all[0], other.space.unit(&method.propose(&other, &[])[0].point));
    }
}
