//! `pipeline verify` on a whole results folder: what beside the records must be as it was written.

use std::collections::{BTreeMap, btree_map};
use std::path::{Path, PathBuf};

use engine::abi::host::is_identifier;

use super::failure::chain;
use records::index::{Index, IndexEntry, IndexError};
use records::key::Key;
use records::layout::Layout;
use records::store::{Extent, RecordsReader, RecordsSummary, StoreError, timing_extent};
use records::sums;
use records::tree::Tree;
use verdict::Kept;
use verdict::format::counted;

/// What came of looking at a folder.
#[derive(Default)]
pub(super) struct Looked {
    /// What is wrong, each with its file.
    pub(super) problems: Vec<String>,
    /// What to know, though nothing is wrong.
    pub(super) notes: Vec<String>,
}

/// Looks at all that a results folder holds, but for the games.
pub(super) fn look(layout: &Layout) -> Looked {
    let mut looked = Looked::default();
    match Tree::of(layout.root()) {
        Ok(tree) => {
            looked.strange(&tree);
            looked.hashes(layout, &tree);
            looked.seals(layout, &tree);
        }
        Err(error) => looked.problems.push(error.to_string()),
    }
    looked.index(layout);
    // Whether they are what the records give, `pipeline claims --gate` says; that they can be read at all is much less.
    looked.problems.extend(Kept::read(&layout.claims(), &[]).err().map(|error| chain(&error)));
    looked
}

impl Looked {
    fn strange(&mut self, tree: &Tree) {
        let told = |(path, what): &(PathBuf, &str)| {
            format!(
                "{}: it is {what}, which does not belong among results",
                path.to_string_lossy().escape_debug()
            )
        };
        self.problems.extend(tree.strange.iter().map(told));
    }

    /// Compares every file with the list.
    fn hashes(&mut self, layout: &Layout, tree: &Tree) {
        match sums::read(layout) {
            Ok(Some(sums)) => {
                let problems = sums::problems(layout, tree, &sums);
                if !problems.is_empty() {
                    let text = "SHA256SUMS lists what `pipeline` last wrote. If a run was killed since then, run it again; if you made these \
                                changes, run `pipeline render` to write the list again.";
                    self.notes.push(text.to_owned());
                }
                self.problems.extend(problems);
            }
            Ok(None) => self.notes.push(format!(
                "{}: there is no list of hashes; `pipeline render` or `pipeline reproduce` writes it",
                layout.sums().display()
            )),
            Err(error) => self.problems.push(chain(&error)),
        }
    }

    /// Looks whether files are sealed. That a seal of records is broken, replaying them has told.
    fn seals(&mut self, layout: &Layout, tree: &Tree) {
        let older = |name: &&str| {
            let reader = RecordsReader::open(&layout.root().join(name));
            reader.is_ok_and(|reader| reader.sealed() != Extent::Whole)
        };
        let older = tree.parquet("records").filter(older).count() as u64;
        if older > 0 {
            let are = if older == 1 { "is" } else { "are" };
            self.notes.push(format!(
                "{} {are} not sealed to the last byte; `pipeline reproduce` seals them",
                counted(older, "records file")
            ));
        }
        for name in tree.parquet("timing") {
            let path = layout.root().join(name);
            match timing_extent(&path) {
                Ok(Some(Extent::Whole) | None) => {}
                Ok(Some(_)) => {
                    self.problems
                        .push(format!("{}: it has no seal; `pipeline render` seals it", path.display()));
                }
                Err(error) => self.problems.push(chain(&error)),
            }
        }
    }

    /// Compares the index with the records that it names.
    fn index(&mut self, layout: &Layout) {
        let index = match Index::read(layout) {
            Ok(index) => index,
            Err(IndexError::Missing { .. }) => return,
            Err(error) => return self.problems.push(chain(&error)),
        };
        let mut summaries: BTreeMap<&Key, Option<RecordsSummary>> = BTreeMap::new();
        for (experiment, entry) in &index.experiments {
            // What is no name could lead to any file of this machine.
            let told = if is_plain(&entry.records) && experiment.parse().is_ok_and(|key| is_plain(&key)) {
                let path = layout.records(&entry.records, None);
                let Ok(summary) = summary(&mut summaries, &entry.records, &path) else { continue };
                difference(entry, summary).map(|told| format!("{} {told}", path.display()))
            } else {
                Some("it is not the name of an experiment, or its records are not an experiment's".to_owned())
            };
            let (index, experiment) = (layout.index(), experiment.escape_debug());
            self.problems.extend(told.map(|told| format!("{}: `{experiment}`: {told}", index.display())));
        }
    }
}

fn is_plain(key: &Key) -> bool {
    is_identifier(&key.paper) && is_identifier(&key.experiment)
}

/// What is known of a records file, read once; none where there is no file. What is wrong with it, replaying it has told.
fn summary<'a, 'k>(
    known: &'a mut BTreeMap<&'k Key, Option<RecordsSummary>>,
    key: &'k Key,
    path: &Path,
) -> Result<Option<&'a RecordsSummary>, StoreError> {
    let summary = match known.entry(key) {
        btree_map::Entry::Occupied(known) => known.into_mut(),
        btree_map::Entry::Vacant(unknown) => unknown.insert(RecordsSummary::read(path)?),
    };
    Ok(summary.as_ref())
}

/// In what a records file is not as the index says.
fn difference(entry: &IndexEntry, summary: Option<&RecordsSummary>) -> Option<&'static str> {
    let Some(summary) = summary else { return Some("is missing") };
    let identity = summary.header.identity.hash() != entry.identity;
    let digest = (summary.digest != entry.digest).then_some("has another digest");
    let games = (summary.games != entry.games).then_some("has a different number of games");
    identity.then_some("has another identity").or(digest).or(games)
}
