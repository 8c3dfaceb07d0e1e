//! `pipeline cluster cancel`: end all jobs, and forget what was submitted.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::super::{Failure, print_text};
use super::{confirm, submitted, words};
use crate::cli;
use crate::cluster::sending::Round;
use crate::cluster::slurm::{self, Place, Queued};
use crate::cluster::standing::Standing;
use crate::cluster::study;
use crate::cluster::submission::Submission;
use crate::cluster::workplace::Workplace;
use records::layout::Layout;

/// How long jobs may take to end.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) fn cancel(arguments: &cli::Cancel) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    submitted(&layout)?;
    let _lock = layout.lock()?;
    let (workplace, submission) = submitted(&layout)?;
    let standing = Standing::look(&workplace, &submission)?;
    let question =
        format!("{}Cancel it, and remove all games that are not collected?", words::summary(&standing));
    if !confirm(&question, arguments.yes)? {
        return print_text("Nothing is changed.\n");
    }
    let Some(queue) = slurm::queue() else {
        return Err(Failure::check(format!(
            "Slurm does not answer, so that its jobs cannot be cancelled: try again on a login node; if no job is left, remove {}",
            workplace.root().display()
        )));
    };
    end_jobs(&workplace, &submission, &queue)?;
    workplace.remove().map_err(Failure::io)?;
    print_text("Cancelled; the work folder is removed.\n")
}

/// Cancels all jobs of a submission that the queue has, and waits until they are over.
pub(super) fn end_jobs(
    workplace: &Workplace,
    submission: &Submission,
    queue: &BTreeMap<Place, Queued>,
) -> Result<(), Failure> {
    let mut names = Round::names(&Round::all(workplace, &submission.id)?, &submission.id);
    names.extend(study::names(submission, queue));
    names.retain(|name| queue.keys().any(|(queued, _)| queued == name));
    slurm::cancel(&names)?;
    wait_for_end(&names);
    Ok(())
}

/// Waits until jobs of these names are in the queue no more: while one is still ending, it writes to the folder.
fn wait_for_end(names: &[String]) {
    let end = Instant::now() + PATIENCE;
    let is_left = || {
        let queue = slurm::queue().unwrap_or_default();
        queue.keys().any(|(name, _)| names.contains(name))
    };
    while !names.is_empty() && Instant::now() < end && is_left() {
        std::thread::sleep(Duration::from_millis(300));
    }
}
