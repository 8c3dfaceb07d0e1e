//! Trainings: agents learn from games in workers, with checkpoints from which interrupted trainings resume.
//!
//! What is learned is a function of the training's setup and the number of games. When to save and when to
//! stop only costs time.

mod checkpoint_folder;
mod finish;
mod recompute;
mod runner;
mod training_progress;

use crate::job::TRAINING;
use crate::kinds::RunContext;
use crate::plan::PlannedTraining;
use crate::progress::Progress;
use crate::run::{JobResult, Options, RunError, RunReport};
pub(crate) use finish::{cost_text, curve};
use jobs::Status;
use platform::threads;
pub(crate) use recompute::recompute_trainings;
pub(crate) use runner::{TrainingEnd, TrainingJob, signature};
pub use training_progress::TrainingProgress;
use trainings::Artefacts;

/// Runs the trainings that are not complete, or all of them again.
pub fn run(trainings: &[&PlannedTraining], context: &RunContext<'_>) -> Result<RunReport, RunError> {
    let RunContext { layout, artefacts, options, progress } = *context;
    if let Some(text) = sweep(artefacts) {
        progress.say(&text);
    }
    let is_to_run = |planned: &PlannedTraining| {
        options.is_fresh || !planned.is_complete() && !matches!(planned.status, Status::Blocked { .. })
    };
    let (open, others): (Vec<&PlannedTraining>, Vec<_>) =
        trainings.iter().copied().partition(|planned| is_to_run(planned));
    let to_run: Vec<TrainingJob<'_>> = open.into_iter().map(|planned| planned.to_run(layout)).collect();
    let mut jobs = run_all(&to_run, options, progress, |training, played, end| {
        finish::result(training.planned, end, artefacts, &options.origin, played)
    });
    jobs.extend(others.into_iter().map(finish::not_run));
    jobs.sort_by(|one, other| one.job.cmp(&other.job));
    let interrupted = jobs.iter().any(JobResult::is_cut_short);
    Ok(RunReport { jobs, interrupted, ..RunReport::new(&TRAINING) })
}

/// Removes unfinished files that killed commands left among the artefacts, and says so.
pub(crate) fn sweep(artefacts: &Artefacts) -> Option<String> {
    let files = match artefacts.sweep() as u64 {
        0 => return None,
        count => text::counted(count, "temporary file"),
    };
    Some(format!("{}: removed {files} that killed commands left", artefacts.folder().display()))
}

/// Runs trainings, several at a time. `finish` gets each with the number of games that it has played.
fn run_all<R: Send>(
    trainings: &[TrainingJob<'_>],
    options: &Options<'_>,
    progress: &Progress,
    finish: impl Fn(&TrainingJob<'_>, u64, Result<TrainingEnd, String>) -> R + Sync,
) -> Vec<R> {
    let run = |training: &TrainingJob<'_>| {
        let PlannedTraining { key, training: entry, .. } = training.planned;
        let line = progress.line(&key.to_string(), Some(entry.games), TRAINING.row);
        let end = training.run(options, &line);
        line.end(end.is_ok());
        finish(training, line.played(), end)
    };
    threads::map_on(options.jobs, trainings, run)
}
