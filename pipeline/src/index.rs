//! The index of a results folder: which records file belongs to which experiment.
//!
//! Experiments of equal identity share one records file, and to know which do takes the agents' defaults. The index keeps that
//! knowledge, so that everything behind this point works from manifests and records alone, without a plugin.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::layout::{Key, Layout};
use crate::manifest::Paper;
use crate::output::{self, OutputError};
use crate::plan::Plan;
use crate::store::{StoreError, Summary};

/// The version of the file's form.
const FORM: u32 = 1;

/// What to do about a damaged index. It is never begun anew by itself: a run of some experiments knows nothing of the others.
const REMEDY: &str =
    "restore it, or remove it and `pipeline reproduce --extra` makes it anew from the records";

/// Which records belong to which experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    form: u32,
    /// The experiments with records, as `paper/experiment`.
    pub experiments: BTreeMap<String, Entry>,
}

/// The records of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
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
    #[error("{}: there are no results; `pipeline reproduce` plays them", path.display())]
    Missing { path: PathBuf },
    #[error("{}: the index cannot be read: {source}; see that it is a file, and that you may read it", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: this is no index of results: {source}; {REMEDY}", path.display())]
    Form { path: PathBuf, source: serde_json::Error },
    #[error("{}: it is of form {form}, this program reads form {FORM}; {REMEDY}", path.display())]
    OtherForm { path: PathBuf, form: u32 },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl Default for Index {
    fn default() -> Self {
        Self { form: FORM, experiments: BTreeMap::new() }
    }
}

impl Index {
    /// Reads the index of a results folder.
    ///
    /// # Errors
    /// Where there is none, or it cannot be read.
    pub fn read(layout: &Layout) -> Result<Self, IndexError> {
        let path = layout.index();
        match fs::read(&path) {
            Ok(bytes) => Self::parse(&path, &bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(IndexError::Missing { path }),
            Err(source) => Err(IndexError::Io { path, source }),
        }
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, IndexError> {
        let path = || path.to_owned();
        let index: Self =
            serde_json::from_slice(bytes).map_err(|source| IndexError::Form { path: path(), source })?;
        match index.form {
            FORM => Ok(index),
            form => Err(IndexError::OtherForm { path: path(), form }),
        }
    }

    /// The index of a results folder, which is empty where there is none yet.
    fn read_or_new(layout: &Layout) -> Result<Self, IndexError> {
        match Self::read(layout) {
            Err(IndexError::Missing { .. }) => Ok(Self::default()),
            index => index,
        }
    }

    /// Writes what a plan knows about the stored records into the index, and drops what no manifest has any more.
    ///
    /// # Errors
    /// Where a records file or the index that is there cannot be read, or the new one not be written.
    pub fn update(layout: &Layout, plan: &Plan, papers: &[Paper]) -> Result<Self, IndexError> {
        let mut index = Self::read_or_new(layout)?;
        for planned in &plan.experiments {
            let Some(stored) = Summary::read(&planned.path)? else { continue };
            if stored.header.identity != planned.identity {
                continue;
            }
            let entry = Entry {
                records: planned.key.clone(),
                identity: stored.header.identity.hash(),
                digest: stored.digest,
                games: stored.games,
            };
            for key in planned.also_for.iter().chain([&planned.key]) {
                index.experiments.insert(key.to_string(), entry.clone());
            }
        }
        let is_known = |key: &str| {
            key.split_once('/').is_some_and(|(paper, experiment)| {
                papers.iter().any(|known| known.id == paper && known.experiment(experiment).is_some())
            })
        };
        index.experiments.retain(|key, _| is_known(key));
        output::write_json(&layout.index(), &index)?;
        Ok(index)
    }

    /// Enters the records of one experiment, and leaves the rest as it is. Experiments that are known to share them, share the new
    /// ones: which others do takes the agents, and is left to [`Self::update`].
    ///
    /// # Errors
    /// Where the index that is there cannot be read, or the new one not be written.
    pub fn enter(layout: &Layout, entry: Entry) -> Result<Self, IndexError> {
        let mut index = Self::read_or_new(layout)?;
        let shared = index.experiments.values_mut().filter(|known| known.records == entry.records);
        shared.for_each(|known| known.clone_from(&entry));
        index.experiments.insert(entry.records.to_string(), entry);
        output::write_json(&layout.index(), &index)?;
        Ok(index)
    }

    /// The records of an experiment; none where it was not played.
    #[must_use]
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.experiments.get(&key.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an update says that knows of no experiment, in a folder with this index.
    fn update(index: &str) -> Result<Index, IndexError> {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        fs::write(layout.index(), index).unwrap();
        let updated = Index::update(&layout, &Plan { experiments: vec![], unplanned: vec![] }, &[]);
        if updated.is_err() {
            assert_eq!(fs::read_to_string(layout.index()).unwrap(), index, "it is left as it was");
        }
        updated
    }

    #[test]
    fn a_damaged_index_is_told_of_and_never_written_over() {
        let message = |index: &str| update(index).unwrap_err().to_string();
        for damaged in ["", "{\"form\": 1, \"experi", "[]"] {
            let text = message(damaged);
            assert!(text.contains("index.json: this is no index of results: "), "{text}");
            assert!(text.contains("; restore it, or remove it and `pipeline reproduce --extra`"), "{text}");
        }
        let later = message(r#"{"form": 2, "experiments": {}}"#);
        assert!(
            later.contains("index.json: it is of form 2, this program reads form 1; restore it"),
            "{later}"
        );
        assert_eq!(update(r#"{"form": 1, "experiments": {}}"#).unwrap(), Index::default());
    }

    #[test]
    fn what_is_entered_is_entered_for_all_that_share_it() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        let entry = |records: &str, games| Entry {
            records: records.parse().unwrap(),
            identity: "i".to_owned(),
            digest: "d".to_owned(),
            games,
        };
        let experiments = [("p/a", entry("p/a", 1)), ("q/a", entry("p/a", 1)), ("q/b", entry("q/b", 1))];
        let experiments = experiments.map(|(key, entry)| (key.to_owned(), entry)).into();
        output::write_json(&layout.index(), &Index { experiments, ..Index::default() }).unwrap();
        let index = Index::enter(&layout, entry("p/a", 9)).unwrap();
        let games: Vec<u64> = index.experiments.values().map(|entry| entry.games).collect();
        assert_eq!(games, [9, 9, 1]);
        assert_eq!(Index::read(&layout).unwrap(), index);
    }

    #[test]
    fn where_there_is_no_index_yet_one_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        assert!(matches!(Index::read(&layout), Err(IndexError::Missing { .. })));
        Index::update(&layout, &Plan { experiments: vec![], unplanned: vec![] }, &[]).unwrap();
        assert_eq!(Index::read(&layout).unwrap(), Index::default());
    }
}
