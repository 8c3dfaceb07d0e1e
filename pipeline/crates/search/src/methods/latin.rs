//! Latin hypercubes: samples that cover every parameter's range evenly.

use super::sample::sample;
use crate::SearchProblem;
use crate::limits::MOST_TRIALS;

sample! {
    /// A Latin hypercube: cut each parameter's range into as many parts as there are points, and every part
    /// holds one.
    Latin, "Latin hypercube", MOST_TRIALS, "Latin hypercube of {points}"
}

impl Latin {
    fn units(self, study: &SearchProblem) -> impl Fn(usize) -> Vec<f64> + use<> {
        let (place, genes) = (study.place("latin"), study.space.len());
        let orders: Vec<Vec<usize>> =
            (0..genes).map(|gene| place.at(0).at(gene).permutation(self.points)).collect();
        let coordinate = move |number: usize, gene: usize| {
            (orders[gene][number] as f64 + place.at(1).at(number).at(gene).unit()) / self.points as f64
        };
        move |number| (0..genes).map(|gene| coordinate(number, gene)).collect()
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
