//! Verification: stored records against the rules of the game, and against the agent that is said to have played them.
//!
//! The first needs nothing but the file. The second plays games again, and finds an agent that has changed without its
//! signature showing it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::plan::Planned;
use crate::record::{GameRecord, RecordDigest};
use crate::run::difference;
use crate::store::{RecordsReader, Shard, StoreError};
use crate::worker::protocol::Assignment;
use crate::worker::{Event, Launcher, NoWorker, WorkerError};

/// The most problems of one file that are told one by one.
const MOST_PROBLEMS: usize = 10;

/// What came of replaying a file.
#[derive(Clone, Debug, Serialize)]
pub struct Verified {
    /// The file.
    pub file: PathBuf,
    /// The experiment that it says it is.
    pub experiment: String,
    /// The games in it.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
    /// The logical digest of what is in it.
    pub digest: String,
    /// What is wrong with it, as far as it is told.
    pub problems: Vec<String>,
    /// How many problems there are in all.
    pub problem_count: u64,
}

/// Replays every game of a file, in parallel, and checks the digest.
///
/// # Errors
/// Where the file cannot be read or its seal is broken.
pub fn replay_file(file: &Path) -> Result<Verified, StoreError> {
    let mut reader = RecordsReader::open(file)?;
    let header = reader.summary.header.clone();
    let stated_digest = reader.summary.digest.clone();
    let mut verified = Verified {
        file: file.to_owned(),
        experiment: header.experiment,
        games: 0,
        moves: 0,
        digest: String::new(),
        problems: Vec::new(),
        problem_count: 0,
    };
    let Ok(master_seed) = header.identity.master_seed() else {
        verified.problem(format!("the identity's seed `{}` is no hexadecimal number", header.identity.seed));
        return Ok(verified);
    };
    let mut digest = RecordDigest::default();
    let mut numbers = Numbers::of(header.shard);
    for group in reader.row_groups() {
        let games = group?;
        let replay = |game: &GameRecord| game.replay(&header.identity.rules, master_seed).err();
        let wrong: Vec<_> = games.par_iter().filter_map(replay).collect();
        wrong.into_iter().for_each(|error| verified.problem(error.to_string()));
        for game in &games {
            if let Some(problem) = numbers.check(game.game) {
                verified.problem(problem);
            }
            digest.add(game);
            verified.games += 1;
            verified.moves += u64::from(game.moves);
        }
    }
    verified.digest = digest.finish();
    if verified.digest != stated_digest {
        verified.problem(format!("its digest is {}, it states {stated_digest}", verified.digest));
    }
    Ok(verified)
}

/// The numbers that the games of a file must have: all from 0 on, or all of its part. A hole could hide a game.
struct Numbers {
    next: u64,
    step: u64,
}

impl Numbers {
    fn of(shard: Option<Shard>) -> Self {
        shard.map_or(Self { next: 0, step: 1 }, |shard| Self { next: shard.part - 1, step: shard.of })
    }

    fn check(&mut self, found: u64) -> Option<String> {
        let expected = std::mem::replace(&mut self.next, found.saturating_add(self.step));
        (found != expected).then(|| format!("game {expected} should come next, game {found} does"))
    }
}

impl Verified {
    fn problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(text);
        }
    }
}

/// How much of an experiment is played again.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many games.
    pub games: u64,
    /// The most moves of each; absent: all.
    pub moves: Option<u32>,
}

/// What came of playing games again.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Recomputed {
    /// The games that were played again: none where a fault ended all that are stored.
    pub games: Vec<u64>,
    /// The moves that were compared.
    pub moves: u64,
    /// In what they differ from the records.
    pub differences: Vec<String>,
}

/// Why games cannot be played again.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RecomputeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Worker(#[from] NoWorker),
}

/// Plays some stored games of an experiment again and compares them. Which ones follows from the records' own digest.
///
/// # Errors
/// Where the records cannot be read, or no worker can be started; a worker that goes down is a difference.
pub fn recompute(
    planned: &Planned,
    launcher: &Launcher,
    sample: Sample,
) -> Result<Recomputed, RecomputeError> {
    let stored = draw(&mut RecordsReader::open(&planned.path)?, sample.games)?;
    let mut recomputed =
        Recomputed { games: stored.iter().map(|record| record.game).collect(), ..Recomputed::default() };
    if stored.is_empty() {
        return Ok(recomputed);
    }
    match play_again(planned, launcher, sample, &stored, &mut recomputed) {
        Err(WorkerError::NotStarted(error)) => return Err(error.into()),
        Err(error) => recomputed.differences.push(error.to_string()),
        Ok(()) => {}
    }
    Ok(recomputed)
}

/// So many of the games that came to their end. One that a fault ended would only fault again, at the cost of a worker.
fn draw(reader: &mut RecordsReader, count: u64) -> Result<Vec<GameRecord>, StoreError> {
    let mut ended = reader.outcomes()?;
    ended.retain(|outcome| !outcome.ending.is_fault());
    let places = choose(&reader.summary.digest, ended.len() as u64, count);
    let numbers: BTreeSet<u64> = places.into_iter().map(|place| ended[place as usize].game).collect();
    let is_drawn = |record: &Result<GameRecord, _>| {
        record.as_ref().map_or(true, |record| numbers.contains(&record.game))
    };
    reader.games().filter(is_drawn).collect()
}

/// The places of so many games, without repetition where there are enough.
fn choose(digest: &str, games: u64, count: u64) -> BTreeSet<u64> {
    if count >= games {
        return (0..games).collect();
    }
    let mut chosen = BTreeSet::new();
    for draw in 0_u64.. {
        let hash = Sha256::digest(format!("{digest}/{draw}"));
        let bytes: [u8; 8] = hash[..8].try_into().expect("a digest has 32 bytes");
        chosen.insert(u64::from_be_bytes(bytes) % games);
        if chosen.len() as u64 == count {
            break;
        }
    }
    chosen
}

fn play_again(
    planned: &Planned,
    launcher: &Launcher,
    sample: Sample,
    stored: &[GameRecord],
    recomputed: &mut Recomputed,
) -> Result<(), WorkerError> {
    let experiment = &planned.experiment;
    let mut worker = launcher.start()?;
    worker.open(&planned.plugin.file)?;
    worker.create(&experiment.agent, &experiment.rules, &planned.params, experiment.budget)?;
    let assignment = Assignment {
        master_seed: experiment.seed,
        games: stored.iter().map(|record| record.game).collect(),
        is_careful: false,
        move_limit: sample.moves,
        spool: None,
    };
    let limit = Duration::from_millis(experiment.move_limit_ms);
    worker.play(&assignment, limit, None, |event| {
        let Event::Played(played) = event else { return };
        let Some(record) = stored.iter().find(|record| record.game == played.record.game) else { return };
        recomputed.moves += u64::from(played.record.moves);
        recomputed.differences.extend(compare(record, &played.record, sample.moves));
    })
}

/// Compares a stored game with one that was played again, perhaps only in part.
fn compare(stored: &GameRecord, played: &GameRecord, moves: Option<u32>) -> Option<String> {
    let is_part = moves.is_some_and(|moves| stored.moves > moves);
    if is_part && stored.directions.starts_with(&played.directions) && Some(played.moves) == moves {
        return None;
    }
    difference(stored, played)
}

#[cfg(test)]
mod tests;
