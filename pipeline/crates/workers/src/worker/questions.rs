//! What can be asked of a worker beside whole games, seen from the side that asks.

use std::time::{Duration, Instant};

use engine::AgentSeed;
use engine::agent::Budget;
use serde_json::{Map, Value};

use crate::files::Files;

use super::protocol::{Answer, CheckedStep, Question, Reply, Request};
use super::{Fault, Worker, WorkerError};

impl Worker {
    /// Begins a game with the agent, whose positions come one by one.
    ///
    /// # Errors
    /// Where the agent fails, takes the worker down, or takes longer than the limit.
    pub fn new_game(&mut self, seed: AgentSeed, limit: Duration) -> Result<(), WorkerError> {
        match self.ask(&Request::NewGame { seed: seed.0 }, limit)? {
            Reply::Begun => Ok(()),
            Reply::Faulted { ending, reason } => Err(WorkerError::Faulted(Fault { ending, reason })),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Asks the agent for a move in the game that was begun. Whether it is legal is the caller's to see.
    ///
    /// # Errors
    /// Where the agent fails, takes the worker down, or takes longer than the limit.
    pub fn choose_move(&mut self, question: Question, limit: Duration) -> Result<Answer, WorkerError> {
        match self.ask(&Request::Ask(question), limit)? {
            Reply::Answered(answer) => Ok(answer),
            Reply::Faulted { ending, reason } => Err(WorkerError::Faulted(Fault { ending, reason })),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Puts an agent of the open plugin through the conformance suite, each step of which may take as long as the limit; what happens is
    /// handed on at once.
    ///
    /// # Errors
    /// Where the agent takes the worker down, or longer than the limit over one step.
    pub fn check(
        &mut self,
        (agent, params, files): (&str, Map<String, Value>, &Files),
        (moves, budget): (u32, Option<Budget>),
        limit: Duration,
        mut take: impl FnMut(CheckEvent),
    ) -> Result<(), WorkerError> {
        self.send(&Request::Check { agent: agent.to_owned(), params, moves, budget, files: files.clone() })?;
        let mut deadline = Instant::now() + limit;
        loop {
            match self.receive(deadline)? {
                Reply::Alive { moves, .. } => take(CheckEvent::Decided(moves)),
                Reply::Step(step) => {
                    let stderr = self.stderr.take_until(STEP_MARK, SETTLING);
                    take(CheckEvent::Step { step, stderr });
                    deadline = Instant::now() + limit;
                }
                Reply::Checked => return Ok(()),
                Reply::Refused { reason } => return Err(WorkerError::Refused(reason)),
                other => return Err(self.unexpected(&other)),
            }
        }
    }

    /// The end of what has been written to standard error since this was last asked; what is under way is waited for, if not for long.
    pub fn said(&mut self) -> String {
        self.stderr.take_until(STEP_MARK, SETTLING)
    }
}

/// What happens while an agent is put through the conformance suite.
#[derive(Clone, Debug)]
pub enum CheckEvent {
    /// So many decisions were made in the step under way. Told now and then.
    Decided(u32),
    /// A step is done.
    Step {
        /// What came of it.
        step: CheckedStep,
        /// The end of what was written to standard error in it.
        stderr: String,
    },
}

/// How long what was written to standard error may be under way when an answer that came later is there.
const SETTLING: Duration = Duration::from_millis(300);

/// What a worker writes to standard error after each step of the suite, so that what was written before it is known to be of that step: the
/// answer comes another way, and the next step goes on meanwhile.
pub(super) const STEP_MARK: &[u8] = b"\x1e\x1e\n";
