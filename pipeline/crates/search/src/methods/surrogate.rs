//! A neural network learns what parameters lead to, evolution searches the network, its best points are
//! played, and all is learned again.
//!
//! This is the contingency plan of Ripstein's section 5.1. One network for each objective; evolution is
//! NSGA-II, which asks the networks and no game; what it proposes is spread along the front that the networks
//! believe in.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Method, MethodFacts, Nsga, Proposer, SMOKE_TRIALS, SearchMethod, SettingError, Sobol, counted, require,
};
use crate::limits::{MOST_SOBOL_POINTS, MOST_TRIALS};
use crate::pareto::best_first;
use crate::trial::count;
use crate::{Losses, Network, Origin, Place, Point, Proposal, SearchProblem, Seeds, Trial, TrialEvaluation};

/// How large the population is that searches the networks, and for how long.
const SEARCH: Nsga = Nsga::usual(48, 30);

/// How far apart the points of a batch are where there is a choice, as a share of the ranges.
const SEPARATION: f64 = 0.05;

/// A neural network for each objective, searched by evolution, whose best points are played and learned from
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Surrogate {
    /// How many points of Sobol's sequence come first, as one batch.
    #[schemars(range(min = 2, max = MOST_SOBOL_POINTS))]
    pub start: usize,
    /// How many rounds of learning and playing follow.
    #[schemars(range(min = 1, max = MOST_TRIALS))]
    pub rounds: usize,
    /// How many points a round plays.
    #[schemars(range(min = 1, max = MOST_TRIALS))]
    pub batch: usize,
    /// The error at which a network has learned enough, in deviations of its objective; absent: 0.1.
    #[schemars(range(min = 0, max = 10))]
    #[serde(default = "enough")]
    pub error: f64,
    /// After how many epochs it is left as it is; absent: 2000.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(default = "most_epochs")]
    pub epochs: usize,
}

defaults! {
    enough: f64 = 0.1;
    most_epochs: usize = 2000;
}

impl Method for Surrogate {
    fn facts(&self) -> MethodFacts {
        let usual = MethodFacts::of_batches("neural surrogate", self.start, self.rounds, self.batch);
        MethodFacts { batch_words: ("round", "rounds"), ..usual }
    }

    fn description(&self) -> String {
        format!(
            "Neural network fitted to {}, then to {} that an evolutionary search of it proposes, in {}",
            counted(self.start, "point"),
            text::thousands((self.rounds * self.batch) as f64),
            counted(self.rounds, "round")
        )
    }

    fn check(&self) -> Result<(), SettingError> {
        require(self.error > 0.0, "error", || format!("is {}, must be above 0", self.error))
    }

    fn smoke_sized(&self) -> SearchMethod {
        Self {
            start: self.start.min(SMOKE_TRIALS),
            rounds: self.rounds.min(1),
            batch: self.batch.min(SMOKE_TRIALS),
            epochs: self.epochs.min(50),
            ..*self
        }
        .into()
    }

    fn proposer<'a>(&'a self, study: &'a SearchProblem) -> Box<dyn Proposer + 'a> {
        Box::new(|finished: &[Vec<Trial>]| {
            if finished.is_empty() {
                return Sobol { points: self.start, batch: self.start }.propose(study, finished);
            }
            if finished.len() > self.rounds {
                return Vec::new();
            }
            self.learned(study, finished)
        })
    }
}

impl Surrogate {
    /// The points that the trials so far make promising.
    fn learned(&self, study: &SearchProblem, finished: &[Vec<Trial>]) -> Vec<Proposal> {
        let place = study.place("surrogate").at(finished.len());
        let trials: Vec<&Trial> = finished.iter().flatten().filter(|trial| trial.losses.is_some()).collect();
        let networks = self.learn(study, place, &trials);
        let believed = search(study, place, &networks);
        let tried = finished.iter().flatten().map(|trial| &trial.point).collect();
        let points = spread(study, &believed, tried, self.batch);
        study.proposals(points, Origin::Surrogate, count(finished))
    }

    /// One network for each objective, of standardised losses.
    fn learn(&self, study: &SearchProblem, place: Place, trials: &[&Trial]) -> Vec<Network> {
        let objectives = trials.first().and_then(|trial| trial.losses.as_ref()).map_or(0, Vec::len);
        let inputs: Vec<Vec<f64>> = trials.iter().map(|trial| study.space.unit(&trial.point)).collect();
        let network = |objective: usize| {
            let losses: Vec<f64> = trials.iter().map(|trial| trial.mean(objective)).collect();
            let (mean, deviation) = crate::gaussian::mean_and_deviation(&losses);
            let outputs: Vec<f64> = losses.iter().map(|loss| (loss - mean) / deviation).collect();
            let mut network = Network::new(place.at(objective), study.space.len());
            network.train(&inputs, &outputs, self.error, self.epochs);
            network
        };
        (0..objectives).map(network).collect()
    }
}

/// What evolution finds on the networks: all points that it looked at, with the losses that the networks
/// expect.
fn search(study: &SearchProblem, place: Place, networks: &[Network]) -> Vec<(Point, Vec<f64>)> {
    let inner = SearchProblem {
        space: study.space.clone(),
        seed: place.at(networks.len()).bits(),
        evaluation: TrialEvaluation { games: 1, seeds: Seeds::Common },
    };
    let expected = |point: &Point| -> Option<Vec<Losses>> {
        let unit = study.space.unit(point);
        (!networks.is_empty())
            .then(|| networks.iter().map(|network| vec![network.of(&unit)].into()).collect())
    };
    let mut batches: Vec<Vec<Trial>> = Vec::new();
    let mut generations = SEARCH.proposer(&inner);
    loop {
        let proposals = generations.next(&batches);
        if proposals.is_empty() {
            break;
        }
        let trial = |proposal: Proposal| Trial { losses: expected(&proposal.point), point: proposal.point };
        batches.push(proposals.into_iter().map(trial).collect());
    }
    let looked_at = batches.into_iter().flatten();
    looked_at.map(|trial| (trial.point.clone(), trial.means().unwrap_or_default())).collect()
}

/// This many points that were never tried, best first by what the networks believe, and none too near to
/// another: a network that is wrong about a corner shall cost one point and not the whole batch.
fn spread<'a>(
    study: &SearchProblem,
    believed: &'a [(Point, Vec<f64>)],
    mut known: BTreeSet<&'a Point>,
    count: usize,
) -> Vec<Point> {
    let losses: Vec<&[f64]> = believed.iter().map(|(_, losses)| losses.as_slice()).collect();
    let order = best_first(&losses);
    let mut chosen: Vec<(Vec<f64>, &Point)> = Vec::new();
    for separation in [SEPARATION, 0.0] {
        for point in order.iter().map(|&number| &believed[number].0) {
            if chosen.len() == count {
                break;
            }
            let unit = study.space.unit(point);
            let is_near = |(other, _): &(Vec<f64>, &Point)| {
                study.space.squared_gaps(&unit, other).sum::<f64>() < separation * separation
            };
            if !chosen.iter().any(is_near) && known.insert(point) {
                chosen.push((unit, point));
            }
        }
    }
    chosen.into_iter().map(|(_, point)| point.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypervolume;
    use crate::testing::{play, real_study, schaffer, sphere};

    const SETTINGS: Surrogate = Surrogate { start: 16, rounds: 6, batch: 6, error: 0.05, epochs: 600 };

    #[test]
    fn it_finds_the_minimum_that_its_sample_missed() {
        let study = real_study(2, 1);
        let batches = play(&SETTINGS, &study, sphere);
        let best = |batches: &[Vec<Trial>]| {
            batches.iter().flatten().map(|trial| trial.mean(0)).fold(f64::INFINITY, f64::min)
        };
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [16, 6, 6, 6, 6, 6, 6]);
        assert!(best(&batches) < 0.1 && best(&batches[..1]) > best(&batches) * 3.0, "{}", best(&batches));
    }

    #[test]
    fn with_two_objectives_it_spreads_along_the_front() {
        let study = real_study(1, 2);
        let batches = play(&SETTINGS, &study, schaffer);
        let pairs: Vec<[f64; 2]> =
            batches.iter().flatten().map(|trial| [trial.mean(0), trial.mean(1)]).collect();
        assert!(hypervolume(&pairs, [4.0, 4.0]) > 12.5);
    }

    #[test]
    fn no_point_is_proposed_that_was_tried() {
        let study = real_study(2, 3);
        let batches = play(&SETTINGS, &study, sphere);
        let points: Vec<&Point> = batches.iter().flatten().map(|trial| &trial.point).collect();
        for (number, point) in points.iter().enumerate() {
            assert!(!points[..number].contains(point), "{point:?}");
        }
    }
}
