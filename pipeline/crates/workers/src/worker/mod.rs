//! Workers: the processes in which plugins run, seen from the run that drives them.
//!
//! Only a worker ever opens a plugin, be it for a list of agents, a signature or a game. A plugin that crashes, hangs or
//! exits takes one worker with it; the run learns how it ended, and starts another.

pub mod child;
pub mod protocol;
mod questions;
mod spool;
mod training;

use std::fmt;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use engine::abi::host::AgentInfo;
use engine::agent::Budget;
use engine::signature::{ProbeOrder, Probed, Set};
use engine::{Ending, Placement, Rules};
use serde_json::{Map, Value};

use crate::descendants::{self, Kin};
pub use crate::fault::Fault;
use crate::fault::{Exit, is_of_signal};
use crate::files::Files;
use crate::frame::{self, FrameReader, Received};
use crate::stderr_tail::StderrTail;
pub use child::Limits;
use protocol::{Assignment, Played, Reply, Request};
pub use questions::CheckEvent;
pub use spool::Spool;
use surroundings::plain::{line, paragraph};

/// How long this process waits before it believes that a signal has ended an agent alone.
const KILL_PAUSE: Duration = Duration::from_millis(300);
/// How long a worker may take to open a plugin or to make an agent.
const SETUP_LIMIT: Duration = Duration::from_secs(60);
/// How much longer than a move may take its end may stay unknown: the heartbeat tells of moves only now and then.
const TELLING: Duration = Duration::from_millis(1250);
/// How often a worker that is silent is looked at: one that plays makes itself heard more often.
const LOOK_EVERY: Duration = Duration::from_millis(600);
/// How long a worker that is at its end may take to be gone.
const LAST_BREATH: Duration = Duration::from_secs(5);

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
    ///
    /// # Errors
    /// Where the system does not say which program runs.
    pub fn of_this_program(limits: Limits) -> io::Result<Self> {
        Ok(Self { program: std::env::current_exe()?, limits })
    }

    /// Starts a worker.
    ///
    /// # Errors
    /// Where no process can be started.
    pub fn start(&self) -> Result<Worker, NoWorker> {
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
        let mut child =
            Kin::start(&mut command).map_err(|source| NoWorker { program: self.program.clone(), source })?;
        let (Some(requests), Some(replies), Some(stderr)) = child.pipes() else {
            unreachable!("all three are piped");
        };
        let stderr = StderrTail::collect(stderr);
        let replies = FrameReader::new(replies);
        Ok(Worker { child, requests: Some(requests), replies, stderr, memory: self.limits.memory })
    }
}

/// A worker under way.
pub struct Worker {
    child: Kin,
    requests: Option<ChildStdin>,
    replies: FrameReader<ChildStdout>,
    stderr: StderrTail,
    /// The limit of its memory, in bytes.
    memory: Option<u64>,
}

/// No worker can be started. That says nothing about the agent, and may pass.
#[derive(Debug, thiserror::Error)]
#[error(
    "{}: cannot start a worker: {source}; if the machine is short of processes or memory, try again later",
    program.display()
)]
pub struct NoWorker {
    program: PathBuf,
    source: io::Error,
}

/// Why a worker did not answer as it should.
#[derive(Debug)]
pub enum WorkerError {
    /// It answered that it cannot: the request was at fault, and the worker lives.
    Refused(String),
    /// The agent failed outside of a game: it could not be made, or gave up on the frozen positions. The worker lives.
    Failed(String),
    /// The plugin took the worker down, or did not return in time; the worker is gone.
    Faulted(Fault),
    /// There never was a worker.
    NotStarted(NoWorker),
}

impl From<NoWorker> for WorkerError {
    fn from(error: NoWorker) -> Self {
        Self::NotStarted(error)
    }
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(reason) | Self::Failed(reason) => f.write_str(reason),
            Self::Faulted(fault) => fault.fmt(f),
            Self::NotStarted(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WorkerError {}

impl Worker {
    /// Opens a plugin and lists its agents.
    ///
    /// # Errors
    /// Where it is no plugin, or takes the worker down.
    pub fn open(&mut self, file: &Path) -> Result<Vec<AgentInfo>, WorkerError> {
        match self.ask(&Request::Open { file: file.to_owned() }, SETUP_LIMIT)? {
            Reply::Opened { agents } => {
                // A library that took its worker over may have said this itself.
                agents
                    .iter()
                    .try_for_each(AgentInfo::check)
                    .map_err(|error| WorkerError::Refused(error.to_string()))?;
                Ok(agents)
            }
            other => Err(self.unexpected(&other)),
        }
    }

    /// Makes an agent of the open plugin, with the files that it needs.
    ///
    /// # Errors
    /// Where the agent refuses its rules or parameters, or takes the worker down.
    pub fn create(
        &mut self,
        agent: &str,
        rules: &Rules,
        params: &Map<String, Value>,
        budget: Budget,
        files: &Files,
    ) -> Result<(), WorkerError> {
        let request = Request::Create {
            agent: agent.to_owned(),
            rules: rules.clone(),
            params: params.clone(),
            budget,
            files: files.clone(),
        };
        match self.ask(&request, SETUP_LIMIT)? {
            Reply::Created => Ok(()),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Computes the agent's decision signature on a set of positions.
    ///
    /// # Errors
    /// Where the agent fails, or takes longer than the limit over one position.
    pub fn sign(&mut self, set: Set, move_limit: Duration) -> Result<String, WorkerError> {
        match self.ask_frozen(&Request::Sign { set }, move_limit)? {
            Reply::Signed { signature } => Ok(signature),
            other => Err(self.unexpected(&other)),
        }
    }

    /// Asks the agent about a few positions, to compare its answers with those in another process.
    ///
    /// # Errors
    /// As for [`Self::sign`].
    pub fn probe(&mut self, order: ProbeOrder, move_limit: Duration) -> Result<Vec<Probed>, WorkerError> {
        match self.ask_frozen(&Request::Probe { order }, move_limit)? {
            Reply::Probed { answers } => Ok(answers),
            other => Err(self.unexpected(&other)),
        }
    }

    /// The reply to a request about frozen positions, each with this time limit.
    fn ask_frozen(&mut self, request: &Request, move_limit: Duration) -> Result<Reply, WorkerError> {
        self.send(request)?;
        let mut patience = Patience::new(move_limit);
        loop {
            match self.receive(patience.deadline)? {
                Reply::Alive { game, moves } => patience.hear(game, moves),
                reply => return Ok(reply),
            }
        }
    }

    /// Has games played; each is handed on as it ends, or by and by where it goes to the assignment's spool.
    ///
    /// # Errors
    /// Where the agent takes the worker down, or longer than the limit over one move, or could not be made again after a fault.
    /// Games handed on before are whole.
    pub fn play(
        &mut self,
        assignment: &Assignment,
        move_limit: Duration,
        mut spool: Option<&mut Spool>,
        mut take: impl FnMut(GameEvent),
    ) -> Result<(), WorkerError> {
        self.send(&Request::Play(assignment.clone()))?;
        let mut patience = Patience::new(move_limit);
        loop {
            let reply = self.receive(patience.deadline);
            // Games in the spool ended before the reply was sent, whatever it is.
            let mut drain = |spool: &mut Spool| spool.drain(|played| take(GameEvent::Played(played)));
            if spool.as_mut().is_some_and(|spool| drain(spool) > 0) {
                patience.renew();
            }
            match reply? {
                Reply::Alive { game, moves } => patience.hear(game, moves),
                Reply::Moved { direction, tile, nodes } => {
                    take(GameEvent::Moved { direction, tile, nodes });
                    patience.renew();
                }
                Reply::Played(played) => {
                    // Whoever ends a job kills its processes one after the other: a game is not the agent's fault where this process is next.
                    if played.complaint.as_deref().is_some_and(is_of_signal) {
                        std::thread::sleep(KILL_PAUSE);
                    }
                    take(GameEvent::Played(*played));
                    patience.renew();
                }
                Reply::Done => return Ok(()),
                other => return Err(self.unexpected(&other)),
            }
        }
    }

    /// Lets the worker end by itself, so that the plugin's buffers are flushed. Gives its exit status; none where it had to
    /// be killed.
    pub fn finish(mut self) -> Option<ExitStatus> {
        self.requests = None;
        self.wait_or_kill().map(|end| end.status)
    }

    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Reply, WorkerError> {
        self.send(request)?;
        let deadline = Instant::now() + limit;
        loop {
            match self.receive(deadline)? {
                // The last heartbeat of games may come behind their end.
                Reply::Alive { .. } => {}
                reply => return Ok(reply),
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
            Ok(Received::Message(Reply::Refused { reason })) => Err(WorkerError::Refused(paragraph(&reason))),
            Ok(Received::Message(Reply::Failed { reason })) => Err(WorkerError::Failed(paragraph(&reason))),
            Ok(Received::Message(Reply::Faulted { ending, reason })) => {
                Ok(Reply::Faulted { ending, reason: paragraph(&reason) })
            }
            Ok(Received::Message(reply)) => Ok(reply),
            Ok(Received::Closed) => Err(self.down()),
            Ok(Received::Late) => {
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

    /// Waits for a reply. A process that the plugin started may hold the pipe open when the worker is long gone, so its life is
    /// looked at too, whenever it has been silent for a while.
    fn wait_for_reply(&mut self, deadline: Instant) -> io::Result<Received<Reply>> {
        loop {
            match self.replies.receive(Some(deadline.min(Instant::now() + LOOK_EVERY)))? {
                Received::Late if self.child.has_ended() => {
                    // What it said before its end is in the pipe by now.
                    return Ok(match self.replies.receive(Some(Instant::now()))? {
                        Received::Late => Received::Closed,
                        received => received,
                    });
                }
                Received::Late if Instant::now() < deadline => {}
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

    /// Finds out how a worker that closed its end went down.
    fn down(&mut self) -> WorkerError {
        self.requests = None;
        let end = self.wait_or_kill();
        let said = self.stderr.text();
        WorkerError::Faulted(Fault::of_exit(end, self.memory, &said))
    }

    /// How a worker ends that is about to. One that only closed its descriptors is killed.
    fn wait_or_kill(&mut self) -> Option<Exit> {
        let patience = Instant::now() + LAST_BREATH;
        while !self.child.has_ended() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(2));
        }
        let ended_by_itself = self.child.has_ended();
        self.kill().filter(|_| ended_by_itself)
    }

    /// Ends the process, and whatever the plugin may have started.
    fn kill(&mut self) -> Option<Exit> {
        let end = self.child.kill();
        descendants::end_orphans();
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

/// How long a worker that plays is waited for: a little longer than a move may take, from its last sign of progress on.
struct Patience {
    move_limit: Duration,
    deadline: Instant,
    /// The game and the moves of it that the heartbeat told of last.
    last: Option<(u64, u32)>,
}

impl Patience {
    fn new(move_limit: Duration) -> Self {
        Self { move_limit, deadline: Instant::now() + move_limit + TELLING, last: None }
    }

    /// Hears the heartbeat. A worker that lives and does not get on is waited for no longer.
    fn hear(&mut self, game: u64, moves: u32) {
        if self.last.replace((game, moves)) != Some((game, moves)) {
            self.renew();
        }
    }

    fn renew(&mut self) {
        self.deadline = Instant::now() + self.move_limit + TELLING;
    }
}

/// What happens while games are played.
#[derive(Clone, Debug)]
pub enum GameEvent {
    /// A move of the game under way; in careful mode only.
    Moved {
        /// The direction's letter.
        direction: char,
        /// The tile that was placed after it, if one was.
        tile: Option<Placement>,
        /// Positions expanded for both.
        nodes: u64,
    },
    /// A game is over.
    Played(Played),
}
