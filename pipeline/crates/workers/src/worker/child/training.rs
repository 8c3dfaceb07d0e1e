//! Training in a worker.

use std::io::{self, BufReader, BufWriter, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engine::abi::host::LoadedTraining;
use platform::{ConfinedPath, HashStream};
use serde_json::Value;

use super::{Server, ToStandardError, WorkerError, failed, info_of, refused, result, thread_cpu_ns};
use crate::{Learned, TrainingSetup, WrittenFile};

/// The buffer size of checkpoints, which have hundreds of megabytes.
const CHUNK: usize = 1 << 20;

impl Server {
    pub(super) fn train(&mut self, setup: &TrainingSetup) -> Result<Value, WorkerError> {
        let plugin = self.plugin()?.clone();
        let index = info_of(&plugin, &setup.agent)?.index;
        let params = Value::Object(setup.params.clone()).to_string();
        // Frees the memory of an earlier training first.
        self.training = None;
        self.training = Some(plugin.train(index, &setup.rules, &params, setup.seed, ToStandardError)?);
        result(())
    }

    /// Plays up to `games` games. No game starts after `time`.
    pub(super) fn learn(&mut self, games: u64, time: Duration) -> Result<Value, WorkerError> {
        let (began, cpu_start) = (Instant::now(), thread_cpu_ns());
        let mut learned = Learned::default();
        self.heartbeat.game.store(0, Ordering::Relaxed);
        while learned.games < games && began.elapsed() < time {
            let training = training(&mut self.training)?;
            let game = training.next_game().map_err(failed)?;
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

    pub(super) fn save_training(&mut self, file: &ConfinedPath) -> Result<Value, WorkerError> {
        let training = training(&mut self.training)?;
        write(Some(file), |target| {
            training.save(target).map_err(|error| failed(format!("the checkpoint: {error}")))
        })
    }

    pub(super) fn load_training(&mut self, file: &ConfinedPath) -> Result<Value, WorkerError> {
        let training = training(&mut self.training)?;
        let unreadable = |error: String| refused(format!("{}: {error}", file.display()));
        let source = file.open().map_err(|error| unreadable(error.to_string()))?;
        let loaded = training.load(&mut BufReader::with_capacity(CHUNK, source));
        result(loaded.map_err(|error| unreadable(error.to_string()))?)
    }

    pub(super) fn artefact(&mut self, file: Option<&ConfinedPath>) -> Result<Value, WorkerError> {
        let training = training(&mut self.training)?;
        write(file, |target| {
            training.artefact(target).map_err(|error| failed(format!("the artefact: {error}")))
        })
    }
}

fn training(training: &mut Option<LoadedTraining>) -> Result<&mut LoadedTraining, WorkerError> {
    training.as_mut().ok_or_else(|| refused("no training has been created"))
}

/// Writes to a file, if one is given, syncs it, and reports the hash and size.
fn write(
    file: Option<&ConfinedPath>,
    content: impl FnOnce(&mut dyn Write) -> Result<(), WorkerError>,
) -> Result<Value, WorkerError> {
    let unwritable = |error: io::Error| match file {
        Some(file) => failed(format!("{}: {error}", file.display())),
        None => failed(error),
    };
    let (mut file, mut nowhere) =
        (file.map(ConfinedPath::create).transpose().map_err(unwritable)?, io::sink());
    let target: &mut dyn Write = match &mut file {
        Some(file) => file,
        None => &mut nowhere,
    };
    let mut buffered = BufWriter::with_capacity(CHUNK, HashStream::new(target));
    content(&mut buffered)?;
    let stream = buffered.into_inner().map_err(|error| unwritable(error.into_error()))?;
    let (_, sha256, bytes) = stream.finish();
    file.map_or(Ok(()), |file| file.sync_all()).map_err(unwritable)?;
    result(WrittenFile { sha256, bytes })
}
