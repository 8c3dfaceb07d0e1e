//! What a search remembers of the afterstates it has searched: spawns and slides in another order lead to the same ones.
//!
//! An entry holds the nodes that the printed search, which remembers nothing, needs below the afterstate. So the counts, and
//! with them all that a budget of nodes decides, are those of the printed search; the memory saves time and nothing else.

use engine::Afterstate;

use crate::choice::Searched;

/// All that a value depends on: heuristics may use the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) afterstate: Afterstate,
    pub(crate) score: u32,
    /// The layers that are still searched below.
    pub(crate) depth: u32,
}

/// A table with one place per hash: a newer entry takes the place of an older one.
pub(crate) struct Memo {
    entries: Box<[Entry]>,
    /// Entries of earlier decisions bear another number.
    decision: u32,
}

#[derive(Clone, Copy)]
struct Entry {
    decision: u32,
    key: Key,
    searched: Searched,
}

/// The table has two to this power places: it stays small enough for a cache near the core.
const BITS: u32 = 13;

impl Memo {
    pub(crate) fn new() -> Self {
        let key = Key { afterstate: Afterstate::EMPTY, score: 0, depth: 0 };
        let empty = Entry { decision: 0, key, searched: Searched::default() };
        Self { entries: vec![empty; 1 << BITS].into_boxed_slice(), decision: 1 }
    }

    /// Forgets everything: called before every decision, so that none depends on an earlier one.
    pub(crate) fn forget(&mut self) {
        match self.decision.checked_add(1) {
            Some(next) => self.decision = next,
            None => *self = Self::new(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Searched> {
        let entry = &self.entries[place(key)];
        (entry.decision == self.decision && entry.key == key).then_some(entry.searched)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: Key, searched: Searched) {
        self.entries[place(key)] = Entry { decision: self.decision, key, searched };
    }
}

/// A multiplicative hash. The score adds nothing: in one search, the afterstate and the depth nearly always determine it.
#[inline]
fn place(Key { afterstate, depth, .. }: Key) -> usize {
    let mixed = (afterstate.packed() ^ u64::from(depth)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> (64 - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_key_counts_and_nothing_outlives_a_decision() {
        let key = Key { afterstate: Afterstate::from_packed(0x1234), score: 8, depth: 3 };
        let searched = Searched { value: 1.5, nodes: 7 };
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
