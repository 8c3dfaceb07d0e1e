//! Trials: the outcome of each proposal, game by game.
//!
//! The games themselves are not kept; their digest is, so that whoever plays them again can tell whether they
//! are the same.

use std::ops::Range;

use engine::Ending;
use manifest::{Objective, Study};
use search::{Losses, Origin, Point, Proposal, Trial};
use serde::{Deserialize, Serialize};
use stats::Estimate;

use crate::Scores;

/// A trial, as it is stored: the proposal, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRow {
    /// Its number in the study, from 0.
    pub trial: u64,
    /// The batch that it belongs to, from 0: a generation, or a round.
    pub batch: u32,
    /// How its parameters were found.
    pub origin: Origin,
    /// Its parameters.
    pub point: Point,
    /// The games that were asked for.
    pub games: Range<u64>,
    /// Their outcome.
    pub outcome: TrialOutcome,
}

/// The outcome of a trial's games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum TrialOutcome {
    /// All were played to their end.
    Played {
        /// The points at the end of them.
        scores: Scores,
        /// What each has cost, or where no objective asks for it all of them together: a study has many
        /// trials.
        efforts: Vec<Effort>,
        /// The beginning of the logical digest of their records.
        digest: String,
    },
    /// The agent committed a fault, which costs the whole trial.
    Faulted {
        /// The first game that ended by one.
        game: u64,
        /// How it ended.
        ending: Ending,
        /// What happened, for people.
        reason: String,
    },
}

/// How many digits of the digest of its games a trial keeps: enough to tell whether they are the same.
pub const DIGEST_DIGITS: usize = 8;

/// What a game of a trial came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFigures {
    /// The points at its end.
    pub score: u32,
    /// What it has cost.
    pub effort: Effort,
}

/// What one game, or some together, have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// The moves played.
    pub moves: u64,
    /// Positions or playouts that the agent counted.
    pub nodes: u64,
}

impl Effort {
    /// What a move has cost; nothing where there were none.
    pub fn of_a_move(self) -> f64 {
        if self.moves == 0 { 0.0 } else { self.nodes as f64 / self.moves as f64 }
    }
}

impl TrialOutcome {
    /// What is kept of games that were all played to their end, by number, with the logical digest of their
    /// records.
    pub fn of_games(study: &Study, games: &[GameFigures], digest: &str) -> Self {
        let efforts = games.iter().map(|game| game.effort);
        let efforts = if study.objectives.contains(&Objective::Cost) {
            efforts.collect()
        } else {
            let add = |sum: Effort, effort: Effort| Effort {
                moves: sum.moves + effort.moves,
                nodes: sum.nodes + effort.nodes,
            };
            vec![efforts.fold(Effort::default(), add)]
        };
        let scores = Scores::kept_by(study, games.iter().map(|game| game.score).collect());
        Self::Played { scores, efforts, digest: digest.chars().take(DIGEST_DIGITS).collect() }
    }

    /// Whether it can have come of these games: each has its score, or one of them its fault.
    pub fn is_of(&self, games: &Range<u64>) -> bool {
        match self {
            Self::Played { scores, efforts, .. } => {
                let count = games.end.saturating_sub(games.start);
                scores.count() == count && [1, count].contains(&(efforts.len() as u64))
            }
            Self::Faulted { game, ending, .. } => games.contains(game) && ending.is_fault(),
        }
    }
}

impl TrialRow {
    /// The row of a proposal.
    pub fn of(trial: u64, batch: u32, proposal: Proposal, outcome: TrialOutcome) -> Self {
        let Proposal { point, origin, games } = proposal;
        Self { trial, batch, origin, point, games, outcome }
    }

    /// The scores of its games, where the agent committed no fault.
    pub const fn scores(&self) -> Option<&Scores> {
        match &self.outcome {
            TrialOutcome::Played { scores, .. } => Some(scores),
            TrialOutcome::Faulted { .. } => None,
        }
    }

    /// What its games have cost, each or together, where the agent committed no fault.
    pub fn efforts(&self) -> Option<&[Effort]> {
        match &self.outcome {
            TrialOutcome::Played { efforts, .. } => Some(efforts),
            TrialOutcome::Faulted { .. } => None,
        }
    }

    /// The trial as a method sees it.
    pub fn to_trial(&self, objectives: &[Objective]) -> Trial {
        let losses = |objective: &Objective| -> Option<Losses> {
            Some(match objective {
                Objective::Score => self.scores()?.to_losses(),
                Objective::Cost => {
                    Losses::Each(self.efforts()?.iter().map(|effort| effort.of_a_move()).collect())
                }
            })
        };
        Trial { point: self.point.clone(), losses: objectives.iter().map(losses).collect() }
    }

    /// The mean score with its interval; `None` if the agent committed a fault.
    pub fn score(&self) -> Option<Estimate> {
        self.scores()?.estimate()
    }

    /// The mean score alone: an interval costs a thousand times as much.
    pub fn mean_score(&self) -> Option<f64> {
        self.scores().filter(|scores| scores.count() > 0).map(Scores::mean)
    }

    /// The mean cost of a move; `None` if the agent committed a fault.
    pub fn mean_cost(&self) -> Option<f64> {
        let efforts = self.efforts().filter(|efforts| !efforts.is_empty())?;
        Some(efforts.iter().map(|effort| effort.of_a_move()).sum::<f64>() / efforts.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::study;
    use search::Rating;

    fn row(objectives: &[Objective], games: &[(u32, u64, u64)]) -> TrialRow {
        let study = Study { objectives: objectives.to_vec(), ..study(Rating::Once) };
        let figures =
            |&(score, moves, nodes): &(u32, u64, u64)| GameFigures { score, effort: Effort { moves, nodes } };
        let figures: Vec<GameFigures> = games.iter().map(figures).collect();
        let point = study.space.point(&[0.5, 0.5, 0.5]);
        let proposal = Proposal { point, origin: Origin::Sample, games: 0..games.len() as u64 };
        TrialRow::of(0, 0, proposal, TrialOutcome::of_games(&study, &figures, &"0123456789abcdef".repeat(4)))
    }

    #[test]
    fn losses_fall_where_scores_rise_and_costs_are_those_of_a_move() {
        let both = [Objective::Score, Objective::Cost];
        let trial = row(&both, &[(100, 10, 50), (300, 20, 40)]).to_trial(&both);
        let losses = [vec![-100.0, -300.0], vec![5.0, 2.0]].map(Losses::Each);
        assert_eq!(trial.losses, Some(losses.to_vec()));
        let only = row(&[Objective::Cost], &[(0, 0, 7)]).to_trial(&[Objective::Cost]);
        assert_eq!(only.losses, Some(vec![Losses::Each(vec![0.0])]), "a game without moves costs none");
    }

    #[test]
    fn means_are_over_games_and_a_fault_leaves_none() {
        let played = row(&[Objective::Score, Objective::Cost], &[(100, 10, 50), (300, 20, 40)]);
        let (score, cost) = (played.score().unwrap(), played.mean_cost().unwrap());
        assert_eq!((score.point, score.n, cost), (200.0, 2, 3.5));
        assert_eq!(played.mean_score(), Some(score.point));
        assert!(score.low < 200.0 && score.high > 200.0);
        let outcome =
            TrialOutcome::Faulted { game: 1, ending: Ending::AgentCrash, reason: "it crashed".to_owned() };
        let faulted = TrialRow { outcome, ..played };
        assert_eq!((faulted.score(), faulted.to_trial(&[Objective::Score]).losses), (None, None));
        assert_eq!((faulted.mean_score(), faulted.mean_cost()), (None, None));
    }

    #[test]
    fn what_came_of_other_games_is_told_by_how_many_they_are_and_where_it_faulted() {
        let objectives = [Objective::Score, Objective::Cost];
        let each = row(&objectives, &[(100, 10, 50), (300, 20, 40), (8, 3, 4)]).outcome;
        let together = row(&[Objective::Score], &[(100, 10, 50), (300, 20, 40), (8, 3, 4)]).outcome;
        for outcome in [&each, &together] {
            assert!(outcome.is_of(&(5..8)));
            assert!(!outcome.is_of(&(5..7)) && !outcome.is_of(&(5..9)) && !outcome.is_of(&(5..5)));
        }
        let fault =
            |game, ending| TrialOutcome::Faulted { game, ending, reason: String::new() }.is_of(&(5..8));
        assert!(fault(5, Ending::Timeout) && fault(7, Ending::AgentCrash));
        assert!(!fault(4, Ending::Timeout) && !fault(8, Ending::Timeout) && !fault(5, Ending::NoMoves));
        let TrialOutcome::Played { scores, mut efforts, digest } = each else {
            unreachable!("all were played")
        };
        efforts.pop();
        assert!(!TrialOutcome::Played { scores, efforts, digest }.is_of(&(5..8)), "efforts of some");
    }

    #[test]
    fn where_no_objective_asks_for_the_cost_it_is_kept_of_all_games_together() {
        let played = row(&[Objective::Score], &[(100, 10, 50), (300, 20, 40)]);
        assert_eq!(played.efforts(), Some(&[Effort { moves: 30, nodes: 90 }][..]));
        assert_eq!(played.mean_cost(), Some(3.0));
        assert!(matches!(&played.outcome, TrialOutcome::Played { digest, .. } if digest == "01234567"));
    }
}
