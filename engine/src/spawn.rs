//! Spawns: the tile that comes after a slide, and the board that a game begins on. Frozen with
//! [`crate::seed`].

use crate::board::{Afterstate, Board, ONES, nonzero};
use crate::rules::{Odds, Rules, Scatter, Start};
use crate::seed::{Rng, scale};

/// The rank of the usual spawned tile, a 2.
const TWO: u8 = 1;
/// The rank of the rarer spawned tile, a 4.
const FOUR: u8 = 2;

/// Puts a new tile on a board that has an empty cell. One draw decides both its cell and its rank.
#[inline]
pub fn spawn(afterstate: Afterstate, four: Odds, rng: &mut Rng) -> Board {
    Spawn::draw(afterstate.empty_count(), four, rng).on(afterstate)
}

/// One of the tiles that can come after a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// Which of the empty cells it takes, counted from 0, row by row.
    pub nth: u32,
    /// Whether it is a 4.
    pub is_four: bool,
}

impl Spawn {
    /// Draws one for a board with this many empty cells.
    #[inline]
    pub fn draw(empty_cells: u32, four: Odds, rng: &mut Rng) -> Self {
        debug_assert!(empty_cells > 0, "after a slide there is an empty cell");
        Self::read(empty_cells, four, rng.next_u64())
    }

    /// Reads a spawn out of 64 random bits: the upper half picks the cell, the lower half the rank.
    #[inline]
    const fn read(empty_cells: u32, four: Odds, bits: u64) -> Self {
        Self {
            nth: scale((bits >> 32) as u32, empty_cells),
            is_four: scale(bits as u32, four.denominator()) < four.numerator(),
        }
    }

    /// Its number among the `2 * n` that can come to `n` empty cells: cell by cell, the 2 before the 4.
    #[inline]
    pub const fn number(self) -> usize {
        2 * self.nth as usize + self.is_four as usize
    }

    /// The board that it makes.
    #[inline]
    pub fn on(self, afterstate: Afterstate) -> Board {
        let cell = nth_cell(afterstate.empty_mask(), self.nth);
        afterstate.with_spawn(cell, if self.is_four { FOUR } else { TWO })
    }
}

/// The cell of the `nth` set bit, counted from 0, of a mask with one bit per cell. How far a loop over the
/// bits would go cannot be foreseen, so this has none.
#[inline]
const fn nth_cell(mask: u64, nth: u32) -> usize {
    // Every nibble counts the bits up to its own, modulo 16: only the last can come to 16, and then alone has
    // the zero.
    let counts = mask.wrapping_mul(ONES);
    let wanted = ((nth as u64 + 1) & 15) * ONES;
    let found = !nonzero(counts ^ wanted) >> 3 & mask;
    found.trailing_zeros() as usize / 4
}

/// The board that a game begins on.
pub fn start(rules: &Rules, rng: &mut Rng) -> Board {
    match &rules.start {
        Start::TwoTiles => {
            let one_tile = spawn(Afterstate::EMPTY, rules.four, rng);
            spawn(Afterstate::from_packed(one_tile.packed()), rules.four, rng)
        }
        Start::Scatter(odds) => scatter(*odds, rng),
        Start::Board(board) => *board,
    }
}

/// Fills every cell by itself, row by row, one draw each.
fn scatter(odds: Scatter, rng: &mut Rng) -> Board {
    let packed = (0..16).fold(0, |packed, cell| {
        let rank = pick(odds.weights(), rng.below(odds.total()));
        packed | rank << (4 * cell)
    });
    Board::from_packed(packed)
}

/// The index of the weight into which `drawn`, a number below their sum, falls.
fn pick(weights: [u32; 4], mut drawn: u32) -> u64 {
    let mut index = 0;
    for weight in weights {
        if drawn < weight {
            break;
        }
        drawn -= weight;
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_a_draw_pick_cell_and_rank() {
        let afterstate: Afterstate = "2 . 2 2 / 2 2 . 2 / 2 2 2 2 / . 2 2 .".parse().unwrap();
        let read = |bits| Spawn::read(afterstate.empty_count(), Odds::default(), bits);
        let board = |bits| read(bits).on(afterstate);
        assert_eq!(board(0), afterstate.with_spawn(1, FOUR));
        assert_eq!(board(u64::MAX), afterstate.with_spawn(15, TWO));
        assert_eq!(board(0x4000_0000_1999_9999), afterstate.with_spawn(6, FOUR));
        assert_eq!(board(0x3fff_ffff_1999_999a), afterstate.with_spawn(1, TWO));
        assert_eq!([0, 0x4000_0000_1999_9999, u64::MAX].map(|bits| read(bits).number()), [1, 3, 6]);
    }

    #[test]
    fn the_nth_cell_is_found_in_every_mask() {
        for cells in 0..=u16::MAX {
            let mask = (0..16).map(|cell| u64::from(cells >> cell & 1) << (4 * cell)).sum();
            let set = (0..16).filter(|cell| cells >> cell & 1 == 1);
            assert!(set.zip(0..).all(|(cell, nth)| nth_cell(mask, nth) == cell), "{cells:016b}");
        }
    }

    #[test]
    fn certain_and_impossible_fours() {
        let mut rng = Rng::from_seed(1);
        let rank =
            |odds: &str, rng: &mut Rng| spawn(Afterstate::EMPTY, odds.parse().unwrap(), rng).max_rank();
        assert!((0..1000).all(|_| rank("1/1", &mut rng) == FOUR));
        assert!((0..1000).all(|_| rank("0/1", &mut rng) == TWO));
    }

    #[test]
    fn weights_split_the_range_in_order() {
        let picked: Vec<u64> = (0..7).map(|drawn| pick([3, 1, 0, 3], drawn)).collect();
        assert_eq!(picked, [0, 0, 0, 1, 3, 3, 3]);
    }
}
