//! What can be asked of a worker that trains, seen from the side that asks.

use std::time::{Duration, Instant};

use super::protocol::{Learned, Reply, Request, TrainingSetup, WrittenFile};
use super::{SETUP_LIMIT, Worker, WorkerError};
use surroundings::confined::ConfinedPath;

/// How long a worker that trains may take over one game, or over one file: networks of gigabytes are written to slow disks.
const PATIENCE: Duration = Duration::from_secs(600);

impl Worker {
    /// Makes a training of an agent of the open plugin.
    ///
    /// # Errors
    /// Where the agent is not trained, the training refuses its rules or parameters, or takes the worker down.
    pub fn train(&mut self, setup: &TrainingSetup) -> Result<(), WorkerError> {
        match self.ask(&Request::Train(setup.clone()), SETUP_LIMIT)? {
            Reply::Created => Ok(()),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Plays so many games of the training, or as many as begin within the time.
    ///
    /// # Errors
    /// Where the training fails or takes the worker down.
    pub fn learn(&mut self, games: u64, time: Duration) -> Result<Learned, WorkerError> {
        let for_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match self.ask_patiently(&Request::Learn { games, for_ms })? {
            Reply::Learned(learned) => Ok(learned),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Writes a checkpoint of the training.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn save_training(&mut self, file: &ConfinedPath) -> Result<WrittenFile, WorkerError> {
        self.written(&Request::SaveTraining { file: file.to_owned() })
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Where it is not the whole one of this training.
    pub fn load_training(&mut self, file: &ConfinedPath) -> Result<(), WorkerError> {
        match self.ask_patiently(&Request::LoadTraining { file: file.to_owned() })? {
            Reply::Loaded => Ok(()),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Hashes what the training has learned so far, and writes it to a file, if one is given.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn artefact(&mut self, file: Option<&ConfinedPath>) -> Result<WrittenFile, WorkerError> {
        self.written(&Request::Artefact { file: file.cloned() })
    }

    fn written(&mut self, request: &Request) -> Result<WrittenFile, WorkerError> {
        match self.ask_patiently(request)? {
            Reply::Written(written) => Ok(written),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Waits for an answer for as long as the worker gets on, and some time longer.
    fn ask_patiently(&mut self, request: &Request) -> Result<Reply, WorkerError> {
        self.send(request)?;
        let (mut deadline, mut last) = (Instant::now() + PATIENCE, None);
        loop {
            match self.receive(deadline)? {
                Reply::Alive { game, .. } => {
                    if last.replace(game) != Some(game) {
                        deadline = Instant::now() + PATIENCE;
                    }
                }
                reply => return Ok(reply),
            }
        }
    }
}
