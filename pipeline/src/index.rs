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
    #[error("{}: the index cannot be read", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: this is no index of results; `pipeline reproduce` makes it anew", path.display())]
    Form { path: PathBuf, source: serde_json::Error },
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
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&path, &text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(IndexError::Missing { path }),
            Err(source) => Err(IndexError::Io { path, source }),
        }
    }

    /// Reads an index from its text.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse(path: &Path, text: &str) -> Result<Self, IndexError> {
        serde_json::from_str(text).map_err(|source| IndexError::Form { path: path.to_owned(), source })
    }

    /// Writes what a plan knows about the stored records into the index, and drops what no manifest has any more.
    ///
    /// # Errors
    /// Where a records file cannot be read, or the index not be written.
    pub fn update(layout: &Layout, plan: &Plan, papers: &[Paper]) -> Result<Self, IndexError> {
        let mut index = Self::read(layout).unwrap_or_default();
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

    /// The records of an experiment; none where it was not played.
    #[must_use]
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.experiments.get(&key.to_string())
    }
}
