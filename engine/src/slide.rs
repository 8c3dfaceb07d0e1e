//! Slides: what a move does to the board before the next tile comes.
//!
//! Both ways of merging have row tables for both ends of a row, built once at first use; columns go through
//! the transposed board. The rules in plain form are in [`crate::naive`], and tests hold the two against each
//! other.

use std::sync::LazyLock;

use crate::board::{Afterstate, Board, CAP_RANK, Grid, MAX_PACKED_RANK, pack_row, tile, transpose_if};
use crate::direction::Direction;
use crate::row_table::RowTable;
use crate::rules::Merging;

/// What a legal move does: the slid board and the points it brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The board after the slide. Where the slide made 65536, the packed form shows 32768 in its place.
    pub afterstate: Afterstate,
    /// The sum of the merged tiles' values.
    pub reward: u32,
    /// Whether the slide made a 65536 tile, which ends the game.
    pub makes_cap: bool,
}

/// The row tables of one way of merging.
pub struct Slides {
    /// Towards the low end of a row, and towards its high end.
    rows: [RowSlides; 2],
}

/// What every row becomes when it slides towards one of its ends.
struct RowSlides {
    slid: RowTable<u16>,
    /// The reward, with [`MAKES_CAP`] set where the row makes a 65536 tile.
    reward: RowTable<u32>,
}

/// Rewards stay far below this bit: four rows make at most 8 tiles of 65536.
const MAKES_CAP: u32 = 1 << 31;

static ONCE: LazyLock<Slides> = LazyLock::new(|| Slides::build(Merging::Once));
static CASCADING: LazyLock<Slides> = LazyLock::new(|| Slides::build(Merging::Cascading));

impl Slides {
    /// The tables for a way of merging. Fetch them once and keep the reference: they are built at the first
    /// call.
    pub fn of(merging: Merging) -> &'static Self {
        match merging {
            Merging::Once => &ONCE,
            Merging::Cascading => &CASCADING,
        }
    }

    fn build(merging: Merging) -> Self {
        let towards_low = RowSlides::build(|ranks| slide_row(ranks, merging));
        let towards_high = RowSlides::build(|[a, b, c, d]| {
            let ([d, c, b, a], reward) = slide_row([d, c, b, a], merging);
            ([a, b, c, d], reward)
        });
        Self { rows: [towards_low, towards_high] }
    }

    /// Slides a board; none if nothing would change, which is no legal move.
    ///
    /// The direction chooses by arithmetic: which way a game goes cannot be foreseen, so a branch would often
    /// be taken wrongly.
    #[inline]
    pub fn slide(&self, board: Board, direction: Direction) -> Option<Slide> {
        let before = board.packed();
        let columns = u64::from(direction.is_vertical()).wrapping_neg();
        let rows = &self.rows[usize::from(matches!(direction, Direction::Right | Direction::Down))];
        let (slid, flags) = rows.apply(transpose_if(columns, before));
        let after = transpose_if(columns, slid);
        (after != before).then_some(Slide {
            afterstate: Afterstate::from_packed(after),
            reward: flags & !MAKES_CAP,
            makes_cap: flags & MAKES_CAP != 0,
        })
    }

    /// Slides a board without its reward; the same board where nothing changes. There must be no tile of
    /// [`MAX_PACKED_RANK`].
    #[inline]
    pub(crate) fn slid(&self, board: Board, direction: Direction) -> Afterstate {
        let columns = u64::from(direction.is_vertical()).wrapping_neg();
        let rows = &self.rows[usize::from(matches!(direction, Direction::Right | Direction::Down))];
        Afterstate::from_packed(transpose_if(columns, rows.slid(transpose_if(columns, board.packed()))))
    }

    /// What a row becomes when it slides towards its first cell (in a column: its topmost).
    #[inline]
    pub fn row_towards_low(&self, row: u16) -> u16 {
        self.rows[0].slid.get(row)
    }

    /// What a row becomes when it slides towards its last cell (in a column: its lowest).
    #[inline]
    pub fn row_towards_high(&self, row: u16) -> u16 {
        self.rows[1].slid.get(row)
    }
}

impl RowSlides {
    fn build(mut slide: impl FnMut([u8; 4]) -> ([u8; 4], u32)) -> Self {
        let slid = RowTable::from_fn(|ranks| pack_row(slide(ranks).0.map(|rank| rank.min(MAX_PACKED_RANK))));
        let reward = RowTable::from_fn(|ranks| {
            let (slid, reward) = slide(ranks);
            if slid.contains(&CAP_RANK) { reward | MAKES_CAP } else { reward }
        });
        Self { slid, reward }
    }

    /// All four rows slid, and their rewards added up. Flags of two rows may overlap in the sum, so they are
    /// or-ed.
    #[inline]
    fn apply(&self, packed: u64) -> (u64, u32) {
        let rewards = Board::from_packed(packed).rows().map(|row| self.reward.get(row));
        let sum: u32 = rewards.iter().map(|reward| reward & !MAKES_CAP).sum();
        let flags = rewards.iter().fold(0, |flags, reward| flags | reward & MAKES_CAP);
        (self.slid(packed), sum | flags)
    }

    /// All four rows slid.
    #[inline]
    fn slid(&self, packed: u64) -> u64 {
        let [a, b, c, d] = Board::from_packed(packed).rows().map(|row| u64::from(self.slid.get(row)));
        a | b << 16 | c << 32 | d << 48
    }
}

/// Slides one row towards its first cell, as a stack of tiles that grows from the wall.
fn slide_row(ranks: [u8; 4], merging: Merging) -> ([u8; 4], u32) {
    let mut slid = [0; 4];
    let mut reward = 0;
    let mut height = 0;
    let mut top_was_made = false;
    for rank in ranks.into_iter().filter(|&rank| rank != 0) {
        let may_merge = merging == Merging::Cascading || !top_was_made;
        if height > 0 && slid[height - 1] == rank && may_merge {
            slid[height - 1] += 1;
            reward += tile(rank + 1);
            top_was_made = true;
        } else {
            slid[height] = rank;
            height += 1;
            top_was_made = false;
        }
    }
    (slid, reward)
}

/// A board slid under the usual way of merging, by arithmetic on all rows at once; the same board where
/// nothing changes.
///
/// It takes several times as long as looking the rows up in tables that are in the caches, and less than in
/// tables that are not. There must be no tile of [`MAX_PACKED_RANK`].
#[inline]
pub(crate) fn slid_once(board: Board, direction: Direction) -> Afterstate {
    let columns = u64::from(direction.is_vertical()).wrapping_neg();
    let towards_high = u64::from(matches!(direction, Direction::Right | Direction::Down)).wrapping_neg();
    let rows = mirror_if(towards_high, transpose_if(columns, board.packed()));
    let slid = merge_rows(close_gaps(rows));
    Afterstate::from_packed(transpose_if(columns, mirror_if(towards_high, slid)))
}

/// The lowest cell of every row.
const FIRST_CELLS: u64 = 0x000f_000f_000f_000f;
/// The lowest bit of every row.
const ROW_BITS: u64 = 0x0001_0001_0001_0001;

/// Reverses every row where the mask is all ones.
#[inline(always)]
fn mirror_if(mask: u64, rows: u64) -> u64 {
    rows ^ (rows ^ Grid::mirrored(*Board::from_packed(rows)).packed()) & mask
}

/// The lowest bit of every row whose cell `index` is not zero.
#[inline(always)]
const fn filled(rows: u64, index: u32) -> u64 {
    ((rows >> (4 * index) & FIRST_CELLS) + FIRST_CELLS) >> 4 & ROW_BITS
}

/// Moves the cells from `index` on one cell down, in the rows that are marked by their lowest bits. Cell
/// `index - 1` takes the first of them.
#[inline(always)]
const fn move_down(rows: u64, marked: u64, index: u32) -> u64 {
    /// All cells but the highest of every row.
    const LOWER_CELLS: u64 = 0x0fff_0fff_0fff_0fff;
    let mask = marked * (0xffff << (4 * (index - 1)) & 0xffff);
    rows ^ (rows ^ rows >> 4 & LOWER_CELLS) & mask
}

/// Moves the tiles of every row to its low end.
#[inline(always)]
fn close_gaps(mut rows: u64) -> u64 {
    for index in [2, 1, 0] {
        rows = move_down(rows, filled(rows, index) ^ ROW_BITS, index + 1);
    }
    rows
}

/// Merges equal neighbours of rows without gaps, those nearest to the low end first, every tile once.
#[inline(always)]
fn merge_rows(mut rows: u64) -> u64 {
    for index in [0, 1, 2] {
        let unequal = filled(rows ^ rows >> 4, index);
        let merging = filled(rows, index) & !unequal;
        // The upper of the two takes the place of the lower, whose rank then rises.
        rows = move_down(rows, merging, index + 1) + (merging << (4 * index));
    }
    rows
}

/// What the tiles of a grid would have scored, had every one been merged from 2s: `(rank - 1) * 2^rank` each.
///
/// A tile's making brings its value, and so did the making of its halves. Every slide raises this number by
/// its reward, and every spawned 4 by 4; so the reward of a whole playout is the rise, less 4 for each 4 that
/// spawned.
#[inline]
pub fn potential(grid: Grid) -> u32 {
    const POTENTIALS: [u32; 16] = {
        let mut potentials = [0; 16];
        let mut rank = 1;
        while rank < 16 {
            potentials[rank] = tile(rank as u8) * (rank as u32 - 1);
            rank += 1;
        }
        potentials
    };
    grid.sum_by_rank(&POTENTIALS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    /// The first row of the board after a slide to the left, and the reward.
    fn left(row: &str, merging: Merging) -> (String, u32) {
        let board = board(&format!("{row} / . . . . / . . . . / . . . ."));
        let slide = Slides::of(merging).slide(board, Left).expect("legal");
        (slide.afterstate.to_string().split(" / ").next().unwrap().to_owned(), slide.reward)
    }

    #[test]
    fn a_tile_merges_once_in_a_slide() {
        assert_eq!(left("2 2 4 .", Merging::Once), ("4 4 . .".into(), 4));
        assert_eq!(left("2 2 2 2", Merging::Once), ("4 4 . .".into(), 8));
        assert_eq!(left("4 2 2 .", Merging::Once), ("4 4 . .".into(), 4));
    }

    #[test]
    fn the_pair_nearest_to_the_wall_merges_first() {
        assert_eq!(left("2 2 2 .", Merging::Once), ("4 2 . .".into(), 4));
        let board = board("2 . . . / 2 . . . / 2 . . . / . . . .");
        let down = Slides::of(Merging::Once).slide(board, Down).unwrap();
        assert_eq!(down.afterstate.to_string(), ". . . . / . . . . / 2 . . . / 4 . . .");
    }

    #[test]
    fn cascading_goes_on_while_the_blocker_is_equal() {
        assert_eq!(left("2 2 4 8", Merging::Cascading), ("16 . . .".into(), 28));
        assert_eq!(left("2 2 4 .", Merging::Cascading), ("8 . . .".into(), 12));
        assert_eq!(left("2 2 2 2", Merging::Cascading), ("4 4 . .".into(), 8));
        assert_eq!(left("8 4 2 2", Merging::Cascading), ("8 4 4 .".into(), 4));
    }

    #[test]
    fn a_slide_that_changes_nothing_is_none() {
        let board = board("2 4 . . / . . . . / . . . . / . . . .");
        assert_eq!(Slides::of(Merging::Once).slide(board, Left), None);
        assert_eq!(Slides::of(Merging::Once).slide(board, Up), None);
    }

    #[test]
    fn making_65536_scores_and_says_so() {
        let board = board("32768 32768 32768 32768 / 16384 16384 16384 16384 / . . . . / . . . .");
        let slide = Slides::of(Merging::Once).slide(board, Right).unwrap();
        assert_eq!(slide.reward, 2 * 65536 + 2 * 32768);
        assert!(slide.makes_cap);
        let below = self::board("16384 16384 16384 16384 / . . . . / . . . . / . . . .");
        assert!(!Slides::of(Merging::Once).slide(below, Left).unwrap().makes_cap);
    }

    #[test]
    fn two_rows_that_both_make_65536_keep_the_flag() {
        let board = board("32768 32768 . . / 32768 32768 . . / . . . . / . . . .");
        let slide = Slides::of(Merging::Once).slide(board, Left).unwrap();
        assert_eq!((slide.reward, slide.makes_cap), (2 * 65536, true));
    }

    #[test]
    fn arithmetic_slides_every_row_as_the_tables_do() {
        let slides = Slides::of(Merging::Once);
        let largest = u16::from(MAX_PACKED_RANK);
        let has_largest = |row: u16| (0..4).any(|cell| row >> (4 * cell) & 15 == largest);
        for row in (0..=u16::MAX).filter(|&row| !has_largest(row)) {
            // Rows that differ, so that none takes part in another's slide.
            let rows = [row, row.rotate_left(4), 0, row.swap_bytes()];
            let packed = rows.iter().rev().fold(0, |packed, &row| packed << 16 | u64::from(row));
            for board in [Board::from_packed(packed), Board::from_packed(transpose_if(!0, packed))] {
                for direction in Direction::ALL {
                    let slide = slides.slide(board, direction);
                    let expected = slide.map_or(board.packed(), |slide| slide.afterstate.packed());
                    assert_eq!(slid_once(board, direction).packed(), expected, "{board}, {direction:?}");
                }
            }
        }
    }

    #[test]
    fn the_potential_rises_by_the_reward() {
        for (text, merging) in [
            ("2 2 4 8 / 2 2 2 2 / 16 16 8 . / . . 2 2", Merging::Cascading),
            ("2 2 4 4 / 8 8 16 . / . . . . / 2 . . 2", Merging::Once),
        ] {
            let board = board(text);
            for direction in Direction::ALL {
                let slide = Slides::of(merging).slide(board, direction).unwrap();
                assert_eq!(potential(*slide.afterstate) - potential(*board), slide.reward, "{direction:?}");
            }
        }
    }
}
