//! One training from its start, or its last checkpoint, to the weights that it gives.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::TrainingProgress;
use super::checkpoint_folder::{Checkpoint, CheckpointFolder};
use crate::plan::PlannedTraining;
use crate::progress::ProgressLine;
use crate::run::Options;
use jobs::Canonical as _;
use platform::ConfinedPath;
use text::thousands;
use workers::{Launcher, TrainingSetup, Worker, WorkerError, WrittenFile};

/// How long a worker learns at a time. A request to stop waits this long at most, or for the end of a game.
const SLICE: Duration = Duration::from_millis(500);

/// A training to run.
pub(crate) struct TrainingJob<'a> {
    pub(crate) planned: &'a PlannedTraining,
    /// The number of games in a row of its learning curve.
    pub(crate) curve_every: u64,
    /// The folder for its checkpoints, which nothing else uses.
    pub(crate) folder: ConfinedPath,
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

impl TrainingJob<'_> {
    /// Runs the training to its end, or until it is to stop. If the agent or the disk fails, the last
    /// checkpoint stays.
    pub(super) fn run(&self, options: &Options<'_>, line: &ProgressLine) -> Result<TrainingEnd, String> {
        let (games, curve_every) = (self.planned.training.games, self.curve_every);
        let owner = format!("training {}, {curve_every} games a row", self.planned.identity.hash());
        let folder = CheckpointFolder::open(&self.folder, owner).map_err(self.io_error())?;
        let (mut worker, mut progress) = self.resume(options.launcher, &folder, line)?;
        let done = progress.total().games;
        line.set_done(done);
        line.start();
        if done > 0 {
            line.remark(&format!("goes on after {} games", thousands(done as f64)));
        }
        let mut last_saved = Instant::now();
        while progress.total().games < games {
            let is_to_stop = options.stop.load(Ordering::Relaxed);
            if is_to_stop || last_saved.elapsed() >= options.checkpoint_interval {
                let saved = worker.save_training(&folder.unfinished()).map_err(self.error())?;
                folder.keep(&progress, saved).map_err(self.io_error())?;
                last_saved = Instant::now();
            }
            if is_to_stop {
                return Ok(TrainingEnd::Stopped(progress));
            }
            let left = games - progress.total().games;
            let learned = worker.learn(left.min(progress.row_left(curve_every)), SLICE);
            let learned = learned.map_err(self.error())?;
            progress.add(learned, curve_every);
            line.describe(&progress.text());
            line.rows(learned.games);
        }
        let file = folder.artefact();
        let written = worker.artefact(Some(&file)).map_err(self.error())?;
        Ok(TrainingEnd::Complete(Box::new(CompleteTraining { progress, file, written, folder })))
    }

    /// A worker with the training, from its last checkpoint on if there is one.
    fn resume(
        &self,
        launcher: &Launcher,
        folder: &CheckpointFolder,
        line: &ProgressLine,
    ) -> Result<(Worker, TrainingProgress), String> {
        let on_dropped = |reason: &str| {
            line.say(&format!("a checkpoint is dropped, and its games are played again: {reason}"));
        };
        loop {
            let worker = start(launcher, &self.planned.plugin.file, &self.planned.setup());
            let mut worker = worker.map_err(self.error())?;
            let saved = folder.saved(on_dropped).map_err(self.io_error())?;
            let Some(Checkpoint { file, progress }) = saved else {
                return Ok((worker, TrainingProgress::default()));
            };
            match worker.load_training(&file) {
                Ok(()) => return Ok((worker, progress)),
                // If the agent refuses a checkpoint, only its games are lost, never the training.
                Err(WorkerError::Refused(reason)) => {
                    on_dropped(&reason);
                    folder.drop_pair(progress.total().games).map_err(self.io_error())?;
                }
                Err(other) => return Err(self.error()(other)),
            }
        }
    }

    fn error<E: Display>(&self) -> impl Fn(E) -> String {
        |error| format!("{}: {error}", self.planned.key)
    }

    fn io_error(&self) -> impl Fn(io::Error) -> String {
        |error| format!("{}: {}: {error}", self.planned.key, self.folder.display())
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
