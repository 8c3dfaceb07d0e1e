//! Sending: the program and the plugins are copied into the work folder, and arrays are submitted, round by round.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::script::{Element, script};
use super::slurm::{self, Place, SlurmError};
use super::submission::{Request, SentPlugin};
use super::workplace::{Workplace, WorkplaceError};
use platform::atomic::{self, WriteError};
use platform::confined::ConfinedPath;
use platform::hash::sha256_of;
use platform::scratch::ScratchFile;
use workers::bridge::Program;
use workers::catalogue::PluginEntry;

/// Why nothing, or not all, can be sent.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SendError {
    #[error("{}: cannot be copied to {}", from.display(), to.display())]
    Copy { from: PathBuf, to: ConfinedPath, source: io::Error },
    #[error(
        "{}: names {}, which is not beside it: a program goes to a cluster with its own folder; copy the file there",
        file.display(),
        outside.display()
    )]
    Outside { file: PathBuf, outside: PathBuf },
    #[error("{}: {reason}", file.display())]
    Program { file: PathBuf, reason: String },
    #[error(transparent)]
    Workplace(#[from] WorkplaceError),
    #[error(transparent)]
    Output(#[from] WriteError),
    #[error("{}: {source}", if *sent == 0 { "nothing is submitted".to_owned() } else { format!("{sent} of {all} shards are submitted") })]
    Slurm { sent: usize, all: usize, source: SlurmError },
}

/// Copies this program into the work folder, and gives its SHA-256.
///
/// # Errors
/// Where it cannot be read or copied.
pub fn copy_program(workplace: &Workplace) -> Result<String, SendError> {
    let to = workplace.program();
    let from = std::env::current_exe().map_err(|source| SendError::Copy {
        from: "this program".into(),
        to: to.clone(),
        source,
    })?;
    copy(&from, &to)?;
    to.open().and_then(sha256_of).map_err(|source| SendError::Copy { from, to, source })
}

/// Copies a plugin, or a program with the files that it names, into the work folder.
///
/// # Errors
/// Where a file cannot be copied, or a program names one that is not beside it.
pub fn copy_plugin(
    workplace: &Workplace,
    place: usize,
    plugin: &PluginEntry,
) -> Result<SentPlugin, SendError> {
    let file = &plugin.file;
    let unnamed = || SendError::Program { file: file.clone(), reason: "it has no name".to_owned() };
    let name = file.file_name().ok_or_else(unnamed)?;
    let folder = workplace.plugin(place);
    match Program::is_one(file) {
        true => copy_files(file, &folder)?,
        false => copy(file, &folder.join(name))?,
    }
    let target = folder.join(name);
    let below = target.path().strip_prefix(workplace.root().path()).unwrap_or(target.path()).to_owned();
    let (sha256, files) = (plugin.sha256.clone(), plugin.files.clone());
    Ok(SentPlugin { file: below, sha256, files })
}

/// Copies a program with all files that it names, as they lie to each other.
fn copy_files(file: &Path, folder: &ConfinedPath) -> Result<(), SendError> {
    let wrong = |reason: String| SendError::Program { file: file.to_owned(), reason };
    let program = Program::read(file).map_err(|error| wrong(error.to_string()))?;
    for part in &program.files {
        let below = part.strip_prefix(&program.folder);
        let below = below.map_err(|_| SendError::Outside { file: file.to_owned(), outside: part.clone() })?;
        copy(part, &folder.join(below))?;
    }
    Ok(())
}

/// Copies a file that a person or the system names, with its permissions. An existing file is replaced by a rename.
///
/// # Errors
/// Returns an error if it cannot be read or written.
pub fn copy(from: &Path, to: &ConfinedPath) -> Result<(), SendError> {
    copy_opened(from, File::open(from), to)
}

/// The same for a file below a results folder.
///
/// # Errors
/// Returns an error if it cannot be read or written.
pub fn copy_confined(from: &ConfinedPath, to: &ConfinedPath) -> Result<(), SendError> {
    copy_opened(from.path(), from.open(), to)
}

fn copy_opened(from: &Path, source: io::Result<File>, to: &ConfinedPath) -> Result<(), SendError> {
    let failed = |source| SendError::Copy { from: from.to_owned(), to: to.to_owned(), source };
    let copy = || {
        to.parent().map_or(Ok(()), |folder| folder.make_folder())?;
        let mut source = source?;
        let mut target = ScratchFile::beside(to)?;
        io::copy(&mut source, &mut target)?;
        target.as_file().set_permissions(source.metadata()?.permissions())?;
        target.become_file(to)
    };
    copy().map_err(failed)
}

/// A round: the shards that were submitted together. A later one has those that were still missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// The shards, by their place in the round's list.
    pub shards: Vec<usize>,
    /// What was asked of the cluster for each of them.
    pub request: Request,
    /// The largest array that the site takes.
    pub array_size: u64,
}

/// An array of a round: the place of its first shard in the round's list, and how many it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// The place of its first shard.
    pub first: usize,
    /// How many shards it has.
    pub count: usize,
}

impl Round {
    /// All rounds of a work folder, in order.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn all(workplace: &Workplace, id: &str) -> Result<Vec<Self>, WorkplaceError> {
        let read = |round| Self::read(workplace, round, id).transpose();
        workplace.rounds().into_iter().filter_map(read).collect()
    }

    /// A round of the submission with this id; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the round cannot be read, was changed, or belongs to another submission.
    pub fn read(workplace: &Workplace, round: u32, id: &str) -> Result<Option<Self>, WorkplaceError> {
        let path = Self::path(workplace, round);
        let read = workplace.read_sealed::<Self>(&path, &Self::sealed_as(round, id))?;
        match read.as_ref().and_then(|round| round.request.problem()) {
            Some(what) => Err(WorkplaceError::Form { path, what: what.to_owned() }),
            None => Ok(read),
        }
    }

    fn path(workplace: &Workplace, round: u32) -> ConfinedPath {
        workplace.round(round).join("round.json")
    }

    /// The owner in the seal of a round.
    fn sealed_as(round: u32, id: &str) -> String {
        format!("round {round} of submission {id}")
    }

    fn write_down(&self, workplace: &Workplace, id: &str) -> Result<(), WorkplaceError> {
        workplace.write_sealed(&(Self::path(workplace, self.round)), &Self::sealed_as(self.round, id), self)
    }

    /// The arrays of this round, none larger than the site takes.
    #[must_use]
    pub fn arrays(&self) -> Vec<Array> {
        let size = usize::try_from(self.array_size).unwrap_or(usize::MAX).max(1);
        let firsts = (0..self.shards.len()).step_by(size);
        firsts.map(|first| Array { first, count: size.min(self.shards.len() - first) }).collect()
    }

    /// The name of an array's job: it tells whose it is, so that it is found again though its number was never written down.
    #[must_use]
    pub fn name(&self, id: &str, array: Array) -> String {
        format!("retile-{id}-{}-{}", self.round, array.first)
    }

    /// The names of all jobs.
    #[must_use]
    pub fn names(rounds: &[Self], id: &str) -> Vec<String> {
        let of =
            |round: &Self| round.arrays().into_iter().map(|array| round.name(id, array)).collect::<Vec<_>>();
        rounds.iter().flat_map(of).collect()
    }

    /// Where a shard may be in the queue, by the round's name and the number in its array; the last round last.
    #[must_use]
    pub fn places(rounds: &[Self], id: &str, shard: usize) -> Vec<Place> {
        let in_round = |round: &Self| {
            let place = round.shards.iter().position(|&other| other == shard)?;
            let array = round.arrays().into_iter().find(|array| place < array.first + array.count)?;
            Some((round.name(id, array), (place - array.first) as u64))
        };
        rounds.iter().filter_map(in_round).collect()
    }

    /// Writes down what the round is, with its script, which is given: before anything is submitted, since its jobs read it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, workplace: &Workplace, id: &str) -> Result<ConfinedPath, SendError> {
        let folder = workplace.round(self.round);
        let path = folder.join("array.sh");
        folder
            .make_folder()
            .and_then(|()| workplace.logs().make_folder())
            .map_err(|source| WorkplaceError::Io { path: folder.clone(), source })?;
        atomic::write(&path, self.script(workplace, id).as_bytes())?;
        self.write_down(workplace, id)?;
        Ok(path)
    }

    /// The script of the round.
    #[must_use]
    pub fn script(&self, workplace: &Workplace, id: &str) -> String {
        let name = self.name(id, Array { first: 0, count: self.shards.len() });
        script(workplace, &self.request, &name, Element::Shard { round: self.round })
    }

    /// What `sbatch` is given for an array beside the script. With a cap on what is played at once, arrays follow each other.
    #[must_use]
    pub fn options(&self, id: &str, array: Array, after: Option<&str>) -> Vec<String> {
        let cap = self.request.at_most.map_or_else(String::new, |most| format!("%{most}"));
        let mut options = vec![
            format!("--array=0-{}{cap}", array.count - 1),
            format!("--job-name={}", self.name(id, array)),
        ];
        let after = after.filter(|_| self.request.at_most.is_some());
        options.extend(after.map(|after| format!("--dependency=afterany:{after}")));
        options
    }

    /// Submits the round's arrays, and gives the numbers of their jobs. What was submitted before one is refused stays submitted.
    ///
    /// # Errors
    /// Where one is refused: the round is then of those that were not.
    pub fn submit(&mut self, workplace: &Workplace, id: &str) -> Result<Vec<String>, SendError> {
        let folder = workplace.round(self.round);
        let (mut jobs, mut sent): (Vec<String>, usize) = (Vec::new(), 0);
        for array in self.arrays() {
            let options = self.options(id, array, jobs.last().map(String::as_str));
            match slurm::submit(&options, folder.join("array.sh").path(), &[array.first.to_string()]) {
                Ok(job) => jobs.push(job),
                Err(source) => {
                    let all = self.shards.len();
                    self.shards.truncate(sent);
                    match sent {
                        // What never was is not taken for the last round.
                        0 => drop(folder.remove_all()),
                        _ => self.write_down(workplace, id)?,
                    }
                    return Err(SendError::Slurm { sent, all, source });
                }
            }
            sent += array.count;
        }
        Ok(jobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(shards: Vec<usize>, array_size: u64, at_most: Option<u32>) -> Round {
        let request = Request {
            cores: 1,
            agent_mib: 0,
            limit_seconds: 600,
            warning_seconds: 60,
            at_most,
            options: Vec::new(),
        };
        Round { round: 2, shards, request, array_size }
    }

    #[test]
    fn no_array_is_larger_than_the_site_takes_and_every_shard_has_a_place() {
        let round = round(vec![3, 5, 8, 9, 11, 20, 21, 22, 30], 4, Some(2));
        let arrays = round.arrays();
        let counts: Vec<(usize, usize)> = arrays.iter().map(|array| (array.first, array.count)).collect();
        assert_eq!(counts, [(0, 4), (4, 4), (8, 1)]);
        let places = |shard| Round::places(std::slice::from_ref(&round), "x", shard);
        assert_eq!(places(3), [("retile-x-2-0".to_owned(), 0)]);
        assert_eq!(places(20), [("retile-x-2-4".to_owned(), 1)]);
        assert_eq!(places(30), [("retile-x-2-8".to_owned(), 0)]);
        assert_eq!(places(4), []);
        let options = round.options("x", arrays[1], Some("17"));
        assert_eq!(options, ["--array=0-3%2", "--job-name=retile-x-2-4", "--dependency=afterany:17"]);
        let free = super::tests::round(vec![1], 10, None);
        assert_eq!(
            free.options("x", free.arrays()[0], Some("17")),
            ["--array=0-0", "--job-name=retile-x-2-0"]
        );
    }
}
