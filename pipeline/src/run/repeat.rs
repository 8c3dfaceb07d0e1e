//! Playing stored games again with today's agent, whole and alike, or not.

use std::time::Duration;

use super::finish::difference;
use super::player::{Prefix, set_up};
use crate::plan::Planned;
use records::record::GameRecord;
use workers::worker::protocol::Assignment;
use workers::worker::{Fault, GameEvent, Launcher, Worker, WorkerError, WorkerStartError};

/// The agent of an experiment, which plays stored games again one by one.
pub(crate) struct Repeater<'a> {
    planned: &'a Planned,
    launcher: &'a Launcher,
    /// Gone after a fault.
    worker: Option<Worker>,
}

/// A game that was played again.
pub(crate) struct Repeated {
    /// How many moves were compared.
    pub(crate) moves: u64,
    /// In what it differs from the stored one.
    pub(crate) difference: Option<String>,
}

impl<'a> Repeater<'a> {
    pub(crate) const fn new(planned: &'a Planned, launcher: &'a Launcher) -> Self {
        Self { planned, launcher, worker: None }
    }

    /// Plays a stored game again, or so many moves of it, and compares. One that a fault ended must end by the same fault after
    /// the same moves.
    pub(crate) fn play(
        &mut self,
        stored: &GameRecord,
        moves: Option<u32>,
    ) -> Result<Repeated, WorkerStartError> {
        let is_part = moves.is_some_and(|moves| stored.moves > moves);
        let played = match self.play_once(stored, moves.filter(|_| is_part)) {
            Ok(played) => played,
            Err(WorkerError::NotStarted(error)) => return Err(error),
            Err(error) => {
                let difference = Some(format!("game {}: {error}", stored.game));
                return Ok(Repeated { moves: 0, difference });
            }
        };
        let is_begun_alike = || Some(played.moves) == moves && stored.begins_with(&played);
        let difference = if is_part && is_begun_alike() { None } else { difference(stored, &played) };
        Ok(Repeated { moves: played.moves.into(), difference })
    }

    fn play_once(&mut self, stored: &GameRecord, moves: Option<u32>) -> Result<GameRecord, WorkerError> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.start()?,
        };
        let experiment = &self.planned.experiment;
        let mut prefix = Prefix::new(self.planned, stored.game);
        let mut whole = None;
        let assignment = Assignment {
            master_seed: experiment.seed,
            games: vec![stored.game],
            // Only then is it known where a fault ended it.
            is_careful: stored.ending.is_fault(),
            move_limit: moves,
            spool: None,
        };
        let limit = Duration::from_millis(experiment.move_limit_ms);
        let ended = worker.play(&assignment, limit, None, |event| match event {
            GameEvent::Moved { direction, tile, nodes } => prefix.extend(direction, tile, nodes),
            GameEvent::Played(played) => whole = Some(played.record),
        });
        match (ended, whole) {
            (Err(WorkerError::Faulted(fault)), _) if assignment.is_careful => Ok(prefix.end(&fault).record),
            (Err(error), None) => Err(error),
            (ended, Some(record)) => {
                self.worker = ended.is_ok().then_some(worker);
                Ok(record)
            }
            (Ok(()), None) => {
                let reason = "the worker did not hand over the game".to_owned();
                Err(WorkerError::Faulted(Fault { ending: engine::Ending::AgentCrash, reason }))
            }
        }
    }

    fn start(&self) -> Result<Worker, WorkerError> {
        let mut worker = self.launcher.start()?;
        set_up(&mut worker, self.planned)?;
        Ok(worker)
    }
}
