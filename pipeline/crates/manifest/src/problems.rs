//! All that is wrong with a manifest: an author mends it in one go, so the first problem does not end the check.

use std::path::Path;

use super::document::{Entry, Said};
use super::lines::LineBreaks;
use super::place::{Found, Place};
use super::{ManifestError, Subject};

/// The most problems that are shown; the others are counted.
const MOST_SHOWN: usize = 20;

/// The problems that were found in one manifest.
pub(super) struct Problems<'a> {
    file: &'a Path,
    line_breaks: &'a LineBreaks,
    found: Vec<ManifestError>,
}

impl<'a> Problems<'a> {
    pub(super) const fn new(file: &'a Path, line_breaks: &'a LineBreaks) -> Self {
        Self { file, line_breaks, found: Vec::new() }
    }

    /// A place in this manifest, for its checks.
    pub(super) const fn place(&self, subject: Subject) -> Place<'a> {
        Place::new(self.file, subject)
    }

    /// Keeps what was found in a place, with its lines, but for what was said before.
    pub(super) fn keep(&mut self, entry: &Entry<'_>, place: Place<'_>, said: &Said) {
        let is_new = |found: &Found| !said.covers(entry, &found.key);
        for mut found in place.into_found().into_iter().filter(is_new) {
            if let ManifestError::Invalid { line, .. } | ManifestError::Rules { line, .. } =
                &mut found.problem
            {
                *line = Some(self.line_breaks.line_at(entry.offset_of(&found.key)));
            }
            self.found.push(found.problem);
        }
    }

    /// Keeps what is wrong with a value as it is written.
    pub(super) fn of_value(&mut self, subject: &Subject, offset: usize, problem: String) {
        self.found.push(ManifestError::Value {
            file: self.file.to_owned(),
            line: self.line_breaks.line_at(offset),
            subject: subject.clone(),
            problem,
        });
    }

    /// # Errors
    /// All that was found, by line.
    pub(super) fn finish(mut self) -> Result<(), ManifestError> {
        self.found.sort_by_key(ManifestError::line);
        together(self.found)
    }
}

/// One error of many: as many as a person reads, and how many more there are.
///
/// # Errors
/// Unless there are none.
pub(super) fn together(problems: Vec<ManifestError>) -> Result<(), ManifestError> {
    let (mut shown, mut more) = (Vec::new(), 0);
    for problem in problems {
        match problem {
            ManifestError::Several { shown: several, more: beside } => {
                shown.extend(several);
                more += beside;
            }
            one => shown.push(one),
        }
    }
    more += shown.len().saturating_sub(MOST_SHOWN);
    shown.truncate(MOST_SHOWN);
    match shown.len() {
        0 => Ok(()),
        1 if more == 0 => shown.pop().map_or(Ok(()), Err),
        _ => Err(ManifestError::Several { shown, more }),
    }
}
