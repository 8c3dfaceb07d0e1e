//! Checks of single values, and the error of a check that fails. An entry of a manifest is refused for the first of them;
//! the other entries are checked all the same.

use engine::abi::host::is_plain;

use super::limits::{LONGEST_NAME, LONGEST_TEXT, MOST_ENTRIES};

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

/// Checks that a text is not blank, and holds nothing that would not be seen.
pub(super) fn filled(key: &str, text: &str) -> Checked {
    not_blank(key, text)?;
    shown(key, key, text, LONGEST_TEXT)
}

/// The same for a text that stands in the middle of a line.
pub(super) fn named(key: &str, text: &str) -> Checked {
    not_blank(key, text)?;
    if text.contains(['\n', '\t']) {
        return Err(wrong(key, "has a line break or a tab: write one line"));
    }
    shown(key, key, text, LONGEST_NAME)
}

/// [`filled`] for a text that may be left out.
pub(super) fn filled_if_given(key: &str, text: Option<&str>) -> Checked {
    text.map_or(Ok(()), |text| filled(key, text))
}

/// [`named`] for a text that may be left out.
pub(super) fn named_if_given(key: &str, text: Option<&str>) -> Checked {
    text.map_or(Ok(()), |text| named(key, text))
}

fn not_blank(key: &str, text: &str) -> Checked {
    if text.trim().is_empty() { Err(wrong(key, "is empty: fill it in")) } else { Ok(()) }
}

/// Checks that a text shows as it is written, and is not longer than that.
pub(super) fn shown(key: &str, within: &str, text: &str, longest: usize) -> Checked {
    if text.chars().nth(longest).is_some() {
        let problem = format!("has more than {longest} characters: shorten it");
        return Err(wrong_within(key, within, problem));
    }
    let hidden = text.chars().find(|&letter| !is_plain(letter) && !matches!(letter, '\n' | '\t'));
    hidden.map_or(Ok(()), |letter| {
        let code = u32::from(letter);
        let problem = format!("holds U+{code:04X}, which does not show as itself: remove it");
        Err(wrong_within(key, within, problem))
    })
}

/// Checks that a list has no more entries than it may have.
pub(super) fn few(key: &str, entries: usize) -> Checked {
    if entries <= MOST_ENTRIES { Ok(()) } else { Err(wrong(key, too_many(entries, MOST_ENTRIES))) }
}

/// Checks a number against its limit; `ask` is the verb before "at most".
pub(super) fn at_most(key: &str, number: u64, most: u64, ask: &str) -> Checked {
    if number <= most { Ok(()) } else { Err(wrong(key, format!("is {number}: {ask} at most {most}"))) }
}

/// The same for a number that must not be 0.
pub(super) fn one_to(key: &str, number: u64, most: u64, ask: &str) -> Checked {
    if number == 0 {
        return Err(wrong(key, format!("is 0: {ask} at least 1")));
    }
    at_most(key, number, most, ask)
}
