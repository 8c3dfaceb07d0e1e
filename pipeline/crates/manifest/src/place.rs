//! A part of a manifest while it is checked. A check that fails leaves its problem here and the next one goes on, so that an author learns
//! of all of them at once.

use std::cell::RefCell;
use std::path::Path;

use engine::abi::host::is_plain;
use engine::rules::RulesError;

use super::limits::{LONGEST_NAME, LONGEST_TEXT, MOST_ENTRIES};
use super::{ManifestError, Subject};

/// A part of a manifest, and what is wrong with it.
pub(super) struct Place<'a> {
    file: &'a Path,
    subject: Subject,
    found: RefCell<Vec<Found>>,
}

/// A problem, with the key where it is: `params.top`. Its line is not known yet.
pub(super) struct Found {
    pub(super) key: String,
    pub(super) problem: ManifestError,
}

/// What failed a check: its problem stands in the [`Place`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused;

/// What came of a check.
pub(super) type Checked<T = ()> = Result<T, Refused>;

/// What came of several checks, all of which are made.
pub(super) fn all(checks: impl IntoIterator<Item = Checked>) -> Checked {
    checks.into_iter().fold(Ok(()), Result::and)
}

/// What is said of a list that is too long.
pub(super) fn too_many(entries: usize, most: usize) -> String {
    format!("has {entries} entries: write at most {most}")
}

impl<'a> Place<'a> {
    pub(super) const fn new(file: &'a Path, subject: Subject) -> Self {
        Self { file, subject, found: RefCell::new(Vec::new()) }
    }

    /// All that was found to be wrong.
    pub(super) fn into_found(self) -> Vec<Found> {
        self.found.into_inner()
    }

    /// Refuses a key's value; `problem` goes on after the key's name.
    pub(super) fn wrong(&self, key: &'static str, problem: impl Into<String>) -> Refused {
        self.wrong_within(key, key, problem)
    }

    /// The same, where the problem is at a key within the value: `params.top`.
    pub(super) fn wrong_within(
        &self,
        key: &'static str,
        within: &str,
        problem: impl Into<String>,
    ) -> Refused {
        let (file, subject) = (self.file.to_owned(), self.subject.clone());
        self.keep(within, ManifestError::Invalid { file, line: None, subject, key, problem: problem.into() })
    }

    /// Refuses rules that make no game.
    pub(super) fn wrong_rules(&self, source: RulesError) -> Refused {
        let (file, subject) = (self.file.to_owned(), self.subject.clone());
        self.keep("rules", ManifestError::Rules { file, line: None, subject, source })
    }

    fn keep(&self, key: &str, problem: ManifestError) -> Refused {
        self.found.borrow_mut().push(Found { key: key.to_owned(), problem });
        Refused
    }

    /// Checks that a text says something, and nothing that would not be seen.
    pub(super) fn filled(&self, key: &'static str, text: &str) -> Checked {
        self.written(key, text)?;
        self.shown(key, key, text, LONGEST_TEXT)
    }

    /// The same for a text that stands in the middle of a line.
    pub(super) fn named(&self, key: &'static str, text: &str) -> Checked {
        self.written(key, text)?;
        if text.contains(['\n', '\t']) {
            return Err(self.wrong(key, "has a line break or a tab: write one line"));
        }
        self.shown(key, key, text, LONGEST_NAME)
    }

    /// [`Self::filled`] for a text that may be left out.
    pub(super) fn filled_if_given(&self, key: &'static str, text: Option<&str>) -> Checked {
        text.map_or(Ok(()), |text| self.filled(key, text))
    }

    /// [`Self::named`] for a text that may be left out.
    pub(super) fn named_if_given(&self, key: &'static str, text: Option<&str>) -> Checked {
        text.map_or(Ok(()), |text| self.named(key, text))
    }

    fn written(&self, key: &'static str, text: &str) -> Checked {
        if text.trim().is_empty() { Err(self.wrong(key, "is empty: fill it in")) } else { Ok(()) }
    }

    /// Checks that a text shows as it is written, and is not longer than that.
    pub(super) fn shown(&self, key: &'static str, within: &str, text: &str, longest: usize) -> Checked {
        if text.chars().nth(longest).is_some() {
            let problem = format!("has more than {longest} characters: shorten it");
            return Err(self.wrong_within(key, within, problem));
        }
        let hidden = text.chars().find(|&letter| !is_plain(letter) && !matches!(letter, '\n' | '\t'));
        hidden.map_or(Ok(()), |letter| {
            let code = u32::from(letter);
            let problem = format!("holds U+{code:04X}, which does not show as itself: remove it");
            Err(self.wrong_within(key, within, problem))
        })
    }

    /// Checks that a list has not more entries than there may be.
    pub(super) fn few(&self, key: &'static str, entries: usize) -> Checked {
        if entries <= MOST_ENTRIES {
            return Ok(());
        }
        Err(self.wrong(key, too_many(entries, MOST_ENTRIES)))
    }

    /// Checks a number against its limit; `ask` says what to do with at most so many.
    pub(super) fn at_most(&self, key: &'static str, number: u64, most: u64, ask: &str) -> Checked {
        if number <= most {
            return Ok(());
        }
        Err(self.wrong(key, format!("is {number}: {ask} at most {most}")))
    }

    /// The same for a number that must not be 0.
    pub(super) fn one_to(&self, key: &'static str, number: u64, most: u64, ask: &str) -> Checked {
        if number == 0 {
            return Err(self.wrong(key, format!("is 0: {ask} at least 1")));
        }
        self.at_most(key, number, most, ask)
    }
}
