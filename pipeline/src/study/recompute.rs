//! Stored trials, drawn by chance and played again with the agents that are said to have played them.
//!
//! A trial keeps what its games came to and the beginning of their digest. So a whole trial that is played
//! again shows whether its games are the same, move by move; a single game of it, where its score is kept,
//! shows whether it comes to the same one.

use std::ops::Range;

use engine::Rng;
use rayon::prelude::*;
use search::Proposal;
use serde::Serialize;
use serde_json::json;

use super::comparison::TrialComparison;
use super::player::TrialPlayer;
use crate::context::bar;
use crate::plan::PlannedStudy;
use crate::recompute::{Count, Recomputation, Sampling, choose, differences, is_by_machine, seed_for};
use crate::run::RunError;
use jobs::Key;
use studies::store;
use studies::{TrialOutcome, TrialRow};
use text::{counted, thousands};
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
    /// Stored trials that the machine ended, by time or memory: they are not drawn, since another machine may
    /// let them go on.
    pub exempt: u64,
    /// In what they differ from what is stored.
    pub differences: Vec<String>,
}

/// Draws stored trials of each study, plays them again and compares: whole, or one game of each where only
/// the beginning of games is asked for and the trial keeps what each game came to, since it does not keep how
/// its games begin. A study whose file cannot be used is left out; checking it tells why. `on_row` is called
/// after each trial.
///
/// # Errors
/// Where no worker can be started; a worker that goes down is a difference.
pub fn recompute_trials(
    studies: &[&PlannedStudy],
    launcher: &Launcher,
    sample: Sampling,
    on_row: &(dyn Fn() + Sync),
) -> Result<Vec<(Key, RecomputedTrials)>, RunError> {
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
        .map(|&(place, rows)| play_piece(drawn[place].planned, rows, launcher, sample, on_row))
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

/// Plays trials of studies again, and reports how far that goes.
pub(crate) fn recompute_studies(
    studies: &[&PlannedStudy],
    launcher: &Launcher,
    sample: Sampling,
) -> Result<Recomputation, RunError> {
    let trials = studies.iter().map(|planned| trials_to_play(planned, sample.games)).sum();
    let bar = bar(trials, "playing trials again");
    let played = recompute_trials(studies, launcher, sample, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let again: Vec<&RecomputedTrials> = played.iter().map(|(_, again)| again).collect();
    Ok(Recomputation {
        differences: differences(&played, |again| &again.differences),
        exempt: again.iter().map(|again| again.exempt).sum(),
        shown: (!again.is_empty()).then(|| trials_shown(&again, sample.moves.is_none())),
        ..Recomputation::with_fields([("recomputed", json!(played))])
    })
}

/// How far trials were played again.
fn trials_shown(played: &[&RecomputedTrials], is_whole: bool) -> String {
    let sum = |of: fn(&RecomputedTrials) -> u64| played.iter().map(|again| of(again)).sum::<u64>();
    let trials = thousands(sum(|again| again.trials.len() as u64) as f64);
    let (games, stored) = (sum(|again| again.games), counted(sum(|again| again.stored), "stored trial"));
    let each = if is_whole { "" } else { ", one of each trial" };
    let of = counted(played.len() as u64, "study");
    format!("Played {trials} of {stored} of {of} again ({}{each}).", counted(games, "game"))
}

/// How many trials of a study are drawn, as far as it is known before its file is read.
fn trials_to_play(planned: &PlannedStudy, count: Count) -> u64 {
    let stored = if planned.status.is_complete() { planned.trials().unwrap_or_default() } else { 0 };
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
        rows.retain(
            |row| !matches!(row.outcome, TrialOutcome::Faulted { ending, .. } if is_by_machine(ending)),
        );
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
    on_row: &(dyn Fn() + Sync),
) -> Result<RecomputedTrials, RunError> {
    let mut player = TrialPlayer::new(planned, launcher);
    let mut again = RecomputedTrials::default();
    for row in rows {
        let games = games_to_play(row, sample.moves.is_some(), seed_for(&planned.key, sample.seed));
        let proposal = Proposal { point: row.point.clone(), origin: row.origin, games: games.clone() };
        let result = player.play(row.trial, &proposal, games.clone())?;
        again.trials.push(row.trial);
        again.games += result.played.len() as u64 + u64::from(result.fault.is_some());
        let compared = TrialComparison { study: &planned.study, row };
        let differences = match games == row.games {
            true => compared.with_trial(result),
            false => compared.with_game(games.start, result),
        };
        again.differences.extend(differences.into_iter().map(|told| format!("{}: {told}", compared.name())));
        on_row();
    }
    Ok(again)
}

/// The games of a trial that are played again: one where that is enough and the trial keeps what it came to,
/// or else all.
fn games_to_play(row: &TrialRow, one_is_enough: bool, seed: u64) -> Range<u64> {
    let is_kept = row.scores().is_none_or(|scores| scores.each().is_some());
    if one_is_enough && is_kept { one_game(row, seed) } else { row.games.clone() }
}

/// A game of a trial, drawn by a seed; of a trial that faulted, the game that did.
fn one_game(row: &TrialRow, seed: u64) -> Range<u64> {
    let game = match row.outcome {
        TrialOutcome::Faulted { game, .. } => game,
        TrialOutcome::Played { .. } => {
            let count = u32::try_from(row.games.end - row.games.start).unwrap_or(u32::MAX);
            row.games.start + u64::from(Rng::from_seed(seed ^ row.trial).below(count))
        }
    };
    game..game + 1
}

#[cfg(test)]
mod tests {
    use engine::Ending;
    use manifest::Objective;
    use search::Origin;

    use super::super::comparison::tests::{fault, played, study};
    use super::*;

    #[test]
    fn the_one_game_of_a_trial_is_drawn_from_its_own_or_is_the_faulty_one() {
        let study = study(&[Objective::Score]);
        let proposal = Proposal { point: study.space.point(&[0.5]), origin: Origin::Sample, games: 6..8 };
        let row = TrialRow::of(3, 0, proposal, played([1, 2], 3, "d"));
        let drawn: std::collections::BTreeSet<u64> = (0..50).map(|seed| one_game(&row, seed).start).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [6, 7]);
        let row = TrialRow { outcome: fault(7, Ending::AgentCrash), ..row };
        assert_eq!(one_game(&row, 1), 7..8);
    }

    #[test]
    fn the_words_state_how_many_trials_were_played_again() {
        let trials = RecomputedTrials { stored: 1200, trials: vec![3, 4], games: 20, ..Default::default() };
        let words = "Played 2 of 1,200 stored trials of 1 study again (20 games).";
        assert_eq!(trials_shown(&[&trials], true), words);
        assert!(trials_shown(&[&trials], false).ends_with("(20 games, one of each trial)."));
    }
}
