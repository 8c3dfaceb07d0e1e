//! Quantities: what is measured of every game, one per file.

mod max_tile;
mod merges;
mod moves;
mod nodes;
mod points_per_move;
mod score;
mod tile_sum;

use std::borrow::Cow;
use std::fmt;

use records::Outcome;

use crate::registry::{compared_by_name, join};
use crate::{BoardValue, Games, LastBoard};

/// All quantities with a name, in the order of tables.
static ALL: &[&QuantityKind] = &[
    &score::SCORE,
    &tile_sum::TILE_SUM,
    &max_tile::MAX_TILE,
    &nodes::NODES,
    &merges::MERGES,
    &moves::MOVES,
    &points_per_move::POINTS_PER_MOVE,
];

/// The largest tile: it ends a game.
const LARGEST_TILE: f64 = 65_536.0;

/// A quantity with a name.
pub struct QuantityKind {
    /// The name in a metric's text.
    pub(crate) name: &'static str,
    /// The name in a sentence, after `mean`.
    words: &'static str,
    /// At least as much as any game has.
    max: f64,
    /// Whether an order of two experiments also says how often a game of one beats a game of the other.
    compares_games: bool,
    /// The value of a game, if it has one.
    value: fn(&Games, &Outcome) -> Option<f64>,
}

compared_by_name!(QuantityKind);

/// What is measured of every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// One with a name.
    Named(&'static QuantityKind),
    /// A value of the last board.
    BoardValue(BoardValue),
}

impl Quantity {
    /// The score.
    pub const SCORE: Self = Self::Named(&score::SCORE);
    /// The largest tile on the last board.
    pub const MAX_TILE: Self = Self::Named(&max_tile::MAX_TILE);
    /// The sum of the tiles on the last board.
    pub const TILE_SUM: Self = Self::Named(&tile_sum::TILE_SUM);
    /// The nodes expanded for a move.
    pub const NODES: Self = Self::Named(&nodes::NODES);

    /// Whether an order of two experiments also says how often a game of one beats a game of the other.
    pub const fn compares_games(self) -> bool {
        matches!(self, Self::Named(QuantityKind { compares_games: true, .. }))
    }

    pub(crate) fn value(self, games: &Games, outcome: &Outcome) -> Option<f64> {
        match self {
            Self::Named(kind) => (kind.value)(games, outcome),
            Self::BoardValue(value) => Some(value.of(LastBoard::of(outcome)?)),
        }
    }

    pub(crate) fn max(self) -> f64 {
        match self {
            Self::Named(kind) => kind.max,
            Self::BoardValue(value) => value.max(),
        }
    }

    pub(crate) fn words(self) -> Cow<'static, str> {
        match self {
            Self::Named(kind) => kind.words.into(),
            Self::BoardValue(value) => {
                let formula = value.to_string().replace('+', " + ").replace('*', " × ");
                format!("board value ({formula})").into()
            }
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let named = ALL.iter().find(|kind| kind.name == text);
        named.map(|kind| Self::Named(kind)).or_else(|| BoardValue::parse(text).map(Self::BoardValue))
    }

    pub(crate) fn names(separator: &str) -> String {
        join(ALL, separator, |kind| kind.name.to_owned())
    }

    pub(crate) fn pattern() -> String {
        format!("{}|{}", Self::names("|"), BoardValue::pattern())
    }

    #[cfg(test)]
    pub(crate) fn all_named() -> impl Iterator<Item = Self> + Clone {
        ALL.iter().map(|kind| Self::Named(kind))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(kind) => f.write_str(kind.name),
            Self::BoardValue(value) => value.fmt(f),
        }
    }
}
