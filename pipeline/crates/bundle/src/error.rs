//! Why a bundle cannot be made or used.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use platform::WriteError;
use records::{IndexError, StoreError, SumsError};
use trainings::ArtefactError;

/// Why a bundle cannot be made or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BundleError {
    #[error("{}: cannot {what}", path.display())]
    Io { path: PathBuf, what: &'static str, source: io::Error },
    /// The command line or the repository has to change.
    #[error("{0}")]
    Usage(String),
    /// A bundle or its records are not as they should be.
    #[error("{0}")]
    Damaged(String),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    #[error(transparent)]
    Sums(#[from] SumsError),
    #[error(transparent)]
    Output(#[from] WriteError),
}

impl BundleError {
    /// For `map_err`: what could not be done with a file.
    pub fn io(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, what, source }
    }

    /// A file of a bundle that has another form than it should.
    pub(super) fn form(file: &Path, reason: impl Display) -> Self {
        Self::Damaged(format!("{}: {reason}", file.display()))
    }
}
