//! Section "Speed": the memory of a search, so that an afterstate that comes up by several ways is searched once.
//!
//! What is remembered depends on the afterstate, on the layers still to search below it and, where spawns are drawn, on the
//! seed of the search. The first two are the key. For the third, and so that no game can reach into another, everything is
//! forgotten when a search begins.

use engine::Afterstate;

/// A table from afterstates and layers to `V`. Where two want the same slot, the newer one has it: a memory that was lost
/// costs time, but changes no value.
pub(crate) struct Memo<V> {
    slots: Box<[Slot<V>]>,
    /// Shifts a hash down to the number of a slot.
    shift: u32,
    /// The number of the search; slots of earlier ones are void.
    search: u32,
}

#[derive(Clone, Copy)]
struct Slot<V> {
    afterstate: u64,
    search: u32,
    layers: u32,
    value: V,
}

/// There are two to the power of this many slots.
const MOST_BITS: u32 = 16;

impl<V: Copy + Default> Memo<V> {
    /// A table that remembers nothing yet.
    pub(crate) fn new() -> Self {
        let void = Slot { afterstate: 0, search: 0, layers: 0, value: V::default() };
        Self { slots: vec![void; 1 << MOST_BITS].into(), shift: 64 - MOST_BITS, search: 0 }
    }

    /// Forgets everything, without touching it, except when the numbers of searches run out.
    ///
    /// The search uses `2^bits` slots, or all. A small one that meets few afterstates asks for few, so that they stay in the
    /// processor's near caches.
    pub(crate) fn begin_search(&mut self, bits: u32) {
        if self.search == u32::MAX {
            *self = Self::new();
        }
        self.search += 1;
        self.shift = 64 - bits.min(MOST_BITS);
    }

    /// What was put here in this search.
    #[inline]
    pub(crate) fn get(&self, afterstate: Afterstate, layers: u32) -> Option<V> {
        let slot = &self.slots[self.index(afterstate, layers)];
        let is_it =
            slot.afterstate == afterstate.packed() && slot.layers == layers && slot.search == self.search;
        is_it.then_some(slot.value)
    }

    /// Remembers a value.
    #[inline]
    pub(crate) fn put(&mut self, afterstate: Afterstate, layers: u32, value: V) {
        let index = self.index(afterstate, layers);
        self.slots[index] = Slot { afterstate: afterstate.packed(), search: self.search, layers, value };
    }

    /// Multiplicative hashing: the upper bits of a product depend on all bits of the factor.
    #[inline]
    fn index(&self, afterstate: Afterstate, layers: u32) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = afterstate.packed() ^ afterstate.packed() >> 31 ^ u64::from(layers);
        (mixed.wrapping_mul(GOLDEN) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_has_afterstate_layers_and_search_as_its_key() {
        let mut memo = Memo::new();
        let [one, other] = [7, 8].map(Afterstate::from_packed);
        memo.begin_search(4);
        assert_eq!(memo.get(Afterstate::EMPTY, 0), None);
        memo.put(one, 2, 1.5);
        assert_eq!((memo.get(one, 2), memo.get(other, 2)), (Some(1.5), None));
        // With two slots some of these look into the one that was filled.
        memo.begin_search(1);
        memo.put(one, 2, 1.5);
        assert!((3..20).all(|layers| memo.get(one, layers).is_none()));
        memo.begin_search(1);
        assert_eq!(memo.get(one, 2), None);
    }

    #[test]
    fn the_newer_of_two_in_one_slot_is_kept_and_the_older_is_not_mistaken_for_it() {
        let mut memo = Memo::new();
        memo.begin_search(4);
        for number in 0..100_u32 {
            memo.put(Afterstate::from_packed(number.into()), 2, f64::from(number));
            assert_eq!(memo.get(Afterstate::from_packed(number.into()), 2), Some(f64::from(number)));
        }
        let kept = (0..100).filter(|&number| memo.get(Afterstate::from_packed(number), 2).is_some()).count();
        assert!((1..=16).contains(&kept));
    }

    #[test]
    fn nothing_survives_when_the_numbers_of_searches_run_out() {
        let mut memo = Memo::new();
        memo.begin_search(4);
        memo.put(Afterstate::EMPTY, 2, 1.5);
        memo.search = u32::MAX;
        memo.begin_search(4);
        assert_eq!((memo.search, memo.get(Afterstate::EMPTY, 2)), (1, None));
    }
}
