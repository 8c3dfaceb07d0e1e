//! Latin hypercubes: samples that cover every parameter's range evenly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sobol::next_numbers;
use super::{Method, Proposer, SMOKE_TRIALS, SearchMethod, counted};
use crate::limits::MOST_TRIALS;
use crate::{Origin, Study, Trial};

/// A Latin hypercube: cut each parameter's range into as many parts as there are points, and every part holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Latin {
    /// How many points.
    #[schemars(range(min = 1, max = MOST_TRIALS))]
    pub points: usize,
    /// How many of them are one batch.
    #[schemars(range(min = 1, max = MOST_TRIALS))]
    pub batch: usize,
}

impl Method for Latin {
    fn name(&self) -> &'static str {
        "Latin hypercube"
    }

    fn description(&self) -> String {
        format!("Latin hypercube of {}", counted(self.points, "point"))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::sobol::tests::parts_with_one;
    use crate::testing::{play, real_study, sphere};

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_part_of_every_range() {
        let study = real_study(4, 1);
        let batches = play(&Latin { points: 25, batch: 10 }, &study, sphere);
        let units: Vec<Vec<f64>> =
            batches.iter().flatten().map(|trial| study.space.unit(&trial.point)).collect();
        assert_eq!(units.len(), 25);
        // Rounding may move a point that lies on the border of its part.
        assert!((0..4).all(|gene| parts_with_one(&units, gene) >= 23));
    }
}
