//! Running studies: a study's method proposes batch after batch, workers play them, and each trial is
//! journalled.
//!
//! The result depends on the study alone: not on the number of threads, on the order in which trials end, on
//! how often the study was killed and resumed, or on how its trials were shared between machines.

mod batch;
mod batch_run;
mod best_so_far;
mod comparison;
mod finish;
#[cfg(test)]
mod fixtures;
mod gather;
pub mod journal;
mod player;
mod recompute;
mod study_run;
mod trial_games;

use std::sync::atomic::Ordering;

use serde_json::json;

use crate::job::STUDY;
use crate::kinds::RunContext;
use crate::plan::PlannedStudy;
use crate::run::{JobResult, RunError, RunReport};
pub use gather::{GatherError, GatheredPart, gather, is_journal_of_part};
use jobs::Status;
pub(crate) use recompute::recompute_studies;
use records::Layout;
use study_run::StudyRun;

/// Runs the studies that are not complete, or all of them again.
///
/// # Errors
/// Returns an error if the disk or the system fails. All finished trials are kept, and the next run
/// continues.
pub fn run(studies: &[&PlannedStudy], context: &RunContext<'_>) -> Result<RunReport, RunError> {
    let RunContext { layout, options, .. } = *context;
    let mut report = RunReport { are_faults_tolerated: true, ..RunReport::new(&STUDY) };
    for &planned in studies {
        if options.stop.load(Ordering::Relaxed) {
            report.interrupted = true;
            break;
        }
        // Another part may have completed the study since it was planned.
        let result = match planned.status_now()? {
            Status::Complete { rows } if !options.is_fresh => complete_before(planned, layout, rows)?,
            _ => StudyRun::open(planned, context)?.run()?,
        };
        report.interrupted |= result.is_cut_short();
        report.jobs.push(result);
    }
    Ok(report)
}

/// A study that was complete before. Journals of a run that was killed at its very end are removed.
fn complete_before(planned: &PlannedStudy, layout: &Layout, trials: u64) -> Result<JobResult, RunError> {
    for journal in journal::read_all(layout, planned, false)? {
        finish::remove(journal)?;
    }
    let stored = ::studies::store::summary(&planned.path)?;
    Ok(JobResult {
        job: planned.key.to_string(),
        file: Some(planned.path.path().to_owned()),
        digest: stored.map(|stored| stored.digest),
        fields: fields(trials, 0, 0),
        ..JobResult::default()
    })
}

/// What scripts learn about a study alone.
fn fields(trials: u64, batches: u32, copied: u64) -> serde_json::Map<String, serde_json::Value> {
    crate::job::fields([("trials", json!(trials)), ("batches", json!(batches)), ("copied", json!(copied))])
}
