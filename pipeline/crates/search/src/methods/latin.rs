//! Latin hypercubes: samples that cover every parameter's range evenly.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::Sample;
use crate::Study;
use crate::limits::MOST_TRIALS;

/// A Latin hypercube: cut each parameter's range into as many parts as there are points, and every part holds
/// one.
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

impl Sample for Latin {
    const NAME: &'static str = "Latin hypercube";

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
        format!("Latin hypercube of {points}")
    }

    fn units<'a>(&'a self, study: &'a Study) -> Box<dyn Fn(usize) -> Vec<f64> + 'a> {
        let place = study.place("latin");
        let orders: Vec<Vec<usize>> =
            (0..study.space.len()).map(|gene| place.at(0).at(gene).permutation(self.points)).collect();
        let coordinate = move |number: usize, gene: usize| {
            (orders[gene][number] as f64 + place.at(1).at(number).at(gene).unit()) / self.points as f64
        };
        Box::new(move |number| (0..study.space.len()).map(|gene| coordinate(number, gene)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::testing::assert_covers;
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_part_of_every_range() {
        // Rounding may move a point that lies on the border of its part.
        assert_covers(&Latin { points: 25, batch: 10 }, 23);
    }
}
