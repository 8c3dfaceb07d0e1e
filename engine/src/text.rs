//! Boards as text for people: tiles row by row, `.` for an empty cell, rows apart by `/` or a new line.

use std::fmt;

use thiserror::Error;

use crate::board::{CAP_RANK, CELLS, rank_of_tile};

/// Why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TextError(pub(crate) String);

/// Gives a type that has a text form the same form in JSON.
macro_rules! serialize_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use serialize_as_text;

/// Reads sixteen ranks, 65536 included, from the text form of a board.
///
/// An empty cell is `.` or `0`. Blank lines are passed over, so that a drawn board can be pasted as it is.
///
/// # Errors
/// Returns an error that names the wrong row or cell if the text has not four rows of four tiles.
pub fn parse_tiles(text: &str) -> Result<[u8; CELLS], TextError> {
    let rows: Vec<&str> = text.split(['/', '\n']).filter(|row| !row.trim().is_empty()).collect();
    if rows.len() != 4 {
        let found = rows.len();
        let wrong = format!("a board has 4 rows, separated by / or a line break; this one has {found}");
        return Err(TextError(wrong));
    }
    let mut ranks = [0; CELLS];
    for (r, row) in rows.iter().enumerate() {
        let cells: Vec<&str> = row.split_whitespace().collect();
        if cells.len() != 4 {
            let cells = if cells.len() == 1 { "1 cell".to_owned() } else { format!("{} cells", cells.len()) };
            return Err(TextError(format!("row {} has {cells}, not 4; write each empty cell as .", r + 1)));
        }
        for (c, cell) in cells.iter().enumerate() {
            let wrong = || {
                let place = format!("row {}, column {}", r + 1, c + 1);
                format!("{place}: `{cell}` is not a tile; use . or a power of two from 2 to 65536")
            };
            ranks[4 * r + c] = parse_cell(cell).ok_or_else(|| TextError(wrong()))?;
        }
    }
    Ok(ranks)
}

fn parse_cell(cell: &str) -> Option<u8> {
    match cell {
        "." | "0" => Some(0),
        _ => cell.parse().ok().and_then(rank_of_tile),
    }
}

/// The tiles of all ranks, an empty cell first. Every game's record has a board: none of its tiles is worth
/// an allocation.
const NAMES: [&str; CAP_RANK as usize + 1] = [
    ".", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384",
    "32768", "65536",
];

/// Writes sixteen ranks, none above [`CAP_RANK`], as tiles: on one line, or with `{:#}` over four aligned
/// lines.
pub fn write_tiles(f: &mut fmt::Formatter<'_>, ranks: &[u8; CELLS]) -> fmt::Result {
    let name = |rank: u8| NAMES[usize::from(rank)];
    let width = if f.alternate() { ranks.iter().map(|&rank| name(rank).len()).max().unwrap_or(1) } else { 0 };
    for (r, row) in ranks.chunks(4).enumerate() {
        if r > 0 {
            f.write_str(if f.alternate() { "\n" } else { " / " })?;
        }
        for (c, &rank) in row.iter().enumerate() {
            let gap = if c > 0 { " " } else { "" };
            f.write_str(gap)?;
            (name(rank).len()..width).try_for_each(|_| f.write_str(" "))?;
            f.write_str(name(rank))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn the_drawn_form_is_aligned_and_parses_back() {
        let board: Board = "2 . . 2 / . 1024 . . / . . . . / 4 4 4 16".parse().unwrap();
        let drawn = format!("{board:#}");
        let rows =
            ["   2    .    .    2", "   . 1024    .    .", "   .    .    .    .", "   4    4    4   16"];
        assert_eq!(drawn, rows.join("\n"));
        assert_eq!(drawn.parse::<Board>(), Ok(board));
    }

    #[test]
    fn every_rank_has_the_name_of_its_tile() {
        assert!((1..=CAP_RANK).all(|rank| NAMES[usize::from(rank)] == crate::board::tile(rank).to_string()));
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| text.parse::<Board>().unwrap_err().to_string();
        assert!(error("2 2 2 2").contains("this one has 1"));
        assert!(error("2 2 2 / . . . . / . . . . / . . . .").contains("row 1 has 3 cells"));
        assert!(error("2 2 2 2 / . 3 . . / . . . . / . . . .").contains("row 2, column 2: `3`"));
        assert!(error("2 2 2 2 / . -2 . . / . . . . / . . . .").contains("`-2`"));
        assert!(error("65536 2 2 2 / . . . . / . . . . / . . . .").contains("65536"));
    }

    #[test]
    fn the_largest_tile_parses_as_ranks() {
        let ranks = parse_tiles("65536 . . . / . . . . / . . . . / . . . 0").unwrap();
        assert_eq!(ranks[0], 16);
    }
}
