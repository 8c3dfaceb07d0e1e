//! The file of a job after a run. Rows that contradict stored ones of the same identity do not replace them.

use super::report::JobResult;
use platform::confined::ConfinedPath;

/// The file that a run has written.
pub(crate) struct StoredFile {
    pub(crate) path: ConfinedPath,
    pub(crate) digest: String,
    /// Whether rows that were played again are as they were stored; none if there was nothing to compare.
    pub(crate) same_as_stored: Option<bool>,
    pub(crate) alarm: Option<String>,
}

impl StoredFile {
    pub(crate) fn add_to(self, result: &mut JobResult) {
        result.file = Some(self.path.path().to_owned());
        result.digest = Some(self.digest);
        result.same_as_stored = self.same_as_stored;
        result.alarms.extend(self.alarm);
        result.journalled = 0;
    }
}

/// Rows that were played again, compared with stored ones of the same identity.
pub(crate) enum RowComparison {
    /// There are none, or none that promise to repeat.
    Nothing,
    /// They are the same.
    Same,
    /// The first difference.
    Different(String),
}

impl RowComparison {
    pub(crate) const fn is_different(&self) -> bool {
        matches!(self, Self::Different(_))
    }

    /// Where the new rows go: to the job's file, or beside it if they are different.
    pub(crate) fn target(&self, path: &ConfinedPath) -> ConfinedPath {
        if self.is_different() { path.with_extension("differs.parquet") } else { path.clone() }
    }

    /// The file with the new rows.
    pub(crate) fn into_file(self, path: ConfinedPath, digest: String, stored: &str) -> StoredFile {
        let (same_as_stored, alarm) = match self {
            Self::Nothing => (None, None),
            Self::Same => (Some(true), None),
            Self::Different(difference) => {
                let kept = format!("the stored file is kept, the new one is {}", path.display());
                (Some(false), Some(format!("same identity, different {stored}: {difference}; {kept}")))
            }
        };
        StoredFile { path, digest, same_as_stored, alarm }
    }
}
