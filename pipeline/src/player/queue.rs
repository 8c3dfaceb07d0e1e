//! The queue: the games of all tasks, handed out to threads in pieces. Pieces affect only the time.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a piece should take at least: handing one out and creating its agent take a fraction of that.
const SHORTEST_PIECE: Duration = Duration::from_millis(10);
/// How long it should take at most, so that a run stops soon.
const LONGEST_PIECE: Duration = Duration::from_millis(500);
/// The most games of one piece.
const LARGEST_PIECE: usize = 4096;

/// Games of one task for one thread.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GamePiece {
    /// The task's place in the list.
    pub(crate) task: usize,
    /// The games' numbers.
    pub(crate) games: Vec<u64>,
}

/// The games that are still to be handed out, task by task.
pub(crate) struct Queue {
    threads: usize,
    left: Mutex<GamesLeft>,
}

struct GamesLeft {
    /// Those of each task, the next one last.
    tasks: VecDeque<GamePiece>,
    /// How many they are.
    games: usize,
}

impl Queue {
    pub(crate) fn new(tasks: impl Iterator<Item = (usize, Vec<u64>)>, threads: usize) -> Self {
        let tasks = tasks.map(|(task, mut games)| {
            games.reverse();
            GamePiece { task, games }
        });
        let tasks: VecDeque<GamePiece> = tasks.collect();
        let games = tasks.iter().map(|task| task.games.len()).sum();
        Self { threads, left: Mutex::new(GamesLeft { tasks, games }) }
    }

    /// The next games: of the first task that has any and is not over. Towards the end, a thread gets fewer
    /// than it would like, so that all threads finish together.
    pub(crate) fn next(&self, size: &PieceSize, is_over: impl Fn(usize, u64) -> bool) -> Option<GamePiece> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let GamesLeft { tasks, games } = &mut *left;
        while let Some(first) = tasks.front()
            && first.games.last().is_none_or(|&next| is_over(first.task, next))
        {
            *games -= first.games.len();
            tasks.pop_front();
        }
        let first = tasks.front_mut()?;
        let fair = games.div_ceil(2 * self.threads);
        let count = fair.clamp(size.least, size.most).min(first.games.len());
        let mut piece = first.games.split_off(first.games.len() - count);
        piece.reverse();
        *games -= count;
        Some(GamePiece { task: first.task, games: piece })
    }
}

/// How many games a thread would like, by the speed of its last piece.
pub(crate) struct PieceSize {
    least: usize,
    most: usize,
    /// How long a game of the last piece took.
    pub(crate) game_time: Duration,
}

impl PieceSize {
    /// One game, until it is known how long games take.
    pub(crate) const START: Self = Self { least: 1, most: 1, game_time: Duration::ZERO };

    /// Notes how long a piece took.
    pub(crate) fn measure(&mut self, took: Duration, games: usize) {
        self.game_time = took / u32::try_from(games).unwrap_or(1);
        let fitting = |time: Duration| (time.as_nanos() / self.game_time.as_nanos().max(1)) as usize;
        self.most = fitting(LONGEST_PIECE).clamp(1, LARGEST_PIECE.min(2 * self.most));
        self.least = fitting(SHORTEST_PIECE).clamp(1, self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of games in the pieces of two tasks, which cover every game once.
    fn sizes(threads: usize, least: usize, most: usize) -> Vec<usize> {
        let queue = Queue::new([(0, (0..9).collect()), (2, (5..14).collect())].into_iter(), threads);
        let size = PieceSize { least, most, ..PieceSize::START };
        let pieces: Vec<GamePiece> = std::iter::from_fn(|| queue.next(&size, |_, _| false)).collect();
        for (task, expected) in [(0, 0..9), (2, 5..14)] {
            let of_task = pieces.iter().filter(|piece| piece.task == task);
            assert!(of_task.flat_map(|piece| piece.games.clone()).eq(expected));
        }
        pieces.iter().map(|piece| piece.games.len()).collect()
    }

    #[test]
    fn pieces_cover_every_game_once_and_get_smaller_towards_the_end() {
        assert_eq!(sizes(2, 1, 1), [1; 18], "nobody knows how long they take");
        assert_eq!(sizes(2, 30, 99), [9, 9], "short games: whole tasks");
        assert_eq!(sizes(2, 1, 99), [5, 4, 3, 2, 1, 1, 1, 1]);
        assert_eq!(sizes(2, 2, 3), [3, 3, 3, 3, 2, 2, 2]);
    }

    #[test]
    fn the_games_of_a_task_that_is_over_are_left_out() {
        let queue = Queue::new([(0, vec![1, 2, 3]), (1, vec![7])].into_iter(), 1);
        let next = |is_over: fn(usize, u64) -> bool| queue.next(&PieceSize::START, is_over);
        assert_eq!(next(|_, _| false), Some(GamePiece { task: 0, games: vec![1] }));
        assert_eq!(next(|task, game| task == 0 && game > 1), Some(GamePiece { task: 1, games: vec![7] }));
        assert_eq!(next(|_, _| false), None);
    }

    #[test]
    fn a_piece_takes_about_as_long_as_is_good_and_at_most_twice_the_last_one() {
        let mut size = PieceSize::START;
        let mut measure = |micros, games| {
            size.measure(Duration::from_micros(micros), games);
            (size.least, size.most)
        };
        assert_eq!(measure(1000, 1), (2, 2));
        assert_eq!(measure(2000, 2), (4, 4));
        assert_eq!(measure(400_000, 4), (1, 5));
        assert_eq!(measure(9_000_000, 1), (1, 1));
    }
}
