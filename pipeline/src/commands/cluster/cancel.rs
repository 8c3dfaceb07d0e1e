//! `pipeline cluster cancel`: end all jobs, and forget the submission.

use std::time::{Duration, Instant};

use super::super::{Failure, print_text};
use super::{Submitted, confirm, status};
use crate::cli;
use ::cluster::Round;
use ::cluster::slurm::{self, Queue};

/// How long jobs may take to end.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(super) fn cancel(arguments: &cli::Cancel) -> Result<(), Failure> {
    let (_lock, submitted) = Submitted::locked(&arguments.out)?;
    let summary = status::summary(&submitted.submission, &submitted.status()?);
    let question = format!("{summary}Cancel it, and remove all results that are not collected?");
    if !confirm(&question, arguments.yes)? {
        return print_text("Nothing is changed.\n");
    }
    let folder = &submitted.folder;
    let Some(queue) = slurm::queue() else {
        return Err(Failure::check(format!(
            "Slurm does not answer, so that its jobs cannot be cancelled: try again on a login node; if no job is left, remove {}",
            folder.root().display()
        )));
    };
    end_jobs(&submitted, &queue)?;
    folder.remove().map_err(Failure::io)?;
    print_text("Cancelled; the work folder is removed.\n")
}

/// Cancels all jobs of a submission in the queue, and waits for their end: until then they write to the
/// folder.
pub(super) fn end_jobs(submitted: &Submitted, queue: &Queue) -> Result<(), Failure> {
    let Submitted { folder, submission, .. } = submitted;
    let mut names = Round::names(&Round::all(folder, &submission.id)?, &submission.id);
    names.retain(|name| queue.keys().any(|(queued, _)| queued == name));
    slurm::cancel(&names)?;
    let end = Instant::now() + TIMEOUT;
    let is_left = || slurm::queue().unwrap_or_default().keys().any(|(name, _)| names.contains(name));
    while !names.is_empty() && Instant::now() < end && is_left() {
        std::thread::sleep(Duration::from_millis(300));
    }
    Ok(())
}
