//! Placements: the tile that comes after a slide where an adversary and not chance decides on it.
//!
//! A replay cannot draw such tiles, so they are part of the record, as text: see [`Placement`]'s `Display`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::{Afterstate, Board, CELLS, rank_of_tile, tile};
use crate::rules::Odds;
use crate::text::serialize_as_text;

/// A tile for a cell: a 2 or a 4 that was decided on.
///
/// Its text is the cell as one hexadecimal digit, then the tile.
///
/// ```
/// use engine::Placement;
///
/// let bottom_right = Placement::new(15, 2).ok_or("no such tile")?;
/// assert_eq!(bottom_right.to_string(), "f4");
/// assert_eq!("f4".parse(), Ok(bottom_right));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    cell: u8,
    rank: u8,
}

/// The length of a placement's text.
pub const TEXT_LENGTH: usize = 2;

impl Placement {
    /// A tile of rank 1 or 2 for one of the 16 cells; none for anything else.
    pub const fn new(cell: u32, rank: u32) -> Option<Self> {
        if cell < CELLS as u32 && (rank == 1 || rank == 2) {
            Some(Self { cell: cell as u8, rank: rank as u8 })
        } else {
            None
        }
    }

    /// The cell, counted row by row from the top left.
    pub const fn cell(self) -> usize {
        self.cell as usize
    }

    /// The tile's rank.
    pub const fn rank(self) -> u8 {
        self.rank
    }

    /// The board that it makes.
    ///
    /// # Errors
    /// Returns an error if chance could not have placed it: the cell is taken, or the odds of a 4 leave out
    /// its tile.
    pub fn on(self, afterstate: Afterstate, four: Odds) -> Result<Board, IllegalTile> {
        let is_possible =
            if self.rank == 2 { four.numerator() > 0 } else { four.numerator() < four.denominator() };
        if afterstate.rank(self.cell()) != 0 {
            Err(IllegalTile::Taken(self))
        } else if is_possible {
            Ok(afterstate.with_spawn(self.cell(), self.rank))
        } else {
            Err(IllegalTile::Impossible(self))
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}{}", self.cell, tile(self.rank))
    }
}

/// A text that is not a placement.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no tile in a cell: write the cell as a digit from 0 to f, then 2 or 4")]
pub struct PlacementError(String);

impl FromStr for Placement {
    type Err = PlacementError;

    fn from_str(text: &str) -> Result<Self, PlacementError> {
        let parse = || {
            let &[cell, tile] = text.as_bytes() else { return None };
            let cell = (!cell.is_ascii_uppercase()).then(|| char::from(cell).to_digit(16)).flatten()?;
            let rank = rank_of_tile(char::from(tile).to_digit(10)?)?;
            Self::new(cell, rank.into())
        };
        parse().ok_or_else(|| PlacementError(text.to_owned()))
    }
}

serialize_as_text!(Placement);

/// A tile that chance could not have placed either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalTile {
    /// The cell is not empty.
    #[error("a {} cannot go into cell {}, which is not empty", tile(.0.rank), .0.cell)]
    Taken(Placement),
    /// The odds of a 4 leave out this tile.
    #[error("a {} cannot come by these odds of a 4", tile(.0.rank))]
    Impossible(Placement),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placement_has_a_text_of_its_own() {
        for cell in 0..16 {
            for rank in 1..=2 {
                let placement = Placement::new(cell, rank).unwrap();
                assert_eq!(placement.to_string().len(), TEXT_LENGTH);
                assert_eq!(placement.to_string().parse(), Ok(placement));
            }
        }
        assert_eq!([(16, 1), (0, 0), (0, 3)].map(|(cell, rank)| Placement::new(cell, rank)), [None; 3]);
        for wrong in ["", "0", "g2", "F2", "a8", "a1", "a22", "24 "] {
            assert!(wrong.parse::<Placement>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_what_chance_could_place_is_legal() {
        let afterstate: Afterstate = "2 . . . / . . . . / . . . . / . . . .".parse().unwrap();
        let placed = |text: &str, four: &str| {
            text.parse::<Placement>()
                .unwrap()
                .on(afterstate, four.parse().unwrap())
                .map(|board| board.to_string())
        };
        assert_eq!(placed("14", "1/10"), Ok("2 4 . . / . . . . / . . . . / . . . .".to_owned()));
        assert!(matches!(placed("02", "1/10"), Err(IllegalTile::Taken(_))));
        assert!(matches!(placed("14", "0/1"), Err(IllegalTile::Impossible(_))));
        assert!(matches!(placed("12", "1/1"), Err(IllegalTile::Impossible(_))));
        assert!(placed("12", "0/1").is_ok() && placed("14", "1/1").is_ok());
    }
}
