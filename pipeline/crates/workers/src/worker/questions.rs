//! Requests to a worker other than whole games: single positions, the conformance suite, and trainings.

use std::time::{Duration, Instant};

use engine::AgentSeed;
use engine::agent::Decision;
use engine::conformance::StepResult;

use super::protocol::{CheckSetup, Learned, Question, Reply, Request, TrainingSetup, WrittenFile};
use super::{Deadline, SETUP_TIMEOUT, Worker, WorkerError};
use platform::ConfinedPath;

impl Worker {
    /// Starts a game with the agent, whose positions come one by one.
    pub fn new_game(&mut self, seed: AgentSeed, limit: Duration) -> Result<(), WorkerError> {
        self.ask(&Request::NewGame(seed.0), Deadline::fixed(limit))
    }

    /// Asks the agent for a move in the current game, with its values of all moves. Values that are not
    /// finite are left out. The caller checks whether the move is legal.
    pub fn choose_move(&mut self, question: Question, limit: Duration) -> Result<Decision, WorkerError> {
        self.ask(&Request::Ask(question), Deadline::fixed(limit))
    }

    /// Runs the conformance suite on an agent of the open plugin, and reports each event at once.
    pub fn check(
        &mut self,
        setup: CheckSetup,
        limit: Duration,
        mut take: impl FnMut(CheckEvent),
    ) -> Result<(), WorkerError> {
        self.send(&Request::Check(setup))?;
        let mut deadline = Instant::now() + limit;
        loop {
            match self.receive(deadline)? {
                Reply::Alive { moves, .. } => take(CheckEvent::Decided(moves)),
                Reply::Step(step) => {
                    let stderr = self.take_stderr();
                    take(CheckEvent::Step { step, stderr });
                    deadline = Instant::now() + limit;
                }
                Reply::Result(_) => return Ok(()),
                other => return Err(self.unexpected(&other)),
            }
        }
    }

    /// The end of what was written to standard error since the last call. Waits briefly for what is on its
    /// way.
    pub fn take_stderr(&mut self) -> String {
        self.stderr.take_until(STEP_MARK, STDERR_TIMEOUT)
    }

    /// Creates a training of an agent of the open plugin.
    pub fn train(&mut self, setup: &TrainingSetup) -> Result<(), WorkerError> {
        self.ask(&Request::Train(setup.clone()), Deadline::fixed(SETUP_TIMEOUT))
    }

    /// Plays up to `games` games of the training. No game starts after `time`.
    pub fn learn(&mut self, games: u64, time: Duration) -> Result<Learned, WorkerError> {
        let for_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.ask(&Request::Learn { games, for_ms }, Deadline::per_step(STALL_TIMEOUT))
    }

    /// Writes a checkpoint of the training.
    pub fn save_training(&mut self, file: &ConfinedPath) -> Result<WrittenFile, WorkerError> {
        self.ask(&Request::SaveTraining(file.to_owned()), Deadline::per_step(STALL_TIMEOUT))
    }

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    /// Returns an error if it is not a whole checkpoint of this training.
    pub fn load_training(&mut self, file: &ConfinedPath) -> Result<(), WorkerError> {
        self.ask(&Request::LoadTraining(file.to_owned()), Deadline::per_step(STALL_TIMEOUT))
    }

    /// Hashes the weights learned so far, and writes them to a file, if one is given.
    pub fn artefact(&mut self, file: Option<&ConfinedPath>) -> Result<WrittenFile, WorkerError> {
        self.ask(&Request::Artefact(file.cloned()), Deadline::per_step(STALL_TIMEOUT))
    }
}

/// An event of the conformance suite.
#[derive(Clone, Debug)]
pub enum CheckEvent {
    /// The number of decisions so far in the current step; reported now and then.
    Decided(u32),
    /// The end of a step.
    Step {
        /// Its result.
        step: StepResult,
        /// The end of what was written to standard error in it.
        stderr: String,
    },
}

/// How long one game or one file of a training may take: networks of gigabytes are written to slow disks.
const STALL_TIMEOUT: Duration = Duration::from_secs(600);

/// How long to wait for standard error after a reply that was sent later.
const STDERR_TIMEOUT: Duration = Duration::from_millis(300);

/// What a worker writes to standard error after each step of the suite. Replies take another way, and the
/// next step goes on meanwhile, so only this mark shows which output belongs to which step.
pub(super) const STEP_MARK: &[u8] = b"\x1e\x1e\n";
