//! What a study asks for and gets: proposals, the games that they are played on, and trials.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Losses, Place, Point, Space};

/// What all methods need to know of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchProblem {
    /// Where it searches.
    pub space: Space,
    /// Where its random numbers come from.
    pub seed: u64,
    /// On which games a point is tried.
    pub evaluation: TrialEvaluation,
}

impl SearchProblem {
    /// Where one part of a method has its random numbers from.
    pub(crate) fn place(&self, part: &str) -> Place {
        Place::of(part, self.seed)
    }

    /// Proposals of points that are each tried for the first time, in a batch that begins with this trial.
    pub(crate) fn proposals(
        &self,
        points: impl IntoIterator<Item = Point>,
        origin: Origin,
        first_trial: usize,
    ) -> Vec<Proposal> {
        let trials = points.into_iter().zip(first_trial..);
        trials
            .map(|(point, trial)| Proposal { point, origin, games: self.evaluation.games_of(trial, 0) })
            .collect()
    }
}

/// On which games a point is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialEvaluation {
    /// How many at a time.
    pub games: u64,
    /// Whether all points meet the same ones.
    pub seeds: Seeds,
}

/// Whether trials share their games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Seeds {
    /// Each trial has games of its own: luck is never met twice.
    #[default]
    Fresh,
    /// All trials have the same games: luck is shared.
    Common,
}

impl TrialEvaluation {
    /// The games of a trial that is the `repeat`-th of its point, counted from 0.
    pub fn games_of(self, trial: usize, repeat: usize) -> Range<u64> {
        let block = match self.seeds {
            Seeds::Common => repeat,
            Seeds::Fresh => trial,
        } as u64;
        block * self.games..(block + 1) * self.games
    }
}

/// A point to be tried, and on which games.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The parameters.
    pub point: Point,
    /// How they were found.
    pub origin: Origin,
    /// The games to be played with them.
    pub games: Range<u64>,
}

/// How a point was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Drawn to cover the space.
    Sample,
    /// A child of two others.
    Crossover,
    /// Known already, and tried on further games.
    Kept,
    /// Where a Gaussian process promises most.
    Acquisition,
    /// Where a neural network promises most.
    Surrogate,
}

/// What came of a proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What was tried.
    pub point: Point,
    /// What its games came to in each objective; none if the agent faulted.
    pub losses: Option<Vec<Losses>>,
}

impl Trial {
    /// The mean loss of an objective; infinite where the agent faulted.
    pub(crate) fn mean(&self, objective: usize) -> f64 {
        self.losses.as_ref().map_or(f64::INFINITY, |losses| losses[objective].mean())
    }

    /// The squared standard error of that mean; 0 for a single game, whose spread nothing tells.
    pub(crate) fn variance_of_mean(&self, objective: usize) -> f64 {
        self.losses.as_ref().map_or(0.0, |losses| losses[objective].variance_of_mean())
    }

    /// The mean losses of all objectives, where the agent did not fault.
    pub(crate) fn means(&self) -> Option<Vec<f64>> {
        self.losses.as_ref().map(|losses| losses.iter().map(Losses::mean).collect())
    }
}

/// How many trials there are in some batches.
pub(crate) fn count(batches: &[Vec<Trial>]) -> usize {
    batches.iter().map(Vec::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_share_their_games_or_have_their_own() {
        let common = TrialEvaluation { games: 9, seeds: Seeds::Common };
        assert_eq!(
            [common.games_of(0, 0), common.games_of(70, 0), common.games_of(3, 2)],
            [0..9, 0..9, 18..27]
        );
        let fresh = TrialEvaluation { games: 9, seeds: Seeds::Fresh };
        assert_eq!(
            [fresh.games_of(0, 0), fresh.games_of(70, 0), fresh.games_of(3, 2)],
            [0..9, 630..639, 27..36]
        );
    }
}
