//! Arithmetic on whole boards: the sixteen nibbles of a `u64` at once, free of branches and tables, so that
//! the compiler can make the same code serve several boards in one vector.
//!
//! A *mask* is all ones for yes and zero for no.

use crate::board::{ONES, nonzero};
use crate::rules::Odds;

/// The lower three bits of every nibble.
const SEVENS: u64 = 7 * ONES;
/// The highest bit of every nibble.
const EIGHTS: u64 = 8 * ONES;
/// Rows 0 and 2 of a board.
const EVEN_ROWS: u64 = 0x0000_ffff_0000_ffff;

/// The mask of `a < b`, for numbers below 2^63.
#[inline(always)]
const fn less(a: u64, b: u64) -> u64 {
    (a.wrapping_sub(b) as i64 >> 63) as u64
}

/// The mask of `x == 0`, for numbers below 2^63.
#[inline(always)]
pub(super) const fn is_zero(x: u64) -> u64 {
    less(x, 1)
}

/// One of two words, by a mask.
#[inline(always)]
pub(super) const fn select(mask: u64, yes: u64, no: u64) -> u64 {
    no ^ (no ^ yes) & mask
}

/// The rows of a board slid to either end, as the row table gives them: each row slid to the low end, then
/// the same row slid to the high end.
#[derive(Clone, Copy)]
pub(super) struct SlidPairs {
    /// Rows 0 and 2.
    pub(super) even: u64,
    /// Rows 1 and 3.
    pub(super) odd: u64,
}

impl SlidPairs {
    /// The board slid to the low end.
    #[inline(always)]
    pub(super) const fn towards_low(self) -> u64 {
        self.even & EVEN_ROWS | (self.odd & EVEN_ROWS) << 16
    }

    /// The board slid to the high end.
    #[inline(always)]
    pub(super) const fn towards_high(self) -> u64 {
        self.even >> 16 & EVEN_ROWS | self.odd & !EVEN_ROWS
    }
}

/// A direction as two masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// Whether it is up or down.
    pub(super) is_vertical: u64,
    /// Whether it is right or down: towards the high end of a row or column.
    pub(super) is_towards_high: u64,
}

/// The direction that a word chooses among those in which something is [`movable`](crate::board::movable): of
/// `n` legal ones the one with number `((word >> 32) * n) >> 32`.
#[inline(always)]
pub(super) const fn pick([up, right, down, left]: [u64; 4], word: u64) -> Way {
    // A mask is -1 as a number, so that adding it takes an illegal direction from the count.
    let one = is_zero(up).wrapping_add(1);
    let two = one.wrapping_add(is_zero(right)).wrapping_add(1);
    let three = two.wrapping_add(is_zero(down)).wrapping_add(1);
    // The upper bits are zero already; saying so lets vector code multiply 32-bit halves.
    let legal = three.wrapping_add(is_zero(left)).wrapping_add(1) & 7;
    let number = ((word >> 32) * legal) >> 32;
    let (in_one, in_two, in_three) = (less(number, one), less(number, two), less(number, three));
    Way { is_vertical: in_one | in_three & !in_two, is_towards_high: in_three & !in_one }
}

/// The lower half of a spawn's word means a 4 where it is below this.
///
/// [`crate::spawn`] defines a 4 by `(half * d) >> 32 < n` for odds `n/d`. As the half is an integer, that is
/// `half < n * 2^32 / d` rounded up: a comparison instead of a multiplication.
pub(super) const fn four_bound(four: Odds) -> u64 {
    ((four.numerator() as u64) << 32).div_ceil(four.denominator() as u64)
}

/// The tile that a word spawns on an afterstate, as [`crate::spawn`] reads the word. The afterstate has a
/// tile already, as it has after every slide.
#[inline(always)]
pub(super) const fn spawned(afterstate: u64, word: u64, four_bound: u64) -> u64 {
    let empty = !nonzero(afterstate) & EIGHTS;
    // Every nibble counts the empty cells up to its own: 15 at most, as there is a tile. Shifts do what one
    // multiplication by `ONES` would: vectors have no product of 64 bits.
    let count = empty >> 3;
    let count = count + (count << 4);
    let count = count + (count << 8);
    let count = count + (count << 16);
    let count = count + (count << 32);
    let number = ((word >> 32) * (count >> 60)) >> 32;
    let wanted = (number + 1) * (ONES >> 32);
    let cell = !nonzero(count ^ (wanted | wanted << 32)) & empty;
    let is_four = (word & 0xffff_ffff).wrapping_sub(four_bound) >> 63;
    (cell >> 3) << is_four
}

/// Looks for tiles of a rank or a higher one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Added to the lower three bits of a rank, it carries into the fourth where they are enough.
    add: u64,
    /// The mask of whether a tile needs both the carry and its fourth bit, or else either.
    needs_both: u64,
}

impl Watch {
    /// Looks for tiles of this rank, 1 to 15, or a higher one.
    pub(super) const fn new(rank: u8) -> Self {
        let rank = rank as u64;
        if rank <= 8 {
            Self { add: (8 - rank) * ONES, needs_both: 0 }
        } else {
            Self { add: (16 - rank) * ONES, needs_both: !0 }
        }
    }

    /// Not zero, and below 2^63, where the board has such a tile.
    #[inline(always)]
    pub(super) const fn seen(self, x: u64) -> u64 {
        let carry = (x & SEVENS) + self.add;
        (select(self.needs_both, carry & x, carry | x) & EIGHTS) >> 3
    }
}
