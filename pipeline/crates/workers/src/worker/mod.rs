//! Workers: the processes in which plugins run, seen from the run that drives them.
//!
//! Only a worker opens a plugin, for a list of agents, a signature or a game. A plugin that crashes, hangs or
//! exits takes one worker with it; the run learns how it ended, and starts another.

pub mod child;
pub mod protocol;
mod questions;
mod spool;

use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use engine::signature::{ProbeOrder, Probed, Set};
use engine::{Ending, Rules};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Files;
pub use crate::fault::Fault;
use crate::fault::{Exit, is_of_signal};
use crate::frame::{self, FrameReader, Incoming};
use crate::process_tree::{self, ChildProcess};
use crate::stderr_tail::StderrTail;
pub use child::Limits;
use platform::plain::{line, paragraph};
pub use protocol::GameEvent;
use protocol::{AgentSetup, Assignment, Played, Reply, Request};
pub use questions::CheckEvent;
pub use spool::Spool;

/// How long to wait before concluding that a signal killed the agent alone, and not this process too.
const KILL_PAUSE: Duration = Duration::from_millis(300);
/// How long a worker may take to open a plugin or to create an agent.
const SETUP_TIMEOUT: Duration = Duration::from_secs(60);
/// How long after the move limit the end of a move may stay unknown: heartbeats report moves now and then.
const HEARTBEAT_SLACK: Duration = Duration::from_millis(1250);
/// How often to check whether a silent worker still runs: longer than the interval of heartbeats.
const POLL_INTERVAL: Duration = Duration::from_millis(600);
/// How long a worker may take to exit.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// How to start workers.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The program that has the hidden command `worker`: this one, or in tests the built binary.
    pub program: PathBuf,
    /// What each worker is held to.
    pub limits: Limits,
}

impl Launcher {
    /// Workers of this very program.
    pub fn of_this_program(limits: Limits) -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, limits })
    }

    /// Starts a worker.
    pub fn start(&self) -> Result<Worker, WorkerStartError> {
        let mut command = Command::new(&self.program);
        command.arg("worker");
        if let Some(memory) = self.limits.memory {
            command.args(["--memory-bytes", &memory.to_string()]);
        }
        if let Some(path) = &self.limits.stdout_to {
            command.arg("--stdout-to").arg(path);
        }
        // A group of its own, so that what a plugin starts dies with it, and Ctrl-C reaches the run alone.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = ChildProcess::start(&mut command)
            .map_err(|source| WorkerStartError { program: self.program.clone(), source })?;
        let (Some(requests), Some(replies), Some(stderr)) = child.pipes() else {
            unreachable!("all three are piped");
        };
        let stderr = StderrTail::collect(stderr);
        let replies = FrameReader::new(replies);
        Ok(Worker { child, requests: Some(requests), replies, stderr, memory: self.limits.memory })
    }
}

/// A running worker.
pub struct Worker {
    child: ChildProcess,
    requests: Option<ChildStdin>,
    replies: FrameReader<ChildStdout>,
    stderr: StderrTail,
    /// The limit of its memory, in bytes.
    memory: Option<u64>,
}

/// A worker cannot be started: a temporary problem of this machine, not of the agent.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: cannot start a worker: {source}; if the machine is short of processes or memory, try again later",
    program.display()
)]
pub struct WorkerStartError {
    program: PathBuf,
    source: io::Error,
}

/// Why a worker did not answer as it should.
#[derive(Debug, thiserror::Error, Serialize, Deserialize)]
pub enum WorkerError {
    /// It refused the request, which was at fault: bad parameters, bad rules, or a file that is not a plugin.
    /// The worker lives.
    #[error("{0}")]
    Refused(String),
    /// The agent failed outside of a game: at its creation, or on the frozen positions. The worker lives.
    #[error("{0}")]
    Failed(String),
    /// The plugin took the worker down, or did not return in time; the worker is gone.
    #[error("{0}")]
    Faulted(Fault),
    /// There never was a worker.
    #[error("{0}")]
    #[serde(skip)]
    NotStarted(#[from] WorkerStartError),
}

impl Worker {
    /// Opens a plugin and lists its agents.
    pub fn open(&mut self, file: &Path) -> Result<Vec<AgentInfo>, WorkerError> {
        let request = Request::Open(file.to_owned());
        let agents: Vec<AgentInfo> = self.ask(&request, Deadline::fixed(SETUP_TIMEOUT))?;
        // A library that took over its worker may have sent this reply itself.
        let checked = agents.iter().try_for_each(AgentInfo::check);
        checked.map_err(|error| WorkerError::Refused(error.to_string()))?;
        Ok(agents)
    }

    /// Creates an agent of the open plugin, with the files that it needs.
    pub fn create(
        &mut self,
        agent: &str,
        rules: &Rules,
        params: &Map<String, Value>,
        budget: Budget,
        files: &Files,
    ) -> Result<(), WorkerError> {
        let (agent, rules, params, files) = (agent.to_owned(), rules.clone(), params.clone(), files.clone());
        let setup = AgentSetup { agent, rules, params, budget, files };
        self.ask(&Request::Create(setup), Deadline::fixed(SETUP_TIMEOUT))
    }

    /// Computes the agent's decision signature on a set of positions.
    pub fn sign(&mut self, set: Set, move_limit: Duration) -> Result<String, WorkerError> {
        self.ask(&Request::Sign(set), Deadline::per_step(move_limit))
    }

    /// Asks the agent about a few positions, to compare its answers with those in another process.
    pub fn probe(&mut self, order: ProbeOrder, move_limit: Duration) -> Result<Vec<Probed>, WorkerError> {
        self.ask(&Request::Probe(order), Deadline::per_step(move_limit))
    }

    /// Plays games. Each is handed on as it ends, or in batches if the assignment has a spool.
    ///
    /// # Errors
    /// Returns an error if the agent takes the worker down, exceeds the limit for a move, or cannot be
    /// created again after a fault. Games handed on before are whole.
    pub fn play(
        &mut self,
        assignment: &Assignment,
        move_limit: Duration,
        mut spool: Option<&mut Spool>,
        mut take: impl FnMut(GameEvent),
    ) -> Result<(), WorkerError> {
        self.send(&Request::Play(assignment.clone()))?;
        let mut deadline = Deadline::per_step(move_limit);
        loop {
            let reply = self.receive(deadline.time);
            // Games in the spool ended before the reply was sent, whatever it is.
            let mut drain = |spool: &mut Spool| spool.drain(|played| take(GameEvent::Played(played)));
            if spool.as_mut().is_some_and(|spool| drain(spool) > 0) {
                deadline.renew();
            }
            match reply? {
                Reply::Alive { game, moves } => deadline.hear(game, moves),
                Reply::Game(event) => {
                    // If a job is ended, its processes are killed one by one: if this one is next, the agent
                    // is not at fault.
                    if let GameEvent::Played(Played { complaint: Some(complaint), .. }) = &event
                        && is_of_signal(complaint)
                    {
                        std::thread::sleep(KILL_PAUSE);
                    }
                    take(event);
                    deadline.renew();
                }
                Reply::Result(_) => return Ok(()),
                other => return Err(self.unexpected(&other)),
            }
        }
    }

    /// Lets the worker exit by itself, so that the plugin's buffers are flushed. Returns its exit status, or
    /// `None` if it had to be killed.
    pub fn finish(mut self) -> Option<ExitStatus> {
        self.requests = None;
        self.wait_or_kill().map(|end| end.status)
    }

    /// Sends a request, and waits for its result. A worker that answers anything else is killed.
    fn ask<T: DeserializeOwned>(
        &mut self,
        request: &Request,
        mut deadline: Deadline,
    ) -> Result<T, WorkerError> {
        self.send(request)?;
        loop {
            match self.receive(deadline.time)? {
                // The last heartbeat of games may arrive after their end.
                Reply::Alive { game, moves } => deadline.hear(game, moves),
                Reply::Result(result) => match serde_json::from_value(result.clone()) {
                    Ok(result) => return Ok(result),
                    Err(_) => return Err(self.unexpected(&Reply::Result(result))),
                },
                other => return Err(self.unexpected(&other)),
            }
        }
    }

    fn send(&mut self, request: &Request) -> Result<(), WorkerError> {
        let sent = self.requests.as_mut().map(|requests| frame::write(requests, request));
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.down()),
        }
    }

    fn receive(&mut self, deadline: Instant) -> Result<Reply, WorkerError> {
        match self.wait_for_reply(deadline) {
            Ok(Incoming::Message(Reply::Error(error))) => Err(match error {
                WorkerError::Refused(reason) => WorkerError::Refused(paragraph(&reason)),
                WorkerError::Failed(reason) => WorkerError::Failed(paragraph(&reason)),
                WorkerError::Faulted(Fault { ending, reason }) => {
                    WorkerError::Faulted(Fault { ending, reason: paragraph(&reason) })
                }
                not_started => not_started,
            }),
            Ok(Incoming::Message(reply)) => Ok(reply),
            Ok(Incoming::Closed) => Err(self.down()),
            Ok(Incoming::Late) => {
                self.kill();
                let reason = "the agent did not answer within the time limit of a move".to_owned();
                Err(WorkerError::Faulted(Fault { ending: Ending::Timeout, reason }))
            }
            Err(error) => {
                self.kill();
                let reason = format!("the worker's answers make no sense: {error}");
                Err(WorkerError::Faulted(Fault { ending: Ending::AgentCrash, reason }))
            }
        }
    }

    /// Waits for a reply. A process that the plugin started may hold the pipe open when the worker is gone,
    /// so a silent worker is also checked for its end.
    fn wait_for_reply(&mut self, deadline: Instant) -> io::Result<Incoming<Reply>> {
        loop {
            match self.replies.receive(Some(deadline.min(Instant::now() + POLL_INTERVAL)))? {
                Incoming::Late if self.child.has_ended() => {
                    // What it sent before its end is in the pipe by now.
                    return Ok(match self.replies.receive(Some(Instant::now()))? {
                        Incoming::Late => Incoming::Closed,
                        received => received,
                    });
                }
                Incoming::Late if Instant::now() < deadline => {}
                received => return Ok(received),
            }
        }
    }

    fn unexpected(&mut self, reply: &Reply) -> WorkerError {
        self.kill();
        let reply = line(&format!("{reply:?}"));
        let reason = format!("the worker answered a different question: {reply}");
        WorkerError::Faulted(Fault { ending: Ending::AgentCrash, reason })
    }

    /// Why a worker that closed its pipe ended.
    fn down(&mut self) -> WorkerError {
        self.requests = None;
        let end = self.wait_or_kill();
        WorkerError::Faulted(Fault::of_exit(end, self.memory, &self.stderr.text()))
    }

    /// Waits for a worker that is about to exit. One that only closed its descriptors is killed.
    fn wait_or_kill(&mut self) -> Option<Exit> {
        let ended_by_itself = self.child.ends_within(SHUTDOWN_TIMEOUT);
        self.kill().filter(|_| ended_by_itself)
    }

    /// Ends the process, and whatever the plugin may have started.
    fn kill(&mut self) -> Option<Exit> {
        let end = self.child.kill();
        process_tree::end_orphans();
        self.stderr.join();
        end
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.requests = None;
        self.kill();
    }
}

/// When to give up on a worker.
struct Deadline {
    /// How long after the last progress; `None` if progress does not matter.
    limit: Option<Duration>,
    time: Instant,
    /// The game and the number of moves in the last heartbeat.
    last: Option<(u64, u32)>,
}

impl Deadline {
    /// The whole request must end within this time.
    fn fixed(limit: Duration) -> Self {
        Self { limit: None, time: Instant::now() + limit, last: None }
    }

    /// Each step of the request must end within this time. The end of a step may be known a little later.
    fn per_step(limit: Duration) -> Self {
        let limit = limit + HEARTBEAT_SLACK;
        Self { limit: Some(limit), time: Instant::now() + limit, last: None }
    }

    /// Takes a heartbeat. One without progress does not extend the deadline.
    fn hear(&mut self, game: u64, moves: u32) {
        if self.last.replace((game, moves)) != Some((game, moves)) {
            self.renew();
        }
    }

    fn renew(&mut self) {
        self.time = self.limit.map_or(self.time, |limit| Instant::now() + limit);
    }
}
