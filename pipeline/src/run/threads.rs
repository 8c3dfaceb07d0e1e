//! One thread of a run: takes games from the queue, and has its worker play them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::Ending;

use super::task::Task;
use super::{Options, RunError};
use crate::player::{Attempt, Delivery, GamePiece, GamePlayer, PieceSize, Queue, SetupError, alarm};
use workers::{Fault, Spool};

/// The time of a game from which on games go to a spool. Faster ones find the run awake.
const SPOOL_FROM: Duration = Duration::from_micros(500);

/// One thread of a run.
pub(super) struct RunThread<'a> {
    pub(super) number: usize,
    pub(super) tasks: &'a [Task<'a>],
    pub(super) queue: &'a Queue,
    pub(super) options: &'a Options<'a>,
    pub(super) is_broken: &'a AtomicBool,
    pub(super) player: GamePlayer<'a>,
    /// Where the worker stores its games, if they are slow, and the task that they belong to.
    pub(super) spool: Option<(usize, Spool)>,
    pub(super) size: PieceSize,
}

impl RunThread<'_> {
    /// Plays until the queue is empty, the run is stopped, or another thread has failed.
    pub(super) fn play(mut self) -> Result<(), RunError> {
        while !self.is_stopped() && !self.is_broken.load(Ordering::Relaxed) {
            let is_over = |task: usize, _| self.tasks[task].is_given_up();
            let Some(piece) = self.queue.next(&self.size, is_over) else { break };
            self.play_piece(piece)?;
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.options.stop.load(Ordering::Relaxed)
    }

    fn play_piece(&mut self, piece: GamePiece) -> Result<(), RunError> {
        let task = &self.tasks[piece.task];
        let mut games = piece.games;
        let (start, count) = (Instant::now(), games.len());
        while !games.is_empty() && !task.is_given_up() {
            let attempt = self.play_games(piece.task, &games)?;
            games.drain(..attempt.played);
            let Some(&next) = games.first() else { break };
            // A stop may have killed the worker too: the game is left for the next run.
            if self.is_stopped() {
                return Ok(());
            }
            if let Some(fault) = attempt.fault {
                self.play_again(piece.task, next, &fault)?;
                games.remove(0);
            }
        }
        self.size.measure(start.elapsed(), count);
        task.finish_if_complete()
    }

    /// Gets a worker with this task's agent. If there is none, the task is given up.
    fn prepare(&mut self, number: usize) -> Result<bool, RunError> {
        let task = &self.tasks[number];
        if !self.player.has(number as u64) {
            (self.size, self.spool) = (PieceSize::START, None);
        }
        match self.player.prepare(number as u64, &task.setup) {
            Ok(()) => Ok(true),
            Err(SetupError::Start(error)) => Err(error.into()),
            Err(SetupError::Plugin(error) | SetupError::Agent(error)) => {
                task.give_up(&error);
                Ok(false)
            }
        }
    }

    /// Has the worker play games one after the other, and journals them.
    fn play_games(&mut self, number: usize, games: &[u64]) -> Result<Attempt, RunError> {
        if !self.prepare(number)? {
            return Ok(Attempt::default());
        }
        let (task, stop) = (&self.tasks[number], self.options.stop);
        task.start();
        if self.size.game_time >= SPOOL_FROM && self.spool.as_ref().is_none_or(|(of, _)| *of != number) {
            self.spool = task.spool(self.number).map(|spool| (number, spool));
        }
        let spool = self.spool.as_mut().map(|(_, spool)| spool);
        let attempt = self.player.play(&task.setup, games, spool, |game| {
            if game.record.ending.is_fault() && stop.load(Ordering::Relaxed) {
                return Ok(Delivery::Stopped);
            }
            task.keep(&game)?;
            Ok(Delivery::Accepted)
        })?;
        // If a worker lives and could not create its agent again after a game's fault, perhaps another one
        // can.
        if let Some(error) = attempt.error.as_ref().filter(|_| attempt.played == 0 && attempt.fault.is_none())
        {
            task.give_up(error);
        }
        Ok(attempt)
    }

    /// Plays a game again after a fault, and journals it up to where it ends now.
    fn play_again(&mut self, number: usize, game: u64, first: &Fault) -> Result<(), RunError> {
        if !self.prepare(number)? {
            return Ok(());
        }
        let task = &self.tasks[number];
        let second = self.player.play_again(&task.setup, game, first);
        if let Some(alarm) = alarm(game, first, second.fault.as_ref()) {
            task.alarm(alarm);
        }
        match &second.fault {
            Some(fault) if fault.ending == Ending::ResourceLimit && self.options.is_memory_retried => {
                task.run_out_of_memory(game, fault);
                Ok(())
            }
            _ => task.keep(&second.game),
        }
    }
}
