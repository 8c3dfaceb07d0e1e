//! A running program: its process and the pipes to it.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use engine::agent::Level;
use platform::plain;
use rustix::process::getrlimit;

use super::message::{HostMessage, ProgramMessage};
use super::program::Program;
use crate::fault::Fault;
use crate::pipe::{Incoming, Pipe};
use crate::process_tree::{self, ChildProcess};
use crate::stderr_tail::StderrTail;

/// How often to check whether a silent program still runs.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The most bytes of a line.
const LONGEST: usize = 1 << 20;
/// How long a program may take to exit after `quit`.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// A running program. It ends when this is dropped.
pub(super) struct Process {
    child: ChildProcess,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    stdout: Pipe<ChildStdout>,
    stderr: StderrTail,
    /// The buffer of the next message, so that no move allocates one.
    message: Vec<u8>,
}

/// Why a program did not answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProcessError {
    /// Its process is gone.
    #[error("{0}")]
    Gone(Fault),
    /// It did not answer in time.
    #[error(
        "it said nothing within {} ms; end every message with a new line, and flush standard output after it",
        .0.as_millis()
    )]
    Late(Duration),
    /// Its answer is not a valid message.
    #[error(
        "the program's answer makes no sense: {0}; standard output is for the protocol alone, so write notes to \
         standard error"
    )]
    Invalid(String),
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
        // Otherwise Python orders sets at random and buffers answers.
        command.env("PYTHONHASHSEED", "0").env("PYTHONUNBUFFERED", "1");
        die_with_this_process(&mut command);
        let mut child = ChildProcess::start(&mut command)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = child.pipes() else {
            unreachable!("all three are piped");
        };
        let stderr = StderrTail::forward(stderr, io::stderr());
        let stdout = Pipe::new(stdout);
        Ok(Self { child, stdin: Some(stdin), stdout, stderr, message: Vec::new() })
    }

    /// Sends a message.
    pub(super) fn send(&mut self, message: &HostMessage<'_>) -> Result<(), ProcessError> {
        self.message.clear();
        let written = serde_json::to_writer(&mut self.message, message);
        self.message.push(b'\n');
        let sent = match (&mut self.stdin, written) {
            (Some(stdin), Ok(())) => stdin.write_all(&self.message),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        };
        sent.map_err(|_| self.gone())
    }

    /// Waits for an answer, as long as it takes or up to a limit. Log lines before it are handed on.
    pub(super) fn receive(
        &mut self,
        limit: Option<Duration>,
        log: &mut dyn FnMut(Level, &str),
    ) -> Result<ProgramMessage, ProcessError> {
        let start = Instant::now();
        let mut has_ended = false;
        loop {
            let line = match self.stdout.next(Some(Instant::now() + POLL_INTERVAL), parse_line) {
                Ok(Incoming::Message(line)) => line,
                Ok(Incoming::Late) if has_ended => return Err(self.gone()),
                Ok(Incoming::Late) => {
                    // A process that the program started may hold the pipe open after its end. The pipe may
                    // still hold an answer, so it is read again.
                    has_ended = self.child.has_ended();
                    match limit.filter(|&limit| start.elapsed() >= limit && !has_ended) {
                        Some(limit) => return Err(ProcessError::Late(limit)),
                        None => continue,
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(ProcessError::Invalid(error.to_string()));
                }
                Ok(Incoming::Closed) | Err(_) => return Err(self.gone()),
            };
            match serde_json::from_slice(&line) {
                Ok(ProgramMessage::Log { line, level }) => log(level.unwrap_or(Level::Info), &line),
                Ok(message) => return Ok(message),
                Err(error) => {
                    let line = plain::line(&String::from_utf8_lossy(&line));
                    return Err(ProcessError::Invalid(format!("`{line}` ({error})")));
                }
            }
        }
    }

    /// Why a program that closed its pipes ended. One that goes on without them is killed.
    fn gone(&mut self) -> ProcessError {
        self.stdin = None;
        let has_ended = self.child.ends_within(SHUTDOWN_TIMEOUT);
        let end = self.child.kill().filter(|_| has_ended);
        self.stderr.join();
        // The program has the memory limit of this process.
        let memory = getrlimit(process_tree::MEMORY).current;
        ProcessError::Gone(Fault::of_exit(end, memory, &self.stderr.text()))
    }
}

/// The first line, without its end, and the bytes that it takes.
fn parse_line(bytes: &[u8]) -> io::Result<Option<(Vec<u8>, usize)>> {
    match memchr::memchr(b'\n', bytes) {
        Some(length) => Ok(Some((bytes[..length].to_vec(), length + 1))),
        None if bytes.len() > LONGEST => {
            let reason = format!("a line of more than {LONGEST} bytes");
            Err(io::Error::new(io::ErrorKind::InvalidData, reason))
        }
        None => Ok(None),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.stdin.is_some() && self.send(&HostMessage::Quit).is_ok() {
            self.stdin = None;
            self.child.ends_within(SHUTDOWN_TIMEOUT);
        }
        self.child.kill();
        self.stderr.join();
    }
}

/// Has the system kill the program when this process ends, however it ends.
#[allow(unsafe_code)]
fn die_with_this_process(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
        let parent = getpid();
        let bind = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // If this process is already gone, no signal comes.
            if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::NotConnected.into()) }
        };
        // SAFETY: between fork and exec it makes two system calls, and touches neither memory nor locks of
        // this process.
        unsafe { command.pre_exec(bind) };
    }
    let _ = command;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_late_too_long_or_not_at_all() {
        let soon = || Some(Instant::now() + Duration::from_millis(20));
        let text = |line: &[u8]| Incoming::Message(line.to_vec());
        let (read, mut write) = io::pipe().unwrap();
        let mut pipe = Pipe::new(read);
        assert_eq!(pipe.next(soon(), parse_line).unwrap(), Incoming::Late);
        write.write_all(b"one\ntwo\nthr").unwrap();
        assert_eq!(pipe.next(soon(), parse_line).unwrap(), text(b"one"));
        assert_eq!(pipe.next(None, parse_line).unwrap(), text(b"two"));
        assert_eq!(pipe.next(soon(), parse_line).unwrap(), Incoming::Late);
        write.write_all(b"ee\nhalf").unwrap();
        assert_eq!(pipe.next(soon(), parse_line).unwrap(), text(b"three"));
        drop(write);
        assert_eq!(pipe.next(None, parse_line).unwrap(), Incoming::Closed, "half a line is dropped");
        let (read, mut write) = io::pipe().unwrap();
        let writer = std::thread::spawn(move || {
            let _ = write.write_all(&vec![b'x'; 2 * LONGEST]);
        });
        let mut pipe = Pipe::new(read);
        assert_eq!(pipe.next(None, parse_line).unwrap_err().kind(), io::ErrorKind::InvalidData);
        drop(pipe);
        writer.join().unwrap();
    }
}
