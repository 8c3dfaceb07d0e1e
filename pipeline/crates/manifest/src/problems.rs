//! All that is wrong with a manifest, entry by entry: the first problem does not end the check.

use std::path::Path;

use super::ManifestError;
use super::document::RawEntry;
use super::field_checks::CheckError;
use super::lines::LineBreaks;

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

    /// The value of a check of an entry; if it failed, its problem is added.
    pub(super) fn take<T>(&mut self, entry: &RawEntry<'_>, checked: Result<T, CheckError>) -> Option<T> {
        checked
            .map_err(|CheckError { key, problem }| {
                self.found.push(ManifestError::Invalid {
                    file: self.file.to_owned(),
                    line: Some(self.line_breaks.line_at(entry.offset_of(&key))),
                    subject: entry.subject.clone(),
                    problem,
                });
            })
            .ok()
    }

    pub(super) fn finish(mut self) -> Result<(), ManifestError> {
        self.found.sort_by_key(ManifestError::line);
        together(self.found)
    }
}

/// One error of many: the first [`MOST_SHOWN`], and how many more there are.
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
