//! A contest: agents play the same seeds until sequential tests decide between each pair of them.
//!
//! Seeds count in the order of their numbers, whatever order they end in, so the number of threads does not
//! change the result. Every game is journalled at once: a contest that was killed resumes, and ends the same
//! way.

mod games;
mod score;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use games::ContestantGames;
pub use score::{ContestScore, PairDecision, PairScore, PairTest};

use crate::journal::JournalError;
use crate::plan::Planned;
use crate::run::RunError;
use platform::plain;
use records::store::StoreError;
use score::SeedCounter;
use workers::worker::protocol::{Assignment, Played};
use workers::worker::{GameEvent, Launcher, Worker, WorkerError, WorkerStartError};

/// The arguments of a contest.
pub struct Contest<'a> {
    /// The games of each contestant, from each start. All have equally many starts, at least one.
    pub games: &'a [Vec<ContestantGames<'a>>],
    /// The test of each pair.
    pub test: PairTest,
    /// The most seeds.
    pub limit: u64,
    /// How many seeds are played at once.
    pub jobs: usize,
    /// How to start workers.
    pub launcher: &'a Launcher,
    /// Set from outside to stop after the games in flight.
    pub stop: &'a AtomicBool,
    /// Called after every seed, in order.
    pub on_seed: &'a (dyn Fn(&ContestScore) + Sync),
}

/// Why a contest has no result. All finished games are journalled.
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

/// A worker with a contestant's agent, created for the rules of one start.
type Player = Option<(usize, Worker)>;

impl Contest<'_> {
    /// Plays until all tests decide, or the limit is reached, or it is stopped.
    pub fn play(&self) -> Result<ContestScore, ContestError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build()?;
        let (next, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
        let counter = Mutex::new(SeedCounter::new(self.games.len(), self.test));
        pool.broadcast(|_| {
            let mut players: Vec<Player> = self.games.iter().map(|_| None).collect();
            while !is_over.load(Ordering::Relaxed) && !self.stop.load(Ordering::Relaxed) {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= self.limit {
                    break;
                }
                let scores = self.play_seed(&mut players, seed);
                let has_failed = scores.is_err();
                let mut counter = counter.lock().unwrap_or_else(PoisonError::into_inner);
                if counter.add(seed, scores, self.on_seed) {
                    is_over.store(true, Ordering::Relaxed);
                }
                drop(counter);
                if has_failed {
                    break;
                }
            }
        });
        counter.into_inner().unwrap_or_else(PoisonError::into_inner).end()
    }

    /// The scores of all contestants on a seed. With several starts the seeds take them in turn.
    fn play_seed(&self, players: &mut [Player], seed: u64) -> Result<Vec<u32>, ContestError> {
        let score = |(starts, player): (&Vec<ContestantGames<'_>>, &mut Player)| {
            let (start, game) = place(seed, starts.len());
            match starts[start].score(game) {
                Some(known) => Ok(known),
                None => self.play_game(&starts[start], player, start, game),
            }
        };
        self.games.iter().zip(players).map(score).collect()
    }

    /// Plays a game and journals it. A worker starts with the first game, and re-creates its agent for each
    /// start.
    fn play_game(
        &self,
        games: &ContestantGames<'_>,
        player: &mut Player,
        start: usize,
        game: u64,
    ) -> Result<u32, ContestError> {
        let Planned { plugin, experiment, params, files, .. } = games.planned;
        let (agent, rules) = (&experiment.agent, &experiment.rules);
        let failed =
            |source| ContestError::Agent { plugin: plugin.file.clone(), agent: agent.clone(), source };
        let worker = match player.take() {
            Some((created_for, worker)) if created_for == start => worker,
            known => {
                let mut worker = match known {
                    Some((_, worker)) => worker,
                    None => {
                        let mut worker = self.launcher.start()?;
                        worker.open(&plugin.file).map_err(failed)?;
                        worker
                    }
                };
                worker.create(agent, rules, params, experiment.budget, files).map_err(failed)?;
                worker
            }
        };
        let (_, worker) = player.insert((start, worker));
        let played = play(worker, games.planned, game).map_err(|reason| ContestError::Fault {
            plugin: plugin.file.clone(),
            agent: agent.clone(),
            game,
            reason,
        })?;
        games.keep(&played)?;
        Ok(played.record.score)
    }
}

/// The start of a seed, and the game's number among those from there.
pub(crate) const fn place(seed: u64, starts: usize) -> (usize, u64) {
    ((seed % starts as u64) as usize, seed / starts as u64)
}

/// Plays one game and replays it. Returns the reason if it faults.
fn play(worker: &mut Worker, planned: &Planned, game: u64) -> Result<Played, String> {
    let experiment = &planned.experiment;
    let assignment = Assignment {
        master_seed: experiment.seed,
        games: vec![game],
        is_careful: false,
        move_limit: None,
        spool: None,
    };
    let mut played = None;
    let limit = Duration::from_millis(experiment.move_limit_ms);
    let outcome = worker.play(&assignment, limit, None, |event| {
        if let GameEvent::Played(game) = event {
            played = Some(game);
        }
    });
    outcome.map_err(|error| error.to_string())?;
    let played = played.filter(|played| played.record.game == game);
    let played = played.ok_or("the worker played a different game")?;
    let record = &played.record;
    if record.ending.is_fault() {
        let complaint = played.complaint.as_deref().map(plain::line).unwrap_or_default();
        return Err(format!("ended by {}: {complaint}", record.ending));
    }
    record.replay(&experiment.rules, experiment.seed).map_err(|error| error.to_string())?;
    Ok(played)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_take_the_starts_in_turn() {
        assert_eq!([0, 1, 2, 3, 7].map(|seed| place(seed, 1)), [(0, 0), (0, 1), (0, 2), (0, 3), (0, 7)]);
        assert_eq!([0, 1, 2, 3, 7].map(|seed| place(seed, 3)), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2)]);
    }
}
