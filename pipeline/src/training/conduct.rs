//! One training from its beginning, or its last checkpoint, to the file that it gives.

use platform::confined::ConfinedPath;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::progress::Line;
use super::workplace::{Saved, Workplace};
use super::{Standing, TrainError};
use workers::worker::protocol::{TrainingSetup, WrittenFile};
use workers::worker::{Launcher, Worker, WorkerError};

/// How long a worker is left alone: a request to stop waits so long at most, and a game longer.
const SLICE: Duration = Duration::from_millis(500);

/// A training that is to be conducted.
#[derive(Clone, Debug)]
pub struct Conducted {
    /// Its paper and name.
    pub name: String,
    /// The hash of its identity, which its checkpoints name.
    pub identity: String,
    /// The plugin that its agent is in.
    pub plugin: PathBuf,
    /// All that determines what is learned, but the number of games.
    pub setup: TrainingSetup,
    /// From how many games it learns.
    pub games: u64,
    /// How many games a row of its learning curve sums up.
    pub curve_every: u64,
    /// The folder for its checkpoints, which nothing else uses.
    pub folder: ConfinedPath,
}

/// How a training is conducted.
pub struct Conductor<'a> {
    /// Starts its worker.
    pub launcher: &'a Launcher,
    /// How often a checkpoint is written.
    pub checkpoint_every: Duration,
    /// Set where it is to stop.
    pub stop: &'a AtomicBool,
}

/// How a training ended.
pub enum Ended {
    /// All games are played; the file that it gives is where [`Finished::file`] says.
    Whole(Box<Finished>),
    /// It was stopped, and goes on from its checkpoint.
    Stopped(Standing),
}

/// A training that is over.
pub struct Finished {
    /// What its games came to.
    pub standing: Standing,
    /// The file that it gives. It goes with [`Finished::clear`].
    pub file: ConfinedPath,
    /// The hash and the size of that.
    pub written: WrittenFile,
    workplace: Workplace,
}

impl Finished {
    /// Removes the file and the last checkpoint, once what they are for is in its place.
    ///
    /// # Errors
    /// Where they cannot be removed.
    pub fn clear(self) -> io::Result<()> {
        self.workplace.clear()
    }
}

impl Conductor<'_> {
    /// Conducts a training to its end, or until it is to stop.
    ///
    /// # Errors
    /// Where the agent fails, or a file cannot be written. The last checkpoint stays.
    pub(super) fn conduct(&self, training: &Conducted, line: &Line) -> Result<Ended, TrainError> {
        let Conducted { identity, curve_every, .. } = training;
        let of = format!("training {identity}, {curve_every} games a row");
        let workplace = Workplace::open(&training.folder, of).map_err(TrainError::io(training))?;
        let failed = |source| TrainError::Worker { name: training.name.clone(), source };
        let (mut worker, mut standing) = self.begin(training, &workplace, line)?;
        line.begin(&standing);
        let mut last_saved = Instant::now();
        while standing.total().games < training.games {
            let is_to_stop = self.stop.load(Ordering::Relaxed);
            if is_to_stop || last_saved.elapsed() >= self.checkpoint_every {
                save(&mut worker, &workplace, &standing, training)?;
                last_saved = Instant::now();
            }
            if is_to_stop {
                line.end(&standing);
                return Ok(Ended::Stopped(standing));
            }
            let left = training.games - standing.total().games;
            let games = left.min(standing.row_left(training.curve_every));
            let learned = worker.learn(games, SLICE).map_err(failed)?;
            standing.add(learned, training.curve_every);
            line.tell(&standing);
        }
        let file = workplace.artefact();
        let written = worker.artefact(Some(&file)).map_err(failed)?;
        line.end(&standing);
        Ok(Ended::Whole(Box::new(Finished { standing, file, written, workplace })))
    }

    /// A worker with the training, from its last checkpoint on where there is one.
    fn begin(
        &self,
        training: &Conducted,
        workplace: &Workplace,
        line: &Line,
    ) -> Result<(Worker, Standing), TrainError> {
        let failed = |source| TrainError::Worker { name: training.name.clone(), source };
        let drop_told = |reason: &str| {
            line.say(&format!(
                "{}: a checkpoint is dropped, and its games are played again: {reason}",
                training.name
            ));
        };
        loop {
            let mut worker = self.start(training).map_err(failed)?;
            let saved = workplace.saved(drop_told).map_err(TrainError::io(training))?;
            let Some(Saved { checkpoint, standing }) = saved else {
                return Ok((worker, Standing::default()));
            };
            match worker.load_training(&checkpoint) {
                Ok(()) => return Ok((worker, standing)),
                // If the agent refuses a checkpoint, only its games are lost, never the training.
                Err(WorkerError::Refused(reason)) => {
                    drop_told(&reason);
                    workplace.drop_pair(standing.total().games).map_err(TrainError::io(training))?;
                }
                Err(other) => return Err(failed(other)),
            }
        }
    }

    fn start(&self, training: &Conducted) -> Result<Worker, WorkerError> {
        let mut worker = self.launcher.start()?;
        worker.open(&training.plugin)?;
        worker.train(&training.setup)?;
        Ok(worker)
    }
}

/// What a training learns in its first few games, by which another version of it is noticed.
///
/// # Errors
/// Where the agent fails.
pub fn signature(launcher: &Launcher, plugin: &Path, setup: &TrainingSetup) -> Result<String, WorkerError> {
    const GAMES: u64 = 3;
    let mut worker = launcher.start()?;
    worker.open(plugin)?;
    worker.train(setup)?;
    worker.learn(GAMES, Duration::MAX)?;
    Ok(format!("games-{GAMES}:{}", worker.artefact(None)?.sha256))
}

fn save(
    worker: &mut Worker,
    workplace: &Workplace,
    standing: &Standing,
    training: &Conducted,
) -> Result<(), TrainError> {
    let saved = worker.save_training(&workplace.unfinished());
    let saved = saved.map_err(|source| TrainError::Worker { name: training.name.clone(), source })?;
    workplace.keep(standing, saved).map_err(TrainError::io(training))
}
