//! Values of positions that were searched before, within one decision.
//!
//! DEVIATION: the report's search visits every node each time it comes by; this changes no value, only the count (D-7).
//!
//! Different orders of moves and spawns lead to the same position. Its value depends on the grid, on how many layers remain to
//! be searched, and on whose turn it is; within one decision the remaining layers say that too, so a key is the grid and their
//! number. Nothing outlives a decision.

use engine::Grid;

/// A table with one place for each hash: a newer position drives an older one out, which costs time and changes no value.
pub struct Memo {
    entries: Box<[Entry]>,
    decision: u64,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    grid: u64,
    /// The decision and the remaining layers; 0 where the entry was never used.
    stamp: u64,
    value: f64,
}

/// How many bits of the hash choose the place.
const BITS: u32 = 14;

impl Memo {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self { entries: vec![Entry::default(); 1 << BITS].into(), decision: 1 }
    }

    /// Forgets all values, by taking them for those of an earlier decision.
    pub fn forget(&mut self) {
        self.decision += 1;
    }

    /// The value of a position, if it is known.
    #[inline]
    #[must_use]
    pub fn get(&self, grid: Grid, remaining: u32) -> Option<f64> {
        let entry = &self.entries[place(grid, remaining)];
        (entry.grid == grid.packed() && entry.stamp == self.stamp(remaining)).then_some(entry.value)
    }

    /// Keeps the value of a position.
    #[inline]
    pub fn put(&mut self, grid: Grid, remaining: u32, value: f64) {
        let stamp = self.stamp(remaining);
        self.entries[place(grid, remaining)] = Entry { grid: grid.packed(), stamp, value };
    }

    #[inline]
    const fn stamp(&self, remaining: u32) -> u64 {
        self.decision << 32 | remaining as u64
    }
}

impl Default for Memo {
    fn default() -> Self {
        Self::new()
    }
}

/// The place of a position: the upper bits of a product with an odd number, in which all bits of the grid have a part.
#[inline]
const fn place(grid: Grid, remaining: u32) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (grid.packed() ^ (remaining as u64).rotate_right(7)).wrapping_mul(GOLDEN);
    (mixed >> (64 - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Board;

    #[test]
    fn a_value_is_found_under_its_own_key_only_and_until_it_is_forgotten() {
        let (one, other) = (Board::from_packed(0x1200), Board::from_packed(0x2100));
        let mut memo = Memo::new();
        memo.put(*one, 3, 1.5);
        assert_eq!(memo.get(*one, 3), Some(1.5));
        assert_eq!([memo.get(*one, 2), memo.get(*one, 5), memo.get(*other, 3)], [None; 3]);
        memo.forget();
        assert_eq!(memo.get(*one, 3), None);
    }

    #[test]
    fn the_empty_board_is_not_known_from_the_beginning() {
        assert_eq!(Memo::new().get(*Board::EMPTY, 0), None);
    }
}
