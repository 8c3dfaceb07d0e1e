//! The files of a revision, without touching what is checked out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::git::git;

/// The repository around a folder.
#[derive(Debug)]
pub(super) struct Repository {
    top: PathBuf,
}

/// Why files of a revision cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum GitError {
    #[error("`{revision}` is no folder, and for a revision git is needed, which does not start: {source}")]
    NoGit { revision: String, source: io::Error },
    #[error("`{revision}` is no folder, and as a revision it has no repository around {}: git says: {said}", folder.display())]
    NoRepository { revision: String, folder: PathBuf, said: String },
    #[error("`{revision}` is neither a folder nor a revision of {}", top.display())]
    Unknown { revision: String, top: PathBuf },
    #[error("{} is outside of the repository {}: name a folder inside with --out and --configs", path.display(), top.display())]
    Outside { path: PathBuf, top: PathBuf },
    #[error("git {command} fails: {said}")]
    Failed { command: String, said: String },
    #[error("{}: the file cannot be written", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl Repository {
    /// The repository around a folder. The revision is what it is asked for.
    pub(super) fn around(folder: &Path, revision: &str) -> Result<Self, GitError> {
        let no_git = |source| GitError::NoGit { revision: revision.to_owned(), source };
        let output = git(folder, &["rev-parse", "--show-toplevel"]).output().map_err(no_git)?;
        match line(&output) {
            Some(top) => Ok(Self { top: top.into() }),
            // It may be there and not be trusted, as one of another user is: git says what to do.
            None => Err(GitError::NoRepository {
                revision: revision.to_owned(),
                folder: folder.to_owned(),
                said: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            }),
        }
    }

    /// The commit that a revision means, in full.
    pub(super) fn commit(&self, revision: &str) -> Result<String, GitError> {
        let output =
            self.run(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")], None)?;
        line(&output)
            .ok_or_else(|| GitError::Unknown { revision: revision.to_owned(), top: self.top.clone() })
    }

    /// A path as the repository has it: from its top, with slashes.
    pub(super) fn inside(&self, path: &Path) -> Result<String, GitError> {
        let outside = || GitError::Outside { path: path.to_owned(), top: self.top.clone() };
        let whole = std::path::absolute(path).map_err(|_| outside())?;
        // A folder that is gone from the work tree may still be in the revision.
        let whole = whole.canonicalize().unwrap_or(whole);
        let inside = whole.strip_prefix(&self.top).map_err(|_| outside())?;
        inside.to_str().map(ToOwned::to_owned).ok_or_else(outside)
    }

    /// Whether a commit has a file or folder.
    pub(super) fn has(&self, commit: &str, path: &str) -> Result<bool, GitError> {
        let output = self.run(&["cat-file", "-e", &format!("{commit}:{path}")], None)?;
        Ok(output.status.success())
    }

    /// Writes one file of a commit.
    pub(super) fn write_file(&self, commit: &str, path: &str, target: &Path) -> Result<(), GitError> {
        let output = self.must(&["cat-file", "blob", &format!("{commit}:{path}")], None)?;
        let failed = |source| GitError::Io { path: target.to_owned(), source };
        fs::create_dir_all(target.parent().unwrap_or(target)).map_err(failed)?;
        fs::write(target, output.stdout).map_err(failed)
    }

    /// Writes a folder of a commit to `target`, through an index of its own: the checkout and its index stay as they are.
    pub(super) fn write_folder(&self, commit: &str, path: &str, target: &Path) -> Result<(), GitError> {
        let failed = |source| GitError::Io { path: target.to_owned(), source };
        fs::create_dir_all(target).map_err(failed)?;
        let scratch = tempfile::tempdir().map_err(failed)?;
        let index = scratch.path().join("index");
        let tree = format!("{commit}:{path}");
        self.must(&["read-tree", &tree], Some(&index))?;
        let prefix = format!("--prefix={}/", target.display());
        self.must(&["checkout-index", "--all", "--force", &prefix], Some(&index))?;
        Ok(())
    }

    fn must(&self, arguments: &[&str], index: Option<&Path>) -> Result<Output, GitError> {
        let output = self.run(arguments, index)?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(GitError::Failed { command: arguments.join(" "), said })
    }

    fn run(&self, arguments: &[&str], index: Option<&Path>) -> Result<Output, GitError> {
        let mut command = git(&self.top, arguments);
        if let Some(index) = index {
            command.env("GIT_INDEX_FILE", index);
        }
        let failed =
            |source: io::Error| GitError::Failed { command: arguments.join(" "), said: source.to_string() };
        command.output().map_err(failed)
    }
}

/// What a command that succeeded printed, without the end of the line.
fn line(output: &Output) -> Option<String> {
    let text = std::str::from_utf8(&output.stdout).ok()?.trim_end_matches(['\r', '\n']);
    output.status.success().then(|| text.to_owned())
}
