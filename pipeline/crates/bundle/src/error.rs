//! Why a bundle cannot be made or used.

use std::io;
use std::path::{Path, PathBuf};

use platform::atomic::WriteError;
use platform::plain;
use records::index::IndexError;
use records::store::StoreError;
use records::sums::SumsError;
use trainings::ArtefactError;

/// Why a bundle cannot be made or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum BundleError {
    #[error("{}: cannot {what}", path.display())]
    Io { path: PathBuf, what: &'static str, source: io::Error },
    #[error("{}: there is no such file or folder; check the path", path.display())]
    Missing { path: PathBuf },
    #[error("{}: this file cannot be a bundle; name one that `pipeline bundle` made", path.display())]
    NotAFile { path: PathBuf },
    #[error("{}: {reason}; a bundle is made from a git repository with a commit", folder.display())]
    Git { folder: PathBuf, reason: String },
    #[error("{}: `{}` is {reason}: it cannot be bundled", folder.display(), plain::line(name))]
    Unbundleable { folder: PathBuf, name: String, reason: &'static str },
    #[error("{}: refused: `{}` {reason}", bundle.display(), plain::line(entry))]
    Refused { bundle: PathBuf, entry: String, reason: String },
    #[error("{}: {reason}", file.display())]
    Form { file: PathBuf, reason: String },
    #[error("SOURCE_DATE_EPOCH is `{text}`: it must be a number of seconds since 1970")]
    Epoch { text: String },
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
    pub(super) fn form(file: &Path, reason: impl Into<String>) -> Self {
        Self::Form { file: file.to_owned(), reason: reason.into() }
    }
}
