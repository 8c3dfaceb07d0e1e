//! How a worker went down: what its process left behind, in words, and the ending that it means for a game.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use engine::Ending;
use rustix::process::Signal;

/// How a worker went down.
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

impl Downfall {
    /// What the end of a worker's process means, by its exit status and by what it said last.
    pub(super) fn of(status: Option<ExitStatus>, said: &str) -> Self {
        let out_of_memory =
            ["memory allocation of", "std::bad_alloc", "out of memory", "Cannot allocate memory"];
        let ran_out = out_of_memory.iter().any(|words| said.contains(words));
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
        let last_words = |line| format!("{how}; its last words: {}", harmless(line));
        let reason = last_line.map_or_else(|| how.clone(), last_words);
        Self { ending, reason }
    }
}

/// What a plugin said, fit for a terminal and a line: no control characters, and no more than can be read.
pub(crate) fn harmless(text: &str) -> String {
    const LONGEST: usize = 300;
    let plain = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let mut shown: String = text.chars().take(LONGEST).map(plain).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
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
