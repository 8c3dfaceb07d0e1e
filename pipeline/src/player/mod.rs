//! Playing games in workers, for jobs of any kind. A worker plays a piece of games; each record is replayed
//! before it is accepted. A game that brings its worker down is played again, with every move reported.

mod prefix;
mod queue;
mod repeat;

use std::path::PathBuf;

use engine::Ending;

use crate::run::RunError;
use crate::signatures::AgentSetup;
use prefix::Prefix;
pub(crate) use queue::{GamePiece, PieceSize, Queue};
use records::GameRecord;
pub(crate) use repeat::RepeatedGame;
use workers::{Assignment, Fault, GameEvent, Launcher, Played, Spool, Worker, WorkerError, WorkerStartError};

/// All that determines games: the agent with its setting, and the seed.
#[derive(Clone, Copy)]
pub(crate) struct GameSetup<'a> {
    pub(crate) agent: AgentSetup<'a>,
    pub(crate) seed: u64,
}

impl GameSetup<'_> {
    /// Whether a record follows from its seed and directions.
    pub(crate) fn accepts(&self, record: &GameRecord) -> bool {
        record.replay_alone(self.agent.rules, self.seed).is_ok()
    }

    fn assignment(&self, games: &[u64]) -> Assignment {
        Assignment {
            master_seed: self.seed,
            games: games.to_vec(),
            is_careful: false,
            move_limit: None,
            spool: None,
        }
    }

    /// Creates the agent in a worker.
    fn create(&self, worker: &mut Worker) -> Result<(), WorkerError> {
        let AgentSetup { agent, rules, params, budget, files, .. } = self.agent;
        worker.create(agent, rules, params, budget, files)
    }
}

/// Why no worker has an agent.
pub(crate) enum SetupError {
    /// No worker can be started.
    Start(WorkerStartError),
    /// The plugin cannot be opened.
    Plugin(WorkerError),
    /// The agent cannot be created.
    Agent(WorkerError),
}

/// A worker, and the agent that it has: one thread's way to play games.
pub(crate) struct GamePlayer<'a> {
    launcher: &'a Launcher,
    /// How many workers are started for an agent before it is given up.
    tries: u32,
    current: Option<AgentWorker>,
}

struct AgentWorker {
    worker: Worker,
    /// The plugin that it has open.
    plugin: PathBuf,
    /// The caller's number for the agent.
    agent: u64,
}

/// What a game that a worker delivers is to its job.
pub(crate) enum Delivery {
    /// It is stored.
    Accepted,
    /// It ended by a fault, and is to be played again.
    Faulted(Fault),
    /// The run stops: the game is left for the next one.
    Stopped,
}

/// The result of giving games to a worker.
#[derive(Default)]
pub(crate) struct Attempt {
    /// How many games were accepted.
    pub(crate) played: usize,
    /// Why the next one was not.
    pub(crate) fault: Option<Fault>,
    /// Why the worker stopped, if it lives.
    pub(crate) error: Option<WorkerError>,
}

/// A game that was played again after a fault.
pub(crate) struct SecondGame {
    /// The whole game, or its moves up to the fault.
    pub(crate) game: Played,
    /// How it ended, if by a fault again.
    pub(crate) fault: Option<Fault>,
}

impl<'a> GamePlayer<'a> {
    pub(crate) const fn new(launcher: &'a Launcher, tries: u32) -> Self {
        Self { launcher, tries, current: None }
    }

    /// Whether the worker at hand has this agent.
    pub(crate) fn has(&self, agent: u64) -> bool {
        self.current.as_ref().is_some_and(|known| known.agent == agent)
    }

    /// Dismisses the worker; the next game gets another one.
    pub(crate) fn dismiss(&mut self) {
        self.current = None;
    }

    /// Gets a worker with this agent: the one at hand, or a new one.
    pub(crate) fn prepare(&mut self, agent: u64, setup: &GameSetup<'_>) -> Result<(), SetupError> {
        if !self.has(agent) {
            let at_hand = self.current.take();
            self.current = Some(self.start(at_hand, agent, setup)?);
        }
        Ok(())
    }

    fn start(
        &self,
        at_hand: Option<AgentWorker>,
        agent: u64,
        setup: &GameSetup<'_>,
    ) -> Result<AgentWorker, SetupError> {
        let plugin = &setup.agent.plugin.file;
        // To start a process takes longer than a short experiment.
        if let Some(mut known) = at_hand.filter(|known| known.plugin == *plugin)
            && setup.create(&mut known.worker).is_ok()
        {
            return Ok(AgentWorker { agent, ..known });
        }
        let mut tries = 1..self.tries;
        loop {
            let mut worker = self.launcher.start().map_err(SetupError::Start)?;
            let opened = worker.open(plugin).map_err(SetupError::Plugin);
            match opened.and_then(|_| setup.create(&mut worker).map_err(SetupError::Agent)) {
                Ok(()) => return Ok(AgentWorker { worker, plugin: plugin.clone(), agent }),
                Err(_) if tries.next().is_some() => {}
                Err(SetupError::Agent(WorkerError::NotStarted(error))) => {
                    return Err(SetupError::Start(error));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Has the prepared worker play games one after the other, and hands on each whose record is true, up to
    /// the first that is not accepted. A worker that fails or lies is dismissed.
    pub(crate) fn play(
        &mut self,
        setup: &GameSetup<'_>,
        games: &[u64],
        mut spool: Option<&mut Spool>,
        mut take: impl FnMut(Played) -> Result<Delivery, RunError>,
    ) -> Result<Attempt, RunError> {
        let Some(AgentWorker { worker, .. }) = &mut self.current else { return Ok(Attempt::default()) };
        let (mut played, mut is_stopped, mut fault, mut taken) = (0, false, None, Ok(()));
        let spool_path = spool.as_ref().map(|spool| spool.path().to_owned());
        let assignment = Assignment { spool: spool_path, ..setup.assignment(games) };
        let ended = worker.play(&assignment, setup.agent.move_limit, spool.as_deref_mut(), |event| {
            let GameEvent::Played(game) = event else { return };
            if is_stopped || fault.is_some() || taken.is_err() {
                return;
            }
            let number = game.record.game;
            if games.get(played) != Some(&number) || !setup.accepts(&game.record) {
                let reason =
                    format!("the worker's record of game {number} does not follow from what was played");
                fault = Some(Fault { ending: Ending::AgentCrash, reason });
                return;
            }
            match take(game) {
                Ok(Delivery::Accepted) => played += 1,
                Ok(Delivery::Faulted(by)) => fault = Some(by),
                Ok(Delivery::Stopped) => is_stopped = true,
                Err(error) => taken = Err(error),
            }
        });
        if let Some(spool) = spool {
            if taken.is_ok() { spool.clear() } else { spool.keep() }
        }
        taken?;
        if ended.is_ok() && fault.is_none() && played < games.len() && !is_stopped {
            let reason = "the worker did not hand over a game".to_owned();
            fault = Some(Fault { ending: Ending::AgentCrash, reason });
        }
        if ended.is_err() || fault.is_some() {
            self.dismiss();
        }
        let error = match ended {
            Err(WorkerError::Faulted(by)) => {
                fault.get_or_insert(by);
                None
            }
            ended => ended.err(),
        };
        Ok(Attempt { played, fault, error })
    }

    /// Plays a game again after a fault, with every move reported, so that its exact prefix is known.
    pub(crate) fn play_again(&mut self, setup: &GameSetup<'_>, game: u64, first: &Fault) -> SecondGame {
        let (played, error, prefix) = self.play_one(setup, game, true, None);
        let second = match error {
            Some(WorkerError::Faulted(fault)) => Some(fault),
            _ => None,
        };
        match (second, played.filter(|played| setup.accepts(&played.record))) {
            (None, Some(game)) => {
                let Played { record, complaint, .. } = &game;
                let reason = || complaint.clone().unwrap_or_default();
                let is_fault = record.ending.is_fault();
                let fault = is_fault.then(|| Fault { ending: record.ending, reason: reason() });
                SecondGame { game, fault }
            }
            (second, _) => {
                let fault = second.unwrap_or_else(|| first.clone());
                SecondGame { game: prefix.end(&fault), fault: Some(fault) }
            }
        }
    }

    /// Plays one game, or the first moves of it. The prefix has its moves if they are reported.
    pub(crate) fn play_one(
        &mut self,
        setup: &GameSetup<'_>,
        game: u64,
        is_careful: bool,
        move_limit: Option<u32>,
    ) -> (Option<Played>, Option<WorkerError>, Prefix) {
        let (mut prefix, mut whole) = (Prefix::new(setup, game), None);
        let Some(AgentWorker { worker, .. }) = &mut self.current else { return (None, None, prefix) };
        let assignment = Assignment { is_careful, move_limit, ..setup.assignment(&[game]) };
        let ended = worker.play(&assignment, setup.agent.move_limit, None, |event| match event {
            GameEvent::Moved { direction, tile, nodes } => prefix.extend(direction, tile, nodes),
            GameEvent::Played(played) => whole = Some(played),
        });
        if ended.is_err() {
            self.dismiss();
        }
        (whole, ended.err(), prefix)
    }
}

/// The alarm about a fault that did not repeat, or not in the same way.
pub(crate) fn alarm(game: u64, first: &Fault, second: Option<&Fault>) -> Option<String> {
    let ending = first.ending;
    match second {
        None => Some(format!(
            "game {game} ended by {ending} ({first}), and when played again did not; the second game is kept"
        )),
        Some(second) if second.ending != ending => {
            Some(format!("game {game} ended by {ending}, and when played again by {}", second.ending))
        }
        Some(_) => None,
    }
}
