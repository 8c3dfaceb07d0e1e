//! Running studies: batch after batch is proposed by a study's method, played by workers, and written down trial by trial.
//!
//! What comes out depends on the study alone: not on how many threads play, in which order their trials end, how often the study was
//! killed and taken up again, or how its trials were shared between machines. To go on with a study is to read its journals.

mod again;
mod batch;
mod batch_under_way;
mod compared;
mod conduct;
mod finish;
mod gather;
pub mod journal;
mod player;
mod progress;
mod proof;
mod standing;
mod trial_under_way;

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use engine::Ending;
use serde::Serialize;

use crate::journal::JournalError;
use crate::plan::{Missing, PlannedStudy, StudyPlan};
use crate::run::{Display, Options};
pub use again::{RecomputedTrials, recompute_trials, trials_to_play};
use conduct::Conduct;
pub use gather::{GatherError, Gathered, gather, is_journal_of_part};
use jobs::Status;
use records::layout::Layout;
use records::store::StoreError;
use workers::worker::{WorkerError, WorkerStartError};

/// What came of running studies.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StudiesReport {
    /// Every study of the plan that was looked at.
    pub studies: Vec<StudyDone>,
    /// Whether it was stopped from outside before all was played.
    pub interrupted: bool,
}

/// What came of running one study.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StudyDone {
    /// The study, as `paper/study`.
    pub study: String,
    /// The trials that are done, in this run and before.
    pub trials: u64,
    /// The batches that are done.
    pub batches: u32,
    /// Trials played now.
    pub played: u64,
    /// Trials that repeat others, and were not played.
    pub copied: u64,
    /// Its file, once it is whole.
    pub file: Option<PathBuf>,
    /// The logical digest of its trials.
    pub digest: Option<String>,
    /// The trials that an agent's fault cost.
    pub faults: Vec<FaultedTrial>,
    /// Whether so many trials faulted that the study was stopped.
    pub stopped_by_faults: bool,
    /// What it waits for, where other parts have to play first.
    pub waiting: Option<WaitingBatch>,
    /// Why the study was given up, where its agent could not be signed, or is not the one that played the journalled trials.
    pub failure: Option<String>,
    /// What is missing, where that is why.
    #[serde(flatten)]
    pub missing: Option<Missing>,
    /// The trial that was played again before others were added to it, and came out the same: the plugin's file is another.
    pub proven_by_trial: Option<u64>,
    /// Whether trials that were played again are as they were stored; none where there was nothing to compare.
    pub same_as_stored: Option<bool>,
    /// What should never be: trials that differ under one identity, faults that do not repeat.
    pub alarms: Vec<String>,
}

/// A trial that an agent's fault cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultedTrial {
    /// The trial's number.
    pub trial: u64,
    /// The first game that ended by a fault.
    pub game: u64,
    /// How it ended.
    pub ending: Ending,
    /// What is known of it.
    pub reason: String,
}

/// A batch that is not whole yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitingBatch {
    /// Its number.
    pub batch: u32,
    /// How many of its trials are missing.
    pub trials: u64,
    /// The parts that have to play them.
    pub parts: Vec<u64>,
    /// Of how many parts.
    pub of: u64,
}

/// Why running a study broke off. All finished trials are kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunStudyError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Worker(#[from] WorkerStartError),
    #[error("{}: the plugin could be opened before and now cannot: {source}", file.display())]
    Plugin { file: PathBuf, source: WorkerError },
    #[error("cannot start the study's threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Runs the studies of a plan that are not whole, or all of them again.
///
/// # Errors
/// Where the disk or the system fails; all finished trials are kept, and the next run goes on from there.
pub fn run(
    plan: &StudyPlan,
    layout: &Layout,
    options: &Options<'_>,
    display: Display,
) -> Result<StudiesReport, RunStudyError> {
    let mut report = StudiesReport::default();
    for planned in &plan.studies {
        if options.stop.load(Ordering::Relaxed) {
            report.interrupted = true;
            break;
        }
        // Another part may have ended the study since it was planned.
        let done = match planned.status_now()? {
            Status::Complete { rows } if !options.is_fresh => whole_before(planned, layout, rows)?,
            _ => Conduct::begin(planned, layout, options, display)?.run()?,
        };
        let is_cut_short = done.file.is_none() && !done.stopped_by_faults && done.waiting.is_none();
        report.interrupted |= is_cut_short;
        report.studies.push(done);
    }
    report.studies.extend(plan.unplanned.iter().map(|unplanned| StudyDone {
        study: unplanned.key.to_string(),
        failure: Some(unplanned.reason.clone()),
        missing: unplanned.missing.clone(),
        ..StudyDone::default()
    }));
    Ok(report)
}

/// A study that was whole before. Journals that a run has left which was killed at its very end are removed.
fn whole_before(planned: &PlannedStudy, layout: &Layout, trials: u64) -> Result<StudyDone, RunStudyError> {
    for path in journal::journals(layout, &planned.key, false) {
        if let Some(left) = journal::TrialJournal::look(&path, &planned.title(None))? {
            finish::remove(left)?;
        }
    }
    let stored = studies::store::summary(&planned.path)?;
    Ok(StudyDone {
        study: planned.key.to_string(),
        trials,
        file: Some(planned.path.path().to_owned()),
        digest: stored.map(|stored| stored.digest),
        ..StudyDone::default()
    })
}
