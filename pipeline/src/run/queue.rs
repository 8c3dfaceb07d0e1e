//! The queue: all games of all experiments, handed out in pieces.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::task::Task;

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
