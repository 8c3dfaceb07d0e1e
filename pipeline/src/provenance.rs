//! Provenance: where and by what records were made. It stands beside their identity, and is no part of it.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::git::git;

/// Where and by what records were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the pipeline.
    pub pipeline: String,
    /// The commit that was checked out, if the configs stand in a git repository.
    pub commit: Option<String>,
    /// Whether files beside the results differed from that commit.
    pub dirty: Option<bool>,
    /// The compiler.
    pub rustc: String,
    /// The processor.
    pub cpu: String,
    /// The platform.
    pub platform: String,
    /// When, in UTC.
    pub date: String,
    /// The SHA-256 of the plugin's file.
    pub plugin_sha256: String,
}

impl Provenance {
    /// The provenance of what is made now, in the repository around `folder`.
    #[must_use]
    pub fn now(folder: &Path, plugin_sha256: &str) -> Self {
        Self {
            pipeline: env!("CARGO_PKG_VERSION").to_owned(),
            commit: printed(folder, &["rev-parse", "HEAD"]),
            dirty: printed(folder, &["status", "--porcelain", "--", ":/", ":(exclude,top)results"])
                .map(|changes| !changes.is_empty()),
            rustc: env!("RETILE_RUSTC").to_owned(),
            cpu: cpu_name(),
            platform: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            plugin_sha256: plugin_sha256.to_owned(),
        }
    }
}

/// What a git command prints; none without git or outside a repository.
fn printed(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = git(folder, arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The processor's name as the system gives it.
#[must_use]
pub fn cpu_name() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = info.lines().find(|line| line.starts_with("model name"));
    let name = named.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
