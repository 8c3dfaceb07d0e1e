//! The scores of a trial's games: of each, or of all together where the method asks for no more than their
//! mean.
//!
//! A genetic algorithm tries tens of thousands of points and looks at means alone; kept apart, the scores of
//! its games would take more room than the games of all other experiments of its paper.

use manifest::{Objective, Study};
use search::{Losses, Sums};
use serde::{Deserialize, Serialize};
use stats::{Estimate, Sample};

/// The scores of some games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Scores {
    /// Of each, by number.
    Each(Vec<u32>),
    /// Of all of them.
    Together {
        /// How many games there were.
        games: u64,
        /// The sum of their scores.
        sum: u64,
        /// The sum of the squares of their scores.
        squares: u64,
    },
}

/// Whether a study keeps the score of every game of a trial.
pub(crate) fn keeps_each(study: &Study) -> bool {
    study.method.facts().needs_each_score || study.objectives != [Objective::Score]
}

impl Scores {
    /// What a study keeps of scores.
    pub fn kept_by(study: &Study, scores: Vec<u32>) -> Self {
        let each = Self::Each(scores);
        if keeps_each(study) { each } else { each.together() }
    }

    /// The sums alone.
    fn together(&self) -> Self {
        match self {
            Self::Each(scores) => {
                let squares = scores.iter().map(|&score| u64::from(score) * u64::from(score)).sum();
                let sum = scores.iter().map(|&score| u64::from(score)).sum();
                Self::Together { games: scores.len() as u64, sum, squares }
            }
            Self::Together { .. } => self.clone(),
        }
    }

    /// How many games there were.
    pub fn count(&self) -> u64 {
        match self {
            Self::Each(scores) => scores.len() as u64,
            Self::Together { games, .. } => *games,
        }
    }

    /// The score of each game, where it is kept.
    pub fn each(&self) -> Option<&[u32]> {
        match self {
            Self::Each(scores) => Some(scores),
            Self::Together { .. } => None,
        }
    }

    /// The mean with its interval; none without a game.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Each(scores) => mean_of(scores.iter().map(|&score| f64::from(score))),
            Self::Together { games, sum, squares } => stats::mean_of_sums(*games, *sum, *squares),
        }
    }

    /// The mean; not a number without a game.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Each(scores) => {
                scores.iter().map(|&score| f64::from(score)).sum::<f64>() / scores.len() as f64
            }
            Self::Together { games, sum, .. } => *sum as f64 / *games as f64,
        }
    }

    /// Counts further games.
    pub(crate) fn extend(&mut self, other: &Self) {
        match (&mut *self, other) {
            (Self::Each(mine), Self::Each(theirs)) => mine.extend(theirs),
            (Self::Together { games, sum, squares }, other) => {
                let Self::Together { games: further, sum: points, squares: squared } = other.together()
                else {
                    return;
                };
                (*games, *sum, *squares) = (*games + further, *sum + points, *squares + squared);
            }
            (Self::Each(_), Self::Together { .. }) => {
                *self = self.together();
                self.extend(other);
            }
        }
    }

    /// As a method sees them: the lower the better.
    pub(crate) fn to_losses(&self) -> Losses {
        match self {
            Self::Each(scores) => Losses::Each(scores.iter().map(|&score| -f64::from(score)).collect()),
            Self::Together { games, sum, squares } => Losses::Together(Sums {
                count: *games as usize,
                sum: -(*sum as f64),
                squares: *squares as f64,
            }),
        }
    }
}

pub(crate) fn mean_of(values: impl Iterator<Item = f64>) -> Option<Estimate> {
    Sample::new(values).ok().map(|sample| stats::mean(&sample))
}

#[cfg(test)]
mod tests {
    use search::Rating;

    use super::*;
    use crate::fixtures::study;

    #[test]
    fn a_genetic_algorithm_of_scores_keeps_sums_and_every_other_study_each_score() {
        let genetic = study(Rating::Once);
        let sums = Scores::Together { games: 2, sum: 400, squares: 100_000 };
        assert_eq!(Scores::kept_by(&genetic, vec![100, 300]), sums);
        let of_cost = Study { objectives: vec![Objective::Score, Objective::Cost], ..genetic };
        assert_eq!(Scores::kept_by(&of_cost, vec![100, 300]), Scores::Each(vec![100, 300]));
    }

    #[test]
    fn sums_say_the_same_of_the_mean_to_people_and_to_methods() {
        let each = Scores::Each(vec![512, 1024, 4, 96]);
        let together = each.together();
        assert_eq!((together.count(), together.mean(), together.each()), (4, 409.0, None));
        assert_eq!(together.estimate().map(|mean| mean.point), each.estimate().map(|mean| mean.point));
        let means = [&each, &together].map(|scores| {
            let trial = search::Trial {
                point: study(Rating::Once).space.point(&[0.5; 3]),
                losses: Some(vec![scores.to_losses()]),
            };
            trial.losses.map(|losses| losses[0].count())
        });
        assert_eq!(means, [Some(4), Some(4)]);
        assert_eq!(
            together.to_losses(),
            Losses::Together(Sums { count: 4, sum: -1636.0, squares: 1_319_952.0 })
        );
    }

    #[test]
    fn further_games_are_counted_whichever_way_they_are_kept() {
        let [first, second] = [vec![1, 2], vec![6]].map(Scores::Each);
        for (mine, theirs) in [(&first, &second), (&first.together(), &second), (&first, &second.together())]
        {
            let mut all = mine.clone();
            all.extend(theirs);
            assert_eq!(all.together(), Scores::Together { games: 3, sum: 9, squares: 41 });
        }
    }
}
