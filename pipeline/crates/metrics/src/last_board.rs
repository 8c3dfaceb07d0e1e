//! The last board of a game, for the metrics and checks that ask about it.

use engine::board::tile;
use engine::text::parse_tiles;
use records::Outcome;

/// A board by its ranks, row by row; a 65536 fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastBoard {
    ranks: [u8; 16],
}

/// The cells of the corners, row by row.
const CORNERS: [usize; 4] = [0, 3, 12, 15];
/// The cells at no edge.
const CENTER: [usize; 4] = [5, 6, 9, 10];

impl LastBoard {
    /// Reads a board; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self { ranks: parse_tiles(text).ok()? })
    }

    /// The last board of a game; `None` if the outcome has no valid one.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        Self::parse(&outcome.final_board)
    }

    /// How many tiles there are.
    pub fn tiles(self) -> u32 {
        self.ranks.iter().map(|&rank| u32::from(rank > 0)).sum()
    }

    /// The sum of the tiles.
    pub fn tile_sum(self) -> u32 {
        self.ranks.into_iter().map(tile).sum()
    }

    /// The largest tile; `None` on a board without tiles.
    pub fn max_tile(self) -> Option<u32> {
        Some(self.max_rank()).filter(|&rank| rank > 0).map(tile)
    }

    pub(crate) fn max_rank(self) -> u8 {
        self.ranks.into_iter().fold(0, u8::max)
    }

    pub(crate) fn max_corner_rank(self) -> u8 {
        CORNERS.map(|cell| self.ranks[cell]).into_iter().fold(0, u8::max)
    }

    /// The cells that hold a largest tile, row by row.
    pub fn max_cells(self) -> impl Iterator<Item = usize> {
        let largest = self.max_rank();
        (0..16).filter(move |&cell| self.ranks[cell] > 0 && self.ranks[cell] == largest)
    }

    /// Whether a largest tile stands in a part of the board.
    pub fn has_max_tile_in(self, part: BoardPart) -> bool {
        self.max_cells().any(|cell| part_of(cell) == part)
    }
}

/// A part of the board; together they are all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoardPart {
    /// The four corners.
    Corners,
    /// The cells of the edges, between two corners.
    BetweenCorners,
    /// The four cells at no edge.
    Center,
}

impl BoardPart {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Corners, Self::BetweenCorners, Self::Center];

    /// Where a tile stands, after `the largest tile`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Corners => "in a corner",
            Self::BetweenCorners => "between two corners",
            Self::Center => "in the center",
        }
    }
}

/// The part of the board that a cell belongs to.
pub(crate) fn part_of(cell: usize) -> BoardPart {
    if CORNERS.contains(&cell) {
        BoardPart::Corners
    } else if CENTER.contains(&cell) {
        BoardPart::Center
    } else {
        BoardPart::BetweenCorners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> LastBoard {
        LastBoard::parse(text).unwrap()
    }

    #[test]
    fn tiles_are_counted_and_added_up_to_the_largest() {
        let board = board("2 4 . . / . 65536 . . / . . . . / . . . 8");
        assert_eq!((board.tiles(), board.tile_sum(), board.max_tile()), (4, 65550, Some(65536)));
        let empty = self::board(". . . . / . . . . / . . . . / . . . .");
        assert_eq!((empty.tiles(), empty.tile_sum(), empty.max_tile()), (0, 0, None));
    }

    /// Every cell belongs to the part that a drawing shows: C for corners, E between them, M in the middle.
    #[test]
    fn the_parts_of_a_board_are_its_corners_its_edges_and_its_center() {
        let drawing = "C E E C E M M E E M M E C E E C";
        for (cell, letter) in drawing.split(' ').enumerate() {
            let expected = match letter {
                "C" => BoardPart::Corners,
                "E" => BoardPart::BetweenCorners,
                _ => BoardPart::Center,
            };
            assert_eq!(part_of(cell), expected, "cell {cell}");
        }
    }

    #[test]
    fn several_largest_tiles_may_stand_in_several_parts() {
        let parts = |text: &str| BoardPart::ALL.map(|part| board(text).has_max_tile_in(part));
        assert_eq!(parts("64 2 . . / . 64 . . / . . . . / . . . ."), [true, false, true]);
        assert_eq!(parts("2 64 . . / . . . . / . . . . / . . . 32"), [false, true, false]);
        assert_eq!(parts(". . . . / . . . . / . . . . / . . . ."), [false; 3]);
    }
}
