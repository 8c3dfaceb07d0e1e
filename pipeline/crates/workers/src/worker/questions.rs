//! Requests to a worker other than whole games: single positions and the conformance suite.

use std::time::{Duration, Instant};

use engine::AgentSeed;

use super::protocol::{Answer, CheckSetup, Question, Reply, Request, StepResult};
use super::{Deadline, Worker, WorkerError};

impl Worker {
    /// Starts a game with the agent, whose positions come one by one.
    pub fn new_game(&mut self, seed: AgentSeed, limit: Duration) -> Result<(), WorkerError> {
        self.ask(&Request::NewGame { seed: seed.0 }, Deadline::fixed(limit))
    }

    /// Asks the agent for a move in the current game. The caller checks whether it is legal.
    pub fn choose_move(&mut self, question: Question, limit: Duration) -> Result<Answer, WorkerError> {
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

/// How long to wait for standard error after a reply that was sent later.
const STDERR_TIMEOUT: Duration = Duration::from_millis(300);

/// What a worker writes to standard error after each step of the suite. Replies take another way, and the
/// next step goes on meanwhile, so only this mark shows which output belongs to which step.
pub(super) const STEP_MARK: &[u8] = b"\x1e\x1e\n";
