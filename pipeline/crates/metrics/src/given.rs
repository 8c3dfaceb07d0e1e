//! Which games of an experiment count.

use std::fmt;

use records::Outcome;

use crate::registry::parse_tile;

const IF_REACHED: &str = "if-reach-";
const IF_NOT_REACHED: &str = "if-not-reach-";

/// Which games of an experiment count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Given {
    /// All of them.
    #[default]
    Always,
    /// Those that reach a tile.
    Reached(u32),
    /// Those that do not.
    NotReached(u32),
}

impl Given {
    pub(crate) const fn counts(self, outcome: &Outcome) -> bool {
        match self {
            Self::Always => true,
            Self::Reached(tile) => outcome.max_tile >= tile,
            Self::NotReached(tile) => outcome.max_tile < tile,
        }
    }

    /// The text before a condition, and the condition; `None` if that is wrong.
    pub(crate) fn split(text: &str) -> Option<(&str, Self)> {
        let Some((before, condition)) = text.rsplit_once('.') else { return Some((text, Self::Always)) };
        if let Some(tile) = condition.strip_prefix(IF_REACHED) {
            return Some((before, Self::Reached(parse_tile(tile)?)));
        }
        if let Some(tile) = condition.strip_prefix(IF_NOT_REACHED) {
            return Some((before, Self::NotReached(parse_tile(tile)?)));
        }
        Some((text, Self::Always))
    }

    pub(crate) fn words(self) -> String {
        match self {
            Self::Always => String::new(),
            Self::Reached(tile) => format!(" of games that reach {tile}"),
            Self::NotReached(tile) => format!(" of games that do not reach {tile}"),
        }
    }

    pub(crate) fn pattern() -> String {
        format!(r"\.({IF_REACHED}|{IF_NOT_REACHED})[1-9][0-9]*")
    }
}

/// With the dot that separates it from what comes before.
impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => Ok(()),
            Self::Reached(tile) => write!(f, ".{IF_REACHED}{tile}"),
            Self::NotReached(tile) => write!(f, ".{IF_NOT_REACHED}{tile}"),
        }
    }
}
