//! Why a bundle cannot be made or used.

use std::io;
use std::path::{Path, PathBuf};

use crate::evidence::EvidenceError;
use crate::index::IndexError;
use crate::output::OutputError;
use crate::store::StoreError;

/// Why a bundle cannot be made or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BundleError {
    #[error("{}: cannot {what}", path.display())]
    Io { path: PathBuf, what: &'static str, source: io::Error },
    #[error("{}: {reason}; a bundle is made from a git repository with a commit", folder.display())]
    Git { folder: PathBuf, reason: String },
    #[error("{}: `{name}` is {reason}: it cannot be bundled", folder.display())]
    Unbundleable { folder: PathBuf, name: String, reason: &'static str },
    #[error("{}: refused: `{entry}` {reason}", bundle.display())]
    Refused { bundle: PathBuf, entry: String, reason: String },
    #[error("{}: {reason}", file.display())]
    Form { file: PathBuf, reason: String },
    #[error("SOURCE_DATE_EPOCH is `{text}`: it must be a number of seconds since 1970")]
    Epoch { text: String },
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl BundleError {
    /// For `map_err`: what could not be done with a file.
    pub(crate) fn io(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, what, source }
    }

    /// A file of a bundle that has another form than it should.
    pub(super) fn form(file: &Path, reason: impl Into<String>) -> Self {
        Self::Form { file: file.to_owned(), reason: reason.into() }
    }
}
