//! The end of a submission. `pipeline cluster collect`: complete jobs become results; `cancel`: end all jobs,
//! and forget the submission.

use std::path::Path;
use std::time::{Duration, Instant};

use super::super::checksums::write_checksums;
use super::super::context::bar;
use super::super::{Failure, print_result, print_text};
use super::kinds::{self, CollectedJob};
use super::{OpenSubmission, confirm, status};
use crate::cli;
use ::cluster::{Queue, Round, SubmissionJob, slurm};
use jobs::Key;
use records::{Index, Scope};
use serde::Serialize;
use text::{counted, counted_verb};
use trainings::Artefacts;

/// How long jobs may take to end.
const TIMEOUT: Duration = Duration::from_secs(120);

pub(super) fn collect(arguments: &cli::CollectArgs) -> Result<(), Failure> {
    let (_lock, submitted) = OpenSubmission::locked(&arguments.out)?;
    collect_all(&submitted, &arguments.artefacts, arguments.keep, arguments.json)
}

/// A job that was collected, or the reason why it was not.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip)]
    sent: &'a SubmissionJob,
    kind: &'a str,
    job: &'a Key,
    #[serde(flatten)]
    collected: Option<&'a CollectedJob>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

/// Puts complete jobs together, and reports the others.
pub(super) fn collect_all(
    submitted: &OpenSubmission,
    artefacts: &Path,
    is_kept: bool,
    is_json: bool,
) -> Result<(), Failure> {
    let OpenSubmission { layout, folder, submission } = submitted;
    let artefacts = Artefacts::new(artefacts);
    let jobs = kinds::all(folder, submission)?;
    let progress = bar(jobs.len() as u64, "jobs put together");
    let results = jobs.iter().map(|job| job.collect(layout, &artefacts)).inspect(|_| progress.inc(1));
    let results: Vec<Result<CollectedJob, Failure>> = results.collect();
    progress.finish_and_clear();
    let collected = || results.iter().filter_map(|result| result.as_ref().ok());
    let indexed: Vec<_> = collected().filter_map(|one| one.indexed.clone()).collect();
    if !indexed.is_empty() {
        Index::update(layout, &indexed)?;
    }
    if collected().next().is_some() {
        write_checksums(layout, Scope::Played)?;
    }
    let is_removed = results.iter().all(Result::is_ok) && !is_kept;
    if is_removed {
        // Such as the rest of a chain: the files that it needs are about to be removed.
        if let Some(queue) = slurm::queue() {
            end_jobs(submitted, &queue)?;
        }
        folder.remove().map_err(Failure::io)?;
    }
    let rows = submission.jobs.iter().zip(&results).map(|(sent, result)| {
        let (collected, failure) = (result.as_ref().ok(), result.as_ref().err().map(Failure::message));
        Row { sent, kind: &sent.kind, job: &sent.key, collected, failure }
    });
    let rows: Vec<Row<'_>> = rows.collect();
    print_result(is_json, &rows, || text(&rows, is_removed))?;
    outcome(submission.jobs.iter().zip(results))
}

fn text(rows: &[Row<'_>], is_removed: bool) -> String {
    let complete = || rows.iter().filter_map(|row| Some((row.sent, row.collected?)));
    let mut text = match complete().count() as u64 {
        0 => "No job is complete yet.\n".to_owned(),
        count => format!("Collected {}.\n", counted(count, "job")),
    };
    for (SubmissionJob { kind, row, key, .. }, collected) in complete() {
        let same = if collected.same_as_stored == Some(true) { "; the same as before" } else { "" };
        let rows = counted(collected.played, row);
        text += &format!("  {kind} {key}: {rows}; digest {}{same}\n", collected.digest);
        if kind == "study" {
            text += &format!(
                "  `pipeline cluster submit {key}`, or `pipeline run {key}`, plays its winners again\n"
            );
        }
    }
    if is_removed {
        text += "Everything is in the results; the work folder is removed.\n";
    }
    text
}

/// Success, unless a job is missing, contradicts stored records, or has games that an agent's fault ended.
fn outcome<'a>(
    results: impl Iterator<Item = (&'a SubmissionJob, Result<CollectedJob, Failure>)>,
) -> Result<(), Failure> {
    let (mut failures, mut alarms, mut faults) = (Vec::new(), Vec::new(), 0);
    for (sent, result) in results {
        match result {
            Err(failure) => failures.push(failure.of(&sent.key.to_string())),
            Ok(collected) => {
                faults += collected.faults;
                alarms.extend(collected.alarm.map(|alarm| Failure::check(alarm).of(&sent.key.to_string())));
            }
        }
    }
    Failure::of_all(failures)?;
    Failure::of_all(alarms)?;
    let games = counted_verb(faults, "game", ["was", "were"]);
    match faults {
        0 => Ok(()),
        _ => Err(Failure::agent(format!("{games} ended by an agent's fault; the records say how"))),
    }
}

pub(super) fn cancel(arguments: &cli::CancelArgs) -> Result<(), Failure> {
    let (_lock, submitted) = OpenSubmission::locked(&arguments.out)?;
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
fn end_jobs(submitted: &OpenSubmission, queue: &Queue) -> Result<(), Failure> {
    let OpenSubmission { folder, submission, .. } = submitted;
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
