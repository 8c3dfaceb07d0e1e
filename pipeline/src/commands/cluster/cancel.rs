//! `pipeline cluster cancel`: end all jobs, and forget what was submitted.

use super::super::{Failure, print_text};
use super::{confirm, submitted, words};
use crate::cli;
use crate::cluster::sending::Round;
use crate::cluster::slurm::{self, SlurmError};
use crate::cluster::standing::Standing;
use records::layout::Layout;

pub(super) fn cancel(arguments: &cli::Cancel) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let (workplace, submission) = submitted(&layout)?;
    let standing = Standing::look(&workplace, &submission)?;
    let question = format!("{}Cancel it, and remove all games that are not collected?", words::summary(&standing));
    if !confirm(&question, arguments.yes)? {
        return print_text("Nothing is changed.\n");
    }
    match slurm::cancel(&Round::names(&Round::all(&workplace)?, &submission.id)) {
        // Where there is no Slurm, there are no jobs.
        Ok(()) | Err(SlurmError::Absent { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    std::fs::remove_dir_all(workplace.root()).map_err(Failure::io)?;
    print_text("Cancelled; the work folder is removed.\n")
}
