//! A contest: agents play the same seeds until sequential tests decide between each two of them.
//!
//! Seeds are heard in the order of their numbers, whatever order they end in, so that neither the number of threads nor their luck moves the
//! end. Every game is journalled at once: a contest that was killed goes on where it stopped, and comes to the same end.

mod games;
mod referee;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use games::Games;
pub use referee::{Judge, PairDecision, PairStanding, Standing};

use crate::journal::JournalError;
use crate::plan::Planned;
use crate::run::RunError;
use platform::plain;
use records::store::StoreError;
use referee::Referee;
use workers::worker::protocol::{Assignment, Played};
use workers::worker::{GameEvent, Launcher, Worker, WorkerError, WorkerStartError};

/// What is played, and how long.
pub struct Contest<'a> {
    /// The games of each contestant, from each start. All have equally many starts, at least one.
    pub games: &'a [Vec<Games<'a>>],
    /// The test of each two.
    pub judge: Judge,
    /// The most seeds.
    pub limit: u64,
    /// How many seeds are played at once.
    pub jobs: usize,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// Set from outside to stop after the games in flight.
    pub stop: &'a AtomicBool,
    /// Told after every seed, in order.
    pub on_seed: &'a (dyn Fn(&Standing) + Sync),
}

/// How the contest ended.
#[derive(Clone, Debug)]
pub struct ContestResult {
    /// How it stood at its end.
    pub standing: Standing,
    /// The scores of all contestants on every seed up to there.
    pub scores: Vec<Vec<u32>>,
    /// Whether it was stopped from outside, before it was decided or came to its limit.
    pub interrupted: bool,
}

/// Why a contest has no end. All finished games are journalled.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ContestError {
    #[error(transparent)]
    Worker(#[from] WorkerStartError),
    #[error("{}: agent `{agent}`: {source}", plugin.display())]
    Agent { plugin: PathBuf, agent: String, source: WorkerError },
    #[error("{}: agent `{agent}`: game {game}: {reason}", plugin.display())]
    Fault { plugin: PathBuf, agent: String, game: u64, reason: String },
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A worker with a contestant's agent, made for the rules of one start.
struct Hired {
    start: usize,
    worker: Worker,
}

impl Contest<'_> {
    /// Plays until all tests decide, or the limit is reached.
    ///
    /// # Errors
    /// Where an agent cannot be made, or faults in a game that counts, or a game cannot be written down.
    pub fn play(&self) -> Result<ContestResult, ContestError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build()?;
        let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let referee = Mutex::new(Referee::new(self.games.len(), self.judge));
        pool.broadcast(|_| {
            let mut workers: Vec<Option<Hired>> = self.games.iter().map(|_| None).collect();
            while !is_over.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= self.limit {
                    break;
                }
                let scores = self.play_seed(&mut workers, seed);
                let has_failed = scores.is_err();
                let mut referee = referee.lock().unwrap_or_else(PoisonError::into_inner);
                if referee.hear(seed, scores, self.on_seed) {
                    is_over.store(true, Ordering::Relaxed);
                }
                drop(referee);
                if has_failed {
                    break;
                }
            }
        });
        let referee = referee.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (standing, scores) = referee.end()?;
        let interrupted = !standing.is_decided() && standing.seeds < self.limit;
        Ok(ContestResult { standing, scores, interrupted })
    }

    /// The scores of all contestants on a seed. With several starts the seeds go round among them.
    fn play_seed(&self, workers: &mut [Option<Hired>], seed: u64) -> Result<Vec<u32>, ContestError> {
        let mut scores = Vec::with_capacity(self.games.len());
        for (starts, hired) in self.games.iter().zip(workers) {
            let (start, game) = place(seed, starts.len());
            let games = &starts[start];
            let score = match games.score(game) {
                Some(known) => known,
                None => self.play_game(games, hired, start, game)?,
            };
            scores.push(score);
        }
        Ok(scores)
    }

    /// Plays a game, by a worker that is started with the first one, and writes it down.
    fn play_game(
        &self,
        games: &Games<'_>,
        hired: &mut Option<Hired>,
        start: usize,
        game: u64,
    ) -> Result<u32, ContestError> {
        let planned = games.planned();
        let worker = match hired.take() {
            Some(known) if known.start == start => hired.insert(known),
            known => hired.insert(self.hire(planned, known, start)?),
        };
        let played = play(&mut worker.worker, planned, game)?;
        games.keep(&played)?;
        Ok(played.record.score)
    }

    /// A worker with the agent for these rules: the one at hand, or a new one.
    fn hire(&self, planned: &Planned, known: Option<Hired>, start: usize) -> Result<Hired, ContestError> {
        let (file, experiment) = (&planned.plugin.file, &planned.experiment);
        let failed =
            |source| ContestError::Agent { plugin: file.clone(), agent: experiment.agent.clone(), source };
        let mut worker = match known {
            Some(hired) => hired.worker,
            None => {
                let mut worker = self.launcher.start()?;
                worker.open(file).map_err(failed)?;
                worker
            }
        };
        let Planned { params, files, .. } = planned;
        let made = worker.create(&experiment.agent, &experiment.rules, params, experiment.budget, files);
        made.map_err(failed)?;
        Ok(Hired { start, worker })
    }
}

/// The start of a seed, and the game's number among those from there.
pub(crate) const fn place(seed: u64, starts: usize) -> (usize, u64) {
    ((seed % starts as u64) as usize, seed / starts as u64)
}

/// One game, replayed before it is believed.
fn play(worker: &mut Worker, planned: &Planned, game: u64) -> Result<Played, ContestError> {
    let experiment = &planned.experiment;
    let fault = |reason: String| ContestError::Fault {
        plugin: planned.plugin.file.clone(),
        agent: experiment.agent.clone(),
        game,
        reason,
    };
    let assignment = Assignment {
        master_seed: experiment.seed,
        games: vec![game],
        is_careful: false,
        move_limit: None,
        spool: None,
    };
    let mut played = None;
    let limit = Duration::from_millis(experiment.move_limit_ms);
    worker
        .play(&assignment, limit, None, |event| {
            if let GameEvent::Played(game) = event {
                played = Some(game);
            }
        })
        .map_err(|error| fault(error.to_string()))?;
    let played = played.ok_or_else(|| fault("the worker played a different game".to_owned()))?;
    let record = &played.record;
    if record.ending.is_fault() {
        let complaint = played.complaint.as_deref().map(plain::line).unwrap_or_default();
        return Err(fault(format!("ended by {}: {complaint}", record.ending)));
    }
    record.replay(&experiment.rules, experiment.seed).map_err(|error| fault(error.to_string()))?;
    if record.game == game { Ok(played) } else { Err(fault("the worker played a different game".to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_go_round_among_the_starts() {
        assert_eq!([0, 1, 2, 3, 7].map(|seed| place(seed, 1)), [(0, 0), (0, 1), (0, 2), (0, 3), (0, 7)]);
        assert_eq!([0, 1, 2, 3, 7].map(|seed| place(seed, 3)), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2)]);
    }
}
