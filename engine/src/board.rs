//! The packed board: sixteen ranks in 64 bits.
//!
//! Cell `i`, counted row by row from the top left, is the nibble at bit `4 * i`; row `r` is the `u16` at bit
//! `16 * r`, its leftmost cell in the low nibble. A [`Board`] awaits a move, an [`Afterstate`] awaits a
//! spawn; both read their cells through [`Grid`], so that neither can be passed where the other is meant.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::direction::Directions;
use crate::text::{self, TextError};

/// The number of cells of a board.
pub const CELLS: usize = 16;
/// The largest rank that the packed form holds: tile 32768.
pub const MAX_PACKED_RANK: u8 = 15;
/// The rank whose making ends every game: tile 65536.
pub const CAP_RANK: u8 = 16;

/// The lowest bit of every nibble.
pub(crate) const ONES: u64 = 0x1111_1111_1111_1111;

/// The value of the tile with this rank; an empty cell (rank 0) is worth 0.
pub const fn tile(rank: u8) -> u32 {
    if rank == 0 { 0 } else { 1 << rank }
}

/// The rank of a tile's value, if it is a power of two from 2 to 65536.
pub const fn rank_of_tile(tile: u32) -> Option<u8> {
    if tile.is_power_of_two() && tile >= 2 && tile <= 1 << CAP_RANK {
        Some(tile.trailing_zeros() as u8)
    } else {
        None
    }
}

/// The four ranks of a packed row, leftmost first.
pub const fn unpack_row(row: u16) -> [u8; 4] {
    [(row & 15) as u8, (row >> 4 & 15) as u8, (row >> 8 & 15) as u8, (row >> 12) as u8]
}

/// The packed form of a row; every rank must be at most [`MAX_PACKED_RANK`].
pub const fn pack_row(ranks: [u8; 4]) -> u16 {
    ranks[0] as u16 | (ranks[1] as u16) << 4 | (ranks[2] as u16) << 8 | (ranks[3] as u16) << 12
}

/// Sixteen packed ranks: what boards and afterstates have in common.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grid(u64);

impl Grid {
    /// The packed form itself.
    pub const fn packed(self) -> u64 {
        self.0
    }

    /// The rank in a cell, 0 where it is empty.
    pub const fn rank(self, cell: usize) -> u8 {
        assert!(cell < CELLS, "a board has cells 0 to 15");
        (self.0 >> (4 * cell) & 15) as u8
    }

    /// All ranks, row by row.
    pub fn ranks(self) -> [u8; CELLS] {
        let first_half = u128::from(spread(self.0 as u32));
        let second_half = u128::from(spread((self.0 >> 32) as u32));
        (first_half | second_half << 64).to_le_bytes()
    }

    /// The packed rows, top first.
    pub const fn rows(self) -> [u16; 4] {
        [self.0 as u16, (self.0 >> 16) as u16, (self.0 >> 32) as u16, (self.0 >> 48) as u16]
    }

    /// The packed columns, leftmost first, each from top to bottom.
    pub const fn columns(self) -> [u16; 4] {
        self.transposed().rows()
    }

    /// The grid mirrored at its main diagonal: rows become columns.
    pub const fn transposed(self) -> Self {
        Self(transpose(self.0))
    }

    /// The grid with every row reversed.
    pub const fn mirrored(self) -> Self {
        let x = self.0;
        let x = (x & 0x00ff_00ff_00ff_00ff) << 8 | x >> 8 & 0x00ff_00ff_00ff_00ff;
        Self((x & 0x0f0f_0f0f_0f0f_0f0f) << 4 | x >> 4 & 0x0f0f_0f0f_0f0f_0f0f)
    }

    /// One bit per empty cell: the lowest of its nibble.
    pub const fn empty_mask(self) -> u64 {
        !occupied(self.0) & ONES
    }

    /// How many cells are empty.
    pub const fn empty_count(self) -> u32 {
        self.empty_mask().count_ones()
    }

    /// The empty cells, row by row.
    pub fn empty_cells(self) -> impl Iterator<Item = usize> {
        let mut mask = self.empty_mask();
        std::iter::from_fn(move || {
            let cell = (mask != 0).then(|| mask.trailing_zeros() as usize / 4)?;
            mask &= mask - 1;
            Some(cell)
        })
    }

    /// The largest rank on the grid.
    #[inline]
    pub fn max_rank(self) -> u8 {
        self.ranks().into_iter().fold(0, u8::max)
    }

    /// Whether there is a tile of at least this rank, from 1 to 15: all cells are compared at once.
    #[inline]
    pub const fn has_rank(self, least: u8) -> bool {
        // The highest bit of a cell here: whether its lower three bits are at least those of `least`.
        let lower = (self.0 & (7 * ONES)) + (8 - least as u64 % 8) * ONES;
        let reached = if least < 8 { self.0 | lower } else { self.0 & lower };
        reached & (8 * ONES) != 0
    }

    /// The sum of all tiles' values.
    #[inline]
    pub fn tile_sum(self) -> u32 {
        const TILES: [u32; 16] = {
            let mut tiles = [0; 16];
            let mut rank = 1;
            while rank < 16 {
                tiles[rank] = tile(rank as u8);
                rank += 1;
            }
            tiles
        };
        self.sum_by_rank(&TILES)
    }

    /// The sum over all cells of a number that depends on the rank alone.
    #[inline]
    pub(crate) fn sum_by_rank(self, numbers: &[u32; 16]) -> u32 {
        (0..CELLS).map(|cell| numbers[(self.0 >> (4 * cell) & 15) as usize]).sum()
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_tiles(f, &self.ranks())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

/// Gives each of eight nibbles a byte of its own, in three rounds that halve the groups which move together.
#[inline]
const fn spread(nibbles: u32) -> u64 {
    let x = nibbles as u64;
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    let x = (x | x << 8) & 0x00ff_00ff_00ff_00ff;
    (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
}

/// Mirrors a packed grid at its main diagonal.
#[inline(always)]
pub(crate) const fn transpose(x: u64) -> u64 {
    transpose_if(!0, x)
}

/// Mirrors a packed grid at its main diagonal where the mask is all ones, and leaves it where the mask is
/// zero.
///
/// There are two rounds of exchanges: single cells, then blocks of two by two.
#[inline(always)]
pub(crate) const fn transpose_if(mask: u64, x: u64) -> u64 {
    let cells = (x ^ x >> 12) & 0x0000_f0f0_0000_f0f0 & mask;
    let x = x ^ cells ^ cells << 12;
    let blocks = (x ^ x >> 24) & 0x0000_0000_ff00_ff00 & mask;
    x ^ blocks ^ blocks << 24
}

/// The lowest bit of every occupied nibble.
pub(crate) const fn occupied(x: u64) -> u64 {
    let x = x | x >> 2;
    (x | x >> 1) & ONES
}

/// Gives [`Board`] or [`Afterstate`] its constructors and text form.
macro_rules! phase {
    ($phase:ident) => {
        impl $phase {
            /// The board without a tile.
            pub const EMPTY: Self = Self(Grid(0));

            /// Takes the packed form as it is: every 64-bit number is a board.
            pub const fn from_packed(packed: u64) -> Self {
                Self(Grid(packed))
            }

            /// Packs sixteen ranks, row by row; none if one of them does not fit.
            pub fn from_ranks(ranks: [u8; CELLS]) -> Option<Self> {
                ranks
                    .iter()
                    .rev()
                    .try_fold(0, |packed, &rank| {
                        (rank <= MAX_PACKED_RANK).then_some(packed << 4 | u64::from(rank))
                    })
                    .map(Self::from_packed)
            }
        }

        impl Deref for $phase {
            type Target = Grid;

            fn deref(&self) -> &Grid {
                &self.0
            }
        }

        impl fmt::Display for $phase {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $phase {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($phase), "({})"), self)
            }
        }

        impl FromStr for $phase {
            type Err = TextError;

            fn from_str(text: &str) -> Result<Self, TextError> {
                let ranks = text::parse_tiles(text)?;
                let wrong = || "a 65536 tile ends the game: no board in play holds one".to_owned();
                Self::from_ranks(ranks).ok_or_else(|| TextError(wrong()))
            }
        }
    };
}

/// A board that awaits a move.
///
/// Its text form is the tiles, row by row, with `.` for an empty cell; `{:#}` prints it over four aligned
/// lines.
///
/// ```
/// let board: engine::Board = "2 . . 2 / . 4 . . / . . . . / . . . 2048".parse()?;
/// assert_eq!(board.empty_count(), 12);
/// assert_eq!(board.to_string(), "2 . . 2 / . 4 . . / . . . . / . . . 2048");
/// # Ok::<(), engine::TextError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board(Grid);

/// A board that awaits a spawn: the tiles have slid, the new tile has not come yet.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Afterstate(Grid);

phase!(Board);
phase!(Afterstate);

impl Board {
    /// The directions in which something moves or merges. It is the same set under either way of merging.
    pub const fn legal_moves(self) -> Directions {
        let [up, right, down, left] = movable(self.0.packed());
        let mask =
            (up != 0) as u8 | ((right != 0) as u8) << 1 | ((down != 0) as u8) << 2 | ((left != 0) as u8) << 3;
        Directions::from_mask(mask)
    }
}

/// For each direction by its number: the tiles of a packed grid that would move or merge, marked by a bit
/// each below 2^63.
///
/// Of two neighbours, the one farther from the wall does if it is a tile and the nearer cell is empty or
/// equal to it.
#[inline(always)]
pub(crate) const fn movable(x: u64) -> [u64; 4] {
    /// The highest bit of the first three cells of every row, and of every column.
    const HAS_RIGHT: u64 = 0x0888_0888_0888_0888;
    const HAS_LOWER: u64 = 0x0000_8888_8888_8888;
    let full = nonzero(x) & (8 * ONES);

    let (near, far) = (full & HAS_RIGHT, full >> 4 & HAS_RIGHT);
    let unequal = nonzero(x ^ x >> 4);
    let (left, right) = (far & !(near & unequal), near & !(far & unequal));

    let (near, far) = (full & HAS_LOWER, full >> 16);
    let unequal = nonzero(x ^ x >> 16);
    let (up, down) = (far & !(near & unequal), near & !(far & unequal));

    [up, right, down, left]
}

/// Sets the highest bit of every nibble that is not zero, and clears that of the others; lower bits mean
/// nothing.
#[inline(always)]
pub(crate) const fn nonzero(x: u64) -> u64 {
    ((x & (7 * ONES)) + 7 * ONES) | x
}

impl Afterstate {
    /// The board after a tile of `rank` came into `cell`, which must be empty.
    pub const fn with_spawn(self, cell: usize, rank: u8) -> Board {
        debug_assert!(self.0.rank(cell) == 0, "a tile spawns in an empty cell");
        Board::from_packed(self.0.packed() | (rank as u64) << (4 * cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direction::Direction::{self, *};

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn cells_are_counted_row_by_row_from_the_low_nibble() {
        let board = board("2 4 8 16 / 32 . . . / . . . . / . . . 32768");
        assert_eq!(board.packed(), 0xf000_0000_0005_4321);
        assert_eq!(board.rows(), [0x4321, 0x0005, 0, 0xf000]);
        assert_eq!(board.columns(), [0x0051, 2, 3, 0xf004]);
        assert_eq!(board.max_rank(), 15);
        assert_eq!(board.tile_sum(), 2 + 4 + 8 + 16 + 32 + 32768);
    }

    #[test]
    fn every_rank_is_distinguished_from_its_neighbours_in_every_cell() {
        for (cell, rank) in (0..CELLS).flat_map(|cell| (0..16).map(move |rank| (cell, rank))) {
            let grid = Grid(u64::from(rank) << (4 * cell));
            for least in 1..16 {
                assert_eq!(grid.has_rank(least), rank >= least, "{grid} and {least}");
            }
        }
    }

    #[test]
    fn symmetries_move_cells_where_they_say() {
        let board = board("2 4 8 16 / . 32 . . / . . . . / 64 . . .");
        assert_eq!(
            board.transposed().packed(),
            self::board("2 . . 64 / 4 32 . . / 8 . . . / 16 . . .").packed()
        );
        assert_eq!(
            board.mirrored().packed(),
            self::board("16 8 4 2 / . . 32 . / . . . . / . . . 64").packed()
        );
    }

    #[test]
    fn empty_cells_come_row_by_row() {
        let board = board("2 4 8 16 / . 32 2 . / 2 2 2 2 / 64 2 . 2");
        assert_eq!(board.empty_cells().collect::<Vec<_>>(), [4, 7, 14]);
        assert_eq!(board.empty_count(), 3);
    }

    #[test]
    fn only_directions_that_change_the_board_are_legal() {
        let legal = |text| board(text).legal_moves().iter().collect::<Vec<Direction>>();
        assert_eq!(legal("2 . . . / . . . . / . . . . / . . . ."), [Right, Down]);
        assert_eq!(legal("2 4 8 16 / . . . . / . . . . / . . . ."), [Down]);
        assert_eq!(legal("2 2 4 8 / . . . . / . . . . / . . . ."), [Right, Down, Left]);
        assert_eq!(legal("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2"), []);
        assert_eq!(legal("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 4"), [Up, Right, Down, Left]);
        assert_eq!(legal(". . . . / . . . . / . . . . / . . . ."), []);
        assert_eq!(legal("2 4 8 2 / 2 8 4 16 / 4 2 8 4 / 8 4 2 8"), [Up, Down]);
    }

    #[test]
    fn tiles_and_ranks_round_trip() {
        assert_eq!(tile(0), 0);
        assert_eq!(
            (1..=CAP_RANK).map(|rank| rank_of_tile(tile(rank))).collect::<Vec<_>>(),
            (1..=CAP_RANK).map(Some).collect::<Vec<_>>()
        );
        assert_eq!([0, 1, 3, 131_072].map(rank_of_tile), [None; 4]);
    }
}
