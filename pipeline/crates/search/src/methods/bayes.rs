//! Bayesian optimisation: a Gaussian process is fitted to all trials, and the next points are where it
//! expects most.
//!
//! With one objective the measure is expected improvement over the best mean. With several it is ParEGO of
//! Knowles (2006): each point of a batch weighs the objectives in its own way, and improves on that mixture.
//! Points of one batch are chosen one after the other, each as if those before it had come out as expected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{normal_cdf, normal_density};

use super::{Method, MethodFacts, Proposer, SMOKE_TRIALS, SearchMethod, Sobol, counted, sobol};
use crate::limits::MOST_TRIALS_OF_A_PROCESS;
use crate::pareto::span;
use crate::tally::Tallies;
use crate::trial::count;
use crate::{Gaussian, Hyperparameters, Observations, Origin, Place, Point, Proposal, SearchProblem, Trial};

/// How many points of the whole space are looked at for each proposal, and how many around the best.
const CANDIDATES: usize = 512;
const NEIGHBOURS: usize = 128;
/// How far neighbours lie from the best, as a share of a range.
const NEIGHBOURHOOD: f64 = 0.05;
/// How much the sum of objectives counts beside the worst one in ParEGO's mixture.
const SUM_SHARE: f64 = 0.05;

/// Bayesian optimisation with a Gaussian process: expected improvement, and ParEGO for two objectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bayes {
    /// How many points of Sobol's sequence come first, as one batch.
    #[schemars(range(min = 2, max = MOST_TRIALS_OF_A_PROCESS))]
    pub start: usize,
    /// How many batches follow.
    #[schemars(range(min = 1, max = MOST_TRIALS_OF_A_PROCESS))]
    pub batches: usize,
    /// How many points a batch has.
    #[schemars(range(min = 1, max = MOST_TRIALS_OF_A_PROCESS))]
    pub batch: usize,
}

impl Method for Bayes {
    fn facts(&self) -> MethodFacts {
        MethodFacts {
            trial_limit: MOST_TRIALS_OF_A_PROCESS,
            ..MethodFacts::of_batches("Bayesian optimisation", self.start, self.batches, self.batch)
        }
    }

    fn description(&self) -> String {
        let (start, more) = (counted(self.start, "point"), counted(self.batches * self.batch, "point"));
        format!("Bayesian optimisation from {start} of a Sobol sequence, then {more} by a Gaussian process")
    }

    fn smoke_sized(&self) -> SearchMethod {
        let (start, batches) = (self.start.min(SMOKE_TRIALS), self.batches.min(1));
        Self { start, batches, batch: self.batch.min(SMOKE_TRIALS) }.into()
    }

    fn proposer<'a>(&'a self, study: &'a SearchProblem) -> Box<dyn Proposer + 'a> {
        Box::new(|finished: &[Vec<Trial>]| {
            if finished.is_empty() {
                return self.begin(study);
            }
            if finished.len() > self.batches {
                return Vec::new();
            }
            self.learned(study, finished)
        })
    }
}

impl Bayes {
    /// The points of Sobol's sequence that come first.
    fn begin(&self, study: &SearchProblem) -> Vec<Proposal> {
        let sample = Sobol { points: self.start, batch: self.start }.propose(study, &[]);
        let points = sample.into_iter().map(|proposal| (proposal.point, proposal.origin));
        Tallies::default().proposals(study, points, 0)
    }

    /// The points that the trials so far make promising.
    fn learned(&self, study: &SearchProblem, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        let place = study.place("bayes").at(finished.len());
        let trials: Vec<&Trial> = finished.iter().flatten().filter(|trial| trial.losses.is_some()).collect();
        let mut chosen: Vec<(Vec<f64>, Point)> = Vec::new();
        let mut belief = Belief::of(study, place.at(0).at(0), &trials);
        for number in 0..self.batch {
            let place = place.at(number);
            if number > 0 && belief.as_ref().is_some_and(|belief| belief.is_mixed) {
                belief = Belief::of(study, place.at(0), &trials);
            }
            let next = belief.as_ref().and_then(|belief| belief.next(study, place.at(1), &chosen));
            let unit = next.unwrap_or_else(|| sobol(place, 0, study.space.len()));
            let point = study.space.point(&unit);
            chosen.push((study.space.unit(&point), point));
        }
        // A point that promises most although it is known is worth further games.
        let tallies: Tallies = finished.iter().flatten().collect();
        let points = chosen.into_iter().map(|(_, point)| (point, Origin::Acquisition));
        tallies.proposals(study, points, count(finished))
    }
}

/// What the trials make one believe of the loss.
struct Belief {
    known: Observations,
    hyperparameters: Hyperparameters,
    /// Whether the loss is a mixture of several objectives, which every point of a batch weighs in its own
    /// way.
    is_mixed: bool,
}

impl Belief {
    /// `None` if the trials tell nothing.
    fn of(study: &SearchProblem, place: Place, trials: &[&Trial]) -> Option<Self> {
        let known = mixed(study, place, trials)?;
        let hyperparameters = Gaussian::fit(&study.space, &known)?.hyperparameters().clone();
        let is_mixed = trials.first()?.losses.as_ref()?.len() > 1;
        Some(Self { known, hyperparameters, is_mixed })
    }

    /// The unit coordinates of the next point of a batch, given those that it has already: they are taken to
    /// come out as expected.
    fn next(&self, study: &SearchProblem, place: Place, chosen: &[(Vec<f64>, Point)]) -> Option<Vec<f64>> {
        let mut known = self.known.clone();
        let process = Gaussian::with(&study.space, &known, self.hyperparameters.clone())?;
        let believed: Vec<f64> = chosen.iter().map(|(unit, _)| process.predict(unit).0).collect();
        known.units.extend(chosen.iter().map(|(unit, _)| unit.clone()));
        known.noise.extend(chosen.iter().map(|_| 0.0));
        known.losses.extend(believed);
        let process = Gaussian::with(&study.space, &known, self.hyperparameters.clone())?;
        Some(most_promising(study, place, &process, &known))
    }
}

/// What the trials say of the objectives, mixed; `None` if there is no trial.
fn mixed(study: &SearchProblem, place: Place, trials: &[&Trial]) -> Option<Observations> {
    let objectives = trials.first()?.losses.as_ref()?.len();
    let units = trials.iter().map(|trial| study.space.unit(&trial.point)).collect();
    let (losses, noise) = if objectives == 1 {
        trials.iter().map(|trial| (trial.mean(0), trial.variance_of_mean(0))).unzip()
    } else {
        let weights = weights(place, objectives);
        let means = |objective| trials.iter().map(move |trial| trial.mean(objective));
        let spans: Vec<(f64, f64)> = (0..objectives).map(|objective| span(means(objective))).collect();
        trials.iter().map(|trial| mixture(trial, &weights, &spans)).unzip()
    };
    Some(Observations { units, losses, noise })
}

/// How much each objective weighs, drawn evenly from all mixtures.
fn weights(place: Place, objectives: usize) -> Vec<f64> {
    let draws: Vec<f64> =
        (0..objectives).map(|objective| -libm::log(1.0 - place.at(objective).unit())).collect();
    let sum: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / sum).collect()
}

/// The augmented Tchebycheff mixture of a trial's objectives, and the variance of the one that decides it.
fn mixture(trial: &Trial, weights: &[f64], spans: &[(f64, f64)]) -> (f64, f64) {
    let (mut worst, mut sum, mut variance) = (f64::NEG_INFINITY, 0.0, 0.0);
    for (objective, (weight, (low, width))) in weights.iter().zip(spans).enumerate() {
        let scaled = weight * (trial.mean(objective) - low) / width;
        sum += scaled;
        if scaled > worst {
            worst = scaled;
            variance = weight * weight * trial.variance_of_mean(objective) / (width * width);
        }
    }
    (worst + SUM_SHARE * sum, variance)
}

/// The point with the largest expected improvement: among many of the whole space, and some around the best
/// known.
fn most_promising(
    study: &SearchProblem,
    place: Place,
    process: &Gaussian<'_>,
    known: &Observations,
) -> Vec<f64> {
    let means: Vec<f64> = known.units.iter().map(|unit| process.predict(unit).0).collect();
    let best = (0..means.len()).min_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap_or(0);
    let dimensions = study.space.len();
    let around = |number: usize| {
        let place = place.at(1).at(number);
        let moved = known.units[best].iter().enumerate();
        moved.map(|(gene, x)| (x + NEIGHBOURHOOD * place.at(gene).normal()).clamp(0.0, 1.0)).collect()
    };
    let candidates = (0..CANDIDATES).map(|number| sobol(place.at(0), number, dimensions));
    let candidates = candidates.chain((0..NEIGHBOURS).map(around));
    let mut most: Option<(f64, Vec<f64>)> = None;
    for candidate in candidates {
        // What is played is rounded: that is what must promise.
        let unit = study.space.unit(&study.space.point(&candidate));
        let promise = expected_improvement(process.predict(&unit), means[best]);
        if most.as_ref().is_none_or(|(best, _)| promise > *best) {
            most = Some((promise, unit));
        }
    }
    most.map_or_else(|| sobol(place, 0, dimensions), |(_, unit)| unit)
}

/// By how much a normal loss is expected to fall below the best one.
fn expected_improvement((mean, variance): (f64, f64), best: f64) -> f64 {
    let deviation = variance.sqrt();
    if deviation == 0.0 {
        return (best - mean).max(0.0);
    }
    let z = (best - mean) / deviation;
    (best - mean) * normal_cdf(z) + deviation * normal_density(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{noisy_sphere, play, real_study, schaffer, sphere};
    use crate::{Nsga, hypervolume};

    fn best(batches: &[Vec<Trial>], true_loss: impl Fn(&Trial) -> f64) -> f64 {
        batches.iter().flatten().map(true_loss).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn expected_improvement_is_what_sampling_gives() {
        let (mean, deviation, best) = (1.0, 2.0, 0.5);
        let root = Place::of("test", 1);
        let draws = (0..200_000).map(|number| best - (mean + deviation * root.at(number).normal()));
        let sampled = draws.map(|gain| gain.max(0.0)).sum::<f64>() / 200_000.0;
        let exact = expected_improvement((mean, deviation * deviation), best);
        assert!((sampled - exact).abs() < 0.01, "{sampled} {exact}");
        assert_eq!(expected_improvement((1.0, 0.0), 3.0), 2.0);
    }

    #[test]
    fn few_trials_find_the_minimum_where_a_sample_of_as_many_does_not() {
        let study = real_study(2, 1);
        let bayes = play(&Bayes { start: 10, batches: 10, batch: 2 }, &study, sphere);
        let sample = play(&Sobol { points: 30, batch: 30 }, &study, sphere);
        let (bayes, sample) = (best(&bayes, |trial| trial.mean(0)), best(&sample, |trial| trial.mean(0)));
        assert!(bayes < 0.01 && sample > 0.1, "{bayes} {sample}");
    }

    #[test]
    fn noise_does_not_lead_it_astray() {
        let mut study = real_study(2, 2);
        study.evaluation.games = 9;
        let batches = play(&Bayes { start: 12, batches: 14, batch: 2 }, &study, noisy_sphere);
        let last: Vec<f64> =
            batches[12..].iter().flatten().map(|trial| sphere(trial.point.values(), 0)[0]).collect();
        assert!(last.iter().sum::<f64>() / (last.len() as f64) < 1.0, "{last:?}");
    }

    #[test]
    fn with_two_objectives_it_reaches_more_of_the_front_than_evolution_on_as_many_trials() {
        let study = real_study(1, 3);
        let reached = |batches: &[Vec<Trial>]| {
            let pairs: Vec<[f64; 2]> =
                batches.iter().flatten().map(|trial| [trial.mean(0), trial.mean(1)]).collect();
            hypervolume(&pairs, [4.0, 4.0])
        };
        let bayes = reached(&play(&Bayes { start: 6, batches: 7, batch: 2 }, &study, schaffer));
        let evolution = reached(&play(&Nsga::usual(4, 4), &study, schaffer));
        assert!(bayes > evolution && bayes > 12.0, "{bayes} {evolution}");
    }

    #[test]
    fn faulty_trials_are_left_out() {
        let study = real_study(2, 4);
        let method = Bayes { start: 6, batches: 1, batch: 2 };
        let mut first = play(&Sobol { points: 6, batch: 6 }, &study, sphere).swap_remove(0);
        first[2].losses = None;
        let without: Vec<Trial> = first.iter().filter(|trial| trial.losses.is_some()).cloned().collect();
        let points = |batch| {
            let proposals = method.propose(&study, &[batch]);
            proposals.into_iter().map(|proposal| proposal.point).collect::<Vec<_>>()
        };
        assert_eq!(points(first.clone()), points(without));
        first.iter_mut().for_each(|trial| trial.losses = None);
        assert_eq!(points(first).len(), 2, "where none is left, it goes on sampling");
    }
}
