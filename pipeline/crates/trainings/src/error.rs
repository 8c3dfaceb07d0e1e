//! What can be wrong with a stored training.

use records::store::StoreError;
use surroundings::confined::ConfinedPath;

/// What can be wrong with a stored training, always with the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainingError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: not the curve of a training: {reason}; restore the file, or remove it and run `pipeline train` to make it again", path.display())]
    Form { path: ConfinedPath, reason: String },
    #[error("{}: it has form {form}, but this program reads form {known}", path.display())]
    OtherForm { path: ConfinedPath, form: String, known: &'static str },
}

impl TrainingError {
    pub(crate) fn form(path: &ConfinedPath, reason: impl Into<String>) -> Self {
        Self::Form { path: path.to_owned(), reason: reason.into() }
    }
}
