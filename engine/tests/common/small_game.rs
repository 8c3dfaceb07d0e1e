//! Small games, solved: what every board is worth under perfect play, from the ends of the game backwards, on
//! the naive board.

use std::collections::HashMap;

use engine::naive::NaiveBoard;
use engine::{Board, Direction, Rules};

/// The value of an afterstate, by the probability and the value of each board that a spawn makes of it.
pub(crate) type Opponent = fn(&[(f64, f64)]) -> f64;

/// Spawns come by chance.
pub(crate) fn mean(spawned: &[(f64, f64)]) -> f64 {
    spawned.iter().map(|(probability, value)| probability * value).sum()
}

/// A game from some board on, and the values of all boards that can come up.
pub(crate) struct SmallGame<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) opponent: Opponent,
    /// The value of a board after the slide that ends the game.
    pub(crate) ended: &'a dyn Fn(&NaiveBoard) -> f64,
    /// The value of a board without a legal move.
    pub(crate) dead: &'a dyn Fn(&NaiveBoard) -> f64,
    /// A game with more boards than this is not solved.
    pub(crate) most_boards: usize,
    pub(crate) values: HashMap<NaiveBoard, f64>,
}

impl SmallGame<'_> {
    /// The value of each legal move; none if the game is too large.
    pub(crate) fn moves(&mut self, board: Board) -> Option<Vec<(Direction, f64)>> {
        self.moves_of(NaiveBoard::from(*board))
    }

    fn moves_of(&mut self, board: NaiveBoard) -> Option<Vec<(Direction, f64)>> {
        let mut moves = Vec::new();
        for direction in Direction::ALL {
            let Some(slide) = board.slide(direction, self.rules.merging) else { continue };
            let value = if slide.board.is_stopped(self.rules) {
                (self.ended)(&slide.board)
            } else {
                self.spawned(slide.board)?
            };
            moves.push((direction, value));
        }
        Some(moves)
    }

    fn spawned(&mut self, slid: NaiveBoard) -> Option<f64> {
        let empty: Vec<usize> = (0..16).filter(|&cell| slid.0[cell] == 0).collect();
        let four = self.rules.four.probability();
        let mut spawned = Vec::new();
        for &cell in &empty {
            for (rank, odds) in [(1, 1.0 - four), (2, four)] {
                let mut board = slid;
                board.0[cell] = rank;
                spawned.push((odds / empty.len() as f64, self.value(board)?));
            }
        }
        Some((self.opponent)(&spawned))
    }

    fn value(&mut self, board: NaiveBoard) -> Option<f64> {
        if let Some(&value) = self.values.get(&board) {
            return Some(value);
        }
        if self.values.len() > self.most_boards {
            return None;
        }
        let best = self.moves_of(board)?.into_iter().map(|(_, value)| value).reduce(f64::max);
        let value = best.unwrap_or_else(|| (self.dead)(&board));
        self.values.insert(board, value);
        Some(value)
    }
}
