//! A memory for searches: what was found out about a position, so that one that comes up by several ways is
//! searched once.
//!
//! Agents must be repeatable: a decision may depend neither on earlier games nor on what happens to be
//! remembered. So the key has to say all that the remembered value depends on (the position, and in a `tag`
//! the layers still to search, the score where it counts, and so on), and everything is forgotten before a
//! search or a game. Then a memory that is lost costs time, and changes no value.

use crate::board::Grid;

/// A table from positions and tags to `V`, with one place for each hash: where two want the same, the newer
/// one has it.
///
/// ```
/// use engine::Board;
/// use engine::memo::Memo;
///
/// let board: Board = "2 . . . / . . . . / . . . . / . . . 4".parse()?;
/// let mut memo = Memo::new(10);
/// memo.put(*board, 3, 1.5);
/// assert_eq!(memo.get(*board, 3), Some(1.5));
/// memo.forget();
/// assert_eq!(memo.get(*board, 3), None);
/// # Ok::<(), engine::TextError>(())
/// ```
#[derive(Clone)]
pub struct Memo<V> {
    slots: Box<[Slot<V>]>,
    /// Shifts a hash down to the number of a slot.
    shift: u32,
    /// Counts how often everything was forgotten: slots with an earlier count are void.
    era: u32,
}

#[derive(Clone, Copy)]
struct Slot<V> {
    grid: u64,
    tag: u32,
    era: u32,
    value: V,
}

impl<V: Copy + Default> Memo<V> {
    /// A table with `2^bits` slots that remembers nothing yet.
    ///
    /// # Panics
    /// Panics if `bits` is not from 1 to 32.
    pub fn new(bits: u32) -> Self {
        assert!((1..=32).contains(&bits), "a memo has from 2^1 to 2^32 slots");
        let void = Slot { grid: 0, tag: 0, era: 0, value: V::default() };
        Self { slots: vec![void; 1 << bits].into(), shift: 64 - bits, era: 1 }
    }

    /// Forgets everything, at no cost but once in 2^32 times.
    pub fn forget(&mut self) {
        let all = self.slots.len().trailing_zeros();
        self.forget_and_use(all);
    }

    /// Forgets everything, and uses `2^bits` slots from now on, or all there are. A search that will meet few
    /// positions asks for few slots, so that they stay in the processor's near caches.
    pub fn forget_and_use(&mut self, bits: u32) {
        let all = self.slots.len().trailing_zeros();
        if self.era == u32::MAX {
            *self = Self::new(all);
        }
        self.era += 1;
        self.shift = 64 - bits.clamp(1, all);
    }

    /// What is remembered of a position.
    #[inline]
    pub fn get(&self, grid: Grid, tag: u32) -> Option<V> {
        let slot = &self.slots[self.index(grid, tag)];
        (slot.grid == grid.packed() && slot.tag == tag && slot.era == self.era).then_some(slot.value)
    }

    /// Remembers a value.
    #[inline]
    pub fn put(&mut self, grid: Grid, tag: u32, value: V) {
        let index = self.index(grid, tag);
        self.slots[index] = Slot { grid: grid.packed(), tag, era: self.era, value };
    }

    /// Multiplicative hashing: the upper bits of a product depend on all bits of the factor.
    #[inline]
    fn index(&self, grid: Grid, tag: u32) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = grid.packed() ^ grid.packed() >> 31 ^ u64::from(tag);
        (mixed.wrapping_mul(GOLDEN) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn grid(packed: u64) -> Grid {
        *Board::from_packed(packed)
    }

    #[test]
    fn a_value_is_found_under_its_own_key_only_and_until_it_is_forgotten() {
        let mut memo = Memo::new(4);
        assert_eq!(memo.get(grid(0), 0), None, "the empty board is not known from the beginning");
        memo.put(grid(7), 2, 1.5);
        assert_eq!((memo.get(grid(7), 2), memo.get(grid(8), 2)), (Some(1.5), None));
        // With two slots some of these look into the one that was filled.
        memo.forget_and_use(1);
        memo.put(grid(7), 2, 1.5);
        assert!((3..20).all(|tag| memo.get(grid(7), tag).is_none()));
        memo.forget();
        assert_eq!(memo.get(grid(7), 2), None);
    }

    #[test]
    fn the_newer_of_two_in_one_slot_is_kept_and_the_older_is_not_mistaken_for_it() {
        let mut memo = Memo::new(4);
        for number in 0..100_u32 {
            memo.put(grid(number.into()), 2, f64::from(number));
            assert_eq!(memo.get(grid(number.into()), 2), Some(f64::from(number)));
        }
        let kept = (0..100).filter(|&number| memo.get(grid(number), 2).is_some()).count();
        assert!((1..=16).contains(&kept));
    }

    #[test]
    fn nothing_survives_when_the_eras_run_out() {
        let mut memo = Memo::new(4);
        memo.era = 2;
        memo.put(grid(0), 2, 1.5);
        memo.era = u32::MAX;
        memo.forget();
        assert_eq!((memo.era, memo.get(grid(0), 2)), (2, None));
    }
}
