//! What can be wrong with a stored study.

use jobs::Difference;
use platform::confined::ConfinedPath;
use platform::plain;
use records::store::StoreError;

/// What can be wrong with a stored study, always with the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StudyError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: not the trials of a study: {}; remove it, and run `pipeline study` to make it again", path.display(), plain::line(reason))]
    Form { path: ConfinedPath, reason: String },
    #[error("{}: trial {trial}: {column} does not follow from its games; restore the file, or remove it and run `pipeline study` to make it again", path.display())]
    Arithmetic { path: ConfinedPath, trial: u64, column: &'static str },
    #[error("{}: it has form {}, but this program reads form {known}", path.display(), plain::line(form))]
    OtherForm { path: ConfinedPath, form: String, known: &'static str },
    #[error(
        "{}: the manifest asks for another study ({}); run `pipeline study` to run that one",
        path.display(),
        plain::line(&components(differences))
    )]
    Other { path: ConfinedPath, differences: Vec<Difference> },
}

impl StudyError {
    pub(crate) fn form(path: &ConfinedPath, reason: impl Into<String>) -> Self {
        Self::Form { path: path.to_owned(), reason: reason.into() }
    }
}

fn components(differences: &[Difference]) -> String {
    let parts: Vec<&str> = differences.iter().map(|difference| difference.component.as_str()).collect();
    parts.join(", ")
}
