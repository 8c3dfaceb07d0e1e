//! Playing stored games again with today's agent, and comparing.

use engine::Ending;

use super::{GamePlayer, GameSetup, SetupError};
use crate::run::difference;
use records::GameRecord;
use workers::{Fault, WorkerError, WorkerStartError};

/// A game that was played again.
pub(crate) struct RepeatedGame {
    /// How many moves were compared.
    pub(crate) moves: u64,
    /// How it differs from the stored one.
    pub(crate) difference: Option<String>,
}

impl GamePlayer<'_> {
    /// Plays a stored game again, or its first moves, and compares. One that ended by a fault must end by the
    /// same fault after the same moves.
    pub(crate) fn repeat(
        &mut self,
        setup: &GameSetup<'_>,
        stored: &GameRecord,
        moves: Option<u32>,
    ) -> Result<RepeatedGame, WorkerStartError> {
        let is_part = moves.is_some_and(|moves| stored.moves > moves);
        let played = match self.repeat_once(setup, stored, moves.filter(|_| is_part)) {
            Ok(played) => played,
            Err(WorkerError::NotStarted(error)) => return Err(error),
            Err(error) => {
                let difference = Some(format!("game {}: {error}", stored.game));
                return Ok(RepeatedGame { moves: 0, difference });
            }
        };
        let has_same_start = || Some(played.moves) == moves && stored.begins_with(&played);
        let difference = if is_part && has_same_start() { None } else { difference(stored, &played) };
        Ok(RepeatedGame { moves: played.moves.into(), difference })
    }

    fn repeat_once(
        &mut self,
        setup: &GameSetup<'_>,
        stored: &GameRecord,
        moves: Option<u32>,
    ) -> Result<GameRecord, WorkerError> {
        self.prepare(0, setup).map_err(|error| match error {
            SetupError::Start(error) => WorkerError::NotStarted(error),
            SetupError::Plugin(error) | SetupError::Agent(error) => error,
        })?;
        // Only a careful game shows where a fault ended it.
        let is_careful = stored.ending.is_fault();
        match self.play_one(setup, stored.game, is_careful, moves) {
            (_, Some(WorkerError::Faulted(fault)), prefix) if is_careful => Ok(prefix.end(&fault).record),
            (Some(played), ..) => Ok(played.record),
            (None, Some(error), _) => Err(error),
            (None, None, _) => {
                let reason = "the worker did not hand over the game".to_owned();
                Err(WorkerError::Faulted(Fault { ending: Ending::AgentCrash, reason }))
            }
        }
    }
}
