//! NSGA-II of Deb, Pratap, Agarwal and Meyarivan (2002): a population that spreads along the Pareto front.
//!
//! Parents are drawn by tournaments of two on rank, then loneliness; children come from simulated binary
//! crossover and polynomial mutation in the unit cube; the next population is the best of the old one and the
//! children together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Method, MethodFacts, Proposer, SMOKE_TRIALS, SearchMethod, SettingError, counted, require, unseen,
};
use crate::limits::MOST_TRIALS;
use crate::pareto::best_first;
use crate::{Origin, Place, Point, Proposal, Range, SearchProblem, Trial};

/// NSGA-II.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nsga {
    /// How many individuals a generation has, an even number.
    #[schemars(range(min = 4, max = MOST_TRIALS), extend("multipleOf" = 2))]
    pub population: usize,
    /// How many generations follow the first.
    #[schemars(range(min = 1, max = MOST_TRIALS))]
    pub generations: usize,
    /// The chance that two parents are crossed; absent: 0.9.
    #[schemars(range(min = 0, max = 1))]
    #[serde(default = "usual_crossover_probability")]
    pub crossover_probability: f64,
    /// How near children stay to their parents; absent: 15.
    #[schemars(range(min = 0, max = 1000))]
    #[serde(default = "usual_crossover_index")]
    pub crossover_index: f64,
    /// How near a mutated gene stays to what it was; absent: 20. Genes mutate with a chance of one over their
    /// number.
    #[schemars(range(min = 0, max = 1000))]
    #[serde(default = "usual_mutation_index")]
    pub mutation_index: f64,
}

defaults! {
    usual_crossover_probability: f64 = 0.9;
    usual_crossover_index: f64 = 15.0;
    usual_mutation_index: f64 = 20.0;
}

impl Nsga {
    /// The usual settings, for a population and a number of generations.
    pub const fn usual(population: usize, generations: usize) -> Self {
        Self {
            population,
            generations,
            crossover_probability: usual_crossover_probability(),
            crossover_index: usual_crossover_index(),
            mutation_index: usual_mutation_index(),
        }
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
    fn facts(&self) -> MethodFacts {
        let usual = MethodFacts::of_batches("NSGA-II", self.population, self.generations, self.population);
        MethodFacts { batch_words: ("generation", "generations"), ..usual }
    }

    fn description(&self) -> String {
        let size = counted(self.population, "individual");
        format!("NSGA-II with {size} and {}", counted(self.generations, "generation"))
    }

    fn check(&self) -> Result<(), SettingError> {
        let is_even = self.population.is_multiple_of(2);
        require(is_even, "population", || format!("is {}, must be even", self.population))
    }

    fn smoke_sized(&self) -> SearchMethod {
        let (population, generations) = (self.population.min(SMOKE_TRIALS), self.generations.min(1));
        Self { population, generations, ..*self }.into()
    }

    fn proposer<'a>(&'a self, study: &'a SearchProblem) -> Box<dyn Proposer + 'a> {
        Box::new(Generations { nsga: self, study, seen: 0, trials: 0, population: Vec::new() })
    }
}

/// What the generations so far came to.
struct Generations<'a> {
    nsga: &'a Nsga,
    study: &'a SearchProblem,
    seen: usize,
    /// How many trials there were.
    trials: usize,
    /// Those that live, in the order of their fitness, with their losses.
    population: Vec<(Point, Vec<f64>)>,
}

impl Proposer for Generations<'_> {
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        for (_, batch) in unseen(&mut self.seen, finished) {
            self.succeed(batch);
        }
        if finished.len() > self.nsga.generations {
            return Vec::new();
        }
        let place = self.study.place("nsga").at(finished.len());
        // If every agent has faulted so far, it begins anew.
        if self.population.is_empty() {
            let gene = |number, gene, range: Range| range.anywhere(place.at(number).at(gene));
            let founder = |number| self.study.space.point_by(|index, range| gene(number, index, range));
            return self.study.proposals((0..self.nsga.population).map(founder), Origin::Sample, self.trials);
        }
        self.study.proposals(self.children(place), Origin::Crossover, self.trials)
    }
}

impl Generations<'_> {
    /// Takes in a generation: the best of those that live and its children live on.
    fn succeed(&mut self, batch: &[Trial]) {
        self.trials += batch.len();
        let with_losses = |trial: &Trial| trial.means().map(|losses| (trial.point.clone(), losses));
        self.population.extend(batch.iter().filter_map(with_losses));
        let losses: Vec<&[f64]> = self.population.iter().map(|(_, losses)| losses.as_slice()).collect();
        let best = best_first(&losses).into_iter().take(self.nsga.population);
        self.population = best.map(|number| self.population[number].clone()).collect();
    }

    /// The next generation, from parents that have won tournaments.
    fn children(&self, place: Place) -> Vec<Point> {
        let space = &self.study.space;
        let units: Vec<Vec<f64>> = self.population.iter().map(|(point, _)| space.unit(point)).collect();
        // The lower number is the fitter one, and wins.
        let tournament = |place: Place| {
            let contender = |number: usize| place.at(number).below(units.len());
            units[contender(0).min(contender(1))].as_slice()
        };
        let pair = |number: usize| {
            let place = place.at(number);
            self.nsga.children(place.at(2), [tournament(place.at(0)), tournament(place.at(1))])
        };
        let children = (0..self.nsga.population.div_ceil(2)).flat_map(pair);
        children.take(self.nsga.population).map(|unit| space.point(&unit)).collect()
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
        let (nsga, population) = (&Nsga::usual(40, 30), Vec::new());
        let mut generations = Generations { nsga, study: &study, seen: 0, trials: 0, population };
        generations.next(&batches);
        let losses: Vec<&[f64]> =
            generations.population.iter().map(|(_, losses)| losses.as_slice()).collect();
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
