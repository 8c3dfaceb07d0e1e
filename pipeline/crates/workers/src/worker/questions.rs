//! What can be asked of a worker beside whole games, seen from the side that asks.

use std::time::{Duration, Instant};

use engine::AgentSeed;
use engine::agent::Budget;
use serde_json::{Map, Value};

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

    /// Puts an agent of the open plugin through the conformance suite; each step is handed on when it is done.
    ///
    /// # Errors
    /// Where the agent takes the worker down, or longer than the limit over one step.
    pub fn check(
        &mut self,
        agent: &str,
        params: Map<String, Value>,
        moves: u32,
        budget: Option<Budget>,
        limit: Duration,
        mut take: impl FnMut(CheckedStep),
    ) -> Result<(), WorkerError> {
        self.send(&Request::Check { agent: agent.to_owned(), params, moves, budget })?;
        loop {
            match self.receive(Instant::now() + limit)? {
                Reply::Step(step) => take(step),
                Reply::Checked => return Ok(()),
                Reply::Refused { reason } => return Err(WorkerError::Refused(reason)),
                other => return Err(self.unexpected(&other)),
            }
        }
    }
}
