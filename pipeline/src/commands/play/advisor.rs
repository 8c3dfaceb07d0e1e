//! The agent beside the game: it thinks in a worker, while keys are still read.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use engine::AgentSeed;
use engine::agent::Decision;

use crate::lookup::chosen_agent::MOVE_LIMIT;
use workers::{Question, Worker, WorkerError};

/// The agent's answer, or its fault, which is the answer to every question after it.
pub(super) type AgentReply = Result<Decision, Arc<WorkerError>>;

/// An agent that can be asked and heard without waiting.
pub(super) struct Advisor {
    requests: Sender<AdvisorRequest>,
    answers: Receiver<(Question, AgentReply)>,
    /// Questions without an answer so far.
    open: usize,
}

enum AdvisorRequest {
    Begin(AgentSeed),
    Ask(Question),
}

impl Advisor {
    /// Hands a worker with an agent to a thread that does nothing but wait for it.
    pub(super) fn start(mut worker: Worker) -> Self {
        let (requests, received) = channel();
        let (replies, answers) = channel();
        thread::spawn(move || {
            let mut fault = None;
            for request in received {
                match request {
                    AdvisorRequest::Begin(seed) => {
                        fault = worker.new_game(seed, MOVE_LIMIT).err().map(Arc::new)
                    }
                    AdvisorRequest::Ask(question) => {
                        let answer = match &fault {
                            Some(fault) => Err(Arc::clone(fault)),
                            None => worker.choose_move(question, MOVE_LIMIT).map_err(Arc::new),
                        };
                        if replies.send((question, answer)).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Self { requests, answers, open: 0 }
    }

    /// Begins a game.
    pub(super) fn begin(&mut self, seed: AgentSeed) {
        let _ = self.requests.send(AdvisorRequest::Begin(seed));
    }

    /// Asks about a position.
    pub(super) fn ask(&mut self, question: Question) {
        self.open += usize::from(self.requests.send(AdvisorRequest::Ask(question)).is_ok());
    }

    /// Whether an answer is still to come.
    pub(super) fn is_thinking(&self) -> bool {
        self.open > 0
    }

    /// The next answer, if there is one or comes within the time.
    pub(super) fn hear(&mut self, patience: Duration) -> Option<(Question, AgentReply)> {
        if self.open == 0 {
            return None;
        }
        let heard = self.answers.recv_timeout(patience).ok()?;
        self.open -= 1;
        Some(heard)
    }
}
