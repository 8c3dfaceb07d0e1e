//! What a search remembers of the afterstates it has searched: spawns and slides in another order lead to the
//! same ones.
//!
//! An entry holds the nodes that the printed search, which remembers nothing, needs below the afterstate. So
//! the counts, and with them all that a budget of nodes decides, are those of the printed search; the memory
//! saves time and nothing else.

use engine::Afterstate;
use engine::memo::Memo;

use crate::node_value::NodeValue;

/// All that a value depends on: heuristics may use the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemoKey {
    pub(crate) afterstate: Afterstate,
    pub(crate) score: u32,
    /// The layers that are still searched below.
    pub(crate) depth: u32,
}

impl MemoKey {
    /// Score and depth in one number: no game scores 2^24, and no search is 256 layers deep.
    #[inline]
    fn tag(self) -> u32 {
        debug_assert!(self.score < 1 << 24 && self.depth < 1 << 8);
        self.score << 8 | self.depth
    }

    #[inline]
    pub(crate) fn get(self, memo: &Memo<NodeValue>) -> Option<NodeValue> {
        memo.get(*self.afterstate, self.tag())
    }

    #[inline]
    pub(crate) fn put(self, memo: &mut Memo<NodeValue>, searched: NodeValue) {
        memo.put(*self.afterstate, self.tag(), searched);
    }
}

/// The table has two to this power places: it stays small enough for a cache near the core. It is emptied
/// before every decision, so that none depends on an earlier one.
pub(crate) const MEMO_BITS: u32 = 13;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_key_counts_and_nothing_outlives_a_decision() {
        let key = MemoKey { afterstate: Afterstate::from_packed(0x1234), score: 8, depth: 3 };
        let searched = NodeValue { value: 1.5, nodes: 7 };
        let mut memo = Memo::new(MEMO_BITS);
        assert_eq!(key.get(&memo), None);
        key.put(&mut memo, searched);
        assert_eq!(key.get(&memo), Some(searched));
        let afterstate = Afterstate::from_packed(0x1235);
        for other in
            [MemoKey { score: 12, ..key }, MemoKey { depth: 5, ..key }, MemoKey { afterstate, ..key }]
        {
            assert_eq!(other.get(&memo), None, "{other:?}");
        }
        memo.forget();
        assert_eq!(key.get(&memo), None);
    }
}
