//! What is stored of a job.

use crate::Difference;
use crate::identity::components;

/// What is stored of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Nothing.
    #[default]
    Missing,
    /// Some of its rows, and fewer than are wanted.
    Partial {
        /// How many rows are stored.
        done: u64,
        /// How many are wanted.
        of: u64,
    },
    /// All rows that are wanted, or more.
    Complete {
        /// How many.
        rows: u64,
    },
    /// The result of another identity.
    Stale {
        /// How the identities differ: stored and now.
        differences: Vec<Difference>,
    },
    /// It cannot run yet, or at all.
    Blocked {
        /// What it waits for, or what is wrong, with the remedy.
        by: String,
    },
}

impl Status {
    /// The status of stored rows, by how many are wanted and how their identity differs.
    pub fn of(rows: u64, wanted: u64, differences: Vec<Difference>) -> Self {
        match rows {
            _ if !differences.is_empty() => Self::Stale { differences },
            rows if rows >= wanted => Self::Complete { rows },
            done => Self::Partial { done, of: wanted },
        }
    }

    /// The status in a word.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Partial { .. } => "partial",
            Self::Complete { .. } => "complete",
            Self::Stale { .. } => "stale",
            Self::Blocked { .. } => "blocked",
        }
    }

    /// Whether all that is wanted is stored.
    pub const fn is_complete(&self) -> bool {
        matches!(self, Self::Complete { .. })
    }

    /// Whether the result of another identity is stored.
    pub const fn is_stale(&self) -> bool {
        matches!(self, Self::Stale { .. })
    }

    /// How many rows of this identity are stored.
    pub const fn rows(&self) -> u64 {
        match self {
            Self::Partial { done: rows, .. } | Self::Complete { rows } => *rows,
            Self::Missing | Self::Stale { .. } | Self::Blocked { .. } => 0,
        }
    }

    /// How the stored identity differs.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Stale { differences } => differences,
            _ => &[],
        }
    }

    /// The parts of the identity that changed, separated by commas; empty unless it is stale.
    pub fn changed(&self) -> String {
        components(self.differences())
    }
}
