//! The players: expectimax over the network, of as many moves of the player's own as are asked for.
//!
//! With one move it is greedy: the reward of a slide and the value of its afterstate. With more, the value of
//! an afterstate is what the best answers to all its spawns are worth, each with its chance. A game that is
//! over is worth nothing more.

use engine::memo::Memo;
use engine::prelude::*;
use tuples::Weights;

/// The memo has 2 to the power of this many slots. More would find more, but not in the processor's near
/// caches.
const MEMO_BITS: u32 = 14;
/// Ranks of a 2 and of a 4.
const SPAWNS: [u8; 2] = [1, 2];

/// A search with the weights of a file.
pub struct NetworkSearch<B> {
    weights: Weights<B>,
    model: Model,
    /// What afterstates are worth, by the moves that are still to be looked ahead. The weights and the odds,
    /// on which it also depends, are the same for as long as there is a search.
    memo: Memo<f64>,
    nodes: u64,
}

impl<B: AsRef<[u8]>> NetworkSearch<B> {
    /// A search for games under these rules.
    pub fn new(weights: Weights<B>, rules: &Rules) -> Self {
        Self { weights, model: Model::new(rules), memo: Memo::new(MEMO_BITS), nodes: 0 }
    }

    /// What each legal move is worth, by this one and this many more of the player's own.
    pub fn move_values(&mut self, board: Board, more: u32) -> MoveValues {
        // What earlier searches found would still be right, but the nodes would then depend on them.
        self.memo.forget();
        let model = self.model;
        model.value_moves(board, Direction::ALL, |_, slide| {
            self.nodes = 0;
            let value = if more == 0 { self.greedy_value(slide) } else { self.slide_value(slide, more) };
            (value, self.nodes)
        })
    }

    /// The reward of a slide and the value of its afterstate. No afterstate comes up twice here, so none is
    /// looked up in the memo.
    #[inline]
    fn greedy_value(&mut self, slide: &Slide) -> f64 {
        self.nodes += 1;
        f64::from(slide.reward) + if slide.makes_cap { 0.0 } else { self.weights.value(*slide.afterstate) }
    }

    /// The reward of a slide, and what comes after it.
    #[inline]
    fn slide_value(&mut self, slide: &Slide, more: u32) -> f64 {
        let later = if slide.makes_cap { 0.0 } else { self.afterstate_value(slide.afterstate, more) };
        f64::from(slide.reward) + later
    }

    fn afterstate_value(&mut self, afterstate: Afterstate, more: u32) -> f64 {
        if let Some(value) = self.memo.get(*afterstate, more) {
            return value;
        }
        self.nodes += 1;
        let value = match more.checked_sub(1) {
            None => self.weights.value(*afterstate),
            Some(more) => self.expected_value(afterstate, more),
        };
        self.memo.put(*afterstate, more, value);
        value
    }

    /// The mean over all spawns of the best answer's value. Chances are integers until the end, so that only
    /// one quotient is rounded.
    fn expected_value(&mut self, afterstate: Afterstate, more: u32) -> f64 {
        let four = self.model.four;
        let chances = [four.denominator() - four.numerator(), four.numerator()];
        let mut sum = 0.0;
        for cell in afterstate.empty_cells() {
            for (rank, chance) in SPAWNS.into_iter().zip(chances) {
                if chance > 0 {
                    sum += f64::from(chance) * self.best_value(afterstate.with_spawn(cell, rank), more);
                }
            }
        }
        sum / (f64::from(afterstate.empty_count()) * f64::from(four.denominator()))
    }

    /// What the best move is worth; nothing where there is none.
    fn best_value(&mut self, board: Board, more: u32) -> f64 {
        let legal = self.model.moves(board, Direction::ALL);
        legal.map(|(_, slide)| self.slide_value(&slide, more)).reduce(f64::max).unwrap_or(0.0)
    }
}
