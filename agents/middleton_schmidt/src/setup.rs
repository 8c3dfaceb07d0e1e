//! What each of the three searches has before it begins: all but what it takes the opponent to do.

use engine::memo::Memo;
use engine::prelude::*;

use crate::MEMO_BITS;
use crate::heuristic::{Heuristics, with_heuristic};
use crate::params::{DepthCounts, Params};
use crate::search::{Opponent, Search};
use crate::tree::decide;

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
            let mut search = Search { tree: *tree, heuristic: &*heuristic, memo, opponent, nodes: 0 };
            search.value_moves(position.board, layers)
        });
        decide(&values, layers, position.budget)
    }
}
