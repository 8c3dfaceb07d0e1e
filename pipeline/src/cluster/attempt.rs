//! An attempt at a shard: a process on a node that plays what earlier attempts have left, in a folder of its own.

use std::io::{self, Write as _};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use platform::atomic::{self, WriteError};
use platform::clock;
use platform::confined::ConfinedPath;
use platform::open::LARGEST_TEXT;
use platform::scratch::ScratchFile;
use records::layout::Layout;

/// How often a process gives a sign of life.
pub const SIGN_EVERY: Duration = Duration::from_secs(20);
/// After how long without one it is taken for dead. The clocks of nodes may differ a little.
pub const DEAD_AFTER: Duration = Duration::from_secs(180);

/// An attempt at a shard.
#[derive(Clone, Debug)]
pub struct Attempt {
    folder: ConfinedPath,
}

/// What a process says when it begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// When, in UTC.
    pub date: String,
    /// The job as the scheduler calls it, with the number of times that it was begun again; none outside of one.
    pub job: Option<String>,
    /// The node.
    pub host: String,
    /// The process on it.
    pub process: u32,
    /// How many games it plays at once.
    pub cores: u16,
    /// The node's processor.
    pub cpu: String,
    /// The node's kernel.
    pub kernel: Option<String>,
}

/// What it says when it ends, if it can still say something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// When, in UTC.
    pub date: String,
    /// Why it ended.
    pub cause: Cause,
    /// The same, for people; empty where there is no more to say.
    pub words: String,
    /// How many games it has played.
    pub played: u64,
}

/// Why an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Everything is played.
    Done,
    /// The time limit was near. The job was put back into the queue.
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
    /// The file system, or what is copied into the work folder, is not as it should be.
    Files,
    /// Nothing is known.
    Unknown,
}

impl Cause {
    /// The cause in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Done => "everything is played",
            Self::Requeued => "it ran into the time limit and was put back into the queue",
            Self::Time => "it ran out of time",
            Self::Memory => "it ran out of memory",
            Self::Node => "its node failed",
            Self::Cancelled => "it was cancelled",
            Self::Agent => "its agent failed",
            Self::Files => "its files cannot be used",
            Self::Unknown => "it ended without a word",
        }
    }
}

impl Attempt {
    /// The attempt in this folder.
    #[must_use]
    pub fn at(folder: ConfinedPath) -> Self {
        Self { folder }
    }

    /// Begins one: its folder is made, and nobody else can have it.
    ///
    /// # Errors
    /// Where the folder is there already, or cannot be made.
    pub fn begin(shard: &ConfinedPath, name: &str, begun: &Begun) -> io::Result<Self> {
        shard.make_folder()?;
        let attempt = Self::at(shard.join(name));
        attempt.folder.make_new_folder()?;
        atomic::write_json(&attempt.folder.join("begun.json"), begun).map_err(io::Error::other)?;
        attempt.give_sign()?;
        Ok(attempt)
    }

    /// Its folder.
    #[must_use]
    pub fn folder(&self) -> &ConfinedPath {
        &self.folder
    }

    /// Where its games are, laid out as a results folder.
    #[must_use]
    pub fn layout(&self) -> Layout {
        Layout::below(&self.folder)
    }

    /// What it said when it began.
    #[must_use]
    pub fn begun(&self) -> Option<Begun> {
        self.said("begun.json")
    }

    /// What it said when it ended; none where it is still under way, or was killed.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.said("ended.json")
    }

    fn said<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&self.folder.join(name).read(LARGEST_TEXT).ok()?).ok()
    }

    /// Says that it ends.
    ///
    /// # Errors
    /// Where that cannot be written.
    pub fn end(&self, ended: &Ended) -> Result<(), WriteError> {
        // A submission that was cancelled meanwhile is not begun again.
        if !self.folder.is_folder() {
            return Ok(());
        }
        atomic::write_json(&self.folder.join("ended.json"), ended).map(drop)
    }

    /// Gives a sign of life.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn give_sign(&self) -> io::Result<()> {
        // Without making folders: those of a submission that was cancelled meanwhile stay removed.
        let path = self.folder.join("alive");
        let mut file = ScratchFile::beside(&path)?;
        file.write_all(clock::now().as_bytes())?;
        file.become_file(&path)
    }

    /// When it last gave a sign of life.
    #[must_use]
    pub fn last_sign(&self) -> Option<SystemTime> {
        let text = self.folder.join("alive").read(64).ok()?;
        humantime::parse_rfc3339(std::str::from_utf8(&text).ok()?).ok()
    }

    /// Whether it neither ended nor has been silent for long.
    #[must_use]
    pub fn seems_alive(&self) -> bool {
        let is_recent =
            |sign: SystemTime| SystemTime::now().duration_since(sign).unwrap_or_default() < DEAD_AFTER;
        self.ended().is_none() && self.last_sign().is_some_and(is_recent)
    }

    /// How long ago it was begun.
    #[must_use]
    pub fn age(&self) -> Duration {
        let begun = self.begun().and_then(|begun| humantime::parse_rfc3339(&begun.date).ok());
        begun.and_then(|begun| SystemTime::now().duration_since(begun).ok()).unwrap_or_default()
    }

    /// How long it has had its node, as far as it has said.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let date = |text: String| humantime::parse_rfc3339(&text).ok();
        let begun = self.begun().and_then(|begun| date(begun.date));
        let ended = self.ended().and_then(|ended| date(ended.date)).or_else(|| self.last_sign());
        begun.zip(ended).and_then(|(begun, ended)| ended.duration_since(begun).ok()).unwrap_or_default()
    }
}
