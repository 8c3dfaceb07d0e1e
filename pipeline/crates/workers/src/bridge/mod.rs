//! The bridge: programs in any language as agents, over a pipe with one JSON object per line.
//!
//! A program is opened where a plugin is, in a worker, and driven as one: what it says of itself at its start is its
//! descriptor, every agent that lives has a process of its own, and whatever becomes of that process becomes the ending of the
//! game under way. `docs/bridge.md` is the page for authors.

#[cfg(test)]
mod fuzz;
mod lines;
mod message;
mod process;
mod program;

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use engine::abi::host::{
    AgentInfo, Callbacks, CreateError, Files, PlayError, Plugin, RemoteAgent, RemoteAgents,
};
use engine::agent::{Budget, Decision, MoveValues, Position, SlidPosition, TileDecision};
use engine::{AgentSeed, Rules};
use serde_json::{Map, Value};

use manifest::{AgentMismatch, check_params, resolved_params};
use message::{Asked, OtherProtocol, Said, Told};
use process::{Process, Trouble};
pub use program::{EXTENSION, Program, ProgramError, is_library_name};
use surroundings::console::note;

/// Starts a program and hears who it is.
///
/// # Errors
/// Where it cannot be started, or does not say hello as `docs/bridge.md` has it.
pub fn open(file: &Path) -> Result<Plugin, ProgramError> {
    let program = Program::read(file)?;
    let failed = |reason: String| ProgramError::Hello { file: file.to_owned(), reason };
    let (process, agent) = greet(&program).map_err(|error| failed(error.to_string()))?;
    let spare = Spare(Arc::new(Mutex::new(Some(process))));
    let bridge = Bridge { program, agent: agent.clone(), spare };
    Plugin::of_remote(agent, Arc::new(bridge)).map_err(|error| failed(error.to_string()))
}

/// Why there is no process to talk to.
#[derive(Debug, thiserror::Error)]
enum GreetError {
    #[error("`{command}` cannot be started: {error}")]
    NotStarted { command: String, error: io::Error },
    #[error("{0}")]
    Trouble(Trouble),
    #[error(transparent)]
    Protocol(#[from] OtherProtocol),
    #[error("it answered hello with {0:?} instead of hello")]
    NoHello(Box<Said>),
    #[error("it says another hello than at its first start: say the same every time")]
    OtherHello,
}

/// Why parameters are not the program's.
#[derive(Debug, thiserror::Error)]
enum ParamsError {
    #[error("the parameters are not a JSON object: {0}")]
    Form(serde_json::Error),
    #[error(transparent)]
    Mismatch(#[from] AgentMismatch),
}

/// Starts a process and exchanges greetings.
fn greet(program: &Program) -> Result<(Process, AgentInfo), GreetError> {
    let mut process = Process::start(program).map_err(|error| {
        let words = program.command.iter().map(|word| word.to_string_lossy().into_owned());
        GreetError::NotStarted { command: words.collect::<Vec<_>>().join(" "), error }
    })?;
    let hello = process.tell(&Told::Hello { protocol: message::PROTOCOL });
    let said = hello.and_then(|()| process.hear_within(program.start_limit, &mut |_, line| note(line)));
    match said.map_err(GreetError::Trouble)? {
        Said::Hello(hello) => Ok((process, hello.describe()?)),
        other => Err(GreetError::NoHello(Box::new(other))),
    }
}

/// A program whose agents can be made.
struct Bridge {
    program: Program,
    agent: AgentInfo,
    spare: Spare,
}

/// A process that has said hello and serves no agent: at first the one that the program was opened with, later one whose agent
/// is gone. To start an interpreter may take longer than many games.
#[derive(Clone)]
struct Spare(Arc<Mutex<Option<Process>>>);

impl Spare {
    fn take(&self) -> Option<Process> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, process: Process) {
        let surplus = self.0.lock().unwrap_or_else(PoisonError::into_inner).replace(process);
        // It ends here, and not while the lock is held: that may take a moment.
        drop(surplus);
    }
}

impl Bridge {
    /// A process that was told to set an agent up, and what it answered.
    fn set_up(
        &self,
        rules: &Rules,
        params: &Map<String, Value>,
        files: &Files,
        callbacks: &dyn Callbacks,
    ) -> Result<(Process, Said), GreetError> {
        let ask = |process: &mut Process| {
            process.tell(&Told::setup(rules, params, files))?;
            process.hear_within(self.program.start_limit, &mut |level, line| callbacks.log(level, line))
        };
        // One that served an agent before may have said more than it was asked, or be gone: that is no fault of this agent.
        if let Some(mut process) = self.spare.take()
            && let Ok(said @ (Said::Ready {} | Said::Refused { .. })) = ask(&mut process)
        {
            return Ok((process, said));
        }
        let mut process = self.process()?;
        let said = ask(&mut process).map_err(GreetError::Trouble)?;
        Ok((process, said))
    }

    /// A new process that has said hello.
    fn process(&self) -> Result<Process, GreetError> {
        let (process, agent) = greet(&self.program)?;
        if agent != self.agent {
            return Err(GreetError::OtherHello);
        }
        Ok(process)
    }

    /// The parameters, checked for the program against what it said of them.
    fn params(&self, params: &str) -> Result<Map<String, Value>, ParamsError> {
        let given: Map<String, Value> = serde_json::from_str(params).map_err(ParamsError::Form)?;
        check_params(&self.agent, &given).into_iter().next().map_or(Ok(()), Err)?;
        Ok(resolved_params(&self.agent, &given))
    }
}

impl RemoteAgents for Bridge {
    fn create(
        &self,
        rules: &Rules,
        params: &str,
        files: &Files,
        callbacks: Box<dyn Callbacks>,
    ) -> Result<Box<dyn RemoteAgent>, CreateError> {
        let params = self.params(params).map_err(|error| CreateError::BadParams(error.to_string()))?;
        let set_up = self.set_up(rules, &params, files, &*callbacks);
        let (process, said) = set_up.map_err(|error| CreateError::Failed(error.to_string()))?;
        match said {
            Said::Ready {} => {}
            Said::Refused { what, reason } => {
                self.spare.keep(process);
                return Err(match what {
                    Asked::Rules => CreateError::BadRules(reason),
                    Asked::Params => CreateError::BadParams(reason),
                });
            }
            Said::Error { reason } => return Err(CreateError::Failed(reason)),
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
            is_tainted: false,
        }))
    }
}

/// An agent at the other end of a pipe.
struct BridgedAgent {
    /// Absent only while it is dropped.
    process: Option<Process>,
    /// Where the process goes when the agent does, unless it is of no more use.
    spare: Spare,
    rules: Rules,
    params: Map<String, Value>,
    files: Files,
    capabilities: engine::agent::Capabilities,
    callbacks: Box<dyn Callbacks>,
    /// What the last answer said of each move.
    values: Option<MoveValues>,
    /// What made it useless. From then on question and answer may no longer belong together.
    end: Option<PlayError>,
    /// Whether it has failed, so that nobody knows what state its process is in.
    is_tainted: bool,
}

impl Drop for BridgedAgent {
    fn drop(&mut self) {
        if let Some(process) = self.process.take().filter(|_| self.end.is_none() && !self.is_tainted) {
            self.spare.keep(process);
        }
    }
}

impl BridgedAgent {
    /// Sends a message, and remembers where that is no longer possible.
    fn tell(&mut self, message: &Told<'_>) -> Result<(), PlayError> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        let told = self.process.as_mut().map_or(Ok(()), |process| process.tell(message));
        told.map_err(|trouble| self.give_up(trouble))
    }

    /// Waits for an answer. A move takes as long as it takes: whoever drives this process has the limit, and kills it.
    fn hear(&mut self) -> Result<Said, PlayError> {
        let (process, callbacks) = (self.process.as_mut(), &self.callbacks);
        let process = process.expect("it is there until the agent is dropped");
        let said = process.hear(&mut |level, line| callbacks.log(level, line));
        said.map_err(|trouble| self.give_up(trouble))
    }

    fn check_budget(&self, budget: Budget) -> Result<(), PlayError> {
        if self.capabilities.takes(budget) {
            return Ok(());
        }
        Err(PlayError::BadBudget(format!("the agent does not take a budget of {budget}")))
    }

    fn give_up(&mut self, trouble: Trouble) -> PlayError {
        let end = match trouble {
            Trouble::Gone(fault) => PlayError::Gone { ending: fault.ending, reason: fault.reason },
            other => PlayError::Failed(other.to_string()),
        };
        self.end = Some(end.clone());
        end
    }
}

impl RemoteAgent for BridgedAgent {
    fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError> {
        self.values = None;
        self.tell(&Told::NewGame { seed: format!("{:016x}", seed.0) })
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError> {
        self.check_budget(position.budget)?;
        self.tell(&Told::position(position))?;
        match self.hear()? {
            Said::Move(answer) => {
                let decision =
                    answer.decision().map_err(|wrong| self.give_up(Trouble::Garbage(wrong.to_string())))?;
                self.values = answer.values();
                Ok(decision)
            }
            Said::Error { reason } => {
                self.is_tainted = true;
                Err(PlayError::Failed(reason))
            }
            other => Err(self.give_up(Trouble::Garbage(format!("{other:?} instead of a move")))),
        }
    }

    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError> {
        self.check_budget(slid.budget)?;
        self.tell(&Told::afterstate(slid))?;
        match self.hear()? {
            Said::Tile(answer) => {
                answer.decision().map_err(|wrong| self.give_up(Trouble::Garbage(wrong.to_string())))
            }
            Said::Error { reason } => {
                self.is_tainted = true;
                Err(PlayError::Failed(reason))
            }
            other => Err(self.give_up(Trouble::Garbage(format!("{other:?} instead of a tile")))),
        }
    }

    /// Sets the agent up once more: the program answers that by one line, so whatever stands before it was said in this game,
    /// and answers no position of it. Where a line stands in the pipe does not depend on when it was written.
    fn end_game(&mut self) -> Result<(), PlayError> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        let setup = Told::setup(&self.rules, &self.params, &self.files);
        let told = self.process.as_mut().map_or(Ok(()), |process| process.tell(&setup));
        told.map_err(|trouble| self.give_up(trouble))?;
        match self.hear()? {
            Said::Ready {} => Ok(()),
            Said::Error { reason } => {
                self.is_tainted = true;
                Err(PlayError::Failed(reason))
            }
            other => {
                let what = format!("{other:?}, when every position of the game had its answer");
                Err(self.give_up(Trouble::Garbage(what)))
            }
        }
    }

    fn move_values(&mut self) -> Option<MoveValues> {
        self.values
    }
}
