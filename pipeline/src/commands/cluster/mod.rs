//! `pipeline cluster`: play on a cluster with Slurm.

mod cancel;
mod collect;
mod offer;
mod prepare;
mod retry;
mod status;
mod submit;
mod wait;
mod words;
mod work;

use std::io::{self, BufRead as _, IsTerminal as _};

use super::Failure;
use crate::cli::{Cluster, ClusterAction};
use crate::cluster::submission::Submission;
use crate::cluster::workplace::Workplace;
use platform::console;
use records::layout::Layout;

pub(crate) fn cluster(arguments: &Cluster) -> Result<(), Failure> {
    match &arguments.action {
        ClusterAction::Submit(arguments) => submit::submit(arguments),
        ClusterAction::Status(arguments) => status::status(arguments),
        ClusterAction::Retry(arguments) => retry::retry(arguments),
        ClusterAction::Collect(arguments) => collect::collect(arguments),
        ClusterAction::Cancel(arguments) => cancel::cancel(arguments),
        ClusterAction::Work(arguments) => work::work(arguments),
        ClusterAction::WorkStudy(arguments) => work::work_study(arguments),
    }
}

/// The work folder of a results folder, whose path must be usable in scripts.
fn workplace(layout: &Layout) -> Result<Workplace, Failure> {
    Ok(Workplace::for_scripts(layout.cluster().absolute().map_err(Failure::io)?)?)
}

/// What was submitted from a results folder.
fn submitted(layout: &Layout) -> Result<(Workplace, Submission), Failure> {
    let workplace = workplace(layout)?;
    match Submission::read(&workplace)? {
        Some(submission) => {
            // Attempts that cannot be listed, as behind a link, would pass for ones that were never made.
            workplace.shards().list_if_there().map_err(Failure::io)?;
            Ok((workplace, submission))
        }
        None => Err(Failure::usage(format!(
            "{}: nothing is submitted from here; `pipeline cluster submit` does that, and --results names another folder",
            layout.root().display()
        ))),
    }
}

/// Asks whether to go on; without a terminal there is nobody to ask.
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
