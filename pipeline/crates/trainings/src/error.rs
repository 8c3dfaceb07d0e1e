//! What can be wrong with a stored training.

use platform::confined::ConfinedPath;
use platform::plain;
use records::store::StoreError;

/// What can be wrong with a stored training, always with the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainingError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: not the curve of a training: {}; restore the file, or remove it and run `pipeline train` to make it again", path.display(), plain::line(reason))]
    Form { path: ConfinedPath, reason: String },
    #[error("{}: it has form {}, but this program reads form {known}", path.display(), plain::line(form))]
    OtherForm { path: ConfinedPath, form: String, known: &'static str },
}

impl TrainingError {
    pub(crate) fn form(path: &ConfinedPath, reason: impl Into<String>) -> Self {
        Self::Form { path: path.to_owned(), reason: reason.into() }
    }
}
