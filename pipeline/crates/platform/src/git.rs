//! Git, through its program, and without running anything that a repository names.
//!
//! A repository may be somebody else's, and its config can name programs: a monitor of the file system,
//! hooks, filters, pagers, ways to fetch what is missing. Whoever unpacks an archive or clones by copying has
//! such a config without having written it. Here all of that is switched off, for every command of git that
//! this program runs. Ownership stays git's own matter (`safe.directory`), as does the config of user and
//! system, so far as it is not overridden here.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::plain;

/// Settings that could start a program, each with a value that does not.
const OFF: [(&str, &str); 9] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.pager", "cat"),
    ("core.attributesFile", "/dev/null"),
    ("core.sshCommand", "false"),
    ("diff.external", ""),
    ("log.showSignature", "false"),
    ("protocol.allow", "never"),
    ("status.submoduleSummary", "false"),
];

/// The same for the environment. A list of allowed protocols outranks whatever a config allows, so that a
/// missing object is missing.
const ENVIRONMENT: [(&str, &str); 5] = [
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Settings that start programs under names of the repository's choosing: they have to be asked for before
/// they can be overridden.
const NAMED_PROGRAMS: &str = r"^(filter|hook)\..+\.";

/// Has git do something in a folder.
///
/// Submodules have configs of their own, to which nothing of this reaches: where git would look into them, it
/// must be told not to.
pub fn git(folder: &Path, arguments: &[&str]) -> io::Result<Output> {
    git_reading(folder, arguments, Stdio::null())
}

/// The same; it reads this as its standard input.
pub fn git_reading(folder: &Path, arguments: &[&str], input: Stdio) -> io::Result<Output> {
    let named = command(folder, &["config", "--null", "--name-only", "--get-regexp", NAMED_PROGRAMS], &[])
        .output()?;
    // 1: there are none. Anything else is a config that cannot be read, and so a repository that cannot be
    // looked at.
    if !matches!(named.status.code(), Some(0 | 1)) {
        return Ok(named);
    }
    let keys: Vec<&OsStr> =
        named.stdout.split(|&byte| byte == 0).filter(|key| !key.is_empty()).map(OsStr::from_bytes).collect();
    command(folder, arguments, &keys).stdin(input).output()
}

/// A command with everything switched off, and with these settings empty: git runs no empty command, and to
/// be empty is to be false.
fn command(folder: &Path, arguments: &[&str], emptied: &[&OsStr]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments).stdin(Stdio::null()).envs(ENVIRONMENT);
    // What the user set in the same way, such as `safe.directory`, stays; ours comes later, and the last one
    // counts.
    let variable = "GIT_CONFIG_COUNT";
    let before: usize = std::env::var(variable).ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    let off = OFF.iter().map(|(key, value)| (OsStr::new(key), *value));
    let settings: Vec<(&OsStr, &str)> = off.chain(emptied.iter().map(|&key| (key, ""))).collect();
    for (place, (key, value)) in (before..).zip(&settings) {
        command.env(numbered("KEY", place), key).env(numbered("VALUE", place), value);
    }
    command.env(variable, (before + settings.len()).to_string());
    command
}

fn numbered(what: &str, place: usize) -> OsString {
    format!("GIT_CONFIG_{what}_{place}").into()
}

/// What git says is wrong, fit for a terminal.
pub fn stderr_text(output: &Output) -> String {
    const MOST_LINES: usize = 8;
    let text = String::from_utf8_lossy(&output.stderr).replace('\t', "    ");
    let lines: Vec<String> = text.trim().lines().take(MOST_LINES).map(plain::line).collect();
    lines.join("\n")
}
