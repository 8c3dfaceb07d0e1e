//! One thread of a study: takes pieces of trials, and has its worker play them with an agent made anew for each trial.

use std::ops::Range;
use std::time::Duration;

use engine::Ending;
use search::Proposal;

use super::RunStudyError;
use super::trial_under_way::FaultyGame;
use crate::plan::PlannedStudy;
use workers::worker::protocol::{Assignment, Played};
use workers::worker::{Fault, GameEvent, Launcher, Worker, WorkerError};

/// One thread of a study, and its worker from batch to batch.
pub(super) struct Player<'a> {
    planned: &'a PlannedStudy,
    launcher: &'a Launcher,
    worker: Option<Worker>,
    /// The trial that the worker's agent is made for.
    trial: Option<u64>,
}

/// What was played of a piece.
#[derive(Default)]
pub(super) struct Pieced {
    /// The games that were played to their end and believed.
    pub(super) played: Vec<Played>,
    /// The first that ended by a fault, also when it was played again.
    pub(super) fault: Option<FaultyGame>,
    /// What should never be: faults that do not repeat.
    pub(super) alarms: Vec<String>,
}

impl<'a> Player<'a> {
    pub(super) const fn new(planned: &'a PlannedStudy, launcher: &'a Launcher) -> Self {
        Self { planned, launcher, worker: None, trial: None }
    }

    /// Plays games of a trial, up to the first that ends by a fault and does so again with another worker.
    pub(super) fn play(
        &mut self,
        trial: u64,
        proposal: &Proposal,
        mut games: Range<u64>,
    ) -> Result<Pieced, RunStudyError> {
        let mut pieced = Pieced::default();
        while !games.is_empty() {
            let Some(first) = self.attempt(trial, proposal, games.clone(), &mut pieced.played)? else {
                break;
            };
            self.dismiss();
            let again = first.game..first.game + 1;
            let second = self.attempt(trial, proposal, again.clone(), &mut pieced.played)?;
            pieced.alarms.extend(alarm(trial, &first, second.as_ref()));
            if second.is_some() {
                self.dismiss();
                pieced.fault = second;
                break;
            }
            games.start = again.end;
        }
        Ok(pieced)
    }

    /// Has the worker play games one after the other, each checked by a replay, and gives the first fault.
    fn attempt(
        &mut self,
        trial: u64,
        proposal: &Proposal,
        games: Range<u64>,
        played: &mut Vec<Played>,
    ) -> Result<Option<FaultyGame>, RunStudyError> {
        let planned = self.planned;
        let worker = match self.worker_for(trial, proposal)? {
            Ok(worker) => worker,
            Err(fault) => return Ok(Some(FaultyGame::of(games.start, fault))),
        };
        let mut delivery = Delivery { planned, next: games.start, played, fault: None };
        let assignment = Assignment {
            master_seed: planned.study.seed,
            games: games.clone().collect(),
            is_careful: false,
            move_limit: None,
            spool: None,
        };
        let limit = Duration::from_millis(planned.study.move_limit_ms);
        let ended = worker.play(&assignment, limit, None, |event| {
            if let GameEvent::Played(game) = event {
                delivery.take(game);
            }
        });
        let Delivery { next, fault, .. } = delivery;
        let fault = fault.or_else(|| fault_of(&ended, next < games.end));
        if ended.is_err() {
            self.dismiss();
        }
        Ok(fault.map(|fault| FaultyGame::of(next, fault)))
    }

    /// The worker with this trial's agent, or why there is no such agent.
    fn worker_for(
        &mut self,
        trial: u64,
        proposal: &Proposal,
    ) -> Result<Result<&mut Worker, Fault>, RunStudyError> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => self.start()?,
        };
        if self.trial != Some(trial) {
            let study = &self.planned.study;
            let params = self.planned.params_at(&proposal.point);
            self.trial = None;
            if let Err(error) =
                worker.create(&study.agent, &study.rules, &params, study.budget, &self.planned.files)
            {
                return no_agent(error).map(Err);
            }
            self.trial = Some(trial);
        }
        Ok(Ok(self.worker.insert(worker)))
    }

    fn start(&mut self) -> Result<Worker, RunStudyError> {
        self.trial = None;
        let mut worker = self.launcher.start()?;
        let opened = worker.open(&self.planned.plugin.file);
        opened.map_err(|source| RunStudyError::Plugin { file: self.planned.plugin.file.clone(), source })?;
        Ok(worker)
    }

    /// Lets the worker go; the next game has a new one.
    fn dismiss(&mut self) {
        self.worker = None;
        self.trial = None;
    }
}

/// What it means for a trial that its agent cannot be made: these parameters are none for it.
fn no_agent(error: WorkerError) -> Result<Fault, RunStudyError> {
    match error {
        WorkerError::NotStarted(error) => Err(error.into()),
        WorkerError::Faulted(fault) => Ok(fault),
        WorkerError::Refused(reason) | WorkerError::Failed(reason) => {
            let reason = format!("the agent cannot be made: {reason}");
            Ok(Fault { ending: Ending::AgentError, reason })
        }
    }
}

/// The fault in how a worker ended, where its games gave none.
fn fault_of(ended: &Result<(), WorkerError>, lacks_games: bool) -> Option<Fault> {
    let reason = match ended {
        Err(WorkerError::Faulted(fault)) => return Some(fault.clone()),
        Err(error) => error.to_string(),
        Ok(()) if lacks_games => "the worker did not hand over a game".to_owned(),
        Ok(()) => return None,
    };
    Some(Fault { ending: Ending::AgentCrash, reason })
}

/// What is to be said of a fault that did not come again as it was.
fn alarm(trial: u64, first: &FaultyGame, second: Option<&FaultyGame>) -> Option<String> {
    let FaultyGame { game, ending, reason } = first;
    match second {
        None => Some(format!(
            "trial {trial}: game {game} ended by {ending} ({reason}), and when played again did not; the second game is kept"
        )),
        Some(second) if second.ending != *ending => Some(format!(
            "trial {trial}: game {game} ended by {ending}, and when played again by {}",
            second.ending
        )),
        Some(_) => None,
    }
}

/// The games of a worker, as it hands them in.
struct Delivery<'a> {
    planned: &'a PlannedStudy,
    /// The game that comes next.
    next: u64,
    played: &'a mut Vec<Played>,
    /// How the next one came to nothing.
    fault: Option<Fault>,
}

impl Delivery<'_> {
    /// Checks a game by a replay. After one that fails, none is taken.
    fn take(&mut self, game: Played) {
        if self.fault.is_some() {
            return;
        }
        let study = &self.planned.study;
        let record = &game.record;
        if record.game != self.next || record.replay_alone(&study.rules, study.seed).is_err() {
            let reason =
                format!("the worker's record of game {} does not follow from what was played", record.game);
            self.fault = Some(Fault { ending: Ending::AgentCrash, reason });
        } else if record.ending.is_fault() {
            let reason = game.complaint.unwrap_or_default();
            self.fault = Some(Fault { ending: record.ending, reason });
        } else {
            self.next += 1;
            self.played.push(game);
        }
    }
}
