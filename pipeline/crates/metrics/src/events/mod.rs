//! Events: what happens in a game or does not, one per file.

mod max_tile_in;
mod reach;
mod score_below;

use std::fmt;

use records::Outcome;
use text::thousands;

use crate::registry::{Parameter, compared_by_name, join, parse_number};
use crate::{Games, Quantity};

/// All events with a name.
static ALL: &[&EventKind] = &[
    &reach::REACH,
    &score_below::SCORE_BELOW,
    &max_tile_in::CORNER,
    &max_tile_in::BETWEEN_CORNERS,
    &max_tile_in::CENTER,
];

const AT_LEAST: &str = "at-least";

/// An event with a name.
pub struct EventKind {
    /// The name in a metric's text.
    pub(crate) name: &'static str,
    /// What follows it.
    parameter: Parameter,
    /// The share of games with the event in a sentence, after `the`.
    words: fn(u32) -> String,
    /// Whether it happens in a game.
    happens: fn(&Outcome, u32) -> bool,
}

compared_by_name!(EventKind);

/// Something that happens in a game or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// One with a name, and the number that it takes.
    Named(&'static EventKind, u32),
    /// A quantity is at least this number.
    AtLeast(Quantity, u32),
}

impl Event {
    /// The game reaches a tile.
    pub const fn reach(tile: u32) -> Self {
        Self::Named(&reach::REACH, tile)
    }

    pub(crate) fn happens(self, games: &Games, outcome: &Outcome) -> bool {
        match self {
            Self::Named(kind, number) => (kind.happens)(outcome, number),
            Self::AtLeast(quantity, number) => {
                quantity.value(games, outcome).is_some_and(|value| value >= f64::from(number))
            }
        }
    }

    pub(crate) fn words(self) -> String {
        match self {
            Self::Named(kind, number) => (kind.words)(number),
            Self::AtLeast(quantity, number) => {
                format!("share whose {} is at least {}", quantity.words(), thousands(f64::from(number)))
            }
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let named = |kind: &&'static EventKind| {
            kind.parameter.parse(kind.name, text).map(|number| Self::Named(kind, number))
        };
        let at_least = || {
            let (quantity, rest) = text.split_once('.')?;
            let number = rest.strip_prefix(AT_LEAST)?.strip_prefix('.')?;
            Some(Self::AtLeast(Quantity::parse(quantity)?, parse_number(number)?))
        };
        ALL.iter().find_map(named).or_else(at_least)
    }

    pub(crate) fn usage() -> String {
        join(ALL, ", ", |kind| kind.parameter.usage(kind.name))
    }

    pub(crate) fn pattern() -> String {
        let named = join(ALL, "|", |kind| kind.parameter.pattern(kind.name));
        format!(r"({})\.{AT_LEAST}\.[0-9]+|{named}", Quantity::pattern())
    }

    #[cfg(test)]
    pub(crate) fn all_named(number: u32) -> impl Iterator<Item = Self> {
        ALL.iter().map(move |kind| match kind.parameter {
            Parameter::None => Self::Named(kind, 0),
            _ => Self::Named(kind, number),
        })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(kind, number) => f.write_str(&kind.parameter.text(kind.name, *number)),
            Self::AtLeast(quantity, number) => write!(f, "{quantity}.{AT_LEAST}.{number}"),
        }
    }
}
