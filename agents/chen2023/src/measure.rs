//! Measures: what a rollout is worth, by its last board (Algorithms 1 to 3).

use engine::board::{CELLS, tile};
use engine::prelude::*;

/// The corners as Algorithm 3 looks at them: top left, top right, bottom left, bottom right.
const CORNERS: [usize; 4] = [0, 3, 12, 15];

/// A measure of boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// `SumMeasure`, Algorithm 1: the sum of the tiles.
    Sum,
    /// `BestMeasure`, Algorithm 2: the largest tile.
    Best,
    /// `MyMeasure`, Algorithm 3: bonuses for the largest tile and the corners, and the sum of the tiles.
    #[default]
    Mine,
    /// `MyMeasure` with the bonus for big tiles along the top or bottom row that the text speaks of.
    MineWithRow,
    /// `MyMeasure` before the sum of the tiles was added to it (section 6).
    MineWithoutSum,
    /// The same with the bonus for the rows, "which did not help as much" (section 6).
    MineWithRowWithoutSum,
    /// `MyMeasure` with a sum that weighs less, as its first implementation did (section 6): that of the
    /// exponents.
    MineWithRankSum,
}

impl Measure {
    /// The measure of a grid; a 65536 counts as the 32768 that the packed form shows.
    #[inline]
    pub fn of(self, grid: Grid) -> u32 {
        match self {
            Self::Sum => grid.tile_sum(),
            Self::Best => tile(grid.max_rank()),
            Self::Mine => Corners::of(grid).bonus() + grid.tile_sum(),
            Self::MineWithRow => Self::MineWithRowWithoutSum.of(grid) + grid.tile_sum(),
            Self::MineWithoutSum => Corners::of(grid).bonus(),
            Self::MineWithRowWithoutSum => {
                let corners = Corners::of(grid);
                corners.bonus() + corners.row_bonus(grid)
            }
            // DEVIATION: the text says that the first sum was weighted otherwise, and not how (D-18).
            Self::MineWithRankSum => Corners::of(grid).bonus() + rank_sum(grid),
        }
    }
}

/// The sum of the exponents, which are what the program's boards hold.
#[inline]
fn rank_sum(grid: Grid) -> u32 {
    grid.ranks().into_iter().map(u32::from).sum()
}

/// What Algorithm 3 finds before it scores. Its "values" are exponents, as the program's boards are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Corners {
    /// The largest rank on the board, and the first cell in reading order that holds it.
    best: (u32, usize),
    /// The largest rank in a corner, and the first corner that holds it.
    corner: (u32, usize),
}

impl Corners {
    #[inline]
    fn of(grid: Grid) -> Self {
        // The rank, then how many cells follow: the largest of such numbers is the first cell with the
        // largest rank.
        let ranks = grid.ranks();
        let numbers: [u8; CELLS] = std::array::from_fn(|cell| ranks[cell] << 4 | (CELLS - 1 - cell) as u8);
        let place = |number: u8| (u32::from(number >> 4), CELLS - 1 - usize::from(number & 15));
        let corner = CORNERS.into_iter().fold(0, |largest, cell| numbers[cell].max(largest));
        Self { best: place(numbers.into_iter().fold(0, u8::max)), corner: place(corner) }
    }

    /// Algorithm 3 without its last loop.
    #[inline]
    fn bonus(self) -> u32 {
        let (best, corner) = (self.best.0, self.corner.0);
        let in_place = if self.best.1 == self.corner.1 { 10 * best } else { 0 };
        // The further the corners are behind, the more this adds: the paper rewards what it means to punish.
        // It is kept.
        let distance = if corner == best { 100 } else { 10 * (best - corner) };
        in_place + distance
    }

    /// Ten times the exponents along the top or bottom row, whichever has the best corner.
    // DEVIATION: section 6 keeps both rows, compares them with that corner and adds "if all the bigger
    // numbers are placed alongside each other in a row"; Algorithm 3 has nothing of it. The weight is that of
    // the corner (D-4).
    #[inline]
    fn row_bonus(self, grid: Grid) -> u32 {
        let first = if self.corner.1 < 4 { 0 } else { 12 };
        10 * (first..first + 4).map(|cell| u32::from(grid.rank(cell))).sum::<u32>()
    }
}
