//! The genetic algorithm of the Python package `geneticalgorithm` 1.0.2, as it really works, and a form that
//! is not fooled by luck.
//!
//! A generation is sorted by its loss. The best share is kept as it is, further parents are drawn by a
//! roulette on `worst - loss + 1`, and all parents stay in the next generation with the loss that was once
//! measured. Each parent may mate with the chance that is called crossover. A pair of children takes each
//! gene from either of two such parents; the first child then mutates gene by gene over the whole range, the
//! second between its parents.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Eligible, Method, MethodFacts, Proposer, SMOKE_TRIALS, SearchMethod, SettingError, counted, require,
    trials_of, unseen,
};
use crate::limits::MOST_TRIALS;
use crate::losses::mean;
use crate::space::Range;
use crate::tally::{PointTally, Tallies};
use crate::{Origin, Place, Point, Proposal, SearchProblem, Trial};

/// The lowest chance of mating above 0: parents are asked again until one may, which must not take forever.
const LEAST_CROSSOVER: f64 = 0.001;

/// The genetic algorithm of the Python package `geneticalgorithm` 1.0.2, for one objective.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Genetic {
    /// How many individuals a generation has.
    #[schemars(range(min = 4, max = MOST_TRIALS))]
    pub population: usize,
    /// How many generations follow the first.
    #[schemars(range(min = 1, max = MOST_TRIALS))]
    pub iterations: usize,
    /// The chance that a gene mutates.
    #[schemars(range(min = 0, max = 1))]
    pub mutation_probability: f64,
    /// The chance that a parent may mate: 0, or at least 0.001.
    #[schemars(range(min = 0, max = 1))]
    pub crossover_probability: f64,
    /// The share of a generation that is kept as parents; absent: 0.3, the package's own.
    #[schemars(range(min = 0, max = 1))]
    #[serde(default = "usual_parents_portion")]
    pub parents_portion: f64,
    /// The share of a generation that is kept for being best; absent: 0.01, the package's own.
    #[schemars(range(min = 0, max = 1))]
    #[serde(default = "usual_elite_ratio")]
    pub elite_ratio: f64,
    /// What an individual that is kept is worth; absent: once.
    #[serde(default)]
    pub rating: Rating,
}

// The package's own.
defaults! {
    usual_parents_portion: f64 = 0.3;
    usual_elite_ratio: f64 = 0.01;
}

/// What an individual that is kept is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rating {
    /// What it was found to be worth when it came: the package's way, in which the luckiest lives on.
    #[default]
    Once,
    /// What all its games say. It plays further ones in every generation in which it is kept.
    AllGames,
}

/// An individual and its loss; those whose agent faulted come last.
#[derive(Clone, Debug)]
struct Individual {
    point: Point,
    loss: f64,
}

impl Method for Genetic {
    fn facts(&self) -> MethodFacts {
        let Self { population, iterations, rating, .. } = *self;
        let usual = MethodFacts::of_batches("genetic algorithm", population, iterations, population);
        let (trials, eligible) = match rating {
            Rating::Once => (trials_of(population, iterations, self.child_count()), Eligible::All),
            Rating::AllGames => (usual.most_trials, Eligible::KeptToTheEnd),
        };
        MethodFacts {
            batch_words: ("iteration", "iterations"),
            trials: Some(trials),
            takes_one_objective: true,
            needs_each_score: false,
            pools_trials: rating == Rating::AllGames,
            eligible,
            ..usual
        }
    }

    fn description(&self) -> String {
        let rating = match self.rating {
            Rating::Once => "keep the score that they once had, as the package does it",
            Rating::AllGames => "play further games and are rated by all of them",
        };
        let (size, iterations) =
            (counted(self.population, "individual"), counted(self.iterations, "iteration"));
        format!("Genetic algorithm with {size} and {iterations}, in which those that are kept {rating}")
    }

    fn check(&self) -> Result<(), SettingError> {
        let Self { population, parents_portion, crossover_probability, .. } = *self;
        let parents = parents_portion * population as f64;
        // Children come in pairs.
        require(parents >= 1.0 && population as f64 - parents >= 2.0, "parents_portion", || {
            format!("is {parents_portion}, which of {population} must keep at least 1 and leave at least 2")
        })?;
        let can_mate = crossover_probability == 0.0 || crossover_probability >= LEAST_CROSSOVER;
        require(can_mate, "crossover_probability", || {
            format!("is {crossover_probability}, must be 0 or at least {LEAST_CROSSOVER}")
        })
    }

    /// The curve that the package draws, and the mean beside it.
    fn generations(&self, study: &SearchProblem, finished: &[Vec<Trial>]) -> Option<Vec<Generation>> {
        let mut generations = Generations::of(self, study);
        generations.next(finished);
        Some(generations.reports)
    }

    fn smoke_sized(&self) -> SearchMethod {
        let (population, iterations) = (self.population.min(SMOKE_TRIALS), self.iterations.min(1));
        Self { population, iterations, ..*self }.into()
    }

    fn proposer<'a>(&'a self, study: &'a SearchProblem) -> Box<dyn Proposer + 'a> {
        Box::new(Generations::of(self, study))
    }
}

/// What the generations so far came to.
struct Generations<'a> {
    genetic: &'a Genetic,
    study: &'a SearchProblem,
    seen: usize,
    /// How many trials there were.
    trials: usize,
    /// The parents of the next generation.
    parents: Vec<Individual>,
    /// All games of every point, where they count.
    tallies: Tallies,
    /// What each generation came to.
    reports: Vec<Generation>,
}

/// What a generation came to when it was complete: those that were kept, with what they are worth, and the
/// children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generation {
    /// The loss of the best; infinite where all faulted.
    pub best: f64,
    /// The mean loss of those that did not fault; not a number where all did.
    pub mean: f64,
}

impl Generation {
    fn of(population: &[Individual]) -> Self {
        let losses: Vec<f64> =
            population.iter().map(|individual| individual.loss).filter(|loss| loss.is_finite()).collect();
        Self { best: losses.iter().copied().fold(f64::INFINITY, f64::min), mean: mean(&losses) }
    }
}

impl Proposer for Generations<'_> {
    fn next(&mut self, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        for (number, batch) in unseen(&mut self.seen, finished) {
            self.succeed(number + 1, batch);
        }
        if finished.len() > self.genetic.iterations {
            return Vec::new();
        }
        let place = self.study.place("genetic").at(finished.len());
        let (points, origin) = if finished.is_empty() {
            (self.genetic.founders(self.study, place), Origin::Sample)
        } else {
            (self.genetic.children(self.study, place, &self.parents), Origin::Crossover)
        };
        match self.genetic.rating {
            Rating::Once => self.study.proposals(points, origin, self.trials),
            Rating::AllGames => {
                let points = points.into_iter().map(|point| (point, origin));
                self.tallies.proposals(self.study, self.kept().into_iter().chain(points), self.trials)
            }
        }
    }
}

impl<'a> Generations<'a> {
    fn of(genetic: &'a Genetic, study: &'a SearchProblem) -> Self {
        let (parents, tallies, reports) = (Vec::new(), Tallies::default(), Vec::new());
        Self { genetic, study, seen: 0, trials: 0, parents, tallies, reports }
    }

    /// Takes in the next generation, of which this is to be the number, and chooses its parents.
    fn succeed(&mut self, generation: usize, batch: &[Trial]) {
        self.trials += batch.len();
        // Those that were kept come first in a batch, and are no new individuals. A stored batch may be
        // shorter than any that was proposed.
        let children = self.genetic.population.saturating_sub(self.parents.len());
        let new = &batch[batch.len().saturating_sub(children)..];
        let mut population = std::mem::take(&mut self.parents);
        population
            .extend(new.iter().map(|trial| Individual { point: trial.point.clone(), loss: trial.mean(0) }));
        if self.genetic.rating == Rating::AllGames {
            batch.iter().for_each(|trial| self.tallies.add(trial));
            for individual in &mut population {
                individual.loss =
                    self.tallies.of(&individual.point).map_or(individual.loss, PointTally::loss);
            }
        }
        self.reports.push(Generation::of(&population));
        let place = self.study.place("genetic").at(generation).at(SELECTION);
        self.parents = self.genetic.select(place, population);
    }

    /// Every kept point once.
    fn kept(&self) -> Vec<(Point, Origin)> {
        let mut known = BTreeSet::new();
        let points = self.parents.iter().map(|parent| &parent.point).filter(|point| known.insert(*point));
        points.map(|point| (point.clone(), Origin::Kept)).collect()
    }
}

impl Genetic {
    /// How many parents a generation has: so many that the children come in pairs.
    fn parent_count(&self) -> usize {
        let parents = (self.parents_portion * self.population as f64) as usize;
        parents + (self.population - parents) % 2
    }

    /// How many children a generation has beside the parents that it keeps.
    fn child_count(&self) -> usize {
        self.population - self.parent_count()
    }

    /// How many of them are there for being best: at least one, unless none is wanted.
    fn elite_count(&self) -> usize {
        let elite = self.elite_ratio * self.population as f64;
        if elite < 1.0 && self.elite_ratio > 0.0 { 1 } else { elite as usize }
    }

    /// The first generation, drawn evenly.
    fn founders(&self, study: &SearchProblem, place: Place) -> Vec<Point> {
        let founder = |number| study.space.point_by(|gene, range| range.anywhere(place.at(number).at(gene)));
        (0..self.population).map(founder).collect()
    }

    /// The best, and others by the roulette.
    fn select(&self, place: Place, mut population: Vec<Individual>) -> Vec<Individual> {
        population.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        let measured = population.iter().map(|individual| individual.loss).filter(|loss| loss.is_finite());
        let worst = measured.fold(f64::NEG_INFINITY, f64::max);
        // One whose agent faulted weighs as little as the worst.
        let weights = population.iter().map(|individual| (worst - individual.loss).max(0.0) + 1.0);
        let cumulated: Vec<f64> = weights
            .scan(0.0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        let total = cumulated.last().copied().unwrap_or(0.0);
        let roulette = |number: usize| {
            let at = place.at(number).unit() * total;
            cumulated.partition_point(|&sum| sum < at).min(population.len() - 1)
        };
        let elite = self.elite_count();
        let chosen =
            (0..self.parent_count()).map(|number| if number < elite { number } else { roulette(number) });
        chosen.map(|number| population[number].clone()).collect()
    }

    /// The children of a generation, in pairs.
    fn children(&self, study: &SearchProblem, place: Place, parents: &[Individual]) -> Vec<Point> {
        let mating = self.mating(place.at(MATING), parents.len());
        let pairs = (self.population - parents.len()) / 2;
        let pair = |number: usize| {
            let place = place.at(CHILDREN).at(number);
            let parent = |which: usize| parents[mating[place.at(which).below(mating.len())]].point.values();
            self.pair(study, place.at(2), [parent(0), parent(1)])
        };
        (0..pairs).flat_map(pair).collect()
    }

    /// The numbers of the parents that may mate: all are asked again until there is one.
    fn mating(&self, place: Place, parents: usize) -> Vec<usize> {
        if self.crossover_probability <= 0.0 {
            return vec![0];
        }
        let asked = |round: usize| {
            let place = place.at(round);
            let may = move |&parent: &usize| place.at(parent).unit() <= self.crossover_probability;
            (0..parents).filter(may).collect::<Vec<_>>()
        };
        (0..).map(asked).find(|mating| !mating.is_empty()).unwrap_or_default()
    }

    /// Two children of two parents.
    fn pair(&self, study: &SearchProblem, place: Place, parents: [&[f64]; 2]) -> [Point; 2] {
        let swaps = |gene: usize| place.at(0).at(gene).unit() < 0.5;
        let mutates =
            |child: usize, gene: usize| place.at(1 + child).at(gene).unit() < self.mutation_probability;
        let anew = |child: usize, gene: usize| place.at(3 + child).at(gene);
        let inherited = |child: usize, gene: usize| parents[usize::from(swaps(gene)) ^ child][gene];
        let first = study.space.point_by(|gene, range| {
            if mutates(0, gene) { range.anywhere(anew(0, gene)) } else { inherited(0, gene) }
        });
        let second = study.space.point_by(|gene, range| {
            let [a, b] = [parents[0][gene], parents[1][gene]];
            if mutates(1, gene) { mutated_between(range, a, b, anew(1, gene)) } else { inherited(1, gene) }
        });
        [first, second]
    }
}

/// The places below a generation's.
const SELECTION: usize = 0;
const MATING: usize = 1;
const CHILDREN: usize = 2;

/// A gene between those of both parents; over the whole range where they are equal.
fn mutated_between(range: Range, a: f64, b: f64, place: Place) -> f64 {
    if a == b { range.anywhere(place) } else { range.between(a, b, place.unit()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{GENETIC, noisy_sphere, play, real_study, sphere};

    fn parents(genetic: &Genetic, study: &SearchProblem, finished: &[Vec<Trial>]) -> Vec<Individual> {
        let mut generations = Generations::of(genetic, study);
        generations.next(finished);
        generations.parents
    }

    #[test]
    fn fifty_individuals_keep_sixteen_parents_and_make_thirty_four_children() {
        let study = real_study(3, 1);
        let batches = play(&GENETIC, &study, sphere);
        let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
        assert_eq!((sizes[0], sizes[1], sizes.len()), (50, 34, 41));
        assert_eq!(sizes.iter().sum::<usize>(), 50 + 40 * 34);
        assert_eq!((GENETIC.parent_count(), GENETIC.elite_count()), (16, 1));
    }

    #[test]
    fn the_best_is_never_lost_and_the_minimum_is_found() {
        let study = real_study(3, 2);
        let batches = play(&GENETIC, &study, sphere);
        let best = |batch: &Vec<Trial>| batch.iter().map(|trial| trial.mean(0)).fold(f64::INFINITY, f64::min);
        let parents = parents(&GENETIC, &study, &batches);
        let overall = batches.iter().map(best).fold(f64::INFINITY, f64::min);
        assert_eq!(parents[0].loss, overall, "the first parent is the best of all");
        let generations = GENETIC.generations(&study, &batches).unwrap();
        assert_eq!((generations.len(), generations[40].best), (41, overall));
        assert!(generations.is_sorted_by(|a, b| a.best >= b.best));
        assert!(generations[40].mean < generations[0].mean && generations[40].mean > overall);
        assert!(overall < 0.02 && best(&batches[0]) > 0.1, "{overall} {}", best(&batches[0]));
    }

    #[test]
    fn a_lucky_value_lives_on_unless_all_games_count() {
        let study = real_study(3, 3);
        let last_parents = |rating| {
            let genetic = Genetic { rating, ..GENETIC };
            let batches = play(&genetic, &study, noisy_sphere);
            (parents(&genetic, &study, &batches), batches)
        };
        // No loss is below 0: what is, is luck. The noise of a game has deviation 1.
        let (parents, _) = last_parents(Rating::Once);
        assert!(parents[0].loss < -1.5, "{}", parents[0].loss);
        let (parents, batches) = last_parents(Rating::AllGames);
        let trials = |parent: &Individual| {
            batches.iter().flatten().filter(|trial| trial.point == parent.point).count()
        };
        let proven: Vec<&Individual> = parents.iter().filter(|parent| trials(parent) >= 4).collect();
        assert!(!proven.is_empty(), "good ones are kept for several generations");
        for parent in proven {
            let luck = sphere(parent.point.values(), 0)[0] - parent.loss;
            assert!(luck < 3.0 / (trials(parent) as f64).sqrt(), "{luck}");
        }
    }

    #[test]
    fn kept_individuals_meet_games_that_are_new_to_them() {
        let study = real_study(2, 4);
        let genetic = Genetic { rating: Rating::AllGames, ..GENETIC };
        let first = play(&genetic, &study, sphere).swap_remove(0);
        let proposals = genetic.propose(&study, &[first]);
        let kept: Vec<&Proposal> =
            proposals.iter().filter(|proposal| proposal.origin == Origin::Kept).collect();
        assert!(!kept.is_empty() && kept.len() <= 16);
        assert!(kept.iter().all(|proposal| proposal.games == (1..2)), "{kept:?}");
        assert_eq!(proposals.len() - kept.len(), 34);
    }

    #[test]
    fn a_batch_that_lacks_trials_is_followed_as_far_as_it_goes() {
        let study = real_study(2, 6);
        let mut batches = play(&GENETIC, &study, sphere);
        batches[0].truncate(3);
        batches[1].truncate(1);
        assert_eq!(GENETIC.generations(&study, &batches[..2]).unwrap().len(), 2);
        assert!(!GENETIC.propose(&study, &batches[..2]).is_empty());
    }

    #[test]
    fn those_whose_agent_faulted_come_last() {
        let study = real_study(2, 5);
        let batches = play(&GENETIC, &study, sphere);
        let mut first = batches[0].clone();
        first.iter_mut().skip(1).for_each(|trial| trial.losses = None);
        let of = |first: &Vec<Trial>| parents(&GENETIC, &study, std::slice::from_ref(first));
        assert_eq!(of(&first)[0].point, first[0].point);
        first[0].losses = None;
        assert_eq!(of(&first).len(), 16, "even where all of them did");
    }
}
