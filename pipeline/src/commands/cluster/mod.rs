//! `pipeline cluster`: run jobs on a cluster with Slurm.

mod collect;
mod kinds;
mod prepare;
mod status;
mod submit;
mod work;

use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::Path;

use super::Failure;
use crate::cli::{ClusterAction, ClusterArgs};
use ::cluster::{ClusterStatus, Submission, WorkFolder};
use platform::console;
use records::{FolderLock, Layout};

pub(crate) fn cluster(arguments: &ClusterArgs) -> Result<(), Failure> {
    match &arguments.action {
        ClusterAction::Submit(arguments) => submit::submit(arguments),
        ClusterAction::Status(arguments) => status::status(arguments),
        ClusterAction::Retry(arguments) => submit::retry(arguments),
        ClusterAction::Collect(arguments) => collect::collect(arguments),
        ClusterAction::Cancel(arguments) => collect::cancel(arguments),
        ClusterAction::Work(arguments) => work::work(arguments),
    }
}

/// The submission of a results folder.
struct OpenSubmission {
    layout: Layout,
    folder: WorkFolder,
    submission: Submission,
}

impl OpenSubmission {
    /// Reads the submission of a results folder.
    fn open(results: &Path) -> Result<Self, Failure> {
        let layout = Layout::new(results);
        let folder = work_folder(&layout)?;
        let Some(submission) = Submission::read(&folder)? else {
            return Err(Failure::usage(format!(
                "{}: nothing is submitted from here; `pipeline cluster submit` does that, and --results names another folder",
                layout.root().display()
            )));
        };
        // Attempts that cannot be listed, as behind a link, would look as if they had never started.
        folder.shards().list_if_there().map_err(Failure::io)?;
        Ok(Self { layout, folder, submission })
    }

    /// The same, with the results folder locked for this command.
    fn locked(results: &Path) -> Result<(FolderLock, Self), Failure> {
        // First without the lock, so that a missing folder is not made.
        let lock = Self::open(results)?.layout.lock()?;
        Ok((lock, Self::open(results)?))
    }

    fn status(&self) -> Result<ClusterStatus, Failure> {
        let Self { folder, submission, .. } = self;
        let jobs = kinds::all(folder, submission)?;
        let progress =
            |piece: ::cluster::JobPart, attempts: &[_]| jobs[piece.job].progress(piece.part, attempts);
        Ok(ClusterStatus::read(folder, submission, progress)?)
    }
}

/// The work folder of a results folder, whose path must be usable in scripts.
fn work_folder(layout: &Layout) -> Result<WorkFolder, Failure> {
    Ok(WorkFolder::for_scripts(layout.cluster().absolute().map_err(Failure::io)?)?)
}

/// Asks whether to go on; without a terminal, `--yes` must answer.
fn confirm(question: &str, is_yes: bool) -> Result<bool, Failure> {
    if is_yes {
        return Ok(true);
    }
    if !io::stdin().is_terminal() {
        return Err(Failure::usage(format!("{question} There is no terminal to answer at: add --yes")));
    }
    console::print(&format!("{question} [y/N] ")).map_err(Failure::io)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(Failure::io)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
