//! Signatures that were computed before: an agent may think for seconds over the frozen positions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::agent::Budget;
use engine::{Ending, Rules, signature};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::catalogue::PluginEntry;
use crate::record::hex;
use crate::worker::{Downfall, Launcher, WorkerError};

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
    known: Mutex<BTreeMap<String, String>>,
}

impl Signatures {
    /// The cache at this path; an unreadable one counts as empty.
    #[must_use]
    pub fn load(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        Self { path: path.to_owned(), known: Mutex::new(serde_json::from_str(&text).unwrap_or_default()) }
    }

    /// The signature of an agent, from the cache or from a worker.
    ///
    /// An agent that fails on the frozen positions by itself has a signature that says so: its games are still played, and each
    /// shows its fault. One that runs out of time or memory there has none, since another machine might give it enough.
    ///
    /// # Errors
    /// Where the agent cannot be made at all, or runs out of time or memory, or no worker can be started.
    pub fn get(&self, launcher: &Launcher, subject: &Subject<'_>) -> Result<String, WorkerError> {
        let key = cache_key(subject);
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        // The lock is not held meanwhile: other threads compute other signatures.
        let signature = match compute(launcher, subject)? {
            Ok(signature) => signature,
            Err(late) if late.ending == Ending::Timeout => return of_fault(&late),
            // A worker may go down for reasons that are not the agent's: such a fault counts when it comes twice, and is never
            // taken from the cache.
            Err(_) => match compute(launcher, subject)? {
                Ok(signature) => signature,
                Err(fault) => return of_fault(&fault),
            },
        };
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(key, signature.clone());
        self.save(&all);
        Ok(signature)
    }

    /// Keeps the cache on disk. That it cannot be is no reason to stop: it only saves time.
    fn save(&self, known: &BTreeMap<String, String>) {
        // Two programs may plan at once: each writes a file of its own.
        let temporary = self.path.with_extension(format!("{}.tmp", std::process::id()));
        let write = || -> std::io::Result<()> {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&temporary, serde_json::to_string_pretty(known)?)?;
            fs::rename(&temporary, &self.path)
        };
        if write().is_err() {
            let _ = fs::remove_file(&temporary);
        }
    }
}

/// The signature of an agent that fails on the frozen positions, unless it is the machine that sets the limit.
fn of_fault(fault: &Downfall) -> Result<String, WorkerError> {
    let remedy = match fault.ending {
        Ending::Timeout => "raise `move_limit_ms`, or lower the budget",
        Ending::ResourceLimit => "raise --memory",
        ending => return Ok(format!("{}:fault:{ending}", signature::VERSION)),
    };
    let reason = format!("on the frozen positions of the decision signature, {fault}; {remedy}");
    Err(WorkerError::Down(Downfall { ending: fault.ending, reason }))
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

/// The signature, or the fault that the agent commits on the frozen positions.
fn compute(launcher: &Launcher, subject: &Subject<'_>) -> Result<Result<String, Downfall>, WorkerError> {
    let mut worker = launcher.start()?;
    worker.open(&subject.plugin.file)?;
    worker.create(subject.agent, subject.rules, subject.params, subject.budget)?;
    match worker.sign(subject.move_limit) {
        Ok(signature) => Ok(Ok(signature)),
        Err(WorkerError::Failed(reason)) => Ok(Err(Downfall { ending: Ending::AgentError, reason })),
        Err(WorkerError::Down(downfall)) => Ok(Err(downfall)),
        Err(other) => Err(other),
    }
}
