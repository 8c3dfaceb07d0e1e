//! The index of a results folder: which records file belongs to which experiment.
//!
//! Experiments of equal identity share one records file, and to know which do takes the agents' defaults. The
//! index keeps that knowledge, so that everything behind this point works from manifests and records alone,
//! without a plugin.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};

use crate::{Layout, RecordsSummary, StoreError};
use jobs::Key;
use platform::{ConfinedPath, FileType, LARGEST_TEXT, WriteError, atomic};

/// The version of the file's form.
const FORM: u32 = 1;

/// What to do about a damaged index. It is never begun anew by itself: a run of some experiments knows
/// nothing of the others.
const REMEDY: &str =
    "restore it, or remove it and `pipeline reproduce --extra` makes it again from the records";

/// Which records belong to which experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    form: u32,
    /// The experiments with records, as `paper/experiment`.
    pub experiments: BTreeMap<String, IndexEntry>,
}

/// The records of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexEntry {
    /// The experiment whose file holds them.
    pub records: Key,
    /// The identity that they have.
    pub identity: String,
    /// Their logical digest.
    pub digest: String,
    /// How many games there are.
    pub games: u64,
}

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum IndexError {
    #[error("{}: there are no results; run `pipeline reproduce` to play them", path.display())]
    Missing { path: ConfinedPath },
    #[error("{}: the index cannot be read: {source}; check that it is a file and that you may read it", path.display())]
    Io { path: ConfinedPath, source: io::Error },
    #[error("{}: not an index of results: {source}; {REMEDY}", path.display())]
    Form { path: ConfinedPath, source: serde_json::Error },
    #[error("{}: it has form {form}, but this program reads form {FORM}; {REMEDY}", path.display())]
    OtherForm { path: ConfinedPath, form: u32 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Output(#[from] WriteError),
}

impl Default for Index {
    fn default() -> Self {
        Self { form: FORM, experiments: BTreeMap::new() }
    }
}

impl Index {
    /// Reads the index of a results folder.
    pub fn read(layout: &Layout) -> Result<Self, IndexError> {
        let path = layout.index();
        match path.read(LARGEST_TEXT) {
            Ok(bytes) => Self::parse(&path, &bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(IndexError::Missing { path }),
            Err(source) => Err(IndexError::Io { path, source }),
        }
    }

    fn parse(path: &ConfinedPath, bytes: &[u8]) -> Result<Self, IndexError> {
        let path = || path.to_owned();
        let index: Self =
            serde_json::from_slice(bytes).map_err(|source| IndexError::Form { path: path(), source })?;
        match index.form {
            FORM => Ok(index),
            form => Err(IndexError::OtherForm { path: path(), form }),
        }
    }

    /// What an index would say of a results folder, as far as its records files say it: each is of the
    /// experiment that it is called after. Experiments that share the records of another are not known.
    pub fn of_records(layout: &Layout) -> Result<Self, IndexError> {
        let mut index = Self::default();
        let failed = |source| IndexError::Io { path: layout.all_records(), source };
        for paper in layout.all_records().list_if_there().map_err(failed)? {
            if paper.kind == FileType::RegularFile {
                continue;
            }
            for file in paper.path.list().map_err(failed)? {
                let (Some(paper), Some(file)) = (paper.path.name(), file.path.name()) else { continue };
                // Parts and leftovers have a second dot, which no experiment's name has.
                let Some(name) = file.strip_suffix(".parquet") else { continue };
                let Ok(key) = format!("{paper}/{name}").parse::<Key>() else { continue };
                let Some(stored) = RecordsSummary::read(&layout.records(&key, None))? else { continue };
                let RecordsSummary { identity, digest, games, .. } = stored;
                index
                    .experiments
                    .insert(key.to_string(), IndexEntry { records: key, identity, digest, games });
            }
        }
        Ok(index)
    }

    /// The index of a results folder, which is empty where there is none yet.
    fn read_or_new(layout: &Layout) -> Result<Self, IndexError> {
        match Self::read(layout) {
            Err(IndexError::Missing { .. }) => Ok(Self::default()),
            index => index,
        }
    }

    /// Enters what was found of some experiments, each under all of its names. What is not among them stays,
    /// as long as its records are there: that a manifest was not named, or has dropped an experiment, takes
    /// nothing away.
    pub fn update(layout: &Layout, found: &[(Vec<Key>, IndexEntry)]) -> Result<Self, IndexError> {
        let mut index = Self::read_or_new(layout)?;
        index.share(found.iter().map(|(_, entry)| entry));
        for (keys, entry) in found {
            let entries = keys.iter().map(|key| (key.to_string(), entry.clone()));
            index.experiments.extend(entries);
        }
        let mut gone = BTreeSet::new();
        for entry in index.experiments.values() {
            let path = layout.records(&entry.records, None);
            if !path.is_there().map_err(|source| IndexError::Io { path, source })? {
                gone.insert(entry.records.clone());
            }
        }
        index.experiments.retain(|_, entry| !gone.contains(&entry.records));
        atomic::write_json(&layout.index(), &index)?;
        Ok(index)
    }

    /// Brings all that share a records file up to what it holds now. Whose identity it no longer has, has no
    /// records any more.
    fn share<'a>(&mut self, entries: impl Iterator<Item = &'a IndexEntry>) {
        let now: BTreeMap<&Key, &IndexEntry> = entries.map(|entry| (&entry.records, entry)).collect();
        let is_held =
            |known: &IndexEntry| now.get(&known.records).is_none_or(|now| now.identity == known.identity);
        self.experiments.retain(|_, known| is_held(known));
        for known in self.experiments.values_mut() {
            if let Some(now) = now.get(&known.records) {
                *known = IndexEntry::clone(now);
            }
        }
    }

    /// Enters the records of one experiment, and leaves the rest as it is. Experiments that are known to
    /// share them, share the new ones: which others do takes the agents, and is left to [`Self::update`].
    pub fn enter(layout: &Layout, entry: IndexEntry) -> Result<Self, IndexError> {
        let mut index = Self::read_or_new(layout)?;
        index.share(std::iter::once(&entry));
        index.experiments.insert(entry.records.to_string(), entry);
        atomic::write_json(&layout.index(), &index)?;
        Ok(index)
    }

    /// The records of an experiment; `None` if it was not played.
    pub fn entry(&self, key: &Key) -> Option<&IndexEntry> {
        self.experiments.get(&key.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// What an update says that knows of no experiment, in a folder with this index.
    fn update(index: &str) -> Result<Index, IndexError> {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        fs::write(layout.index().path(), index).unwrap();
        let updated = Index::update(&layout, &[]);
        if updated.is_err() {
            assert_eq!(fs::read_to_string(layout.index().path()).unwrap(), index, "it is left as it was");
        }
        updated
    }

    #[test]
    fn a_damaged_index_is_told_of_and_never_written_over() {
        let message = |index: &str| update(index).unwrap_err().to_string();
        for damaged in ["", "{\"form\": 1, \"experi", "[]"] {
            let text = message(damaged);
            assert!(text.contains("index.json: not an index of results: "), "{text}");
            assert!(text.contains("; restore it, or remove it and `pipeline reproduce --extra`"), "{text}");
        }
        let later = message(r#"{"form": 2, "experiments": {}}"#);
        assert!(
            later.contains("index.json: it has form 2, but this program reads form 1; restore it"),
            "{later}"
        );
        assert_eq!(update(r#"{"form": 1, "experiments": {}}"#).unwrap(), Index::default());
    }

    /// Writes an index of these experiments, each with the records of another and a number of games.
    fn written(layout: &Layout, experiments: &[(&str, IndexEntry)]) {
        let experiments = experiments.iter().map(|(key, entry)| ((*key).to_owned(), entry.clone())).collect();
        atomic::write_json(&layout.index(), &Index { experiments, ..Index::default() }).unwrap();
    }

    fn entry(records: &str, games: u64) -> IndexEntry {
        let (records, identity, digest) = (records.parse().unwrap(), "i".to_owned(), "d".to_owned());
        IndexEntry { records, identity, digest, games }
    }

    #[test]
    fn what_is_entered_is_entered_for_all_that_share_it() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        written(&layout, &[("p/a", entry("p/a", 1)), ("q/a", entry("p/a", 1)), ("q/b", entry("q/b", 1))]);
        let index = Index::enter(&layout, entry("p/a", 9)).unwrap();
        let games: Vec<u64> = index.experiments.values().map(|entry| entry.games).collect();
        assert_eq!(games, [9, 9, 1]);
        assert_eq!(Index::read(&layout).unwrap(), index);
    }

    #[test]
    fn what_no_plan_knows_of_stays_as_long_as_its_records_do() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        written(&layout, &["p/a", "q/b", "q/gone"].map(|key| (key, entry(key, 1))));
        for key in ["p/a", "q/b"] {
            atomic::write(&layout.records(&key.parse().unwrap(), None), b"records").unwrap();
        }
        let index = Index::update(&layout, &[]).unwrap();
        assert_eq!(index.experiments.keys().collect::<Vec<_>>(), ["p/a", "q/b"]);
    }

    #[test]
    fn a_pipe_or_a_giant_is_no_index_and_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        fs::File::create(layout.index().path()).unwrap().set_len(LARGEST_TEXT + 1).unwrap();
        let told = Index::read(&layout).unwrap_err().to_string();
        assert!(told.contains("index.json: the index cannot be read: it has more than 64 MiB"), "{told}");
        fs::remove_file(layout.index().path()).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, layout.index().path(), rustix::fs::Mode::RWXU).unwrap();
        let told = Index::read(&layout).unwrap_err().to_string();
        assert!(told.contains("it is a named pipe, but must be a regular file"), "{told}");
    }

    #[test]
    fn where_there_is_no_index_yet_one_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        assert!(matches!(Index::read(&layout), Err(IndexError::Missing { .. })));
        Index::update(&layout, &[]).unwrap();
        assert_eq!(Index::read(&layout).unwrap(), Index::default());
    }
}
