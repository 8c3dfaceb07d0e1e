//! The last board of a game, as far as metrics and computations ask about it.

use engine::board::tile;
use engine::text::parse_tiles;
use manifest::{BoardPart, BoardValue, Feature};

/// A board by its ranks, row by row; a 65536 fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LastBoard {
    ranks: [u8; 16],
}

/// The cells of the corners, row by row.
const CORNERS: [usize; 4] = [0, 3, 12, 15];
/// The cells at no edge.
const CENTER: [usize; 4] = [5, 6, 9, 10];

impl LastBoard {
    /// Reads a board; none where the text is not one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(Self { ranks: parse_tiles(text).ok()? })
    }

    /// How many tiles there are.
    pub(crate) fn tiles(self) -> u32 {
        self.ranks.iter().map(|&rank| u32::from(rank > 0)).sum()
    }

    /// What they add up to.
    pub(crate) fn tile_sum(self) -> u32 {
        self.ranks.into_iter().map(tile).sum()
    }

    /// The largest tile; none on a board without tiles.
    pub(crate) fn max_tile(self) -> Option<u32> {
        Some(self.max_rank()).filter(|&rank| rank > 0).map(tile)
    }

    fn max_rank(self) -> u8 {
        self.ranks.into_iter().fold(0, u8::max)
    }

    /// The cells that hold a largest tile, row by row.
    pub(crate) fn max_cells(self) -> impl Iterator<Item = usize> {
        let largest = self.max_rank();
        self.ranks
            .into_iter()
            .enumerate()
            .filter(move |&(_, rank)| rank > 0 && rank == largest)
            .map(|(cell, _)| cell)
    }

    /// Whether a largest tile stands in a part of the board.
    pub(crate) fn has_max_tile_in(self, part: BoardPart) -> bool {
        self.max_cells().any(|cell| part_of(cell) == part)
    }

    /// The weighted sum that a board value is.
    pub(crate) fn value(self, value: BoardValue) -> f64 {
        value.terms().map(|(weight, feature)| f64::from(weight) * f64::from(self.feature(feature))).sum()
    }

    fn feature(self, feature: Feature) -> u32 {
        let (best, corner) =
            (self.max_rank(), CORNERS.map(|cell| self.ranks[cell]).into_iter().fold(0, u8::max));
        match feature {
            Feature::TileSum => self.tile_sum(),
            Feature::CornerRank => match self.max_cells().next() {
                Some(first) if part_of(first) == BoardPart::Corners => u32::from(best),
                _ => 0,
            },
            Feature::CornerBest => u32::from(corner == best),
            Feature::CornerLag => u32::from(best - corner),
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
    use manifest::{Event, Metric, Quantity};

    fn board(text: &str) -> LastBoard {
        LastBoard::parse(text).unwrap()
    }

    fn value(formula: &str) -> BoardValue {
        match format!("{formula}.at-least.0").parse() {
            Ok(Metric::Share { event: Event::AtLeast(Quantity::BoardValue(value), _), .. }) => value,
            other => panic!("{other:?}"),
        }
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

    #[test]
    fn a_value_adds_up_what_its_formula_names() {
        let formula = value("tile-sum+10*corner-rank+100*corner-best+10*corner-lag");
        // The 1024 has rank 10: in a corner it is worth 100 and 100 again, between two corners the 9 ranks that the corners are behind.
        assert_eq!(board("1024 4 . . / . . . . / . . . . / . . . .").value(formula), 1028.0 + 100.0 + 100.0);
        assert_eq!(board("2 1024 . . / . . . . / . . . . / . . . .").value(formula), 1026.0 + 90.0);
        // Of two equal ones the first counts, which is in no corner; a corner is as large all the same.
        assert_eq!(board(". 64 . 64 / . . . . / . . . . / . . . .").value(formula), 128.0 + 100.0);
        assert_eq!(board("2 1024 . . / . . . . / . . . . / . . . .").value(value("3*corner-lag")), 27.0);
    }
}
