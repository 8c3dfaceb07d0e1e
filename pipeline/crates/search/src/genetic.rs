//! The genetic algorithm of the Python package `geneticalgorithm` 1.0.2, as it really works, and a form that is not fooled by luck.
//!
//! A generation is sorted by its loss. The best share is kept as it is, further parents are drawn by a roulette on
//! `worst - loss + 1`, and all parents stay in the next generation with the loss that was once measured. Each parent may mate with the
//! chance that is called crossover. A pair of children takes each gene from either of two such parents; the first child then mutates
//! gene by gene over the whole range, the second between its parents.

use serde::{Deserialize, Serialize};

use crate::space::Range;
use crate::trial::{count, mean};
use crate::{Method, Origin, Place, Point, Proposal, Study, Trial};

/// The settings of the algorithm, with the package's names for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genetic {
    /// How many individuals a generation has.
    pub population: usize,
    /// How many generations follow the first.
    pub iterations: usize,
    /// The chance that a gene mutates.
    pub mutation_probability: f64,
    /// The chance that a parent may mate.
    pub crossover_probability: f64,
    /// The share of a generation that is kept as parents.
    pub parents_portion: f64,
    /// The share of a generation that is kept for being best.
    pub elite_ratio: f64,
    /// What a kept individual is worth.
    pub rating: Rating,
}

/// What an individual that is kept is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rating {
    /// What it was found to be worth when it came: the package's way, in which the luckiest lives on.
    Once,
    /// What all its games say. It is tried on further games in every generation in which it is kept.
    AllGames,
}

/// An individual and its loss; those whose agent faulted come last.
#[derive(Clone, Debug)]
struct Individual {
    point: Point,
    loss: f64,
}

impl Method for Genetic {
    fn propose(&self, study: &Study, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        let generation = finished.len();
        if generation == 0 {
            return study.proposals(self.founders(study), Origin::Sample, 0);
        }
        if generation > self.iterations {
            return Vec::new();
        }
        let parents = self.parents(study, finished);
        self.next(study, &parents, finished)
    }
}

impl Genetic {
    /// The batch after these, whose parents are known.
    fn next(&self, study: &Study, parents: &[Individual], finished: &[Vec<Trial>]) -> Vec<Proposal> {
        let place = study.place("genetic").at(finished.len());
        let children = self.children(study, place, parents);
        match self.rating {
            Rating::Once => study.proposals(children, Origin::Crossover, count(finished)),
            Rating::AllGames => with_kept(study, parents, children, finished),
        }
    }

    /// How many parents a generation has: so many that the children come in pairs.
    fn parent_count(&self) -> usize {
        let parents = (self.parents_portion * self.population as f64) as usize;
        parents + (self.population - parents) % 2
    }

    /// How many of them are there for being best: at least one, unless none is wanted.
    fn elite_count(&self) -> usize {
        let elite = self.elite_ratio * self.population as f64;
        if elite < 1.0 && self.elite_ratio > 0.0 { 1 } else { elite as usize }
    }

    /// The first generation, drawn evenly.
    fn founders(&self, study: &Study) -> Vec<Point> {
        let place = study.place("genetic").at(0);
        let founder = |number| study.space.point_by(|gene, range| range.anywhere(place.at(number).at(gene)));
        (0..self.population).map(founder).collect()
    }

    /// The parents of the next generation: what the finished ones came to, followed from the first.
    fn parents(&self, study: &Study, finished: &[Vec<Trial>]) -> Vec<Individual> {
        (1..=finished.len())
            .fold(Vec::new(), |parents, generation| self.succeed(study, parents, &finished[..generation]))
    }

    /// The parents after the last of these generations, from those before it.
    fn succeed(
        &self,
        study: &Study,
        mut population: Vec<Individual>,
        finished: &[Vec<Trial>],
    ) -> Vec<Individual> {
        let trials = finished.last().map_or(&[][..], Vec::as_slice);
        // Those that were kept come first in a batch, and are no new individuals.
        let new = &trials[trials.len() - (self.population - population.len())..];
        population
            .extend(new.iter().map(|trial| Individual { point: trial.point.clone(), loss: trial.mean(0) }));
        if self.rating == Rating::AllGames {
            rate_by_all_games(&mut population, finished);
        }
        self.select(study.place("genetic").at(finished.len()).at(SELECTION), population)
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
    fn children(&self, study: &Study, place: Place, parents: &[Individual]) -> Vec<Point> {
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
    fn pair(&self, study: &Study, place: Place, parents: [&[f64]; 2]) -> [Point; 2] {
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

/// Every kept point once more, then the children. Whoever was tried before, and be it as a child that is its parent's twin, plays games that
/// it has not met.
fn with_kept(
    study: &Study,
    parents: &[Individual],
    children: Vec<Point>,
    finished: &[Vec<Trial>],
) -> Vec<Proposal> {
    let mut points: Vec<(Point, Origin)> = Vec::new();
    for Individual { point, .. } in parents {
        if !points.iter().any(|(other, _)| other == point) {
            points.push((point.clone(), Origin::Kept));
        }
    }
    points.extend(children.into_iter().map(|child| (child, Origin::Crossover)));
    let mut proposals: Vec<Proposal> = Vec::with_capacity(points.len());
    for (trial, (point, origin)) in (count(finished)..).zip(points) {
        let before = finished.iter().flatten().filter(|trial| trial.point == point).count();
        let repeat = before + proposals.iter().filter(|proposal| proposal.point == point).count();
        proposals.push(Proposal { point, origin, games: study.evaluation.games_of(trial, repeat) });
    }
    proposals
}

/// Gives every individual the mean over all games that were ever played with its parameters.
fn rate_by_all_games(population: &mut [Individual], finished: &[Vec<Trial>]) {
    for individual in population {
        let trials = finished.iter().flatten().filter(|trial| trial.point == individual.point);
        let games: Option<Vec<&[f64]>> =
            trials.map(|trial| trial.losses.as_ref().map(|losses| losses[0].as_slice())).collect();
        individual.loss = games.map_or(f64::INFINITY, |games| mean(&games.concat()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{noisy_sphere, play, real_study, sphere};

    const PAPER: Genetic = Genetic {
        population: 50,
        iterations: 40,
        mutation_probability: 0.1,
        crossover_probability: 0.5,
        parents_portion: 0.3,
        elite_ratio: 0.01,
        rating: Rating::Once,
    };

    #[test]
    fn fifty_individuals_keep_sixteen_parents_and_make_thirty_four_children() {
        let study = real_study(3, 1);
        let batches = play(&PAPER, &study, sphere);
        let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
        assert_eq!((sizes[0], sizes[1], sizes.len()), (50, 34, 41));
        assert_eq!(sizes.iter().sum::<usize>(), 50 + 40 * 34);
        assert_eq!((PAPER.parent_count(), PAPER.elite_count()), (16, 1));
    }

    #[test]
    fn the_best_is_never_lost_and_the_minimum_is_found() {
        let study = real_study(3, 2);
        let batches = play(&PAPER, &study, sphere);
        let best = |batch: &Vec<Trial>| batch.iter().map(|trial| trial.mean(0)).fold(f64::INFINITY, f64::min);
        let parents = PAPER.parents(&study, &batches);
        let overall = batches.iter().map(best).fold(f64::INFINITY, f64::min);
        assert_eq!(parents[0].loss, overall, "the first parent is the best of all");
        assert!(overall < 0.02 && best(&batches[0]) > 0.1, "{overall} {}", best(&batches[0]));
    }

    #[test]
    fn a_lucky_value_lives_on_unless_all_games_count() {
        let study = real_study(3, 3);
        let last_parents = |rating| {
            let genetic = Genetic { rating, ..PAPER };
            let batches = play(&genetic, &study, noisy_sphere);
            (genetic.parents(&study, &batches), batches)
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
        let genetic = Genetic { rating: Rating::AllGames, ..PAPER };
        let first = play(&genetic, &study, sphere).swap_remove(0);
        let proposals = genetic.propose(&study, &[first]);
        let kept: Vec<&Proposal> =
            proposals.iter().filter(|proposal| proposal.origin == Origin::Kept).collect();
        assert!(!kept.is_empty() && kept.len() <= 16);
        assert!(kept.iter().all(|proposal| proposal.games == (1..2)), "{kept:?}");
        assert_eq!(proposals.len() - kept.len(), 34);
    }

    #[test]
    fn those_whose_agent_faulted_come_last() {
        let study = real_study(2, 5);
        let batches = play(&PAPER, &study, sphere);
        let mut first = batches[0].clone();
        first.iter_mut().skip(1).for_each(|trial| trial.losses = None);
        let parents = PAPER.parents(&study, &[first.clone()]);
        assert_eq!(parents[0].point, first[0].point);
        first[0].losses = None;
        assert_eq!(PAPER.parents(&study, &[first]).len(), 16, "even where all of them did");
    }
}
