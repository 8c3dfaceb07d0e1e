//! NSGA-II of Deb, Pratap, Agarwal and Meyarivan (2002): a population that spreads along the Pareto front.
//!
//! Parents are drawn by tournaments of two on rank, then loneliness; children come from simulated binary crossover and polynomial
//! mutation in the unit cube; the next population is the best of the old one and the children together.

use serde::{Deserialize, Serialize};

use crate::pareto::best_first;
use crate::trial::count;
use crate::{Method, Origin, Place, Point, Proposal, Study, Trial};

/// The settings of NSGA-II.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nsga {
    /// How many individuals a generation has, an even number.
    pub population: usize,
    /// How many generations follow the first.
    pub generations: usize,
    /// The chance that two parents are crossed.
    pub crossover_probability: f64,
    /// How near children stay to their parents.
    pub crossover_index: f64,
    /// How near a mutated gene stays to what it was. Genes mutate with a chance of one over their number.
    pub mutation_index: f64,
}

impl Nsga {
    /// The usual settings, for a population and a number of generations.
    #[must_use]
    pub const fn usual(population: usize, generations: usize) -> Self {
        Self {
            population,
            generations,
            crossover_probability: 0.9,
            crossover_index: 15.0,
            mutation_index: 20.0,
        }
    }

    /// The population after these generations: always the best of the one before and its children.
    fn population<'a>(&self, finished: &'a [Vec<Trial>]) -> Vec<(&'a Point, Vec<f64>)> {
        let mut population: Vec<(&Point, Vec<f64>)> = Vec::new();
        for batch in finished {
            let with_losses = |trial: &'a Trial| trial.means().map(|losses| (&trial.point, losses));
            population.extend(batch.iter().filter_map(with_losses));
            let losses: Vec<&[f64]> = population.iter().map(|(_, losses)| losses.as_slice()).collect();
            let order = best_first(&losses);
            let best = order.into_iter().take(self.population);
            population = best.map(|number| population[number].clone()).collect();
        }
        population
    }

    /// The unit coordinates of two children.
    fn children(&self, place: Place, parents: [&[f64]; 2]) -> [Vec<f64>; 2] {
        let crosses = place.at(0).unit() < self.crossover_probability;
        let genes = parents[0].len();
        let mut children = [Vec::with_capacity(genes), Vec::with_capacity(genes)];
        for (gene, (&a, &b)) in parents[0].iter().zip(parents[1]).enumerate() {
            let place = place.at(1).at(gene);
            let [mut x, mut y] = [a, b];
            if crosses && place.at(0).unit() < 0.5 {
                let spread = crossover_spread(place.at(1).unit(), self.crossover_index);
                x = 0.5 * ((1.0 + spread) * a + (1.0 - spread) * b);
                y = 0.5 * ((1.0 - spread) * a + (1.0 + spread) * b);
            }
            for (number, (child, value)) in children.iter_mut().zip([x, y]).enumerate() {
                let place = place.at(2 + number);
                let mutates = place.at(0).unit() * (genes as f64) < 1.0;
                let step = if mutates { mutation_step(place.at(1).unit(), self.mutation_index) } else { 0.0 };
                child.push((value + step).clamp(0.0, 1.0));
            }
        }
        children
    }
}

impl Method for Nsga {
    fn propose(&self, study: &Study, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        let place = study.place("nsga").at(finished.len());
        let first_trial = count(finished);
        let population = self.population(finished);
        let founder = |number| study.space.point_by(|gene, range| range.anywhere(place.at(number).at(gene)));
        if finished.len() > self.generations {
            return Vec::new();
        }
        // Where every agent has faulted so far, it begins anew.
        if population.is_empty() {
            return study.proposals((0..self.population).map(founder), Origin::Sample, first_trial);
        }
        // The population is in the order of its fitness, so the lower number wins a tournament.
        let units: Vec<Vec<f64>> = population.iter().map(|(point, _)| study.space.unit(point)).collect();
        let tournament = |place: Place| {
            let contender = |number: usize| place.at(number).below(units.len());
            units[contender(0).min(contender(1))].as_slice()
        };
        let pair = |number: usize| {
            let place = place.at(number);
            self.children(place.at(2), [tournament(place.at(0)), tournament(place.at(1))])
        };
        let children = (0..self.population.div_ceil(2)).flat_map(pair);
        let points = children.take(self.population).map(|unit| study.space.point(&unit));
        study.proposals(points, Origin::Crossover, first_trial)
    }
}

/// How far apart children are, in distances of their parents.
fn crossover_spread(share: f64, index: f64) -> f64 {
    let power = 1.0 / (index + 1.0);
    if share <= 0.5 { libm::pow(2.0 * share, power) } else { libm::pow(0.5 / (1.0 - share), power) }
}

/// How far a gene moves.
fn mutation_step(share: f64, index: f64) -> f64 {
    let power = 1.0 / (index + 1.0);
    if share < 0.5 {
        libm::pow(2.0 * share, power) - 1.0
    } else {
        1.0 - libm::pow(2.0 * (1.0 - share), power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{play, real_study, schaffer, sphere};
    use crate::{front, hypervolume};

    #[test]
    fn it_spreads_along_the_known_front() {
        let study = real_study(1, 1);
        let batches = play(&Nsga::usual(40, 30), &study, schaffer);
        let population = Nsga::usual(40, 30).population(&batches);
        let losses: Vec<&[f64]> = population.iter().map(|(_, losses)| losses.as_slice()).collect();
        assert_eq!(front(&losses).len(), 40, "all of it is the front");
        let pairs: Vec<[f64; 2]> = losses.iter().map(|loss| [loss[0], loss[1]]).collect();
        // The front is (x^2, (x - 2)^2) for x from 0 to 2; below (4, 4) it reaches 16 - 8/3.
        let reached = hypervolume(&pairs, [4.0, 4.0]);
        assert!(reached > 13.1 && reached < 16.0 - 8.0 / 3.0, "{reached}");
    }

    #[test]
    fn with_one_objective_it_finds_the_minimum() {
        let study = real_study(3, 2);
        let batches = play(&Nsga::usual(40, 40), &study, sphere);
        let best = batches.iter().flatten().map(|trial| trial.mean(0)).fold(f64::INFINITY, f64::min);
        assert!(best < 0.02, "{best}");
    }

    #[test]
    fn faulty_trials_are_no_parents() {
        let study = real_study(2, 3);
        let nsga = Nsga::usual(10, 3);
        let mut first = play(&nsga, &study, sphere).swap_remove(0);
        first.iter_mut().for_each(|trial| trial.losses = None);
        let again = nsga.propose(&study, &[first]);
        assert!(again.iter().all(|proposal| proposal.origin == Origin::Sample));
    }
}
