//! One thread of a study: has its worker play games of trials, with an agent made anew for each trial.

use std::ops::Range;

use engine::Ending;
use search::Proposal;

use crate::plan::PlannedStudy;
use crate::player::{Delivery, GamePlayer, GameSetup, PieceSize, SetupError, alarm};
use crate::run::RunError;
use workers::{Fault, Launcher, Played, WorkerError};

/// One thread of a study, and its worker from batch to batch.
pub(super) struct TrialPlayer<'a> {
    planned: &'a PlannedStudy,
    player: GamePlayer<'a>,
    pub(super) size: PieceSize,
}

/// Games of a trial that were played.
#[derive(Default)]
pub(super) struct PlayedGames {
    /// Those that were played to their end.
    pub(super) played: Vec<Played>,
    /// The first that ended by a fault, also when it was played again.
    pub(super) fault: Option<(u64, Fault)>,
    /// Faults that do not repeat.
    pub(super) alarms: Vec<String>,
}

impl<'a> TrialPlayer<'a> {
    pub(super) const fn new(planned: &'a PlannedStudy, launcher: &'a Launcher) -> Self {
        Self { planned, player: GamePlayer::new(launcher, 1), size: PieceSize::START }
    }

    /// Plays games of a trial, up to the first that ends by a fault and does so again with another worker.
    pub(super) fn play(
        &mut self,
        trial: u64,
        proposal: &Proposal,
        games: Range<u64>,
    ) -> Result<PlayedGames, RunError> {
        let params = self.planned.params_at(&proposal.point);
        let setup = self.planned.setup(&params);
        let (mut result, mut left) = (PlayedGames::default(), games);
        while !left.is_empty() {
            let Some(first) = self.attempt(trial, &setup, &mut left, &mut result.played)? else { break };
            self.player.dismiss();
            let second = match self.refusal(trial, &setup)? {
                Some(fault) => Some(fault),
                None => {
                    let second = self.player.play_again(&setup, left.start, &first);
                    result.played.extend(second.fault.is_none().then_some(second.game));
                    second.fault
                }
            };
            let alarm = alarm(left.start, &first, second.as_ref());
            result.alarms.extend(alarm.map(|alarm| format!("trial {trial}: {alarm}")));
            if let Some(fault) = second {
                self.player.dismiss();
                result.fault = Some((left.start, fault));
                break;
            }
            left.start += 1;
        }
        Ok(result)
    }

    /// Has the worker play games one after the other, and returns the first fault.
    fn attempt(
        &mut self,
        trial: u64,
        setup: &GameSetup<'_>,
        left: &mut Range<u64>,
        played: &mut Vec<Played>,
    ) -> Result<Option<Fault>, RunError> {
        if let Some(fault) = self.refusal(trial, setup)? {
            return Ok(Some(fault));
        }
        let games: Vec<u64> = left.clone().collect();
        let attempt = self.player.play(setup, &games, None, |game| {
            if game.record.ending.is_fault() {
                let reason = game.complaint.unwrap_or_default();
                return Ok(Delivery::Faulted(Fault { ending: game.record.ending, reason }));
            }
            played.push(game);
            Ok(Delivery::Accepted)
        })?;
        left.start += attempt.played as u64;
        let error =
            attempt.error.map(|error| Fault { ending: Ending::AgentCrash, reason: error.to_string() });
        Ok(attempt.fault.or(error))
    }

    /// Gets a worker with this trial's agent. If the agent cannot be made, these parameters are at fault.
    fn refusal(&mut self, trial: u64, setup: &GameSetup<'_>) -> Result<Option<Fault>, RunError> {
        match self.player.prepare(trial, setup) {
            Ok(()) => Ok(None),
            Err(SetupError::Start(error)) => Err(error.into()),
            Err(SetupError::Plugin(source)) => {
                Err(RunError::Plugin { file: self.planned.plugin.file.clone(), source })
            }
            Err(SetupError::Agent(WorkerError::Faulted(fault))) => Ok(Some(fault)),
            Err(SetupError::Agent(error)) => {
                let reason = format!("the agent cannot be made: {error}");
                Ok(Some(Fault { ending: Ending::AgentError, reason }))
            }
        }
    }
}
