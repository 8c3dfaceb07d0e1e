//! Stored trials, drawn by chance and played again with the agents that are said to have played them.
//!
//! A trial keeps what its games came to and the beginning of their digest. So a whole trial that is played again shows whether its games
//! are the same, move by move; a single game of it, where its score is kept, shows whether it comes to the same one.

use std::ops::Range;

use engine::Rng;
use rayon::prelude::*;
use search::Proposal;
use serde::Serialize;

use super::RunStudyError;
use super::plan::PlannedStudy;
use super::player::{Pieced, Player};
use super::trial_under_way::{FaultyGame, TrialUnderWay};
use crate::recompute::{Count, Sampling, choose, is_by_machine, seed_for};
use manifest::{Objective, Study};
use records::key::Key;
use studies::store;
use studies::{Came, Effort, Scores, TrialRow};
use workers::worker::Launcher;

/// The most trials that one worker plays again before another thread may have it.
const PIECE: usize = 16;
/// How many pieces each thread should get at least, so that all end together.
const PIECES_EACH: usize = 4;

/// What came of playing a study's trials again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecomputedTrials {
    /// How many trials are stored.
    pub stored: u64,
    /// The trials that were played again, whole or one game of each.
    pub trials: Vec<u64>,
    /// The games that were played.
    pub games: u64,
    /// Stored trials that the machine ended, by time or memory: they are not drawn, since another machine may let them go on.
    pub exempt: u64,
    /// In what they differ from what is stored.
    pub differences: Vec<String>,
}

/// Draws stored trials of each study, plays them again and compares: whole, or one game of each where only the beginning of games is asked
/// for and the trial keeps what each game came to, since it does not keep how its games begin. A study whose file cannot be used is left out; checking it tells why.
/// `told` hears of each trial.
///
/// # Errors
/// Where no worker can be started; a worker that goes down is a difference.
pub fn recompute_trials(
    studies: &[&PlannedStudy],
    launcher: &Launcher,
    sample: Sampling,
    told: &(dyn Fn() + Sync),
) -> Result<Vec<(Key, RecomputedTrials)>, RunStudyError> {
    let drawn: Vec<Draw<'_>> = studies.iter().filter_map(|planned| Draw::of(planned, sample)).collect();
    let in_all: usize = drawn.iter().map(|draw| draw.rows.len()).sum();
    let piece = (in_all / (PIECES_EACH * rayon::current_num_threads())).clamp(1, PIECE);
    let pieces: Vec<(usize, &[TrialRow])> = drawn
        .iter()
        .enumerate()
        .flat_map(|(place, draw)| draw.rows.chunks(piece).map(move |rows| (place, rows)))
        .collect();
    let played: Vec<RecomputedTrials> = pieces
        .par_iter()
        .with_max_len(1)
        .map(|&(place, rows)| play_piece(drawn[place].planned, rows, launcher, sample, told))
        .collect::<Result<_, _>>()?;
    let begin = |draw: &Draw<'_>| {
        let (stored, exempt) = (draw.stored, draw.exempt);
        (draw.planned.key.clone(), RecomputedTrials { stored, exempt, ..RecomputedTrials::default() })
    };
    let mut all: Vec<(Key, RecomputedTrials)> = drawn.iter().map(begin).collect();
    for ((place, _), piece) in pieces.into_iter().zip(played) {
        all[place].1.add(piece);
    }
    Ok(all)
}

/// How many trials of a study are drawn, as far as it is known before its file is read.
#[must_use]
pub fn trials_to_play(planned: &PlannedStudy, count: Count) -> u64 {
    let stored = if planned.is_whole() { planned.trials().unwrap_or_default() } else { 0 };
    match count {
        Count::Some(most) => stored.min(most),
        Count::All => stored,
    }
}

/// The trials of a study that were drawn.
struct Draw<'a> {
    planned: &'a PlannedStudy,
    stored: u64,
    exempt: u64,
    rows: Vec<TrialRow>,
}

impl<'a> Draw<'a> {
    fn of(planned: &'a PlannedStudy, sample: Sampling) -> Option<Self> {
        let mut rows = store::read(&planned.path, &planned.study).ok().flatten()?.rows;
        let stored = rows.len() as u64;
        rows.retain(|row| !matches!(row.came, Came::Faulted { ending, .. } if is_by_machine(ending)));
        let exempt = stored - rows.len() as u64;
        if let Count::Some(count) = sample.games {
            let trials: Vec<u64> = rows.iter().map(|row| row.trial).collect();
            let chosen = choose(&trials, count, seed_for(&planned.key, sample.seed));
            rows.retain(|row| chosen.contains(&row.trial));
        }
        Some(Self { planned, stored, exempt, rows })
    }
}

impl RecomputedTrials {
    fn add(&mut self, piece: Self) {
        self.trials.extend(piece.trials);
        self.games += piece.games;
        self.differences.extend(piece.differences);
    }
}

fn play_piece(
    planned: &PlannedStudy,
    rows: &[TrialRow],
    launcher: &Launcher,
    sample: Sampling,
    told: &(dyn Fn() + Sync),
) -> Result<RecomputedTrials, RunStudyError> {
    let mut player = Player::new(planned, launcher);
    let mut again = RecomputedTrials::default();
    for row in rows {
        let games = games_to_play(row, sample.moves.is_some(), seed_for(&planned.key, sample.seed));
        let proposal = Proposal { point: row.point.clone(), origin: row.origin, games: games.clone() };
        let pieced = player.play(row.trial, &proposal, games.clone())?;
        again.trials.push(row.trial);
        again.games += pieced.played.len() as u64 + u64::from(pieced.fault.is_some());
        let compared = Compared { study: &planned.study, row };
        let differences = match games == row.games {
            true => compared.with_trial(pieced),
            false => compared.with_game(games.start, pieced),
        };
        again.differences.extend(differences.into_iter().map(|told| format!("{}: {told}", compared.name())));
        told();
    }
    Ok(again)
}

/// The games of a trial that are played again: one where that is enough and the trial keeps what it came to, or else all.
fn games_to_play(row: &TrialRow, one_is_enough: bool, seed: u64) -> Range<u64> {
    let is_kept = row.scores().is_none_or(|scores| scores.each().is_some());
    if one_is_enough && is_kept { one_game(row, seed) } else { row.games.clone() }
}

/// A game of a trial, drawn by a seed; of a trial that faulted, the game that did.
fn one_game(row: &TrialRow, seed: u64) -> Range<u64> {
    let game = match row.came {
        Came::Faulted { game, .. } => game,
        Came::Played { .. } => {
            let count = u32::try_from(row.games.end - row.games.start).unwrap_or(u32::MAX);
            row.games.start + u64::from(Rng::from_seed(seed ^ row.trial).below(count))
        }
    };
    game..game + 1
}

/// A stored trial, to be compared with what was played.
struct Compared<'a> {
    study: &'a Study,
    row: &'a TrialRow,
}

impl Compared<'_> {
    /// The trial with the parameters that were searched, as in `trial 7 (skill=0.25)`.
    fn name(&self) -> String {
        let params = self.study.params_at(&self.row.point);
        let searched = self.study.space.dimensions().iter().filter_map(|dimension| {
            let value = params.get(&dimension.name)?;
            Some(format!("{}={value}", dimension.name))
        });
        format!("trial {} ({})", self.row.trial, searched.collect::<Vec<_>>().join(" "))
    }

    /// Compares with all of its games.
    fn with_trial(&self, pieced: Pieced) -> Vec<String> {
        let Pieced { played, fault, mut alarms } = pieced;
        let ended = TrialUnderWay::new(self.row.games.clone()).take(played, fault);
        match ended {
            Some(ended) => alarms.extend(self.difference(&ended.kept(self.study))),
            None => alarms.push("not all of its games could be played again".to_owned()),
        }
        alarms
    }

    /// Compares with one of its games.
    fn with_game(&self, game: u64, pieced: Pieced) -> Vec<String> {
        let Pieced { played, fault, mut alarms } = pieced;
        let difference = match (&self.row.came, fault, played.first()) {
            (Came::Faulted { .. }, fault, _) => self.fault_difference(fault.as_ref()),
            (_, Some(fault), _) => Some(faulted(&fault)),
            (Came::Played { scores, efforts, .. }, None, Some(played)) => {
                let place = (game - self.row.games.start) as usize;
                let effort = Effort { moves: played.record.moves.into(), nodes: played.record.nodes };
                let stored = efforts.get(place).filter(|_| self.has_cost());
                let score = scores.each().and_then(|scores| scores.get(place));
                score
                    .and_then(|&score| self.score_difference(place, score, played.record.score))
                    .or_else(|| stored.and_then(|stored| self.effort_difference(place, *stored, effort)))
            }
            (_, None, None) => Some(format!("game {game} could not be played again")),
        };
        alarms.extend(difference);
        alarms
    }

    fn has_cost(&self) -> bool {
        self.study.objectives.contains(&Objective::Cost)
    }

    /// In what a trial is not what is stored. Without the objective of cost nodes decide nothing, and a better search may count fewer.
    fn difference(&self, again: &Came) -> Option<String> {
        let (stored, played) = match (&self.row.came, again) {
            (Came::Faulted { .. }, Came::Played { .. }) => return self.fault_difference(None),
            (Came::Faulted { .. }, Came::Faulted { game, ending, reason }) => {
                let fault = FaultyGame { game: *game, ending: *ending, reason: reason.clone() };
                return self.fault_difference(Some(&fault));
            }
            (Came::Played { .. }, Came::Faulted { game, ending, reason }) => {
                let (game, ending, reason) = (*game, *ending, reason.clone());
                return Some(faulted(&FaultyGame { game, ending, reason }));
            }
            (Came::Played { scores, efforts, digest }, Came::Played { scores: s, efforts: e, digest: d }) => {
                ((scores, efforts, digest), (s, e, d))
            }
        };
        let scores = self.scores_difference(stored.0, played.0);
        let efforts = stored.1.iter().zip(played.1).enumerate();
        let mut efforts =
            efforts.filter_map(|(place, (&one, &other))| self.effort_difference(place, one, other));
        let digest = || {
            let (one, other) = (stored.2, played.2);
            (one != other).then(|| format!("the digest of its games is {one}, and {other} when played again"))
        };
        scores.or_else(digest).or_else(|| efforts.next())
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
        let told = |what: &str, one: u64, other: u64| {
            (one != other).then(|| format!("{whose} took {one} {what}, and {other} when played again"))
        };
        told("moves", stored.moves, played.moves)
            .or_else(|| told("nodes", stored.nodes, played.nodes).filter(|_| self.has_cost()))
    }

    /// In what the fault of a trial is not what is stored. What an agent complains of in words may depend on the machine.
    fn fault_difference(&self, again: Option<&FaultyGame>) -> Option<String> {
        let Came::Faulted { game, ending, .. } = &self.row.came else { return None };
        match again {
            Some(again) if (again.game, again.ending) == (*game, *ending) => None,
            Some(again) => Some(format!(
                "game {game} ended by {ending}, but when played again game {} ended by {}",
                again.game, again.ending
            )),
            None => Some(format!("game {game} ended by {ending}, and without a fault when played again")),
        }
    }
}

/// The fault of a trial that is stored without one.
fn faulted(fault: &FaultyGame) -> String {
    let FaultyGame { game, ending, reason } = fault;
    format!("it is stored without a fault, but when played again game {game} ended by {ending}: {reason}")
}

#[cfg(test)]
mod tests {
    use engine::Ending;
    use search::Origin;

    use super::*;

    const PAPER: &str = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[study]]\nid = \"s\"\nagent = \"a\"\nseed = 1\ngames = 2\n\
        method = { kind = \"sobol\", points = 4, batch = 4 }\nwinners = { best = 1, games = 2, seed = 2048 }\n\
        [study.space]\nskill = { from = 0, to = 1, digits = 2 }\n";

    fn study(objectives: &[Objective]) -> Study {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, PAPER).unwrap();
        let mut study = manifest::load(&file).unwrap().studies.remove(0);
        study.objectives = objectives.to_vec();
        study
    }

    fn played(scores: [u32; 2], nodes: u64, digest: &str) -> Came {
        let efforts = vec![Effort { moves: 10, nodes }; 2];
        Came::Played { scores: Scores::Each(scores.to_vec()), efforts, digest: digest.to_owned() }
    }

    fn fault(game: u64, ending: Ending) -> Came {
        Came::Faulted { game, ending, reason: "it broke".to_owned() }
    }

    fn difference(objectives: &[Objective], stored: Came, again: &Came) -> Option<String> {
        let study = study(objectives);
        let point = study.space.point(&[0.5]);
        let proposal = Proposal { point, origin: Origin::Sample, games: 6..8 };
        let row = TrialRow::of(3, 0, proposal, stored);
        let compared = Compared { study: &study, row: &row };
        assert_eq!(compared.name(), "trial 3 (skill=0.5)");
        compared.difference(again)
    }

    #[test]
    fn a_trial_is_the_same_by_scores_digest_moves_and_where_they_count_nodes() {
        let (score, both) = (&[Objective::Score][..], &[Objective::Score, Objective::Cost][..]);
        let stored = || played([100, 200], 50, "d");
        assert_eq!(difference(both, stored(), &stored()), None);
        let told = difference(score, stored(), &played([100, 204], 50, "e")).unwrap();
        assert_eq!(told, "the score of game 7 is 200, and 204 when played again");
        let told = difference(score, stored(), &played([100, 200], 50, "e")).unwrap();
        assert_eq!(told, "the digest of its games is d, and e when played again");
        assert_eq!(difference(score, stored(), &played([100, 200], 51, "d")), None, "nodes decide nothing");
        let told = difference(both, stored(), &played([100, 200], 51, "d")).unwrap();
        assert_eq!(told, "game 6 took 50 nodes, and 51 when played again");
    }

    #[test]
    fn a_fault_must_come_again_in_the_same_game_by_the_same_ending() {
        let crash = || fault(6, Ending::AgentCrash);
        let objectives = &[Objective::Score];
        assert_eq!(difference(objectives, crash(), &crash()), None);
        let others = [fault(7, Ending::AgentCrash), fault(6, Ending::AgentError), played([1, 2], 3, "d")];
        for other in others {
            assert!(
                difference(objectives, crash(), &other).unwrap().starts_with("game 6 ended by agent-crash")
            );
        }
        let told = difference(objectives, played([1, 2], 3, "d"), &crash()).unwrap();
        assert!(told.contains("stored without a fault") && told.contains("it broke"), "{told}");
    }

    #[test]
    fn the_one_game_of_a_trial_is_drawn_from_its_own_or_is_the_faulty_one() {
        let study = study(&[Objective::Score]);
        let proposal = Proposal { point: study.space.point(&[0.5]), origin: Origin::Sample, games: 6..8 };
        let row = TrialRow::of(3, 0, proposal, played([1, 2], 3, "d"));
        let drawn: std::collections::BTreeSet<u64> = (0..50).map(|seed| one_game(&row, seed).start).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [6, 7]);
        let row = TrialRow { came: fault(7, Ending::AgentCrash), ..row };
        assert_eq!(one_game(&row, 1), 7..8);
    }
}
