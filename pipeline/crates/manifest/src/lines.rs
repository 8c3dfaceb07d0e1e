//! The lines of a manifest: errors are told with them, and also those that come up when its text is gone.

use std::collections::BTreeMap;

use super::document::{Document, RawEntry};
use super::winners::named_by;

/// The line breaks of a text.
pub(super) struct LineBreaks(Vec<usize>);

impl LineBreaks {
    pub(super) fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset).collect())
    }

    /// The line of an offset, from 1.
    pub(super) fn line_at(&self, offset: usize) -> usize {
        self.0.partition_point(|&line_break| line_break < offset) + 1
    }
}

/// Where in its manifest an experiment, a study or a training asks for its agent: agents are known only when
/// the manifest has long been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// By experiment, study or training, then by key: `params.top`. The entry itself is the empty key.
    /// Winners are found where their study is.
    by_id: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Lines {
    pub(super) fn of(document: &Document<'_>, line_breaks: &LineBreaks) -> Self {
        let mut by_id = BTreeMap::new();
        for entry in document.jobs() {
            let Some(id) = entry.id() else { continue };
            by_id.insert(id.to_owned(), lines_of(entry, line_breaks));
        }
        for study in document.list("study") {
            let lines = lines_of(study, line_breaks);
            by_id.extend(named_by(study).into_iter().map(|id| (id, lines.clone())));
        }
        Self { by_id }
    }

    /// The line of an experiment's, a study's or a training's key, or else of what it stands in; `None` if
    /// it is not from a file.
    pub(super) fn of_key(&self, id: &str, key: &str) -> Option<usize> {
        let lines = self.by_id.get(id)?;
        let above = key.rsplit_once('.').map(|(above, _)| above);
        [Some(key), above, Some("")].into_iter().flatten().find_map(|key| lines.get(key)).copied()
    }
}

fn lines_of(entry: &RawEntry<'_>, line_breaks: &LineBreaks) -> BTreeMap<String, usize> {
    let mut keys = ["", "agent", "params", "files", "budget", "space"].map(str::to_owned).to_vec();
    for table in ["params", "files", "space"] {
        let names = entry.table(table).into_iter().flat_map(|table| table.keys());
        keys.extend(names.map(|name| format!("{table}.{}", name.get_ref())));
    }
    let line = |key: String| {
        let line = line_breaks.line_at(entry.offset_of(&key));
        (key, line)
    };
    keys.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_up_to_its_line_break() {
        let line_breaks = LineBreaks::of("a\n\nbc\n");
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|offset| line_breaks.line_at(offset)), [1, 1, 2, 3, 3, 3, 4]);
    }
}
