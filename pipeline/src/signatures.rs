//! Signatures that were computed before: an agent may think for seconds over the frozen positions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::Rules;
use engine::agent::Budget;
use engine::signature;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::catalogue::PluginEntry;
use crate::record::hex;
use crate::worker::{Launcher, WorkerError};

/// What determines an agent's decisions on the frozen positions.
pub struct Subject<'a> {
    /// The plugin that the agent is in.
    pub plugin: &'a PluginEntry,
    /// The agent's id.
    pub agent: &'a str,
    /// The rules that it plays by.
    pub rules: &'a Rules,
    /// All of its parameters.
    pub params: &'a Map<String, Value>,
    /// What it may use for a move.
    pub budget: Budget,
    /// How long it may take over one position.
    pub move_limit: Duration,
}

/// The cache. It is kept beside the results and may be deleted at any time.
pub struct Signatures {
    path: PathBuf,
    known: BTreeMap<String, String>,
}

impl Signatures {
    /// The cache at this path; an unreadable one counts as empty.
    #[must_use]
    pub fn load(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        Self { path: path.to_owned(), known: serde_json::from_str(&text).unwrap_or_default() }
    }

    /// The signature of an agent, from the cache or from a worker.
    ///
    /// An agent that goes down on the frozen positions has a signature that says so: its games are still played, and each
    /// shows its fault.
    ///
    /// # Errors
    /// Where the agent cannot be made at all.
    pub fn get(&mut self, launcher: &Launcher, subject: &Subject<'_>) -> Result<String, WorkerError> {
        let key = cache_key(subject);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let signature = compute(launcher, subject)?;
        self.known.insert(key, signature.clone());
        self.save();
        Ok(signature)
    }

    /// Keeps the cache on disk. That it cannot be is no reason to stop: it only saves time.
    fn save(&self) {
        let temporary = self.path.with_extension("tmp");
        let write = || -> std::io::Result<()> {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&temporary, serde_json::to_string_pretty(&self.known)?)?;
            fs::rename(&temporary, &self.path)
        };
        let _ = write();
    }
}

fn cache_key(subject: &Subject<'_>) -> String {
    let all = json!({
        "positions": signature::VERSION,
        "plugin": subject.plugin.sha256,
        "agent": subject.agent,
        "rules": subject.rules,
        "params": subject.params,
        "budget": subject.budget,
    });
    hex(&Sha256::digest(all.to_string()))
}

fn compute(launcher: &Launcher, subject: &Subject<'_>) -> Result<String, WorkerError> {
    /// More than there are positions and moves in the set.
    const DECISIONS: u32 = 64;
    let mut worker = launcher
        .start()
        .map_err(|error| WorkerError::Refused(format!("no worker can be started: {error}")))?;
    worker.open(&subject.plugin.file)?;
    worker.create(subject.agent, subject.rules, subject.params, subject.budget)?;
    let fault = |what: &str| format!("{}:fault:{what}", signature::VERSION);
    match worker.sign(subject.move_limit.saturating_mul(DECISIONS)) {
        Ok(signature) => Ok(signature),
        Err(WorkerError::Refused(_)) => Ok(fault("agent-error")),
        Err(WorkerError::Down(downfall)) => Ok(fault(downfall.ending.name())),
    }
}
