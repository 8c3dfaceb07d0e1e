//! How a process with an agent in it goes down: what its exit status and its last words mean for the game under way.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use engine::Ending;
use rustix::process::Signal;

use surroundings::plain;

/// How much of a process's standard error is kept: its end.
const KEPT_STDERR: usize = 4096;

/// How a process with an agent went down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Downfall {
    /// The ending that it means for the game under way.
    pub ending: Ending,
    /// What happened, for people.
    pub reason: String,
}

impl fmt::Display for Downfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// The words of those who got no memory: Rust, C++, C and its library, Python, the Java machine.
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
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    /// The most memory that it had at a time, in bytes.
    pub(crate) peak: u64,
}

impl End {
    /// Whether it was near a limit of its memory when it ended. A crash there is most likely one for want of memory, which a
    /// program in C need not put into words. A process begins with the peak of the one that started it, which tells nothing.
    fn is_near(&self, limit: u64) -> bool {
        let near = limit / 5 * 4;
        self.peak >= near && own_peak().is_some_and(|own| own < near)
    }
}

/// The most memory that this process had at a time, as far as the system tells.
fn own_peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// What a process's end means for the game under way, from its exit status, the limit of its memory and what it said last.
pub(crate) fn describe_exit(end: Option<End>, memory: Option<u64>, said: &str) -> Downfall {
    let words = said.to_lowercase();
    let ran_out = OUT_OF_MEMORY.iter().any(|out| words.contains(out))
        || end.zip(memory).is_some_and(|(end, limit)| end.is_near(limit));
    let status = end.map(|end| end.status);
    let how = match status {
        Some(status) => match (status.signal(), status.code()) {
            (Some(signal), _) => {
                format!("the agent's process was killed by signal {signal}{}", signal_name(signal))
            }
            (None, Some(code)) => format!("the agent ended its process with exit code {code}"),
            (None, None) => "the agent's process ended".to_owned(),
        },
        None => "the agent's process closed its descriptors and had to be killed".to_owned(),
    };
    // A kill that is not ours is the kernel's, which is out of memory.
    let killed = status.and_then(|status| status.signal()) == Some(Signal::KILL.as_raw());
    let ending = if ran_out || killed { Ending::ResourceLimit } else { Ending::AgentCrash };
    let last_line = said.lines().rev().find(|line| !line.trim().is_empty());
    let last_words = |line| format!("{how}; its last words: {}", plain::line(line));
    let reason = last_line.map_or_else(|| how.clone(), last_words);
    Downfall { ending, reason }
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

/// The end of what a process writes to standard error. It is read all the time, so that no amount of it stops the process.
pub(crate) struct StderrTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl StderrTail {
    pub(crate) fn collect(from: impl Read + Send + 'static) -> Self {
        Self::forward(from, io::sink())
    }

    /// The same; all of it is also handed on.
    pub(crate) fn forward(mut from: impl Read + Send + 'static, mut to: impl Write + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&kept);
        let reader = std::thread::spawn(move || {
            let mut chunk = [0; 8192];
            while let Ok(read @ 1..) = from.read(&mut chunk) {
                let _ = to.write_all(&chunk[..read]);
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&chunk[..read]);
                let surplus = kept.len().saturating_sub(KEPT_STDERR);
                kept.drain(..surplus);
            }
        });
        Self { kept, reader: Some(reader) }
    }

    /// Waits until all is read, once the process group is gone. Not for long: a process that left the group may hold on.
    pub(crate) fn join(&mut self) {
        let patience = Instant::now() + Duration::from_millis(200);
        while self.reader.as_ref().is_some_and(|reader| !reader.is_finished()) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.reader = None;
    }

    pub(crate) fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
