//! The files of a revision, without touching what is checked out.

use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use bundle::archive::objection;
use platform::confined::ConfinedPath;
use platform::git::{git, git_reading, stderr_text};
use platform::plain;

/// The repository around a folder.
#[derive(Debug)]
pub(super) struct RevisionReader {
    top: PathBuf,
}

/// Why files of a revision cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum GitError {
    #[error(
        "`{revision}` is not a folder, and git, which is needed to read a revision, does not start: {source}"
    )]
    NoGit { revision: String, source: io::Error },
    #[error("`{revision}` is not a folder, and there is no repository around {} in which it could be a revision: git says: {said}", folder.display())]
    NoRepository { revision: String, folder: PathBuf, said: String },
    #[error("`{revision}` is neither a folder nor a revision of {}", top.display())]
    Unknown { revision: String, top: PathBuf },
    #[error("{} is outside the repository {}: name a folder inside it with --results and --configs", path.display(), top.display())]
    Outside { path: PathBuf, top: PathBuf },
    #[error("git {command} failed: {said}")]
    Failed { command: String, said: String },
    #[error("`{}` in the commit {reason}, but results must be plain files", plain::line(name))]
    NotPlain { name: String, reason: &'static str },
    #[error("{}: the file cannot be written", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl RevisionReader {
    /// The repository around a folder. The revision is what it is asked for.
    pub(super) fn around(folder: &Path, revision: &str) -> Result<Self, GitError> {
        let no_git = |source| GitError::NoGit { revision: revision.to_owned(), source };
        let output = git(folder, &["rev-parse", "--show-toplevel"]).map_err(no_git)?;
        match line(&output) {
            Some(top) => Ok(Self { top: top.into() }),
            // It may be there and not be trusted, as one of another user is: git says what to do.
            None => Err(GitError::NoRepository {
                revision: revision.to_owned(),
                folder: folder.to_owned(),
                said: stderr_text(&output),
            }),
        }
    }

    /// The commit that a revision means, in full.
    pub(super) fn commit(&self, revision: &str) -> Result<String, GitError> {
        let output = self.run(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
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
        let output = self.run(&["cat-file", "-e", &format!("{commit}:{path}")])?;
        Ok(output.status.success())
    }

    /// Writes one file of a commit.
    pub(super) fn write_file(&self, commit: &str, path: &str, target: &ConfinedPath) -> Result<(), GitError> {
        let output = self.must(&["cat-file", "blob", &format!("{commit}:{path}")], Stdio::null())?;
        write(target, &output.stdout)
    }

    /// Writes a folder of a commit to `target`: objects as they are, so that neither links nor filters come
    /// into play, and the checkout and its index stay as they are.
    pub(super) fn write_folder(
        &self,
        commit: &str,
        path: &str,
        target: &ConfinedPath,
    ) -> Result<(), GitError> {
        let failed = |source| GitError::Io { path: target.path().to_owned(), source };
        let tree = self.must(&["ls-tree", "-r", "-z", &format!("{commit}:{path}")], Stdio::null())?;
        let blobs = blobs(&tree.stdout)?;
        let mut wanted = tempfile::tempfile().map_err(failed)?;
        blobs.iter().try_for_each(|blob| writeln!(wanted, "{}", blob.object)).map_err(failed)?;
        wanted.rewind().map_err(failed)?;
        let objects = self.must(&["cat-file", "--batch"], wanted.into())?.stdout;
        let mut rest = &objects[..];
        for blob in &blobs {
            let (bytes, behind) = next_object(rest).ok_or_else(|| GitError::Failed {
                command: "cat-file --batch".to_owned(),
                said: format!("`{}` is missing", plain::line(&blob.name)),
            })?;
            write(&target.join(&blob.name), bytes)?;
            rest = behind;
        }
        Ok(())
    }

    fn must(&self, arguments: &[&str], input: Stdio) -> Result<Output, GitError> {
        let output = self.run_reading(arguments, input)?;
        if output.status.success() {
            return Ok(output);
        }
        Err(GitError::Failed { command: arguments.join(" "), said: stderr_text(&output) })
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, GitError> {
        self.run_reading(arguments, Stdio::null())
    }

    fn run_reading(&self, arguments: &[&str], input: Stdio) -> Result<Output, GitError> {
        let failed =
            |source: io::Error| GitError::Failed { command: arguments.join(" "), said: source.to_string() };
        git_reading(&self.top, arguments, input).map_err(failed)
    }
}

/// A file of a tree.
struct Blob {
    object: String,
    name: String,
}

/// The files in what `ls-tree` prints. A tree may be made by hand: its names can be anything, its entries
/// links.
fn blobs(list: &[u8]) -> Result<Vec<Blob>, GitError> {
    let mut blobs = Vec::new();
    for line in list.split(|&byte| byte == 0).filter(|line| !line.is_empty()) {
        let line = String::from_utf8_lossy(line);
        let (about, name) = line.split_once('\t').unwrap_or((&line, ""));
        let not_plain = |reason| GitError::NotPlain { name: name.to_owned(), reason };
        if let Some(reason) = objection(name) {
            return Err(not_plain(reason));
        }
        match about.split(' ').collect::<Vec<_>>()[..] {
            ["100644" | "100755", "blob", object] => {
                blobs.push(Blob { object: object.to_owned(), name: name.to_owned() });
            }
            _ => return Err(not_plain("is a link or a repository of its own")),
        }
    }
    Ok(blobs)
}

/// The first object in what `cat-file --batch` prints, and what stands behind it; none where it is missing.
fn next_object(printed: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = printed.iter().position(|&byte| byte == b'\n')?;
    let about = std::str::from_utf8(&printed[..end]).ok()?;
    let size: usize = about.rsplit_once(' ')?.1.parse().ok()?;
    let object = printed.get(end + 1..)?;
    Some((object.get(..size)?, object.get(size + 1..)?))
}

fn write(target: &ConfinedPath, bytes: &[u8]) -> Result<(), GitError> {
    let failed = |source| GitError::Io { path: target.path().to_owned(), source };
    target.parent().map_or(Ok(()), |folder| folder.make_folder()).map_err(failed)?;
    target.create().and_then(|mut file| file.write_all(bytes)).map_err(failed)
}

/// What a command that succeeded printed, without the end of the line.
fn line(output: &Output) -> Option<String> {
    let text = std::str::from_utf8(&output.stdout).ok()?.trim_end_matches(['\r', '\n']);
    output.status.success().then(|| text.to_owned())
}
