//! The recorded games that the page replays: each with what a replay needs, and what it should arrive at.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use engine::{Ending, Rules};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

/// A recorded game of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageReplay {
    /// The experiment's key.
    pub experiment: String,
    /// Which of its games it is.
    pub pick: Pick,
    /// The game's number.
    pub game: u64,
    /// The rules it was played under.
    pub rules: Rules,
    /// The experiment's master seed, from which the page derives the tile seed again.
    #[serde(serialize_with = "decimal")]
    pub seed: u64,
    /// The seed of its tiles.
    #[serde(serialize_with = "hexadecimal")]
    pub tile_seed: u64,
    /// The directions, as letters U R D L. In the page two bits each.
    #[serde(serialize_with = "packed")]
    pub directions: String,
    /// The points at the end.
    pub score: u32,
    /// The moves played.
    pub moves: u32,
    /// The largest tile at the end.
    pub max_tile: u32,
    /// The last board, as tiles.
    pub final_board: String,
    /// How it ended.
    pub ending: Ending,
    /// The tiles that were placed, where the rules leave them to an adversary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spawns: Option<String>,
}

/// Which game of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The one with the highest score.
    Best,
    /// The one in the middle.
    Median,
    /// The one with the lowest score.
    Worst,
}

impl Pick {
    /// Every pick.
    pub const ALL: [Self; 3] = [Self::Best, Self::Median, Self::Worst];
}

/// JavaScript's numbers end at 2^53: a seed is text.
fn decimal<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

fn hexadecimal<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{seed:016x}"))
}

/// Two bits a move, the first in the lowest bits of the first byte; then base64.
fn packed<S: Serializer>(directions: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let mut bytes = vec![0; directions.len().div_ceil(4)];
    for (move_number, letter) in directions.bytes().enumerate() {
        let code = b"URDL".iter().position(|&known| known == letter);
        let code =
            code.ok_or_else(|| S::Error::custom(format!("`{directions}` has a letter other than U R D L")))?;
        bytes[move_number / 4] |= (code as u8) << (2 * (move_number % 4));
    }
    serializer.collect_str(&STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_moves_make_a_byte_with_the_first_in_its_lowest_bits() {
        let packed = |text: &str| packed(text, serde_json::value::Serializer).unwrap();
        assert_eq!(packed(""), "");
        assert_eq!(packed("URDL"), STANDARD.encode([0b11_10_01_00]));
        assert_eq!(packed("LLLLR"), STANDARD.encode([0xff, 1]));
    }

    #[test]
    fn a_letter_that_is_no_direction_is_refused() {
        let error = packed("URX", serde_json::value::Serializer).unwrap_err();
        assert!(error.to_string().contains("`URX`"), "{error}");
    }
}
