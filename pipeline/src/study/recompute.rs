//! Stored trials, drawn by chance and played again with the agents that are said to have played them.
//!
//! A trial keeps the scores of its games and the beginning of their digest. So a whole trial that is played
//! again shows whether its games are the same, move by move; a single game shows whether it has the same
//! score.

use std::ops::Range;

use engine::Rng;
use search::Proposal;
use serde_json::json;

use super::comparison::TrialComparison;
use super::player::TrialPlayer;
use crate::kinds::RunContext;
use crate::plan::PlannedStudy;
use crate::recompute::{
    Recomputation, RecomputedRow, RecomputedRows, Repeatable, Sample, Sampling, choose, is_by_machine,
    recompute, seed_for,
};
use crate::run::RunError;
use jobs::{Key, StoreError};
use studies::{TrialOutcome, TrialRow, store};
use text::{counted, thousands};
use workers::Launcher;

/// Plays trials of studies again, and reports how far that goes.
pub(crate) fn recompute_studies(
    studies: &[&PlannedStudy],
    context: &RunContext<'_>,
    sampling: Sampling,
) -> Result<Recomputation, RunError> {
    let played = recompute(studies, context.options.launcher, sampling)?;
    let as_json = |(key, again): &(Key, RecomputedRows)| {
        let RecomputedRows { stored, rows, amount, exempt, differences, .. } = again;
        json!([key, {
            "stored": stored, "trials": rows, "games": amount, "exempt": exempt, "differences": differences
        }])
    };
    let again: Vec<&RecomputedRows> = played.iter().map(|(_, again)| again).collect();
    Ok(Recomputation {
        shown: (!again.is_empty()).then(|| trials_shown(&again, sampling.moves.is_none())),
        ..Recomputation::of(&played, [("recomputed", played.iter().map(as_json).collect())])
    })
}

/// How far trials were played again.
fn trials_shown(played: &[&RecomputedRows], is_whole: bool) -> String {
    let sum = |of: fn(&RecomputedRows) -> u64| played.iter().map(|again| of(again)).sum::<u64>();
    let trials = thousands(sum(|again| again.rows.len() as u64) as f64);
    let (games, stored) = (sum(|again| again.amount), counted(sum(|again| again.stored), "stored trial"));
    let each = if is_whole { "" } else { ", one of each trial" };
    let of = counted(played.len() as u64, "study");
    format!("Played {trials} of {stored} of {of} again ({}{each}).", counted(games, "game"))
}

/// Trials are played again whole. If only the beginning of games is asked for, one game of each is enough,
/// provided the trial keeps the score of each game, since it does not keep how its games begin.
impl Repeatable for PlannedStudy {
    type Row = TrialRow;

    /// A study whose file cannot be used is left out; checking it reports why.
    fn draw(&self, sampling: Sampling) -> Result<Option<Sample<TrialRow>>, StoreError> {
        let Ok(Some(study)) = store::read(&self.path, &self.study) else { return Ok(None) };
        let mut rows = study.rows;
        let stored = rows.len() as u64;
        rows.retain(
            |row| !matches!(row.outcome, TrialOutcome::Faulted { ending, .. } if is_by_machine(ending)),
        );
        let exempt = stored - rows.len() as u64;
        let trials: Vec<u64> = rows.iter().map(|row| row.trial).collect();
        let chosen = choose(&trials, &self.key, sampling);
        rows.retain(|row| chosen.contains(&row.trial));
        Ok(Some(Sample { stored, exempt, rows }))
    }

    fn repeat(
        &self,
        rows: &[TrialRow],
        launcher: &Launcher,
        sampling: Sampling,
        mut on_row: impl FnMut(RecomputedRow),
    ) -> Result<(), RunError> {
        let mut player = TrialPlayer::new(self, launcher);
        for row in rows {
            let games = games_to_play(row, sampling.moves.is_some(), seed_for(&self.key, sampling.seed));
            let proposal = Proposal { point: row.point.clone(), origin: row.origin, games: games.clone() };
            let result = player.play(row.trial, &proposal, games.clone())?;
            let compared = TrialComparison { study: &self.study, row };
            let amount = result.played.len() as u64 + u64::from(result.fault.is_some());
            let is_whole = games == row.games;
            let differences = match is_whole {
                true => compared.with_trial(result),
                false => compared.with_game(games.start, result),
            };
            let named = |difference| format!("{}: {difference}", compared.name());
            let differences = differences.into_iter().map(named).collect();
            on_row(RecomputedRow { number: row.trial, is_whole, amount, differences });
        }
        Ok(())
    }
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

    use super::super::fixtures::{fault, played, proposal};
    use super::*;

    #[test]
    fn the_one_game_of_a_trial_is_drawn_from_its_own_or_is_the_faulty_one() {
        let row = TrialRow::of(3, 0, proposal(0.5, 6..8), played(&[1, 2], 3, "d"));
        let drawn: std::collections::BTreeSet<u64> = (0..50).map(|seed| one_game(&row, seed).start).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [6, 7]);
        let row = TrialRow { outcome: fault(7, Ending::AgentCrash), ..row };
        assert_eq!(one_game(&row, 1), 7..8);
    }

    #[test]
    fn the_words_state_how_many_trials_were_played_again() {
        let trials = RecomputedRows { stored: 1200, rows: vec![3, 4], amount: 20, ..Default::default() };
        let words = "Played 2 of 1,200 stored trials of 1 study again (20 games).";
        assert_eq!(trials_shown(&[&trials], true), words);
        assert!(trials_shown(&[&trials], false).ends_with("(20 games, one of each trial)."));
    }
}
