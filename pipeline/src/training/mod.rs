//! Trainings: agents learn from games in workers, with checkpoints from which interrupted trainings resume.
//!
//! What is learned is a function of the training's setup and the number of games. When to save and when to
//! stop only costs time.

mod checkpoint_folder;
mod finish;
mod recompute;
mod runner;
mod training_progress;

use std::borrow::Borrow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::job::TRAINING;
use crate::plan::PlannedTraining;
use crate::progress::Progress;
use crate::run::{JobResult, Options, RunReport};
pub(crate) use finish::{cost_text, curve};
use jobs::Status;
pub(crate) use recompute::recompute_trainings;
use records::layout::Layout;
pub(crate) use runner::{TrainingEnd, TrainingJob, TrainingRunner, signature};
pub use training_progress::TrainingProgress;
use trainings::Artefacts;

/// Runs the trainings that are not complete, or all of them again.
pub fn run(
    trainings: &[impl Borrow<PlannedTraining>],
    layout: &Layout,
    artefacts: &Artefacts,
    options: &Options<'_>,
    progress: &Progress,
) -> RunReport {
    if let Some(text) = sweep(artefacts) {
        progress.say(&text);
    }
    let is_to_run = |status: &Status| options.is_fresh || !matches!(status, Status::Blocked { .. });
    let (open, others): (Vec<&PlannedTraining>, Vec<&PlannedTraining>) = trainings
        .iter()
        .map(Borrow::borrow)
        .partition(|planned| is_to_run(&planned.status) && (options.is_fresh || !planned.is_complete()));
    let trainings: Vec<TrainingJob> = open.iter().map(|planned| planned.to_run(layout)).collect();
    let Options { launcher, stop, checkpoint_interval, .. } = *options;
    let runner = TrainingRunner { launcher, checkpoint_interval, stop };
    let results = run_all(&trainings, &runner, options.jobs, progress, |place, played, end| {
        finish::result(open[place], end, artefacts, &options.origin, played)
    });
    let mut jobs: Vec<JobResult> =
        results.into_iter().chain(others.into_iter().map(finish::not_run)).collect();
    jobs.sort_by(|one, other| one.job.cmp(&other.job));
    let interrupted = jobs.iter().any(JobResult::is_cut_short);
    RunReport { jobs, interrupted, ..RunReport::new(&TRAINING) }
}

/// Removes unfinished files that killed commands left among the artefacts, and says so.
pub(crate) fn sweep(artefacts: &Artefacts) -> Option<String> {
    let files = match artefacts.sweep() as u64 {
        0 => return None,
        count => text::counted(count, "temporary file"),
    };
    Some(format!("{}: removed {files} that killed commands left", artefacts.folder().display()))
}

/// Runs trainings on this many threads. `finish` gets each with the number of games that it has played.
pub(crate) fn run_all<R: Send>(
    trainings: &[TrainingJob],
    runner: &TrainingRunner<'_>,
    threads: usize,
    progress: &Progress,
    finish: impl Fn(usize, u64, Result<TrainingEnd, String>) -> R + Sync,
) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((place, training)) = {
            let place = next.fetch_add(1, Ordering::Relaxed);
            trainings.get(place).map(|training| (place, training))
        } {
            let line = progress.line(&training.name, Some(training.games), TRAINING.row);
            let end = runner.run(training, &line);
            line.end(end.is_ok());
            let result = finish(place, line.played(), end);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
        }
    };
    thread::scope(|scope| {
        (0..threads.min(trainings.len())).for_each(|_| drop(scope.spawn(work)));
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}
