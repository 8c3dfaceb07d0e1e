//! A batch while it is played: threads take pieces from it, and each trial is journalled with its last game.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::batch::{CompleteBatches, TrialBatch, TrialPiece};
use super::journal::{FinishedTrial, FinishedTrials, TrialJournal};
use super::player::TrialPlayer;
use super::trial_games::{TrialEnd, TrialGames};
use crate::progress::ProgressLine;
use crate::run::RunError;
use manifest::Study;
use studies::TrialOutcome;

/// A batch while it is played.
pub(super) struct BatchRun<'a> {
    pub(super) study: &'a Study,
    pub(super) batch: &'a TrialBatch,
    pub(super) pieces: Mutex<VecDeque<TrialPiece>>,
    /// By their places in the batch.
    pub(super) trials: Vec<Mutex<TrialGames>>,
    pub(super) sink: Mutex<TrialSink<'a>>,
    pub(super) is_over: AtomicBool,
    pub(super) line: &'a ProgressLine,
}

/// Where finished trials go.
pub(super) struct TrialSink<'a> {
    pub(super) journal: &'a mut TrialJournal,
    pub(super) journalled: &'a mut FinishedTrials,
    pub(super) alarms: &'a mut Vec<String>,
    pub(super) complete: &'a CompleteBatches,
}

/// How long a game takes, measured by all threads.
#[derive(Default)]
pub(super) struct GameTime(AtomicU64);

impl GameTime {
    pub(super) fn get(&self) -> Option<Duration> {
        let ns = self.0.load(Ordering::Relaxed);
        (ns > 0).then(|| Duration::from_nanos(ns))
    }

    /// Adds the time of some games. Trials differ, so it is a mean over some pieces.
    fn add(&self, took: Duration, games: u64) {
        let new = took.as_nanos() as u64 / games.max(1);
        let mean = self.get().map_or(new, |known| (known.as_nanos() as u64 * 3 + new) / 4);
        self.0.store(mean.max(1), Ordering::Relaxed);
    }
}

impl BatchRun<'_> {
    /// Plays until no piece is left, the study is stopped or given up, or another thread has failed.
    pub(super) fn play(
        &self,
        player: &mut TrialPlayer<'_>,
        game_time: &GameTime,
        stop: &AtomicBool,
    ) -> Result<(), RunError> {
        while !stop.load(Ordering::Relaxed) && !self.is_over.load(Ordering::Relaxed) {
            let Some(piece) = lock(&self.pieces).pop_front() else { break };
            let played = self.play_piece(player, &piece, game_time);
            if played.is_err() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            played?;
        }
        Ok(())
    }

    fn play_piece(
        &self,
        player: &mut TrialPlayer<'_>,
        piece: &TrialPiece,
        game_time: &GameTime,
    ) -> Result<(), RunError> {
        let games = &self.trials[piece.place];
        if lock(games).is_decided_before(&piece.games) {
            return Ok(());
        }
        let trial = self.batch.first_trial + piece.place as u64;
        let start = Instant::now();
        let mut result = player.play(trial, &self.batch.proposals[piece.place], piece.games.clone())?;
        if result.fault.is_none() {
            game_time.add(start.elapsed(), piece.games.end - piece.games.start);
        }
        for alarm in std::mem::take(&mut result.alarms) {
            self.line.say(&format!("ALARM: {alarm}"));
            lock(&self.sink).alarms.push(alarm);
        }
        let end = lock(games).add(self.study, result);
        end.map_or(Ok(()), |end| self.keep(trial, end))
    }

    /// Journals a trial, and stops the study if too many have faulted.
    fn keep(&self, trial: u64, TrialEnd { outcome, cpu_ns, wall_ns }: TrialEnd) -> Result<(), RunError> {
        let is_faulty = matches!(outcome, TrialOutcome::Faulted { .. });
        if let TrialOutcome::Faulted { game, ending, reason } = &outcome {
            self.line.say(&format!("trial {trial}: game {game} ended by {ending}: {reason}"));
        }
        let finished = FinishedTrial::of(trial, self.batch.proposal(trial), outcome, cpu_ns, wall_ns);
        let mut sink = lock(&self.sink);
        sink.journal.append(&finished)?;
        sink.journalled.insert(trial, finished);
        if is_faulty && self.batch.has_too_many_faults(self.study, sink.complete, sink.journalled) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        drop(sink);
        self.line.rows(1);
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_game_follows_what_games_take() {
        let time = GameTime::default();
        assert_eq!(time.get(), None);
        time.add(Duration::from_millis(40), 10);
        assert_eq!(time.get(), Some(Duration::from_millis(4)));
        time.add(Duration::from_millis(8), 1);
        assert_eq!(time.get(), Some(Duration::from_millis(5)));
    }
}
