//! The work folder of a submission: everything that its shards read and write.
//!
//! Everything in it appears by a rename or under a name that only one process uses, which works on network
//! file systems too.

use std::io;

use platform::{ConfinedPath, FileType, LARGEST_TEXT, atomic, sealed, threads};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Attempt, ClusterError};

/// The work folder of a submission.
#[derive(Clone, Debug)]
pub struct WorkFolder {
    root: ConfinedPath,
}

impl WorkFolder {
    /// The work folder at this path, which need not exist yet.
    pub fn new(root: ConfinedPath) -> Self {
        Self { root }
    }

    /// The same, for a folder whose path is used in scripts. A line break in the path would begin a command,
    /// and bytes that are not UTF-8 would name another folder. After a backslash, Slurm replaces nothing in
    /// the name of a log.
    pub fn for_scripts(root: ConfinedPath) -> Result<Self, ClusterError> {
        let what = match root.path().to_str() {
            None => "is not UTF-8",
            Some(text) if text.contains(char::is_control) => "has a control character, such as a line break",
            Some(text) if text.contains('\\') => "has a backslash",
            Some(_) => return Ok(Self { root }),
        };
        Err(ClusterError::Usage(format!(
            "{}: jobs cannot work in this folder: its path {what}; rename the folder, or name another with --results",
            root.display()
        )))
    }

    /// The folder itself.
    pub fn root(&self) -> &ConfinedPath {
        &self.root
    }

    /// The file of the submission.
    pub fn submission(&self) -> ConfinedPath {
        self.root.join("submission.json")
    }

    /// The copy of the program.
    pub fn program(&self) -> ConfinedPath {
        self.root.join("program").join("pipeline")
    }

    /// The folder of a plugin and its files, by its place in the list.
    pub(crate) fn plugin(&self, place: usize) -> ConfinedPath {
        self.root.join("program").join(format!("plugin-{place}"))
    }

    /// The folder of the jobs' output.
    pub fn logs(&self) -> ConfinedPath {
        self.root.join("logs")
    }

    /// The folder of a round: the first submission, or a later one of the rest.
    pub fn round(&self, round: u32) -> ConfinedPath {
        self.root.join("rounds").join(round.to_string())
    }

    /// The numbers of the rounds, in order.
    pub(crate) fn rounds(&self) -> Vec<u32> {
        let entries = self.root.join("rounds").list().into_iter().flatten();
        let mut rounds: Vec<u32> = entries.filter_map(|entry| entry.path.name()?.parse().ok()).collect();
        rounds.sort_unstable();
        rounds
    }

    /// The results folder that the parts of a job share, if each needs the rows of the others.
    pub fn shared(&self) -> ConfinedPath {
        self.root.join("shared")
    }

    /// The folder of all shards.
    pub fn shards(&self) -> ConfinedPath {
        self.root.join("shards")
    }

    /// The folder of a shard, with a folder for each attempt.
    pub fn shard(&self, number: usize) -> ConfinedPath {
        self.shards().join(format!("{number:05}"))
    }

    /// The attempts at a shard, in the order in which they started.
    pub fn attempts(&self, shard: usize) -> Vec<Attempt> {
        let entries = self.shard(shard).list().into_iter().flatten();
        let folders = entries.filter(|entry| entry.kind == FileType::Directory);
        let mut attempts: Vec<Attempt> = folders.map(|entry| Attempt::at(entry.path)).collect();
        attempts.sort_by_cached_key(|attempt| {
            (attempt.start().map(|start| start.date).unwrap_or_default(), attempt.folder().to_owned())
        });
        attempts
    }

    /// Removes the folder with everything in it, several shards at once: on some networks each file takes its
    /// time.
    pub fn remove(&self) -> io::Result<()> {
        // What this leaves goes with the rest.
        threads::map(&self.shards().list_if_there()?, |shard| drop(shard.path.remove_all()));
        self.root.remove_all()
    }

    /// Reads a sealed file that belongs to `of`; `None` if it does not exist.
    pub(crate) fn read_sealed<T: DeserializeOwned>(
        path: &ConfinedPath,
        of: &str,
    ) -> Result<Option<T>, ClusterError> {
        let bytes = match path.read(LARGEST_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(ClusterError::io(path))?,
        };
        sealed::read(of, &bytes).map(Some).map_err(|error| Self::wrong(path, &error))
    }

    /// Writes a sealed file that belongs to `of`, atomically.
    pub(crate) fn write_sealed(
        path: &ConfinedPath,
        of: &str,
        value: &impl Serialize,
    ) -> Result<(), ClusterError> {
        let text = sealed::text(of, value).map_err(|error| ClusterError::io(path)(error.into()))?;
        atomic::write(path, text.as_bytes())?;
        Ok(())
    }

    /// A file that is not as it was written.
    pub(crate) fn wrong(path: &ConfinedPath, what: &dyn std::fmt::Display) -> ClusterError {
        ClusterError::Check(format!(
            "{}: not what `pipeline cluster` has written: {what}; restore it, or remove its folder and submit again",
            path.display()
        ))
    }
}
