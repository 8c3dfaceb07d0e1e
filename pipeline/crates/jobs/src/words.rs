//! The words for a kind of job.

use platform::ConfinedPath;

use crate::{Key, StoreError};

/// The words for a kind of job.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// The kind: `experiment`.
    pub kind: &'static str,
    /// Several of them: `experiments`.
    pub kinds: &'static str,
    /// One row of its result: `game`.
    pub row: &'static str,
    /// Its rows, as they are stored: `records`.
    pub stored: &'static str,
    /// Its file: `a records file`.
    pub file: &'static str,
    /// The folder of its files in a results folder.
    pub folder: &'static str,
    /// The command that runs it.
    pub command: &'static str,
    /// What checking its files without the agent shows.
    pub checked: &'static str,
}

/// The names of results that differ from what is stored, beside the file's own name.
const BESIDE: [&str; 2] = [".differs", ".merged"];

impl Words {
    /// Where a job of this kind is stored in a results folder.
    pub fn path(&self, results: &ConfinedPath, key: &Key) -> ConfinedPath {
        results.join(self.folder).join(&key.paper).join(format!("{}.parquet", key.id))
    }

    /// Whether a file lies in the folder of this kind, as `FOLDER/PAPER/NAME`.
    pub fn is_place(&self, path: &ConfinedPath) -> bool {
        let path = std::path::absolute(path.path()).unwrap_or_else(|_| path.path().to_owned());
        path.ancestors().nth(2).is_some_and(|folder| folder.ends_with(self.folder))
    }

    /// The job whose file has this path; `None` if the path is not one of a whole job.
    pub fn key_at(&self, path: &ConfinedPath) -> Option<Key> {
        let paper = path.path().parent()?.file_name()?.to_str()?;
        let name = path.name()?.strip_suffix(".parquet")?;
        let name = BESIDE.iter().find_map(|beside| name.strip_suffix(beside)).unwrap_or(name);
        format!("{paper}/{name}").parse().ok()
    }

    /// Requires that a file lies where the job that it names is stored.
    pub fn require_name(&self, path: &ConfinedPath, named: &str) -> Result<(), StoreError> {
        let Self { kind, kinds, folder, .. } = self;
        let reason = match self.key_at(path) {
            Some(key) if key.to_string() == named => return Ok(()),
            Some(_) => format!("this file belongs to {kind} `{named}`; rename or remove it"),
            None => {
                let name = kind.to_uppercase();
                format!("not a {kind} file: {kinds} are stored as {folder}/PAPER/{name}.parquet")
            }
        };
        Err(StoreError::Place { path: path.clone(), reason })
    }
}
