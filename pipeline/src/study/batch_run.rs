//! A batch while it is played: threads take pieces from it, and each trial is journalled with its last game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::batch::{CompleteBatches, TrialBatch};
use super::journal::{FinishedTrial, FinishedTrials, TrialJournal};
use super::player::TrialPlayer;
use super::trial_games::{TrialEnd, TrialGames};
use crate::player::{GamePiece, Queue};
use crate::progress::ProgressLine;
use crate::run::RunError;
use manifest::Study;
use studies::TrialOutcome;

/// A batch while it is played.
pub(super) struct BatchRun<'a> {
    pub(super) study: &'a Study,
    pub(super) batch: &'a TrialBatch,
    pub(super) queue: Queue,
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

impl BatchRun<'_> {
    /// Plays until no piece is left, the study is stopped or given up, or another thread has failed.
    pub(super) fn play(&self, player: &mut TrialPlayer<'_>, stop: &AtomicBool) -> Result<(), RunError> {
        while !stop.load(Ordering::Relaxed) && !self.is_over.load(Ordering::Relaxed) {
            let is_over = |place: usize, game| lock(&self.trials[place]).is_decided_before(game);
            let Some(piece) = self.queue.next(&player.size, is_over) else { break };
            let played = self.play_piece(player, &piece);
            if played.is_err() {
                self.is_over.store(true, Ordering::Relaxed);
            }
            played?;
        }
        Ok(())
    }

    fn play_piece(&self, player: &mut TrialPlayer<'_>, piece: &GamePiece) -> Result<(), RunError> {
        let (place, first, count) = (piece.task, piece.games[0], piece.games.len());
        let trial = self.batch.first_trial + place as u64;
        let start = Instant::now();
        let mut result = player.play(trial, &self.batch.proposals[place], first..first + count as u64)?;
        if result.fault.is_none() {
            player.size.measure(start.elapsed(), count);
        }
        for alarm in std::mem::take(&mut result.alarms) {
            self.line.say(&format!("ALARM: {alarm}"));
            lock(&self.sink).alarms.push(alarm);
        }
        let end = lock(&self.trials[place]).add(self.study, result);
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
