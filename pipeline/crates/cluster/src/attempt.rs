//! An attempt at a shard: a process on a node that continues the work of earlier attempts, in a folder of its
//! own.

use std::io::{self, Write as _};
use std::time::{Duration, SystemTime};

use platform::{ConfinedPath, LARGEST_TEXT, ScratchFile, WriteError, atomic, clock};
use records::Layout;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How often a process shows that it is alive.
pub const HEARTBEAT_EVERY: Duration = Duration::from_secs(20);
/// After how long without a heartbeat it counts as dead. The clocks of nodes may differ a little.
const DEAD_AFTER: Duration = Duration::from_secs(180);

/// An attempt at a shard.
#[derive(Clone, Debug)]
pub struct Attempt {
    folder: ConfinedPath,
}

/// What a process writes when it starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttemptStart {
    /// When, in UTC.
    pub date: String,
    /// The number of its Slurm job; absent outside of one.
    pub job: Option<String>,
    /// The node.
    pub host: String,
    /// How many rows it works on at once.
    pub cores: u16,
}

/// What a process writes when it ends, if it still can.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttemptEnd {
    /// When, in UTC.
    pub date: String,
    /// Why it ended.
    pub cause: Cause,
    /// Details for people; empty if there are none.
    pub reason: String,
    /// How many rows it finished.
    pub rows: u64,
}

/// Why an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// All rows are there.
    Complete,
    /// Its share is there; other parts or a later array continue.
    Paused,
    /// The time limit was near, and the job went back into the queue.
    Requeued,
    /// The time limit was reached.
    Time,
    /// There was not enough memory.
    Memory,
    /// The node failed.
    Node,
    /// It was cancelled.
    Cancelled,
    /// The agent faulted or could not be made.
    Agent,
    /// The file system, or a copy in the work folder, is not as it should be.
    Files,
    /// Nothing is known.
    Unknown,
}

impl Cause {
    /// The cause in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Complete => "everything is done",
            Self::Paused => "its share is done, and the rest waits for other parts",
            Self::Requeued => "it reached the time limit and went back into the queue",
            Self::Time => "it ran out of time",
            Self::Memory => "it ran out of memory",
            Self::Node => "its node failed",
            Self::Cancelled => "it was cancelled",
            Self::Agent => "its agent failed",
            Self::Files => "its files cannot be used",
            Self::Unknown => "it ended for an unknown reason",
        }
    }
}

impl Attempt {
    pub(crate) fn at(folder: ConfinedPath) -> Self {
        Self { folder }
    }

    /// Starts an attempt in a new folder that no other process has.
    pub fn begin(shard: &ConfinedPath, name: &str, start: &AttemptStart) -> io::Result<Self> {
        shard.make_folder()?;
        let attempt = Self::at(shard.join(name));
        attempt.folder.make_new_folder()?;
        atomic::write_json(&attempt.folder.join("begun.json"), start).map_err(io::Error::other)?;
        attempt.heartbeat()?;
        Ok(attempt)
    }

    /// Its folder.
    pub fn folder(&self) -> &ConfinedPath {
        &self.folder
    }

    /// Its results, laid out as a results folder.
    pub fn layout(&self) -> Layout {
        Layout::below(&self.folder)
    }

    pub(crate) fn start(&self) -> Option<AttemptStart> {
        self.read("begun.json")
    }

    /// How it ended; `None` if it is still running, or was killed.
    pub fn end(&self) -> Option<AttemptEnd> {
        self.read("ended.json")
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&self.folder.join(name).read(LARGEST_TEXT).ok()?).ok()
    }

    /// Writes how it ended.
    pub fn write_end(&self, end: &AttemptEnd) -> Result<(), WriteError> {
        // The folder of a submission that was cancelled meanwhile is not made again.
        if !self.folder.is_folder() {
            return Ok(());
        }
        atomic::write_json(&self.folder.join("ended.json"), end).map(drop)
    }

    /// Shows that the process is alive.
    pub fn heartbeat(&self) -> io::Result<()> {
        // Without making folders: those of a submission that was cancelled meanwhile stay removed.
        let path = self.folder.join("alive");
        let mut file = ScratchFile::beside(&path)?;
        file.write_all(clock::now().as_bytes())?;
        file.become_file(&path)
    }

    fn last_heartbeat(&self) -> Option<SystemTime> {
        let text = self.folder.join("alive").read(64).ok()?;
        humantime::parse_rfc3339(std::str::from_utf8(&text).ok()?).ok()
    }

    /// Whether it has not ended, and was alive a short while ago.
    pub fn seems_alive(&self) -> bool {
        let is_recent =
            |beat: SystemTime| SystemTime::now().duration_since(beat).unwrap_or_default() < DEAD_AFTER;
        self.end().is_none() && self.last_heartbeat().is_some_and(is_recent)
    }

    /// How long it has had its node, as far as it has written.
    pub(crate) fn elapsed(&self) -> Duration {
        let date = |text: String| humantime::parse_rfc3339(&text).ok();
        let start = self.start().and_then(|start| date(start.date));
        let end = self.end().and_then(|end| date(end.date)).or_else(|| self.last_heartbeat());
        start.zip(end).and_then(|(start, end)| end.duration_since(start).ok()).unwrap_or_default()
    }
}
