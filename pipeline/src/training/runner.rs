//! One training from its start, or its last checkpoint, to the weights that it gives.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::TrainingProgress;
use super::checkpoint_folder::{Checkpoint, CheckpointFolder};
use crate::progress::Line;
use platform::confined::ConfinedPath;
use text::thousands;
use workers::worker::protocol::{TrainingSetup, WrittenFile};
use workers::worker::{Launcher, Worker, WorkerError};

/// How long a worker learns at a time. A request to stop waits this long at most, or for the end of a game.
const SLICE: Duration = Duration::from_millis(500);

/// A training to run.
#[derive(Clone, Debug)]
pub(crate) struct TrainingJob {
    /// Its paper and name.
    pub(crate) name: String,
    /// The hash of its identity, which its checkpoints name.
    pub(crate) identity: String,
    /// The plugin that its agent is in.
    pub(crate) plugin: PathBuf,
    /// All that determines what is learned, except the number of games.
    pub(crate) setup: TrainingSetup,
    /// The number of games from which it learns.
    pub(crate) games: u64,
    /// The number of games in a row of its learning curve.
    pub(crate) curve_every: u64,
    /// The folder for its checkpoints, which nothing else uses.
    pub(crate) folder: ConfinedPath,
}

/// How to run trainings.
pub(crate) struct TrainingRunner<'a> {
    /// Starts its worker.
    pub(crate) launcher: &'a Launcher,
    /// The time between two checkpoints.
    pub(crate) checkpoint_interval: Duration,
    /// Set to stop it.
    pub(crate) stop: &'a AtomicBool,
}

/// How a training ended.
pub(crate) enum TrainingEnd {
    /// All games are played.
    Complete(Box<CompleteTraining>),
    /// It was stopped, and resumes from its checkpoint.
    Stopped(TrainingProgress),
}

/// A training that has played all of its games.
pub(crate) struct CompleteTraining {
    /// Its learning curve.
    pub(crate) progress: TrainingProgress,
    /// Its weights. [`CompleteTraining::clear`] removes the file.
    pub(crate) file: ConfinedPath,
    /// Their hash and size.
    pub(crate) written: WrittenFile,
    folder: CheckpointFolder,
}

impl CompleteTraining {
    /// Removes the file and the last checkpoint, once the weights are stored.
    pub(crate) fn clear(self) -> io::Result<()> {
        self.folder.clear()
    }
}

impl TrainingRunner<'_> {
    /// Runs a training to its end, or until it is to stop. If the agent or the disk fails, the last
    /// checkpoint stays.
    pub(super) fn run(&self, training: &TrainingJob, line: &Line) -> Result<TrainingEnd, String> {
        let TrainingJob { identity, games, curve_every, .. } = training;
        let owner = format!("training {identity}, {curve_every} games a row");
        let folder = CheckpointFolder::open(&training.folder, owner).map_err(training.io_error())?;
        let (mut worker, mut progress) = self.resume(training, &folder, line)?;
        let done = progress.total().games;
        line.set_done(done);
        line.start();
        if done > 0 {
            line.remark(&format!("goes on after {} games", thousands(done as f64)));
        }
        let mut last_saved = Instant::now();
        while progress.total().games < *games {
            let is_to_stop = self.stop.load(Ordering::Relaxed);
            if is_to_stop || last_saved.elapsed() >= self.checkpoint_interval {
                let saved = worker.save_training(&folder.unfinished()).map_err(training.error())?;
                folder.keep(&progress, saved).map_err(training.io_error())?;
                last_saved = Instant::now();
            }
            if is_to_stop {
                return Ok(TrainingEnd::Stopped(progress));
            }
            let left = games - progress.total().games;
            let learned = worker.learn(left.min(progress.row_left(*curve_every)), SLICE);
            let learned = learned.map_err(training.error())?;
            progress.add(learned, *curve_every);
            line.rows(learned.games);
            line.describe(&progress.text());
            line.tick();
        }
        let file = folder.artefact();
        let written = worker.artefact(Some(&file)).map_err(training.error())?;
        Ok(TrainingEnd::Complete(Box::new(CompleteTraining { progress, file, written, folder })))
    }

    /// A worker with the training, from its last checkpoint on if there is one.
    fn resume(
        &self,
        training: &TrainingJob,
        folder: &CheckpointFolder,
        line: &Line,
    ) -> Result<(Worker, TrainingProgress), String> {
        let on_dropped = |reason: &str| {
            line.say(&format!("a checkpoint is dropped, and its games are played again: {reason}"));
        };
        loop {
            let worker = start(self.launcher, &training.plugin, &training.setup);
            let mut worker = worker.map_err(training.error())?;
            let saved = folder.saved(on_dropped).map_err(training.io_error())?;
            let Some(Checkpoint { file, progress }) = saved else {
                return Ok((worker, TrainingProgress::default()));
            };
            match worker.load_training(&file) {
                Ok(()) => return Ok((worker, progress)),
                // If the agent refuses a checkpoint, only its games are lost, never the training.
                Err(WorkerError::Refused(reason)) => {
                    on_dropped(&reason);
                    folder.drop_pair(progress.total().games).map_err(training.io_error())?;
                }
                Err(other) => return Err(training.error()(other)),
            }
        }
    }
}

impl TrainingJob {
    fn error<E: Display>(&self) -> impl Fn(E) -> String {
        |error| format!("{}: {error}", self.name)
    }

    fn io_error(&self) -> impl Fn(io::Error) -> String {
        |error| format!("{}: {}: {error}", self.name, self.folder.display())
    }
}

fn start(launcher: &Launcher, plugin: &Path, setup: &TrainingSetup) -> Result<Worker, WorkerError> {
    let mut worker = launcher.start()?;
    worker.open(plugin)?;
    worker.train(setup)?;
    Ok(worker)
}

/// The weights after the first few games, which show another version of a training.
pub(crate) fn signature(
    launcher: &Launcher,
    plugin: &Path,
    setup: &TrainingSetup,
) -> Result<String, WorkerError> {
    const GAMES: u64 = 3;
    let mut worker = start(launcher, plugin, setup)?;
    worker.learn(GAMES, Duration::MAX)?;
    Ok(format!("games-{GAMES}:{}", worker.artefact(None)?.sha256))
}
