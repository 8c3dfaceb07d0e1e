//! The threads of a run, and the queue from which they take games.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::Ending;

use super::task::Task;
use super::{Options, RunError};
use crate::player::{Attempt, Delivery, GamePlayer, SetupError, alarm};
use workers::worker::{Fault, Spool};

/// How long a piece of games should take: long enough that handing out costs nothing, short enough to stop
/// soon.
const PIECE_TIME: Duration = Duration::from_millis(500);

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
    /// How many games a piece should have, by the last one's speed.
    pub(super) piece_size: usize,
    /// How long a game of the last piece took.
    pub(super) game_time: Duration,
}

impl RunThread<'_> {
    /// Plays until the queue is empty, the run is stopped, or another thread has failed.
    pub(super) fn play(mut self) -> Result<(), RunError> {
        while !self.is_stopped() && !self.is_broken.load(Ordering::Relaxed) {
            let Some(piece) = self.queue.next(self.piece_size, self.tasks) else { break };
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
            // Whoever stops the run may have killed the worker: the game is left for the next run.
            if self.is_stopped() {
                return Ok(());
            }
            if let Some(fault) = attempt.fault {
                self.play_again(piece.task, next, &fault)?;
                games.remove(0);
            }
        }
        self.game_time = start.elapsed() / u32::try_from(count).unwrap_or(1);
        let fitting = PIECE_TIME.as_nanos() / self.game_time.as_nanos().max(1);
        self.piece_size = usize::try_from(fitting).unwrap_or(1).clamp(1, 2 * self.piece_size);
        task.finish_if_complete()
    }

    /// Gets a worker with this task's agent. If there is none, the task is given up.
    fn prepare(&mut self, number: usize) -> Result<bool, RunError> {
        let task = &self.tasks[number];
        if !self.player.has(number as u64) {
            (self.piece_size, self.spool) = (1, None);
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
        if self.game_time >= SPOOL_FROM && self.spool.as_ref().is_none_or(|(of, _)| *of != number) {
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

/// The most games of one piece.
const LARGEST_PIECE: usize = 4096;

/// Games of one experiment for one thread.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GamePiece {
    /// The task's place in the list.
    pub(super) task: usize,
    /// The games' numbers.
    pub(super) games: Vec<u64>,
}

/// What is still to be handed out, experiment by experiment.
pub(super) struct Queue {
    jobs: usize,
    /// The games that are left of each task, the next one last.
    left: Mutex<VecDeque<GamePiece>>,
}

impl Queue {
    pub(super) fn new(tasks: &[Task<'_>], jobs: usize) -> Self {
        let left = tasks.iter().enumerate().map(|(task, open)| {
            let games = open.missing.iter().rev().copied().collect();
            GamePiece { task, games }
        });
        Self { jobs, left: Mutex::new(left.filter(|left| !left.games.is_empty()).collect()) }
    }

    /// The next games: of the first experiment that has any and is not given up. `size` is how many the
    /// thread would like; towards an experiment's end it gets fewer, so that all threads finish together.
    pub(super) fn next(&self, size: usize, tasks: &[Task<'_>]) -> Option<GamePiece> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |left: &GamePiece| left.games.is_empty() || tasks[left.task].is_given_up();
        while left.front().is_some_and(is_over) {
            left.pop_front();
        }
        let first = left.front_mut()?;
        let fair = first.games.len().div_ceil(2 * self.jobs);
        let size = size.clamp(1, LARGEST_PIECE).min(fair);
        let mut games = first.games.split_off(first.games.len() - size);
        games.reverse();
        Some(GamePiece { task: first.task, games })
    }
}
