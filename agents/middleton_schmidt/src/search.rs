//! The search of expectimax and of minimax with random placement: a tree without pruning, as the paper says
//! that its own was. The two differ in the opponent's layer alone.

use engine::memo::Memo;
use engine::prelude::*;

use crate::heuristic::Heuristic;
use crate::tree::{MOVE_ORDER, best_leaf, leaf_board};

/// Who places the tiles in the tree.
pub(crate) trait Opponent: Copy {
    /// How many bits of the memory's slots a search of so many layers uses.
    fn memo_bits(layers: u32) -> u32;

    /// The value of an afterstate with so many layers to go, the opponent's included.
    fn answer<H: Heuristic>(
        self,
        search: &mut Search<'_, H, Self>,
        afterstate: Afterstate,
        layers: u32,
    ) -> f64;
}

/// One search.
pub(crate) struct Search<'a, H, O> {
    pub(crate) tree: Model,
    pub(crate) heuristic: &'a H,
    pub(crate) memo: &'a mut Memo<f64>,
    pub(crate) opponent: O,
    pub(crate) nodes: u64,
}

impl<H: Heuristic, O: Opponent> Search<'_, H, O> {
    pub(crate) fn value_moves(&mut self, board: Board, layers: u32) -> MoveValues {
        self.memo.forget_and_use(O::memo_bits(layers));
        let tree = self.tree;
        tree.value_moves(board, MOVE_ORDER, |_, slide| {
            let before = self.nodes;
            (self.after_move(slide, layers - 1), self.nodes - before)
        })
    }

    /// The value of a move with so many layers below it.
    fn after_move(&mut self, slide: &Slide, layers: u32) -> f64 {
        let afterstate = slide.afterstate;
        if layers == 0 || self.tree.ends_game(slide) {
            return self.heuristic.value(*afterstate);
        }
        if let Some(value) = self.memo.get(*afterstate, layers) {
            return value;
        }
        self.nodes += 1;
        let value = self.opponent.answer(self, afterstate, layers);
        self.memo.put(*afterstate, layers, value);
        value
    }

    /// The player's layer: the best move.
    pub(crate) fn player(&mut self, board: Board, layers: u32) -> f64 {
        match layers {
            0 => return leaf_board(self.heuristic, board),
            1 => {
                self.nodes += 1;
                return best_leaf(self.tree.slides, self.heuristic, board, f64::INFINITY);
            }
            _ => self.nodes += 1,
        }
        let tree = self.tree;
        let moves = tree.moves(board, MOVE_ORDER);
        let best = moves.map(|(_, slide)| self.after_move(&slide, layers - 1)).reduce(f64::max);
        best.unwrap_or_else(|| self.heuristic.lost(*board))
    }
}
