//! Faults: an agent or its process ends a game. Derives a fault from a process's exit status and standard
//! error.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use engine::Ending;
use rustix::process::Signal;
use serde::{Deserialize, Serialize};

use platform::plain;

/// How the message about a process that a signal killed begins.
const KILLED: &str = "was killed by signal";

/// An agent's failure, which ends its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The ending of the current game.
    pub ending: Ending,
    /// What happened, as text for people.
    pub reason: String,
}

impl Fault {
    /// The fault of a process that ended, from its exit, its memory limit and its standard error.
    pub(crate) fn of_exit(exit: Option<Exit>, memory: Option<u64>, stderr: &str) -> Self {
        let words = stderr.to_lowercase();
        let ran_out = OUT_OF_MEMORY.iter().any(|out| words.contains(out))
            || exit.zip(memory).is_some_and(|(exit, limit)| exit.is_near(limit));
        let status = exit.map(|exit| exit.status);
        let how = match status {
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => {
                    format!("the agent's process {KILLED} {signal}{}", signal_name(signal))
                }
                (None, Some(code)) => format!("the agent ended its process with exit code {code}"),
                (None, None) => "the agent's process ended".to_owned(),
            },
            None => "the agent's process closed its descriptors and had to be killed".to_owned(),
        };
        // A kill that is not ours comes from the kernel, which is out of memory.
        let killed = status.and_then(|status| status.signal()) == Some(Signal::KILL.as_raw());
        let ending = if ran_out || killed { Ending::ResourceLimit } else { Ending::AgentCrash };
        let last_line = stderr.lines().rev().find(|line| !line.trim().is_empty());
        let last_words = |line| format!("{how}; its last words: {}", plain::line(line));
        let reason = last_line.map_or_else(|| how.clone(), last_words);
        Self { ending, reason }
    }
}

/// Whether a complaint says that a signal killed an agent's process.
pub(crate) fn is_of_signal(complaint: &str) -> bool {
    complaint.contains(KILLED)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// Messages of Rust, C++, C, Python and Java when memory runs out.
const OUT_OF_MEMORY: [&str; 6] = [
    "memory allocation of",
    "bad_alloc",
    "out of memory",
    "cannot allocate memory",
    "memoryerror",
    "outofmemoryerror",
];

/// How a process ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub(crate) status: ExitStatus,
    /// Its peak memory in bytes.
    pub(crate) peak: u64,
}

impl Exit {
    /// Whether it was near its memory limit. A crash there is most likely a lack of memory, even without a
    /// message. A process inherits the peak of the one that started it, so that peak must be lower.
    fn is_near(&self, limit: u64) -> bool {
        let near = limit / 5 * 4;
        self.peak >= near && own_peak().is_some_and(|own| own < near)
    }
}

/// The peak memory of this process, if the system reports it.
fn own_peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn signal_name(signal: i32) -> &'static str {
    match Signal::from_named_raw(signal) {
        Some(Signal::SEGV) => " (segmentation fault)",
        Some(Signal::ABORT) => " (abort)",
        Some(Signal::BUS) => " (bus error)",
        Some(Signal::FPE) => " (arithmetic error)",
        Some(Signal::ILL) => " (illegal instruction)",
        Some(Signal::KILL) => " (kill)",
        _ => "",
    }
}
