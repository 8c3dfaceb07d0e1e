//! Chen's report: printed tiles, scores, boards and exponents.

use engine::text::parse_tiles;
use metrics::{BoardPart, LastBoard};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ArgumentError, Computation, Computed, Decimal, StatedValue, is_tile};

/// Where the largest tile of a printed board stands: "in a corner", "between two corners" or "in the center".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LargestTilePlace {
    /// The board, as tiles.
    board: String,
}

impl Computation for LargestTilePlace {
    fn validate(&self) -> Result<(), ArgumentError> {
        let problem = match parse_tiles(&self.board) {
            Err(error) => error.to_string(),
            Ok(ranks) if ranks.iter().all(|&rank| rank == 0) => "all cells are empty".to_owned(),
            Ok(_) => return Ok(()),
        };
        Err(ArgumentError::new("board", format!("is not a board with tiles: {problem}")))
    }

    /// Names every place if there are several largest tiles.
    fn compute(&self, published: &StatedValue) -> Computed {
        let board = LastBoard::parse(&self.board).unwrap_or_default();
        let places = BoardPart::ALL.into_iter().filter(|&part| board.has_max_tile_in(part));
        let value = places.map(BoardPart::words).collect::<Vec<_>>().join(" and ");
        let cell = board.max_cells().next().unwrap_or_default();
        let (tile, row, column) = (board.max_tile().unwrap_or_default(), cell / 4 + 1, cell % 4 + 1);
        let because = format!("the largest tile, {tile}, is in row {row}, column {column}");
        Computed::text(value, published, because)
    }
}

/// Whether a printed value can come from terms that are all even: "possible" or "impossible".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct ParityOfScore {
    /// The printed value.
    score: u64,
}

impl Computation for ParityOfScore {
    fn compute(&self, published: &StatedValue) -> Computed {
        let is_even = self.score.is_multiple_of(2);
        let because = format!("{} is {}", self.score, if is_even { "even" } else { "odd" });
        Computed::word(is_even, ["possible", "impossible"], published, because)
    }
}

/// Whether a printed largest tile is a power of two: "a power of two" or "no power of two".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct PowerOfTwo {
    /// The printed tile.
    tile: u64,
}

impl Computation for PowerOfTwo {
    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { tile } = self;
        let below = 1_u128 << tile.max(&1).ilog2();
        let because = format!("the powers of two around {tile} are {below} and {}", below * 2);
        Computed::word(tile.is_power_of_two(), ["a power of two", "no power of two"], published, because)
    }
}

/// The share of games that reach a tile, if the smallest largest tile of all games is at least that tile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RateFromMinimum {
    /// The smallest largest tile.
    min_max_tile: u64,
    /// The tile that is reached.
    tile: u64,
}

impl Computation for RateFromMinimum {
    fn validate(&self) -> Result<(), ArgumentError> {
        is_tile("min_max_tile", self.min_max_tile)?;
        is_tile("tile", self.tile)
    }

    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { min_max_tile, tile } = self;
        if min_max_tile < tile {
            let because = format!("a smallest largest tile of {min_max_tile} says nothing about {tile}");
            return Computed::text("unknown".to_owned(), published, because);
        }
        let because = format!("no game ends below {min_max_tile}, so every game reaches {tile}");
        Computed::number(1.0, published, because)
    }
}

/// A difference of two printed numbers, rounded to a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RoundingOfDifference {
    /// What is subtracted from.
    minuend: Decimal,
    /// What is subtracted.
    subtrahend: Decimal,
    /// The step, such as 100 for hundreds.
    #[schemars(range(min = 1))]
    step: u64,
}

impl Computation for RoundingOfDifference {
    fn compute(&self, published: &StatedValue) -> Computed {
        let Self { minuend, subtrahend, step } = self;
        let difference = minuend.value() - subtrahend.value();
        let rounded = (difference / *step as f64).round() * *step as f64;
        let because = format!("{minuend} - {subtrahend} = {difference:.4}, to the nearest {step}");
        Computed::number(rounded, published, because)
    }
}

/// The tiles that exponents of 2 stand for, with commas between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct TilesOfExponents {
    /// The exponents.
    #[schemars(length(min = 1), inner(range(min = 1, max = 17)))]
    exponents: Vec<u32>,
}

impl Computation for TilesOfExponents {
    fn compute(&self, published: &StatedValue) -> Computed {
        let tiles: Vec<String> =
            self.exponents.iter().map(|exponent| (1_u64 << exponent).to_string()).collect();
        Computed::text(tiles.join(", "), published, "each tile is a power of 2".to_owned())
    }
}
