//! Samples: methods whose points follow from the seed alone, in batches of one size.

/// Declares a sample of a space with its settings, which is a method: its name, at most how many points it
/// has, and how it is described with the number of its points in words. Its points in the unit cube, by
/// their numbers, come from `units`, which its file defines.
macro_rules! sample {
    ($(#[$doc:meta])* $sample:ident, $name:literal, $most:ident, $description:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $sample {
            /// How many points.
            #[schemars(range(min = 1, max = $most))]
            pub points: usize,
            /// How many of them are one batch.
            #[schemars(range(min = 1, max = $most))]
            pub batch: usize,
        }

        impl super::Method for $sample {
            fn facts(&self) -> super::MethodFacts {
                let batches = self.points.div_ceil(self.batch.max(1));
                super::MethodFacts::new($name, self.points as u64, batches as u64)
            }

            fn description(&self) -> String {
                format!($description, points = super::counted(self.points, "point"))
            }

            fn smoke_sized(&self) -> super::SearchMethod {
                let points = self.points.min(2 * super::SMOKE_TRIALS);
                Self { points, batch: self.batch.min(super::SMOKE_TRIALS) }.into()
            }

            fn proposer<'a>(&'a self, study: &'a crate::SearchProblem) -> Box<dyn super::Proposer + 'a> {
                let units = self.units(study);
                Box::new(move |finished: &[Vec<crate::Trial>]| {
                    let first = crate::trial::count(finished);
                    let numbers = first..self.points.min(first + self.batch.max(1));
                    let points = numbers.map(|number| study.space.point(&units(number)));
                    study.proposals(points, crate::Origin::Sample, first)
                })
            }
        }
    };
}
pub(super) use sample;

#[cfg(test)]
pub(super) mod testing {
    use crate::testing::{play, real_study, sphere};
    use crate::{Method, SearchProblem};

    /// All points of a sample in the unit cube.
    pub(in crate::methods) fn units(method: &impl Method, study: &SearchProblem) -> Vec<Vec<f64>> {
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
        assert_eq!(all.len() as u64, method.facts().most_trials);
        assert!((0..4).all(|gene| parts_with_one(&all, gene) >= least), "{all:?}");
        let other = real_study(4, 2);
        assert_ne!(all[0], other.space.unit(&method.propose(&other, &[])[0].point));
    }
}
