//! All that is wrong with a manifest: an author mends it in one go, so the first problem does not end the check.

use std::path::Path;

use super::document::Entry;
use super::{ManifestError, Subject};

/// The most problems that are shown; the others are counted.
const MOST_SHOWN: usize = 20;

/// The problems that were found in one manifest.
pub(super) struct Problems<'a> {
    file: &'a Path,
    text: &'a str,
    shown: Vec<ManifestError>,
    more: usize,
}

impl<'a> Problems<'a> {
    pub(super) const fn new(file: &'a Path, text: &'a str) -> Self {
        Self { file, text, shown: Vec::new(), more: 0 }
    }

    /// The value, where an entry is right; otherwise the problem is kept, with its line.
    pub(super) fn keep<T>(&mut self, entry: &Entry<'_>, checked: Result<T, ManifestError>) -> Option<T> {
        let mut error = match checked {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        if self.has_room() {
            match &mut error {
                ManifestError::Invalid { line, key, .. } => *line = Some(self.line_of(entry, key)),
                ManifestError::Rules { line, .. } => *line = Some(self.line_of(entry, "rules")),
                _ => {}
            }
            self.shown.push(error);
        }
        None
    }

    /// Keeps what is wrong with a value as it is written.
    pub(super) fn of_value(&mut self, subject: &Subject, offset: usize, problem: impl FnOnce() -> String) {
        if self.has_room() {
            self.shown.push(ManifestError::Value {
                file: self.file.to_owned(),
                line: line_at(self.text, offset),
                subject: subject.clone(),
                problem: problem(),
            });
        }
    }

    /// Whether one more is shown; it is counted where not.
    fn has_room(&mut self) -> bool {
        let has_room = self.shown.len() < MOST_SHOWN;
        self.more += usize::from(!has_room);
        has_room
    }

    fn line_of(&self, entry: &Entry<'_>, key: &str) -> usize {
        line_at(self.text, entry.offset_of(key))
    }

    /// # Errors
    /// All that was found, by line.
    pub(super) fn finish(mut self) -> Result<(), ManifestError> {
        if self.shown.len() <= 1 {
            return self.shown.pop().map_or(Ok(()), Err);
        }
        self.shown.sort_by_key(ManifestError::line);
        Err(ManifestError::Several { file: self.file.to_owned(), shown: self.shown, more: self.more })
    }
}

/// The line of an offset, from 1.
pub(super) fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}
