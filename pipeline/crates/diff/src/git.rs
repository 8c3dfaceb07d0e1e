//! The files of a revision, without touching what is checked out.

use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use super::SourceError;
use bundle::archive::objection;
use platform::git::{git, git_reading, stderr_text};
use platform::{ConfinedPath, plain};

/// The repository around a folder.
#[derive(Debug)]
pub(super) struct RevisionReader {
    top: PathBuf,
}

fn usage(text: String) -> SourceError {
    SourceError::Usage(text)
}

impl RevisionReader {
    /// The repository around a folder, in which this revision is looked for.
    pub(super) fn around(folder: &Path, revision: &str) -> Result<Self, SourceError> {
        let output = git(folder, &["rev-parse", "--show-toplevel"]).map_err(|error| {
            usage(format!("`{revision}` is not a folder, and git, which is needed to read a revision, does not start: {error}"))
        })?;
        let top = line(&output).ok_or_else(|| {
            // The repository may exist and not be trusted, such as one of another user: git says what to do.
            let (folder, said) = (folder.display(), stderr_text(&output));
            usage(format!("`{revision}` is not a folder, and there is no repository around {folder} in which it could be a revision: git says: {said}"))
        })?;
        Ok(Self { top: top.into() })
    }

    /// The commit that a revision means, in full.
    pub(super) fn commit(&self, revision: &str) -> Result<String, SourceError> {
        let arguments = ["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")];
        let unknown = || format!("`{revision}` is neither a folder nor a revision of {}", self.top.display());
        line(&self.run(&arguments, Stdio::null())?).ok_or_else(|| usage(unknown()))
    }

    /// A path as the repository has it: from its top, with slashes.
    pub(super) fn inside(&self, path: &Path) -> Result<String, SourceError> {
        let outside = || {
            let (path, top) = (path.display(), self.top.display());
            usage(format!(
                "{path} is outside the repository {top}: name a folder inside it with --results and --configs"
            ))
        };
        let whole = std::path::absolute(path).map_err(|_| outside())?;
        // A folder that is gone from the work tree may still be in the revision.
        let whole = whole.canonicalize().unwrap_or(whole);
        let inside = whole.strip_prefix(&self.top).map_err(|_| outside())?;
        inside.to_str().map(ToOwned::to_owned).ok_or_else(outside)
    }

    /// Writes a file or a folder of a commit to `target`, and returns whether the commit has it. Objects are
    /// written as they are, without links and filters; the checkout and its index stay as they are.
    pub(super) fn write(&self, commit: &str, path: &str, target: &ConfinedPath) -> Result<bool, SourceError> {
        let failed = |error| usage(format!("{}: the file cannot be written: {error}", target.display()));
        let list = self.must(&["ls-tree", "-r", "-z", "--full-tree", "--", commit, path], Stdio::null())?;
        let blobs = blobs(&list, path)?;
        let mut wanted = tempfile::tempfile().map_err(failed)?;
        blobs.iter().try_for_each(|(object, _)| writeln!(wanted, "{object}")).map_err(failed)?;
        wanted.rewind().map_err(failed)?;
        let objects = self.must(&["cat-file", "--batch"], wanted.into())?;
        let mut rest = &objects[..];
        for (_, name) in &blobs {
            let missing =
                || usage(format!("git cat-file --batch failed: `{}` is missing", plain::line(name)));
            let (bytes, behind) = next_object(rest).ok_or_else(missing)?;
            let file = if name.is_empty() { target.clone() } else { target.join(name) };
            file.parent().map_or(Ok(()), |folder| folder.make_folder()).map_err(failed)?;
            file.create().and_then(|mut file| file.write_all(bytes)).map_err(failed)?;
            rest = behind;
        }
        Ok(!blobs.is_empty())
    }

    /// The output of a command that must succeed.
    fn must(&self, arguments: &[&str], input: Stdio) -> Result<Vec<u8>, SourceError> {
        let output = self.run(arguments, input)?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(usage(format!("git {} failed: {}", arguments.join(" "), stderr_text(&output)))),
        }
    }

    fn run(&self, arguments: &[&str], input: Stdio) -> Result<Output, SourceError> {
        let failed = |error| usage(format!("git {} failed: {error}", arguments.join(" ")));
        git_reading(&self.top, arguments, input).map_err(failed)
    }
}

/// The objects and names, from this path on, in the output of `ls-tree`. A tree may be made by hand: its
/// names can be anything, its entries links.
fn blobs(list: &[u8], path: &str) -> Result<Vec<(String, String)>, SourceError> {
    let mut blobs = Vec::new();
    for line in list.split(|&byte| byte == 0).filter(|line| !line.is_empty()) {
        let line = String::from_utf8_lossy(line);
        let (about, name) = line.split_once('\t').unwrap_or((&line, ""));
        let below = name.strip_prefix(path).unwrap_or(name).trim_start_matches('/');
        let problem = match (objection(name), &about.split(' ').collect::<Vec<_>>()[..]) {
            (Some(reason), _) => reason,
            (None, ["100644" | "100755", "blob", object]) => {
                blobs.push(((*object).to_owned(), below.to_owned()));
                continue;
            }
            (None, _) => "is a link or a repository of its own",
        };
        let name = plain::line(below);
        return Err(usage(format!("`{name}` in the commit {problem}, but results must be plain files")));
    }
    Ok(blobs)
}

/// The first object in the output of `cat-file --batch`, and the rest; `None` if it is missing.
fn next_object(printed: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = printed.iter().position(|&byte| byte == b'\n')?;
    let about = std::str::from_utf8(&printed[..end]).ok()?;
    let size: usize = about.rsplit_once(' ')?.1.parse().ok()?;
    let object = printed.get(end + 1..)?;
    Some((object.get(..size)?, object.get(size + 1..)?))
}

/// The output of a command that succeeded, without the end of the line.
fn line(output: &Output) -> Option<String> {
    let text = std::str::from_utf8(&output.stdout).ok()?.trim_end_matches(['\r', '\n']);
    output.status.success().then(|| text.to_owned())
}
