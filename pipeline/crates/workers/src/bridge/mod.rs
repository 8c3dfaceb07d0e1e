//! The bridge: programs in any language as agents, over a pipe with one JSON object per line.
//!
//! A worker opens a program as it opens a plugin. The program's hello is its descriptor, every agent has a
//! process of its own, and the end of that process becomes the ending of its game. `docs/bridge.md` is the
//! page for authors.

#[cfg(test)]
mod fuzz_tests;
mod message;
mod process;
mod program;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use engine::abi::host::{
    AgentHandle, AgentInfo, Callbacks, CreateError, HostFiles, LoadedAgent, PlayError, Plugin, RemoteAgents,
};
use engine::agent::{Budget, Decision, MoveValues, Position, SlidPosition, TileDecision};
use engine::{AgentSeed, Rules};
use serde_json::{Map, Value};

use manifest::{check_params, resolved_params};
use message::{HostMessage, ProgramMessage, RefusedPart};
use platform::console::note;
use process::{Process, ProcessError};
pub use program::{EXTENSION, Program, ProgramError, is_library_name};

/// Starts a program and reads its hello.
pub fn open(file: &Path) -> Result<Plugin, ProgramError> {
    let program = Program::read(file)?;
    let failed = |reason: String| ProgramError::Hello { file: file.to_owned(), reason };
    let (process, agent) = greet(&program).map_err(failed)?;
    let spare = SpareProcess(Arc::new(Mutex::new(Some(process))));
    let bridge = Bridge { program, agent: agent.clone(), spare };
    Plugin::of_remote(agent, Arc::new(bridge)).map_err(|error| failed(error.to_string()))
}

/// Starts a process and exchanges greetings.
fn greet(program: &Program) -> Result<(Process, AgentInfo), String> {
    let mut process = Process::start(program).map_err(|error| {
        let words: Vec<_> = program.command.iter().map(|word| word.to_string_lossy()).collect();
        format!("`{}` cannot be started: {error}", words.join(" "))
    })?;
    let hello = process.send(&HostMessage::Hello { protocol: message::PROTOCOL });
    let limit = Some(program.start_limit);
    match hello.and_then(|()| process.receive(limit, &mut |_, line| note(line))) {
        Ok(ProgramMessage::Hello(hello)) => Ok((process, hello.describe()?)),
        Ok(other) => Err(format!("it answered hello with {other:?} instead of hello")),
        Err(error) => Err(error.to_string()),
    }
}

/// A program that can create agents.
struct Bridge {
    program: Program,
    agent: AgentInfo,
    spare: SpareProcess,
}

/// A process that has said hello and serves no agent: at first the one that the program was opened with,
/// later one whose agent is gone. Starting an interpreter may take longer than many games.
#[derive(Clone)]
struct SpareProcess(Arc<Mutex<Option<Process>>>);

impl SpareProcess {
    fn take(&self) -> Option<Process> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, process: Process) {
        let surplus = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(process);
        // Ends here, not while the lock is held: that may take a moment.
        drop(surplus);
    }
}

impl Bridge {
    /// A process that was asked to set up an agent, and its answer.
    fn set_up(
        &self,
        rules: &Rules,
        params: &Map<String, Value>,
        files: &HostFiles,
        callbacks: &dyn Callbacks,
    ) -> Result<(Process, ProgramMessage), String> {
        let ask = |process: &mut Process| {
            process.send(&HostMessage::setup(rules, params, files))?;
            process.receive(Some(self.program.start_limit), &mut |level, line| callbacks.log(level, line))
        };
        // One that served an agent before may have sent too much, or be gone: that is not this agent's fault.
        if let Some(mut process) = self.spare.take()
            && let Ok(answer @ (ProgramMessage::Ready {} | ProgramMessage::Refused { .. })) =
                ask(&mut process)
        {
            return Ok((process, answer));
        }
        let (mut process, agent) = greet(&self.program)?;
        if agent != self.agent {
            return Err("it says another hello than at its first start: say the same every time".to_owned());
        }
        let answer = ask(&mut process).map_err(|error| error.to_string())?;
        Ok((process, answer))
    }

    /// The parameters, checked against the program's schema.
    fn params(&self, params: &str) -> Result<Map<String, Value>, String> {
        let given: Map<String, Value> = serde_json::from_str(params)
            .map_err(|error| format!("the parameters are not a JSON object: {error}"))?;
        match check_params(&self.agent, &given).first() {
            Some(mismatch) => Err(mismatch.to_string()),
            None => Ok(resolved_params(&self.agent, &given)),
        }
    }
}

impl RemoteAgents for Bridge {
    fn create(
        &self,
        rules: &Rules,
        params: &str,
        files: &HostFiles,
        callbacks: Box<dyn Callbacks>,
    ) -> Result<LoadedAgent, CreateError> {
        let params = self.params(params).map_err(CreateError::BadParams)?;
        let set_up = self.set_up(rules, &params, files, &*callbacks);
        let (process, answer) = set_up.map_err(CreateError::Failed)?;
        match answer {
            ProgramMessage::Ready {} => {}
            ProgramMessage::Refused { what, reason } => {
                self.spare.keep(process);
                return Err(match what {
                    RefusedPart::Rules => CreateError::BadRules(reason),
                    RefusedPart::Params => CreateError::BadParams(reason),
                });
            }
            ProgramMessage::Error { reason } => return Err(CreateError::Failed(reason)),
            other => {
                let text = format!("it answered setup with {other:?} instead of ready or refused");
                return Err(CreateError::Failed(text));
            }
        }
        Ok(Box::new(BridgedAgent {
            process: Some(process),
            spare: self.spare.clone(),
            rules: rules.clone(),
            params,
            files: files.clone(),
            capabilities: self.agent.capabilities,
            callbacks,
            values: None,
            end: None,
            has_failed: false,
        }))
    }
}

/// An agent at the other end of a pipe.
struct BridgedAgent {
    /// `None` only while it is dropped.
    process: Option<Process>,
    /// Where the process goes after the agent, if it is still usable.
    spare: SpareProcess,
    rules: Rules,
    params: Map<String, Value>,
    files: HostFiles,
    capabilities: engine::agent::Capabilities,
    callbacks: Box<dyn Callbacks>,
    /// The move values of the last answer.
    values: Option<MoveValues>,
    /// Why it is unusable. From then on question and answer may no longer belong together.
    end: Option<PlayError>,
    /// Whether it reported an error, after which the state of its process is unknown.
    has_failed: bool,
}

impl Drop for BridgedAgent {
    fn drop(&mut self) {
        if let Some(process) = self.process.take().filter(|_| self.end.is_none() && !self.has_failed) {
            self.spare.keep(process);
        }
    }
}

impl BridgedAgent {
    fn process(&mut self) -> &mut Process {
        self.process.as_mut().expect("it is there until the agent is dropped")
    }

    /// Sends a message, and remembers if that is no longer possible.
    fn send(&mut self, message: &HostMessage<'_>) -> Result<(), PlayError> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        self.process().send(message).map_err(|error| self.give_up(error))
    }

    /// Waits for an answer, without a limit: the run has one, and kills this process.
    fn receive(&mut self) -> Result<ProgramMessage, PlayError> {
        let (process, callbacks) = (self.process.as_mut(), &self.callbacks);
        let process = process.expect("it is there until the agent is dropped");
        match process.receive(None, &mut |level, line| callbacks.log(level, line)) {
            Ok(ProgramMessage::Error { reason }) => {
                self.has_failed = true;
                Err(PlayError::Failed(reason))
            }
            received => received.map_err(|error| self.give_up(error)),
        }
    }

    /// Sends a position with its budget, and waits for the answer.
    fn ask(&mut self, budget: Budget, message: &HostMessage<'_>) -> Result<ProgramMessage, PlayError> {
        if !self.capabilities.takes(budget) {
            let text = format!("the agent does not take a budget of {budget}");
            return Err(PlayError::BadBudget(text));
        }
        self.send(message)?;
        self.receive()
    }

    fn give_up(&mut self, error: ProcessError) -> PlayError {
        let end = match error {
            ProcessError::Gone(fault) => PlayError::Gone { ending: fault.ending, reason: fault.reason },
            other => PlayError::Failed(other.to_string()),
        };
        self.end = Some(end.clone());
        end
    }

    /// Gives up because of an answer that is not valid here.
    fn invalid(&mut self, answer: impl ToString) -> PlayError {
        self.give_up(ProcessError::Invalid(answer.to_string()))
    }
}

impl AgentHandle for BridgedAgent {
    fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError> {
        self.values = None;
        self.send(&HostMessage::NewGame { seed: format!("{:016x}", seed.0) })
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError> {
        match self.ask(position.budget, &HostMessage::position(position))? {
            ProgramMessage::Move(answer) => {
                let decision = answer.decision().map_err(|error| self.invalid(error))?;
                self.values = answer.values();
                Ok(decision)
            }
            other => Err(self.invalid(format!("{other:?} instead of a move"))),
        }
    }

    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError> {
        match self.ask(slid.budget, &HostMessage::afterstate(slid))? {
            ProgramMessage::Tile(answer) => answer.decision().map_err(|error| self.invalid(error)),
            other => Err(self.invalid(format!("{other:?} instead of a tile"))),
        }
    }

    /// Sets the agent up again. The program answers that by one line, so any line before it was sent in this
    /// game, and answers no position of it. The order of lines in a pipe does not depend on when they were
    /// written.
    fn end_game(&mut self) -> Result<(), PlayError> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        let setup = HostMessage::setup(&self.rules, &self.params, &self.files);
        let sent = self.process.as_mut().map_or(Ok(()), |process| process.send(&setup));
        sent.map_err(|error| self.give_up(error))?;
        match self.receive()? {
            ProgramMessage::Ready {} => Ok(()),
            other => Err(self.invalid(format!("{other:?}, when every position of the game had its answer"))),
        }
    }

    fn move_values(&mut self) -> Option<MoveValues> {
        self.values
    }
}
