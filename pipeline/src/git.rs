//! Git, through its program.

use std::path::Path;
use std::process::Command;

/// A git command in a folder.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    command
}
