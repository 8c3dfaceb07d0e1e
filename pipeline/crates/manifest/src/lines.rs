//! The lines of a manifest: errors are told with them, and also those that come up when its text is gone.

use std::collections::BTreeMap;

use super::document::Entry;

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

/// Where in its manifest an experiment asks for its agent: agents are known only when the manifest has long been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// By experiment, then by key: `params.top`. The entry itself is the empty key.
    experiments: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Lines {
    pub(super) fn of(experiments: &[Entry<'_>], line_breaks: &LineBreaks) -> Self {
        let lines = |entry: &Entry<'_>| {
            let mut keys = vec![String::new(), "agent".to_owned(), "params".to_owned(), "budget".to_owned()];
            keys.extend(entry.keys_of("params").map(|name| format!("params.{name}")));
            let line = |key: String| {
                let line = line_breaks.line_at(entry.offset_of(&key));
                (key, line)
            };
            Some((entry.id()?.to_owned(), keys.into_iter().map(line).collect()))
        };
        Self { experiments: experiments.iter().filter_map(lines).collect() }
    }

    /// The line of an experiment's key, or else of what it stands in; none where the experiment is not from a file.
    pub(super) fn of_key(&self, experiment: &str, key: &str) -> Option<usize> {
        let lines = self.experiments.get(experiment)?;
        let above = key.rsplit_once('.').map(|(above, _)| above);
        [Some(key), above, Some("")].into_iter().flatten().find_map(|key| lines.get(key)).copied()
    }
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
