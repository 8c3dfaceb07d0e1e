//! The worker process: opens one plugin and plays whole games with it.
//!
//! A crash of the plugin costs this process and one game. The protocol has descriptors of its own; the plugin
//! finds standard input empty, and what it prints goes to standard error.

mod game_in_progress;
mod questions;
mod training;

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::abi::host::{AgentInfo, Callbacks, CreateError, LoadedAgent, LoadedTraining, PlayError, Plugin};
use engine::agent::{Budget, Level};
use engine::signature::{self, ProbeOrder, Set};
use engine::{AgentSeed, Ending, Rules};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Rlimit, Signal, getpgrp, getpid, getrlimit, kill_process_group, setrlimit};
use rustix::stdio::{dup2_stdin, dup2_stdout, stderr, stdin, stdout};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use serde_json::Value;

use super::WorkerError;
use super::protocol::{AgentSetup, Assignment, GameEvent, Played, Reply, Request};
use super::spool::SpoolWriter;
use crate::files::load;
use crate::frame::{self, FrameReader, Incoming};
use crate::process_tree::{self, MEMORY};
use crate::{Files, plugin};
use game_in_progress::GameInProgress;
use platform::console::note;
use records::{GameRecord, GameTiming, Seeds};

/// How often a busy worker sends a heartbeat. Each costs as much as a game does outside of its moves.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(500);

const NO_AGENT: &str = "no agent has been created";

/// How a worker is set up before foreign code runs in it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most memory in bytes: all that it can write to and does not share.
    pub memory: Option<u64>,
    /// Receives the plugin's standard output; standard error by default.
    pub stdout_to: Option<PathBuf>,
}

/// Runs the worker until its requests end.
pub fn run(limits: &Limits) -> io::Result<()> {
    let (requests, replies) = take_over_descriptors(limits.stdout_to.as_deref())?;
    let run = replies.try_clone()?;
    limit_memory(limits.memory)?;
    process_tree::adopt_orphans();
    let replies = Replies(Arc::new(Mutex::new(replies)));
    let heartbeat = Arc::new(Heartbeat::default());
    start_heartbeat(Arc::clone(&heartbeat), replies.clone(), run);
    let mut worker = Server { replies, heartbeat, plugin: None, agent: None, training: None };
    let ended = worker.serve(FrameReader::new(requests));
    // First the agent, which may end its own processes in order.
    drop(worker);
    process_tree::end_below(getpid());
    ended
}

/// Limits this process and all that it starts. No agent can raise the limit again.
fn limit_memory(limit: Option<u64>) -> io::Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    let limit = getrlimit(MEMORY).maximum.map_or(limit, |maximum| limit.min(maximum));
    setrlimit(MEMORY, Rlimit { current: Some(limit), maximum: Some(limit) })?;
    give_up_raising();
    Ok(())
}

/// Gives up root's right to raise limits, here and in programs that are started. Must run before there is a
/// second thread, since each has its own rights.
#[cfg(target_os = "linux")]
fn give_up_raising() {
    use rustix::thread::{
        CapabilitySet, capabilities, remove_capability_from_bounding_set, set_capabilities,
    };
    // Fails without the right, which is fine.
    let _ = remove_capability_from_bounding_set(CapabilitySet::SYS_RESOURCE);
    if let Ok(mut rights) = capabilities(None) {
        rights.effective.remove(CapabilitySet::SYS_RESOURCE);
        rights.permitted.remove(CapabilitySet::SYS_RESOURCE);
        rights.inheritable.remove(CapabilitySet::SYS_RESOURCE);
        let _ = set_capabilities(None, rights);
    }
}

#[cfg(not(target_os = "linux"))]
fn give_up_raising() {}

/// Moves the protocol away from standard input and output, before any foreign code runs.
fn take_over_descriptors(stdout_to: Option<&Path>) -> io::Result<(File, File)> {
    let keep = |fd| -> io::Result<OwnedFd> { Ok(rustix::io::fcntl_dupfd_cloexec(fd, 3)?) };
    let requests = keep(stdin())?;
    let replies = keep(stdout())?;
    dup2_stdin(File::open("/dev/null")?)?;
    match stdout_to {
        Some(path) => dup2_stdout(File::create(path)?)?,
        None => dup2_stdout(stderr())?,
    }
    Ok((requests.into(), replies.into()))
}

/// The pipe to the run, shared with the heartbeat's thread.
#[derive(Clone)]
struct Replies(Arc<Mutex<File>>);

impl Replies {
    fn send(&self, reply: &Reply) -> io::Result<()> {
        let mut file: MutexGuard<File> = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frame::write(&mut *file, reply)
    }
}

/// Whether the reading end of this pipe is closed.
fn is_abandoned(pipe: &File) -> bool {
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut watched = [PollFd::new(pipe, PollFlags::empty())];
    poll(&mut watched, Some(&at_once)).is_ok()
        && watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// What heartbeats report: written by the playing thread, read by the other.
#[derive(Default)]
struct Heartbeat {
    is_playing: AtomicBool,
    game: AtomicU64,
    moves: AtomicU32,
}

fn start_heartbeat(heartbeat: Arc<Heartbeat>, replies: Replies, run: File) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(HEARTBEAT_INTERVAL);
            if is_abandoned(&run) {
                // The run is gone, so nobody else would stop an agent that never returns.
                end_with_group();
            }
            if !heartbeat.is_playing.load(Ordering::Relaxed) {
                continue;
            }
            let alive = Reply::Alive {
                game: heartbeat.game.load(Ordering::Relaxed),
                moves: heartbeat.moves.load(Ordering::Relaxed),
            };
            if replies.send(&alive).is_err() {
                end_with_group();
            }
        }
    });
}

/// Ends this process and everything that an agent started; its own process group last.
fn end_with_group() -> ! {
    process_tree::end_below(getpid());
    if getpgrp() == getpid() {
        let _ = kill_process_group(getpid(), Signal::KILL);
    }
    std::process::exit(1);
}

/// Sends log lines to standard error, which the run collects.
struct ToStandardError;

impl Callbacks for ToStandardError {
    fn log(&self, level: Level, line: &str) {
        note(format_args!("{level:?}: {line}"));
    }
}

/// The state of the worker process.
struct Server {
    replies: Replies,
    heartbeat: Arc<Heartbeat>,
    plugin: Option<Plugin>,
    agent: Option<Setup>,
    training: Option<LoadedTraining>,
}

fn refused(reason: impl ToString) -> WorkerError {
    WorkerError::Refused(reason.to_string())
}

fn failed(reason: impl ToString) -> WorkerError {
    WorkerError::Failed(reason.to_string())
}

impl From<CreateError> for WorkerError {
    fn from(error: CreateError) -> Self {
        match error {
            CreateError::BadParams(_) | CreateError::BadRules(_) | CreateError::NoFile { .. } => {
                refused(error)
            }
            CreateError::Failed(_) | CreateError::Broken(_) => failed(error),
        }
    }
}

impl From<PlayError> for WorkerError {
    fn from(error: PlayError) -> Self {
        Self::Faulted(error.into())
    }
}

/// The result of a request, in the form of a reply.
fn result(value: impl Serialize) -> Result<Value, WorkerError> {
    serde_json::to_value(value).map_err(failed)
}

/// The current agent, and how to create it again.
struct Setup {
    /// The plugin with the agent's files.
    plugin: Plugin,
    index: u32,
    rules: Rules,
    params: String,
    budget: Budget,
    agent: LoadedAgent,
}

impl Server {
    fn serve(&mut self, mut requests: FrameReader<File>) -> io::Result<()> {
        while let Incoming::Message(request) = requests.receive(None)? {
            self.answer(request)?;
        }
        Ok(())
    }

    fn answer(&mut self, request: Request) -> io::Result<()> {
        let reply = match request {
            Request::Open(file) => self.open(&file),
            Request::Create(setup) => self.create(setup),
            Request::Sign(set) => self.sign(set),
            Request::Probe(order) => self.probe(order),
            Request::Check(setup) => self.while_alive(|worker| worker.check(setup)),
            Request::Train(setup) => self.train(&setup),
            Request::Learn { games, for_ms } => {
                self.while_alive(|worker| worker.learn(games, Duration::from_millis(for_ms)))
            }
            Request::SaveTraining(file) => self.while_alive(|worker| worker.save_training(&file)),
            Request::LoadTraining(file) => self.while_alive(|worker| worker.load_training(&file)),
            Request::Artefact(file) => self.while_alive(|worker| worker.artefact(file.as_ref())),
            Request::NewGame(seed) => self.new_game(AgentSeed(seed)),
            Request::Ask(question) => self.ask(question),
            Request::Play(assignment) => self.while_alive(|worker| worker.play(&assignment))?,
        };
        self.replies.send(&reply.map_or_else(Reply::Error, Reply::Result))
    }

    /// Sends heartbeats during work that may take long.
    fn while_alive<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.heartbeat.is_playing.store(true, Ordering::Relaxed);
        let done = work(self);
        self.heartbeat.is_playing.store(false, Ordering::Relaxed);
        done
    }

    /// The open plugin, with these files for its agents.
    fn plugin_with(&self, files: &Files) -> Result<Plugin, WorkerError> {
        Ok(self.plugin()?.clone().with_files(load(files).map_err(refused)?))
    }

    fn plugin(&self) -> Result<&Plugin, WorkerError> {
        self.plugin.as_ref().ok_or_else(|| refused("no plugin is open"))
    }

    fn open(&mut self, file: &Path) -> Result<Value, WorkerError> {
        let opened = plugin::open(file).map_err(refused)?;
        result(self.plugin.insert(opened).agents())
    }

    fn create(&mut self, setup: AgentSetup) -> Result<Value, WorkerError> {
        let AgentSetup { agent: id, rules, params, budget, files } = setup;
        let plugin = self.plugin_with(&files)?;
        let index = info_of(&plugin, &id)?.index;
        let params = Value::Object(params).to_string();
        let agent = plugin.create(index, &rules, &params, ToStandardError)?;
        self.agent = Some(Setup { plugin, index, rules, params, budget, agent });
        result(())
    }

    fn sign(&mut self, set: Set) -> Result<Value, WorkerError> {
        let decisions = self
            .ask_frozen(|setup, count| set.decisions(&mut setup.agent, &setup.rules, setup.budget, count))?;
        result(set.sign(&decisions))
    }

    fn probe(&mut self, order: ProbeOrder) -> Result<Value, WorkerError> {
        result(self.ask_frozen(|setup, count| {
            signature::probe(&mut setup.agent, &setup.rules, setup.budget, order, count)
        })?)
    }

    /// The agent that was created last.
    fn setup(&mut self) -> Result<&mut Setup, WorkerError> {
        self.agent.as_mut().ok_or_else(|| refused(NO_AGENT))
    }

    /// Asks the agent about frozen positions. `ask` counts the answers, which heartbeats report.
    fn ask_frozen<T>(
        &mut self,
        ask: impl FnOnce(&mut Setup, &mut dyn FnMut(usize)) -> Result<T, PlayError>,
    ) -> Result<T, WorkerError> {
        self.while_alive(|worker| {
            let setup = worker.agent.as_mut().ok_or_else(|| refused(NO_AGENT))?;
            let mut count = |decided: usize| worker.heartbeat.moves.store(decided as u32, Ordering::Relaxed);
            let answers = ask(setup, &mut count);
            answers.map_err(|error| failed(format!("the agent fails on the frozen positions: {error}")))
        })
    }

    /// Plays games. An error of the pipe ends the worker; the inner error is the agent's.
    fn play(&mut self, assignment: &Assignment) -> io::Result<Result<Value, WorkerError>> {
        let mut spool = assignment.spool.as_ref().and_then(|path| SpoolWriter::open(path).ok());
        for &game in &assignment.games {
            let played = self.play_game(assignment, game)?;
            let is_fault = played.complaint.is_some();
            if is_fault {
                // If a run is killed, the agent may be killed first, so only a living run may judge and store
                // a fault.
                spool = None;
            }
            if spool.as_mut().is_none_or(|spool| spool.write(&played).is_err()) {
                // A failed write may leave a torn end, after which nothing is read.
                spool = None;
                self.replies.send(&Reply::Game(GameEvent::Played(played)))?;
            }
            if is_fault && let Err(error) = self.recreate_agent() {
                return Ok(Err(error));
            }
        }
        Ok(result(()))
    }

    fn play_game(&mut self, assignment: &Assignment, number: u64) -> io::Result<Played> {
        let seeds = Seeds::derive(assignment.master_seed, number);
        self.heartbeat.moves.store(0, Ordering::Relaxed);
        self.heartbeat.game.store(number, Ordering::Relaxed);
        let (cpu_start, wall_start) = (thread_cpu_ns(), Instant::now());
        let setup = self.agent.as_mut().ok_or_else(|| io::Error::other(NO_AGENT))?;
        let report = assignment.is_careful.then(|| self.replies.clone());
        let mut game = GameInProgress::new(&setup.rules, seeds, report);
        let move_limit = assignment.move_limit.unwrap_or(u32::MAX);
        let fault = game.play(&mut setup.agent, setup.budget, move_limit, &self.heartbeat)?;
        let timing = GameTiming {
            game: number,
            cpu_ns: thread_cpu_ns().saturating_sub(cpu_start),
            wall_ns: u64::try_from(wall_start.elapsed().as_nanos()).unwrap_or(u64::MAX),
        };
        // A game that was stopped at the assignment's move limit is a prefix, not a fault.
        let cut_short = fault.as_ref().map_or(Ending::NoMoves, |fault| fault.ending);
        let record = GameRecord::of(&game.game, seeds, game.course, cut_short);
        Ok(Played { record, timing, complaint: fault.map(|fault| fault.reason) })
    }

    /// Creates the agent again, since its state after a fault is unknown.
    fn recreate_agent(&mut self) -> Result<(), WorkerError> {
        let Some(setup) = self.agent.take() else { return Ok(()) };
        let agent = setup.plugin.create(setup.index, &setup.rules, &setup.params, ToStandardError)?;
        self.agent = Some(Setup { agent, ..setup });
        Ok(())
    }
}

fn info_of<'a>(plugin: &'a Plugin, id: &str) -> Result<&'a AgentInfo, WorkerError> {
    plugin.agent(id).ok_or_else(|| refused(format!("the plugin has no agent `{id}`")))
}

fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}
