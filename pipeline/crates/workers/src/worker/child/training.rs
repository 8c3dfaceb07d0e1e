//! What a worker does for a training.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use engine::abi::host::LoadedTraining;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use surroundings::confined::ConfinedPath;
use surroundings::hash::hex;

use super::{Denial, ToStandardError, Worker, thread_cpu_ns};
use crate::worker::protocol::{Learned, Reply, TrainingSetup, WrittenFile};

/// The bytes that are written or read at once: checkpoints have hundreds of megabytes.
const CHUNK: usize = 1 << 20;

impl Worker {
    pub(super) fn train(&mut self, setup: &TrainingSetup) -> Result<Reply, Denial> {
        let plugin = &self.plugin.as_ref().ok_or("no plugin is open")?.plugin;
        let id = &setup.agent;
        let index = plugin.agent(id).ok_or_else(|| format!("the plugin has no agent `{id}`"))?.index;
        let params = Value::Object(setup.params.clone()).to_string();
        // What an earlier training has in memory is gone before the next takes its own.
        self.training = None;
        self.training = Some(plugin.train(index, &setup.rules, &params, setup.seed, ToStandardError)?);
        Ok(Reply::Created)
    }

    /// Plays games until there are so many, or so much time has passed.
    pub(super) fn learn(&mut self, games: u64, time: Duration) -> Result<Reply, Denial> {
        let (began, cpu_start) = (Instant::now(), thread_cpu_ns());
        let mut learned = Learned::default();
        self.pulse.game.store(0, Ordering::Relaxed);
        while learned.games < games && began.elapsed() < time {
            let training = training(&mut self.training)?;
            let game = training.next_game().map_err(|error| Denial::Failed(error.to_string()))?;
            learned.games += 1;
            learned.moves += game.moves;
            learned.score_sum += game.score;
            for (reached, rank) in learned.reached.iter_mut().zip(Learned::RANKS) {
                *reached += u64::from(game.max_rank >= rank);
            }
            self.pulse.game.store(learned.games, Ordering::Relaxed);
        }
        learned.cpu_ns = thread_cpu_ns().saturating_sub(cpu_start);
        Ok(Reply::Learned(learned))
    }

    pub(super) fn save_training(&mut self, file: &ConfinedPath) -> Result<Reply, Denial> {
        let training = training(&mut self.training)?;
        write(Some(file), |target| {
            training.save(target).map_err(|error| Denial::Failed(format!("the checkpoint: {error}")))
        })
    }

    pub(super) fn load_training(&mut self, file: &ConfinedPath) -> Result<Reply, Denial> {
        let training = training(&mut self.training)?;
        let unreadable = |error: io::Error| Denial::Refused(format!("{}: {error}", file.display()));
        let mut source = BufReader::with_capacity(CHUNK, file.open().map_err(unreadable)?);
        let loaded = training.load(&mut source);
        loaded.map_err(|error| Denial::Refused(format!("{}: {error}", file.display())))?;
        Ok(Reply::Loaded)
    }

    pub(super) fn artefact(&mut self, file: Option<&ConfinedPath>) -> Result<Reply, Denial> {
        let training = training(&mut self.training)?;
        write(file, |target| {
            training.artefact(target).map_err(|error| Denial::Failed(format!("the artefact: {error}")))
        })
    }
}

fn training(training: &mut Option<LoadedTraining>) -> Result<&mut LoadedTraining, Denial> {
    training.as_mut().ok_or_else(|| "no training has been created".into())
}

/// Writes a file, or nowhere, and says what was written. The file is on the disk when this is over.
fn write(
    file: Option<&ConfinedPath>,
    content: impl FnOnce(&mut dyn Write) -> Result<(), Denial>,
) -> Result<Reply, Denial> {
    let target = file.map(ConfinedPath::create).transpose();
    let failed = |error: io::Error| match file {
        Some(file) => Denial::Failed(format!("{}: {error}", file.display())),
        None => Denial::Failed(error.to_string()),
    };
    let mut hashed = Hashed { target: target.map_err(failed)?, hasher: Sha256::new(), bytes: 0 };
    let mut buffered = BufWriter::with_capacity(CHUNK, &mut hashed);
    content(&mut buffered)?;
    buffered.flush().map_err(failed)?;
    drop(buffered);
    hashed.target.map_or(Ok(()), |file| file.sync_all()).map_err(failed)?;
    Ok(Reply::Written(WrittenFile { sha256: hex(&hashed.hasher.finalize()), bytes: hashed.bytes }))
}

/// A file, if any, with the hash of what is written to it.
struct Hashed {
    target: Option<File>,
    hasher: Sha256,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.target {
            file.write_all(bytes)?;
        }
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
