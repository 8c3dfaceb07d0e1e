//! Requests to a worker that trains.

use std::time::Duration;

use super::protocol::{Learned, Request, TrainingSetup, WrittenFile};
use super::{Deadline, SETUP_TIMEOUT, Worker, WorkerError};
use platform::confined::ConfinedPath;

/// How long one game or one file may take: networks of gigabytes are written to slow disks.
const STALL_TIMEOUT: Duration = Duration::from_secs(600);

impl Worker {
    /// Creates a training of an agent of the open plugin.
    pub fn train(&mut self, setup: &TrainingSetup) -> Result<(), WorkerError> {
        self.ask(&Request::Train(setup.clone()), Deadline::fixed(SETUP_TIMEOUT))
    }

    /// Plays up to `games` games of the training. No game starts after `time`.
    pub fn learn(&mut self, games: u64, time: Duration) -> Result<Learned, WorkerError> {
        let for_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.ask(&Request::Learn { games, for_ms }, Deadline::per_step(STALL_TIMEOUT))
    }

    /// Writes a checkpoint of the training.
    pub fn save_training(&mut self, file: &ConfinedPath) -> Result<WrittenFile, WorkerError> {
        self.ask(&Request::SaveTraining { file: file.to_owned() }, Deadline::per_step(STALL_TIMEOUT))
    }

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    /// Returns an error if it is not a whole checkpoint of this training.
    pub fn load_training(&mut self, file: &ConfinedPath) -> Result<(), WorkerError> {
        self.ask(&Request::LoadTraining { file: file.to_owned() }, Deadline::per_step(STALL_TIMEOUT))
    }

    /// Hashes the weights learned so far, and writes them to a file, if one is given.
    pub fn artefact(&mut self, file: Option<&ConfinedPath>) -> Result<WrittenFile, WorkerError> {
        self.ask(&Request::Artefact { file: file.cloned() }, Deadline::per_step(STALL_TIMEOUT))
    }
}
