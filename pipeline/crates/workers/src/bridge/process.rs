//! A program under way: its process, and the two pipes to it.

use std::fmt;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use engine::agent::Level;
use rustix::process::getrlimit;
use surroundings::plain;

use super::lines::{LONGEST, Line, Lines};
use super::message::{LogLevel, Said, Told};
use super::program::Program;
use crate::descendants::{self, Kin};
use crate::fault::{Exit, Fault};
use crate::stderr_tail::StderrTail;

/// How often a program that is silent is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long a program may take to end after it was told to.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// A program under way. It ends when this is dropped.
pub(super) struct Process {
    child: Kin,
    /// Absent once it was closed.
    stdin: Option<ChildStdin>,
    lines: Lines<ChildStdout>,
    stderr: StderrTail,
    /// The message that is being written, kept so that none is allocated for a move.
    message: Vec<u8>,
}

/// Why a program did not answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Its process is gone.
    Gone(Fault),
    /// It did not answer in time.
    Late(Duration),
    /// What it said is no answer.
    Garbage(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(fault) => fault.fmt(f),
            Self::Late(limit) => write!(
                f,
                "it said nothing within {} ms; end every message with a new line, and flush standard output after it",
                limit.as_millis()
            ),
            Self::Garbage(what) => write!(
                f,
                "the program's answer makes no sense: {what}; standard output is for the protocol alone, so write notes to \
                 standard error"
            ),
        }
    }
}

impl Process {
    /// Starts a program.
    pub(super) fn start(program: &Program) -> io::Result<Self> {
        let [name, arguments @ ..] = &program.command[..] else {
            return Err(io::Error::other("the command is empty"));
        };
        let mut command = Command::new(name);
        command.args(arguments).current_dir(&program.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Python would order sets by chance, and keep answers in a buffer.
        command.env("PYTHONHASHSEED", "0").env("PYTHONUNBUFFERED", "1");
        die_with_this_process(&mut command);
        let mut child = Kin::start(&mut command)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = child.pipes() else {
            unreachable!("all three are piped");
        };
        let stderr = StderrTail::forward(stderr, io::stderr());
        let lines = Lines::new(stdout);
        Ok(Self { child, stdin: Some(stdin), lines, stderr, message: Vec::new() })
    }

    /// Sends a message.
    pub(super) fn tell(&mut self, message: &Told<'_>) -> Result<(), Trouble> {
        self.message.clear();
        let written = serde_json::to_writer(&mut self.message, message);
        self.message.push(b'\n');
        let sent = match (&mut self.stdin, written) {
            (Some(stdin), Ok(())) => stdin.write_all(&self.message),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        };
        sent.map_err(|_| self.gone())
    }

    /// Waits for an answer, however long it takes; lines of log before it are handed on.
    pub(super) fn hear(&mut self, log: &mut dyn FnMut(Level, &str)) -> Result<Said, Trouble> {
        self.receive(None, log)
    }

    /// Waits for an answer, but not longer than the limit.
    pub(super) fn hear_within(
        &mut self,
        limit: Duration,
        log: &mut dyn FnMut(Level, &str),
    ) -> Result<Said, Trouble> {
        self.receive(Some(limit), log)
    }

    fn receive(
        &mut self,
        limit: Option<Duration>,
        log: &mut dyn FnMut(Level, &str),
    ) -> Result<Said, Trouble> {
        let start = Instant::now();
        let mut has_ended = false;
        loop {
            let line = match self.lines.next(Some(LOOK_EVERY)) {
                Ok(Line::Text(line)) => line,
                Ok(Line::Late) if has_ended => return Err(self.gone()),
                Ok(Line::Late) => {
                    // A process that the program started may hold the pipe open when the program is long gone. What it said
                    // before may still be in it, so that it is looked at once more.
                    has_ended = self.child.has_ended();
                    match limit.filter(|&limit| start.elapsed() >= limit && !has_ended) {
                        Some(limit) => return Err(Trouble::Late(limit)),
                        None => continue,
                    }
                }
                Ok(Line::TooLong) => {
                    return Err(Trouble::Garbage(format!("a line of more than {LONGEST} bytes")));
                }
                Ok(Line::Closed) | Err(_) => return Err(self.gone()),
            };
            match serde_json::from_slice(line) {
                Ok(Said::Log { line, level }) => log(level.unwrap_or(LogLevel::Info).into(), &line),
                Ok(said) => return Ok(said),
                Err(error) => {
                    let line = plain::line(&String::from_utf8_lossy(line));
                    return Err(Trouble::Garbage(format!("`{line}` ({error})")));
                }
            }
        }
    }
    /// How a program went down that closed its pipes. One that goes on without them is ended.
    fn gone(&mut self) -> Trouble {
        self.stdin = None;
        let end = self.wait();
        if end.is_none() {
            self.child.kill();
        }
        self.stderr.join();
        // The program is under the limit that this process is under.
        let memory = getrlimit(descendants::MEMORY).current;
        Trouble::Gone(Fault::of_exit(end, memory, &self.stderr.text()))
    }

    /// How a program ends that is about to; none where it does not.
    fn wait(&mut self) -> Option<Exit> {
        let patience = Instant::now() + LAST_BREATH;
        loop {
            match self.child.exit() {
                None if Instant::now() < patience => std::thread::sleep(Duration::from_millis(1)),
                end => return end,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.stdin.is_some() && self.tell(&Told::Quit).is_ok() {
            self.stdin = None;
            self.wait();
        }
        self.child.kill();
        self.stderr.join();
    }
}

/// Lets the system end the program when this process ends, however it does: even then nothing stays behind.
#[allow(unsafe_code)]
fn die_with_this_process(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
        let parent = getpid();
        let bind = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // Were this process gone already, no signal would come.
            if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotConnected.into()) }
        };
        // SAFETY: between fork and exec it makes two system calls, and touches neither memory nor locks of this process.
        unsafe { command.pre_exec(bind) };
    }
    let _ = command;
}
