//! A trial that was played again, compared with the stored one: by scores, digest and moves, and by nodes if
//! cost is an objective.

use super::player::PlayedGames;
use super::trial_games::{TrialGames, faulted};
use engine::Ending;
use manifest::{Objective, Study};
use studies::{Effort, Scores, TrialOutcome, TrialRow};
use workers::Played;

/// A stored trial, to be compared with what was played.
pub(super) struct TrialComparison<'a> {
    pub(super) study: &'a Study,
    pub(super) row: &'a TrialRow,
}

impl TrialComparison<'_> {
    /// The trial with the parameters that were searched, as in `trial 7 (skill=0.25)`.
    pub(super) fn name(&self) -> String {
        let params = self.study.params_at(&self.row.point);
        let searched = self.study.space.dimensions().iter().filter_map(|dimension| {
            let value = params.get(&dimension.name)?;
            Some(format!("{}={value}", dimension.name))
        });
        format!("trial {} ({})", self.row.trial, searched.collect::<Vec<_>>().join(" "))
    }

    /// In what all of its games, played again, are not what is stored.
    pub(super) fn with_trial(&self, mut games: PlayedGames) -> Vec<String> {
        let mut alarms = std::mem::take(&mut games.alarms);
        match TrialGames::new(self.row.games.clone()).add(self.study, games) {
            Some(ended) => alarms.extend(self.difference(&ended.outcome)),
            None => alarms.push("not all of its games could be played again".to_owned()),
        }
        alarms
    }

    /// In what one of its games is not.
    pub(super) fn with_game(&self, game: u64, games: PlayedGames) -> Vec<String> {
        let PlayedGames { played, fault, mut alarms } = games;
        alarms.extend(match (&self.row.outcome, fault, played.first()) {
            (_, Some((game, fault)), _) => self.difference(&faulted(game, &fault)),
            (TrialOutcome::Faulted { game, ending, .. }, None, _) => Some(not_faulted(*game, *ending)),
            (TrialOutcome::Played { scores, efforts, .. }, None, Some(Played { record, .. })) => {
                let place = (game - self.row.games.start) as usize;
                let effort = Effort { moves: record.moves.into(), nodes: record.nodes };
                let stored = efforts.get(place).filter(|_| self.has_cost());
                let score = scores.each().and_then(|scores| scores.get(place));
                score
                    .and_then(|&score| self.score_difference(place, score, record.score))
                    .or_else(|| stored.and_then(|stored| self.effort_difference(place, *stored, effort)))
            }
            (_, None, None) => Some(format!("game {game} could not be played again")),
        });
        alarms
    }

    fn has_cost(&self) -> bool {
        self.study.objectives.contains(&Objective::Cost)
    }

    /// In what a trial is not what is stored. The words of an agent's complaint may depend on the machine.
    /// Without the objective of cost nodes decide nothing, and a better search may count fewer.
    fn difference(&self, again: &TrialOutcome) -> Option<String> {
        use TrialOutcome::{Faulted, Played};
        match (&self.row.outcome, again) {
            (Faulted { game, ending, .. }, Played { .. }) => Some(not_faulted(*game, *ending)),
            (Faulted { game, ending, .. }, Faulted { game: again, ending: ended, .. }) => {
                ((game, ending) != (again, ended)).then(|| {
                    format!(
                        "game {game} ended by {ending}, but when played again game {again} ended by {ended}"
                    )
                })
            }
            (Played { .. }, Faulted { game, ending, reason }) => Some(format!(
                "it is stored without a fault, but when played again game {game} ended by {ending}: {reason}"
            )),
            (Played { scores, efforts, digest }, Played { scores: s, efforts: e, digest: d }) => {
                let in_digest = || {
                    (digest != d)
                        .then(|| format!("the digest of its games is {digest}, and {d} when played again"))
                };
                let mut in_efforts = efforts.iter().zip(e).enumerate();
                self.scores_difference(scores, s).or_else(in_digest).or_else(|| {
                    in_efforts.find_map(|(place, (&one, &other))| self.effort_difference(place, one, other))
                })
            }
        }
    }

    fn scores_difference(&self, stored: &Scores, played: &Scores) -> Option<String> {
        match (stored.each(), played.each()) {
            (Some(stored), Some(played)) => {
                let mut games = stored.iter().zip(played).enumerate();
                games.find_map(|(place, (&one, &other))| self.score_difference(place, one, other))
            }
            _ => (stored != played).then(|| {
                let (one, other) = (stored.mean(), played.mean());
                format!("the mean score of its games is {one}, and {other} when played again")
            }),
        }
    }

    fn score_difference(&self, place: usize, stored: u32, played: u32) -> Option<String> {
        let game = self.row.games.start + place as u64;
        (stored != played)
            .then(|| format!("the score of game {game} is {stored}, and {played} when played again"))
    }

    fn effort_difference(&self, place: usize, stored: Effort, played: Effort) -> Option<String> {
        let whose = match self.has_cost() {
            true => format!("game {}", self.row.games.start + place as u64),
            false => "all games together".to_owned(),
        };
        let text = |what: &str, one: u64, other: u64| {
            (one != other).then(|| format!("{whose} took {one} {what}, and {other} when played again"))
        };
        text("moves", stored.moves, played.moves)
            .or_else(|| text("nodes", stored.nodes, played.nodes).filter(|_| self.has_cost()))
    }
}

fn not_faulted(game: u64, ending: Ending) -> String {
    format!("game {game} ended by {ending}, and without a fault when played again")
}

#[cfg(test)]
mod tests {
    use search::{Origin, Proposal};

    use super::super::fixtures::{fault, played, study};
    use super::*;

    fn difference(objectives: &[Objective], stored: TrialOutcome, again: &TrialOutcome) -> Option<String> {
        let study = study(objectives);
        let point = study.space.point(&[0.5]);
        let proposal = Proposal { point, origin: Origin::Sample, games: 6..8 };
        let row = TrialRow::of(3, 0, proposal, stored);
        let compared = TrialComparison { study: &study, row: &row };
        assert_eq!(compared.name(), "trial 3 (skill=0.5)");
        compared.difference(again)
    }

    #[test]
    fn a_trial_is_the_same_by_scores_digest_moves_and_where_they_count_nodes() {
        let (score, both) = (&[Objective::Score][..], &[Objective::Score, Objective::Cost][..]);
        let stored = || played(&[100, 200], 50, "d");
        assert_eq!(difference(both, stored(), &stored()), None);
        let told = difference(score, stored(), &played(&[100, 204], 50, "e")).unwrap();
        assert_eq!(told, "the score of game 7 is 200, and 204 when played again");
        let told = difference(score, stored(), &played(&[100, 200], 50, "e")).unwrap();
        assert_eq!(told, "the digest of its games is d, and e when played again");
        assert_eq!(difference(score, stored(), &played(&[100, 200], 51, "d")), None, "nodes decide nothing");
        let told = difference(both, stored(), &played(&[100, 200], 51, "d")).unwrap();
        assert_eq!(told, "game 6 took 50 nodes, and 51 when played again");
    }

    #[test]
    fn a_fault_must_come_again_in_the_same_game_by_the_same_ending() {
        let crash = || fault(6, Ending::AgentCrash);
        let objectives = &[Objective::Score];
        assert_eq!(difference(objectives, crash(), &crash()), None);
        let others = [fault(7, Ending::AgentCrash), fault(6, Ending::AgentError), played(&[1, 2], 3, "d")];
        for other in others {
            assert!(
                difference(objectives, crash(), &other).unwrap().starts_with("game 6 ended by agent-crash")
            );
        }
        let told = difference(objectives, played(&[1, 2], 3, "d"), &crash()).unwrap();
        assert!(told.contains("stored without a fault") && told.contains("it broke"), "{told}");
    }
}
