//! What each of the three searches has before it begins: all but what it takes the opponent to do.

use engine::Rules;
use engine::agent::Refusal;
use engine::memo::Memo;

use crate::MEMO_BITS;
use crate::heuristic::Heuristics;
use crate::params::{DepthCounts, Params};
use crate::tree::Tree;

/// The tree, the heuristics and the depth that rules and parameters give, and a memory of `V`.
pub(crate) struct Setup<V> {
    pub(crate) tree: Tree,
    pub(crate) heuristics: Heuristics,
    pub(crate) depth_counts: DepthCounts,
    pub(crate) memo: Memo<V>,
}

impl<V: Copy + Default> Setup<V> {
    /// For games under these rules. Parameters that no search can use are refused.
    pub(crate) fn new(rules: &Rules, params: &Params) -> Result<Self, Refusal> {
        params.validate()?;
        Ok(Self {
            tree: Tree::new(rules),
            heuristics: Heuristics::new(params),
            depth_counts: params.depth_counts,
            memo: Memo::new(MEMO_BITS),
        })
    }
}
