//! `pipeline cluster collect`: complete jobs become results.

use std::path::Path;

use super::super::checksums::write_checksums;
use super::super::context::bar;
use super::super::{Failure, print_json, print_text};
use super::kinds::{self, CollectedJob};
use super::{Submitted, cancel};
use crate::cli;
use ::cluster::{SentJob, slurm};
use jobs::Key;
use records::index::Index;
use records::sums::Scope;
use serde::Serialize;
use text::counted;
use trainings::Artefacts;

pub(super) fn collect(arguments: &cli::Collect) -> Result<(), Failure> {
    let (_lock, submitted) = Submitted::locked(&arguments.out)?;
    collect_all(&submitted, &arguments.artefacts, arguments.keep, arguments.json)
}

/// A job that was collected, or the reason why it was not.
#[derive(Serialize)]
struct Row<'a> {
    kind: &'a str,
    job: &'a Key,
    #[serde(flatten)]
    collected: Option<&'a CollectedJob>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

/// Puts complete jobs together, and reports the others.
pub(super) fn collect_all(
    submitted: &Submitted,
    artefacts: &Path,
    is_kept: bool,
    is_json: bool,
) -> Result<(), Failure> {
    let Submitted { layout, folder, submission } = submitted;
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
            cancel::end_jobs(submitted, &queue)?;
        }
        folder.remove().map_err(Failure::io)?;
    }
    let all: Vec<(&SentJob, &Result<CollectedJob, Failure>)> = submission.jobs.iter().zip(&results).collect();
    if is_json {
        let row = |(sent, result): &(&SentJob, &Result<CollectedJob, Failure>)| {
            let (collected, failure) = (result.as_ref().ok(), result.as_ref().err().map(Failure::message));
            serde_json::to_value(Row { kind: &sent.kind, job: &sent.key, collected, failure })
        };
        print_json(&all.iter().map(row).collect::<Result<Vec<_>, _>>().map_err(Failure::io)?)?;
    } else {
        print_text(&text(&all, is_removed))?;
    }
    outcome(submission.jobs.iter().zip(results))
}

fn text(all: &[(&SentJob, &Result<CollectedJob, Failure>)], is_removed: bool) -> String {
    let complete: Vec<(&SentJob, &CollectedJob)> =
        all.iter().filter_map(|(sent, result)| Some((*sent, result.as_ref().ok()?))).collect();
    let mut text = match complete.is_empty() {
        true => "No job is complete yet.\n".to_owned(),
        false => format!("Collected {}.\n", counted(complete.len() as u64, "job")),
    };
    for (SentJob { kind, row, key, .. }, collected) in complete {
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
    results: impl Iterator<Item = (&'a SentJob, Result<CollectedJob, Failure>)>,
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
    match faults {
        0 => Ok(()),
        1 => Err(Failure::agent("1 game was ended by an agent's fault; its record says how")),
        faults => Err(Failure::agent(format!(
            "{faults} games were ended by an agent's fault; their records say how"
        ))),
    }
}
