//! Problems with the files of jobs.

use std::error::Error;
use std::io;

use platform::{ConfinedPath, plain};

use crate::identity::components;
use crate::{Difference, Words};

/// A problem with a stored file, which it names.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum StoreError {
    #[error("{}: cannot {action}", path.display())]
    Io { path: ConfinedPath, action: &'static str, source: io::Error },
    #[error("{}: cannot {action}", path.display())]
    Parquet { path: ConfinedPath, action: &'static str, source: Box<dyn Error + Send + Sync> },
    /// The decoder gave up with a panic, as polars does on some corrupt input.
    #[error("{}: cannot {action}: the file is corrupt ({})", path.display(), plain::line(panic))]
    Corrupt { path: ConfinedPath, action: &'static str, panic: String },
    /// The file is valid Parquet, but not the file of a job.
    #[error("{}: not {}: {}{}", path.display(), words.file, plain::line(reason), remedy(words))]
    Form { path: ConfinedPath, words: &'static Words, reason: String },
    /// The file has the right form, but its content contradicts itself or another file.
    #[error("{}: {}{}", path.display(), plain::line(reason), remedy(words))]
    Content { path: ConfinedPath, words: &'static Words, reason: String },
    /// The file holds the result of another identity.
    #[error(
        "{}: the manifest asks for another {} ({}); run `pipeline {}` to run that one",
        path.display(), words.kind, plain::line(&components(differences)), words.command
    )]
    Stale { path: ConfinedPath, words: &'static Words, differences: Vec<Difference> },
    /// The file has the name of another job, or lies where none can be.
    #[error("{}: {}", path.display(), plain::line(reason))]
    Place { path: ConfinedPath, reason: String },
    /// The file holds the times of games, on which no record depends.
    #[error(transparent)]
    Timing(Box<Self>),
}

/// The remedy for the file of a kind. Commands add their own to that of records.
fn remedy(words: &Words) -> String {
    match words.command {
        "run" => String::new(),
        command => {
            format!("; restore the file, or remove it and run `pipeline {command}` to make it again")
        }
    }
}

impl StoreError {
    /// For `map_err`: an action on a file that the system refused.
    pub fn io(path: &ConfinedPath, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), action, source }
    }

    /// For `map_err`: an action on a file that the Parquet library refused.
    pub fn parquet<E: Error + Send + Sync + 'static>(
        path: &ConfinedPath,
        action: &'static str,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::Parquet { path: path.to_owned(), action, source: Box::new(source) }
    }

    /// A file that is not one of this kind.
    pub fn form(path: &ConfinedPath, words: &'static Words, reason: impl Into<String>) -> Self {
        Self::Form { path: path.to_owned(), words, reason: reason.into() }
    }

    /// A file of this kind whose content is wrong.
    pub fn content(path: &ConfinedPath, words: &'static Words, reason: impl Into<String>) -> Self {
        Self::Content { path: path.to_owned(), words, reason: reason.into() }
    }

    /// Whether its words end with a remedy.
    pub fn has_remedy(&self) -> bool {
        match self {
            Self::Form { words, .. } | Self::Content { words, .. } => !remedy(words).is_empty(),
            Self::Stale { .. } | Self::Place { .. } => true,
            _ => false,
        }
    }

    /// The same problem of a file that holds the times of games, unless the system failed.
    pub fn of_timing(self) -> Self {
        if matches!(self, Self::Io { .. }) { self } else { Self::Timing(Box::new(self)) }
    }
}
