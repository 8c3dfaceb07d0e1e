//! Checks of single values, and the error of a check that fails. An entry of a manifest is refused for the
//! first of them; the other entries are checked all the same.

use super::limits::MOST_ENTRIES;

/// A value that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CheckError {
    /// The key whose line it is reported at: `params.top`.
    pub(super) key: String,
    /// The key, what is wrong with its value, and the remedy.
    pub(super) problem: String,
}

/// The result of a check.
pub(super) type Checked<T = ()> = Result<T, CheckError>;

/// Refuses a key's value; `problem` goes on after the key's name.
pub(super) fn wrong(key: &str, problem: impl AsRef<str>) -> CheckError {
    wrong_within(key, key, problem)
}

/// The same, if the problem is at a key within the value: `params.top`.
pub(super) fn wrong_within(key: &str, within: &str, problem: impl AsRef<str>) -> CheckError {
    CheckError { key: within.to_owned(), problem: format!("`{key}` {}", problem.as_ref()) }
}

/// What to say of a list that is too long.
pub(super) fn too_many(entries: usize, most: usize) -> String {
    format!("has {entries} entries: write at most {most}")
}

/// Checks that a list has no more entries than it may have.
pub(super) fn few(key: &str, entries: usize) -> Checked {
    if entries <= MOST_ENTRIES { Ok(()) } else { Err(wrong(key, too_many(entries, MOST_ENTRIES))) }
}
