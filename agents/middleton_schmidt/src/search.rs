//! What each of the three searches has before it begins, and the search of expectimax and of minimax with
//! random placement: a tree without pruning, as the paper says that its own was. The two differ in the
//! opponent's layer alone.

use engine::memo::Memo;
use engine::prelude::*;

use crate::MEMO_BITS;
use crate::heuristic::{Heuristic, Heuristics, with_heuristic};
use crate::params::{DepthCounts, Params};
use crate::tree::{MOVE_ORDER, best_leaf, decide, leaf_board};

/// The tree, the heuristics and the depth that rules and parameters give, and a memory of `V`.
pub(crate) struct Setup<V> {
    pub(crate) tree: Model,
    pub(crate) heuristics: Heuristics,
    pub(crate) depth_counts: DepthCounts,
    pub(crate) memo: Memo<V>,
}

impl<V: Copy + Default> Setup<V> {
    /// For games under these rules. Parameters that no search can use are refused.
    pub(crate) fn new(rules: &Rules, params: &Params) -> Result<Self, Refusal> {
        params.validate()?;
        Ok(Self {
            tree: Model::new(rules),
            heuristics: Heuristics::new(params),
            depth_counts: params.depth_counts,
            memo: Memo::new(MEMO_BITS),
        })
    }
}

impl Setup<f64> {
    /// Searches against an opponent, and decides for the best move.
    pub(crate) fn choose_move(
        &mut self,
        position: &Position,
        opponent: impl Opponent,
    ) -> Result<Decision, Failure> {
        let layers = self.depth_counts.layers(position.budget)?;
        let Self { tree, heuristics, memo, .. } = self;
        let values = with_heuristic!(heuristics, heuristic => {
            let mut search = TreeSearch { tree: *tree, heuristic: &*heuristic, memo, opponent, nodes: 0 };
            search.value_moves(position.board, layers)
        });
        decide(&values, layers, position.budget)
    }
}

/// Who places the tiles in the tree.
pub(crate) trait Opponent: Copy {
    /// How many bits of the memory's slots a search of this many layers uses.
    fn memo_bits(layers: u32) -> u32;

    /// The value of an afterstate with this many layers to go, the opponent's included.
    fn answer<H: Heuristic>(
        self,
        search: &mut TreeSearch<'_, H, Self>,
        afterstate: Afterstate,
        layers: u32,
    ) -> f64;
}

/// One search.
pub(crate) struct TreeSearch<'a, H, O> {
    pub(crate) tree: Model,
    pub(crate) heuristic: &'a H,
    pub(crate) memo: &'a mut Memo<f64>,
    pub(crate) opponent: O,
    pub(crate) nodes: u64,
}

impl<H: Heuristic, O: Opponent> TreeSearch<'_, H, O> {
    pub(crate) fn value_moves(&mut self, board: Board, layers: u32) -> MoveValues {
        self.memo.forget_and_use(O::memo_bits(layers));
        let tree = self.tree;
        tree.value_moves(board, MOVE_ORDER, |_, slide| {
            let before = self.nodes;
            (self.after_move(slide, layers - 1), self.nodes - before)
        })
    }

    /// The value of a move with this many layers below it.
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
