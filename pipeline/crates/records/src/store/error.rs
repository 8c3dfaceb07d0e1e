//! What can be wrong with a records file.

use std::io;

use platform::confined::ConfinedPath;
use platform::plain;
use polars::error::PolarsError;

/// What can go wrong with a records file, always with the file it went wrong with.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum StoreError {
    #[error("{}: cannot {action}", path.display())]
    Io { path: ConfinedPath, action: &'static str, source: io::Error },
    #[error("{}: cannot {action}", path.display())]
    Parquet { path: ConfinedPath, action: &'static str, source: PolarsError },
    /// The decoder gave up with a panic, as polars does on some corrupt input.
    #[error("{}: cannot {action}: the file is corrupt ({})", path.display(), plain::line(panic))]
    Corrupt { path: ConfinedPath, action: &'static str, panic: String },
    /// The file is valid Parquet, but is not a records file.
    #[error("{}: not a records file: {}", path.display(), plain::line(reason))]
    Layout { path: ConfinedPath, reason: String },
    /// The file holds the times of games, on which no record depends.
    #[error(transparent)]
    Timing(Box<Self>),
}

impl StoreError {
    pub(crate) fn io(path: &ConfinedPath, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }

    pub(super) fn parquet(path: &ConfinedPath, action: &'static str) -> impl FnOnce(PolarsError) -> Self {
        move |source| Self::Parquet { path: path.to_owned(), action, source }
    }

    /// What is wrong with a file as one that holds the times of games. That the system fails is the same for all files.
    pub(super) fn of_timing(self) -> Self {
        if matches!(self, Self::Io { .. }) { self } else { Self::Timing(Box::new(self)) }
    }

    pub(super) fn layout(path: &ConfinedPath, reason: impl Into<String>) -> Self {
        Self::Layout { path: path.to_owned(), reason: reason.into() }
    }
}
