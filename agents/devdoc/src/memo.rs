//! What a search remembers of the afterstates it has searched: spawns and slides in another order lead to the
//! same ones.
//!
//! An entry holds the nodes that the printed search, which remembers nothing, needs below the afterstate. So
//! the counts, and with them all that a budget of nodes decides, are those of the printed search; the memory
//! saves time and nothing else.

use engine::Afterstate;

use crate::node_value::NodeValue;

/// All that a value depends on: heuristics may use the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) afterstate: Afterstate,
    pub(crate) score: u32,
    /// The layers that are still searched below.
    pub(crate) depth: u32,
}

impl Key {
    /// Score and depth in one number: no game scores 2^24, and no search is 256 layers deep.
    #[inline]
    fn tag(self) -> u32 {
        debug_assert!(self.score < 1 << 24 && self.depth < 1 << 8);
        self.score << 8 | self.depth
    }
}

/// The table has two to this power places: it stays small enough for a cache near the core.
const BITS: u32 = 13;

/// The memory of a search.
pub(crate) struct Memo(engine::memo::Memo<NodeValue>);

impl Memo {
    pub(crate) fn new() -> Self {
        Self(engine::memo::Memo::new(BITS))
    }

    /// Forgets everything: called before every decision, so that none depends on an earlier one.
    pub(crate) fn forget(&mut self) {
        self.0.forget();
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<NodeValue> {
        self.0.get(*key.afterstate, key.tag())
    }

    #[inline]
    pub(crate) fn put(&mut self, key: Key, searched: NodeValue) {
        self.0.put(*key.afterstate, key.tag(), searched);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_key_counts_and_nothing_outlives_a_decision() {
        let key = Key { afterstate: Afterstate::from_packed(0x1234), score: 8, depth: 3 };
        let searched = NodeValue { value: 1.5, nodes: 7 };
        let mut memo = Memo::new();
        assert_eq!(memo.get(key), None);
        memo.put(key, searched);
        assert_eq!(memo.get(key), Some(searched));
        assert_eq!(memo.get(Key { score: 12, ..key }), None);
        assert_eq!(memo.get(Key { depth: 5, ..key }), None);
        assert_eq!(memo.get(Key { afterstate: Afterstate::from_packed(0x1235), ..key }), None);
        memo.forget();
        assert_eq!(memo.get(key), None);
    }
}
