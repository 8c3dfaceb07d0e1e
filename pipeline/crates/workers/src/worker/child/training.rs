//! Training in a worker.

use std::io::{self, BufReader, BufWriter, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engine::abi::host::LoadedTraining;
use platform::confined::ConfinedPath;
use platform::hash::HashStream;
use serde_json::Value;

use super::{RequestError, ToStandardError, Worker, index_of, result, thread_cpu_ns};
use crate::worker::protocol::{Learned, TrainingSetup, WrittenFile};

/// The buffer size of checkpoints, which have hundreds of megabytes.
const CHUNK: usize = 1 << 20;

impl Worker {
    pub(super) fn train(&mut self, setup: &TrainingSetup) -> Result<Value, RequestError> {
        let plugin = &self.plugin.as_ref().ok_or("no plugin is open")?.plugin;
        let index = index_of(plugin, &setup.agent)?;
        let params = Value::Object(setup.params.clone()).to_string();
        // Frees the memory of an earlier training first.
        self.training = None;
        self.training = Some(plugin.train(index, &setup.rules, &params, setup.seed, ToStandardError)?);
        result(())
    }

    /// Plays up to `games` games. No game starts after `time`.
    pub(super) fn learn(&mut self, games: u64, time: Duration) -> Result<Value, RequestError> {
        let (began, cpu_start) = (Instant::now(), thread_cpu_ns());
        let mut learned = Learned::default();
        self.heartbeat.game.store(0, Ordering::Relaxed);
        while learned.games < games && began.elapsed() < time {
            let training = training(&mut self.training)?;
            let game = training.next_game().map_err(|error| RequestError::Failed(error.to_string()))?;
            learned.games += 1;
            learned.moves += game.moves;
            learned.score_sum += game.score;
            for (reached, rank) in learned.reached.iter_mut().zip(Learned::RANKS) {
                *reached += u64::from(game.max_rank >= rank);
            }
            self.heartbeat.game.store(learned.games, Ordering::Relaxed);
        }
        learned.cpu_ns = thread_cpu_ns().saturating_sub(cpu_start);
        result(learned)
    }

    pub(super) fn save_training(&mut self, file: &ConfinedPath) -> Result<Value, RequestError> {
        let training = training(&mut self.training)?;
        write(Some(file), |target| {
            training.save(target).map_err(|error| RequestError::Failed(format!("the checkpoint: {error}")))
        })
    }

    pub(super) fn load_training(&mut self, file: &ConfinedPath) -> Result<Value, RequestError> {
        let training = training(&mut self.training)?;
        let unreadable = |error: io::Error| RequestError::Refused(format!("{}: {error}", file.display()));
        let mut source = BufReader::with_capacity(CHUNK, file.open().map_err(unreadable)?);
        let loaded = training.load(&mut source);
        loaded.map_err(|error| RequestError::Refused(format!("{}: {error}", file.display())))?;
        result(())
    }

    pub(super) fn artefact(&mut self, file: Option<&ConfinedPath>) -> Result<Value, RequestError> {
        let training = training(&mut self.training)?;
        write(file, |target| {
            training.artefact(target).map_err(|error| RequestError::Failed(format!("the artefact: {error}")))
        })
    }
}

fn training(training: &mut Option<LoadedTraining>) -> Result<&mut LoadedTraining, RequestError> {
    training.as_mut().ok_or_else(|| "no training has been created".into())
}

/// Writes to a file, if one is given, syncs it, and reports the hash and size.
fn write(
    file: Option<&ConfinedPath>,
    content: impl FnOnce(&mut dyn Write) -> Result<(), RequestError>,
) -> Result<Value, RequestError> {
    let failed = |error: io::Error| match file {
        Some(file) => RequestError::Failed(format!("{}: {error}", file.display())),
        None => RequestError::Failed(error.to_string()),
    };
    let (mut file, mut nowhere) = (file.map(ConfinedPath::create).transpose().map_err(failed)?, io::sink());
    let target: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => &mut nowhere,
    };
    let mut buffered = BufWriter::with_capacity(CHUNK, HashStream::new(target));
    content(&mut buffered)?;
    let stream = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
    let (_, sha256, bytes) = stream.finish();
    file.map_or(Ok(()), |file| file.sync_all()).map_err(failed)?;
    result(WrittenFile { sha256, bytes })
}
