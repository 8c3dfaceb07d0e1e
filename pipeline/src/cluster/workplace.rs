//! The work folder of a submission: where everything is that its shards read and write.
//!
//! Everything in it appears by a rename or under a name that only one process uses, which holds on network file systems too.

use std::io;

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::attempt::Attempt;
use platform::atomic::{self, WriteError};
use platform::confined::{ConfinedPath, FileType};
use platform::open::LARGEST_TEXT;
use platform::sealed;

/// How many shards are removed at once.
const REMOVED_AT_ONCE: usize = 16;

/// The work folder of a submission.
#[derive(Clone, Debug)]
pub struct Workplace {
    root: ConfinedPath,
}

/// A work folder that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum WorkplaceError {
    #[error("{}: cannot be read or written", path.display())]
    Io { path: ConfinedPath, source: io::Error },
    #[error("{}: not what `pipeline cluster` has written: {what}; restore it, or remove its folder and submit again", path.display())]
    Form { path: ConfinedPath, what: String },
    #[error(
        "{}: jobs cannot work in this folder: its path {what}; rename the folder, or name another with --results",
        path.display()
    )]
    Path { path: ConfinedPath, what: &'static str },
    #[error("{}: its form is {form}, of another version of this program: finish with that one", path.display())]
    OtherForm { path: ConfinedPath, form: u32 },
    #[error(transparent)]
    Output(#[from] WriteError),
}

impl Workplace {
    /// The work folder at this path, which need not exist yet.
    #[must_use]
    pub fn new(root: ConfinedPath) -> Self {
        Self { root }
    }

    /// The same, for a folder whose path is used in scripts. A line break in the path would begin a command,
    /// and bytes that are not UTF-8 would name another folder. After a backslash, Slurm replaces nothing in
    /// the name of a log.
    ///
    /// # Errors
    /// Returns an error if the path has a control character or a backslash, or is not UTF-8.
    pub fn for_scripts(root: ConfinedPath) -> Result<Self, WorkplaceError> {
        let what = match root.path().to_str() {
            None => "is not UTF-8",
            Some(text) if text.contains(char::is_control) => "has a control character, such as a line break",
            Some(text) if text.contains('\\') => "has a backslash",
            Some(_) => return Ok(Self { root }),
        };
        Err(WorkplaceError::Path { path: root, what })
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &ConfinedPath {
        &self.root
    }

    /// What was sent.
    #[must_use]
    pub fn submission(&self) -> ConfinedPath {
        self.root.join("submission.json")
    }

    /// The program that plays.
    #[must_use]
    pub fn program(&self) -> ConfinedPath {
        self.root.join("program").join("pipeline")
    }

    /// Where a plugin and its files are, by its place in the list.
    #[must_use]
    pub fn plugin(&self, place: usize) -> ConfinedPath {
        self.root.join("program").join(format!("plugin-{place}"))
    }

    /// What the jobs print.
    #[must_use]
    pub fn logs(&self) -> ConfinedPath {
        self.root.join("logs")
    }

    /// The folder of a round: the first submission, or a later one of what was still missing.
    #[must_use]
    pub fn round(&self, round: u32) -> ConfinedPath {
        self.root.join("rounds").join(round.to_string())
    }

    /// The rounds that there are, in order.
    #[must_use]
    pub fn rounds(&self) -> Vec<u32> {
        let entries = self.root.join("rounds").list().into_iter().flatten();
        let mut rounds: Vec<u32> = entries.filter_map(|entry| entry.path.name()?.parse().ok()).collect();
        rounds.sort_unstable();
        rounds
    }

    /// The results folder that the parts of studies share.
    #[must_use]
    pub fn studies(&self) -> ConfinedPath {
        self.root.join("studies")
    }

    /// The manifests, for studies.
    #[must_use]
    pub fn configs(&self) -> ConfinedPath {
        self.root.join("paper-configs")
    }

    /// The folders of all shards.
    #[must_use]
    pub fn shards(&self) -> ConfinedPath {
        self.root.join("shards")
    }

    /// The folder of a shard, with one of each attempt at it.
    #[must_use]
    pub fn shard(&self, number: usize) -> ConfinedPath {
        self.shards().join(format!("{number:05}"))
    }

    /// The attempts at a shard, in the order in which they were begun.
    #[must_use]
    pub fn attempts(&self, shard: usize) -> Vec<Attempt> {
        let entries = self.shard(shard).list().into_iter().flatten();
        let folders = entries.filter(|entry| entry.kind == FileType::Directory);
        let mut attempts: Vec<Attempt> = folders.map(|entry| Attempt::at(entry.path)).collect();
        attempts.sort_by_cached_key(|attempt| {
            (attempt.begun().map(|begun| begun.date).unwrap_or_default(), attempt.folder().to_owned())
        });
        attempts
    }

    /// Removes the folder with everything in it, many shards at a time: on some disks and networks each file takes its time.
    ///
    /// # Errors
    /// Where something cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        let shards = self.shards().list_if_there()?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(REMOVED_AT_ONCE).build();
        // What this leaves goes with the rest.
        let remove = || shards.par_iter().for_each(|shard| drop(shard.path.remove_all()));
        if let Ok(pool) = pool {
            pool.install(remove);
        }
        self.root.remove_all()
    }

    /// Reads a sealed file that belongs to `of`; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, was changed, or belongs to something else.
    pub fn read_sealed<T: DeserializeOwned>(
        &self,
        path: &ConfinedPath,
        of: &str,
    ) -> Result<Option<T>, WorkplaceError> {
        let bytes = match path.read(LARGEST_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|source| WorkplaceError::Io { path: path.to_owned(), source })?,
        };
        let read = sealed::read(of, &bytes);
        read.map(Some)
            .map_err(|error| WorkplaceError::Form { path: path.to_owned(), what: error.to_string() })
    }

    /// Writes a sealed file that belongs to `of`, atomically.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write_sealed(
        &self,
        path: &ConfinedPath,
        of: &str,
        value: &impl Serialize,
    ) -> Result<(), WorkplaceError> {
        let text = sealed::text(of, value);
        let text =
            text.map_err(|error| WorkplaceError::Io { path: path.to_owned(), source: error.into() })?;
        atomic::write(path, text.as_bytes())?;
        Ok(())
    }
}
