//! The git repository that a bundle is made from: its commit, what was changed since, and its files.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::BundleError;
use platform::git::{git, stderr_text};
use platform::plain;

/// A git repository and the commit that is checked out.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Its top folder.
    pub root: PathBuf,
    /// The commit, in hexadecimal.
    pub commit: String,
    /// When it was made, in seconds since 1970.
    pub commit_time: u64,
    /// The files that differ from the commit, or are not in it; ignored ones do not count.
    pub changes: Vec<String>,
}

impl Repository {
    /// Looks at the repository around a folder.
    pub fn around(folder: &Path) -> Result<Self, BundleError> {
        let root = PathBuf::from(printed(folder, &["rev-parse", "--show-toplevel"])?.trim_end_matches('\n'));
        let commit = printed(&root, &["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
        // The time stands before the commit. No porcelain: that may look at signatures, with a program that
        // the config names.
        let time = printed(&root, &["rev-list", "--max-count=1", "--timestamp", "HEAD"])?;
        let time = time.split_whitespace().next().unwrap_or_default();
        let wrong = |_| git_error(&root, &format!("the commit's time is `{}`", plain::line(time)));
        let commit_time = time.parse().map_err(wrong)?;
        let status = printed(&root, &CHANGES)?;
        let changes = names(&status).filter_map(|line| line.get(3..)).map(str::to_owned).collect();
        Ok(Self { root, commit, commit_time, changes })
    }

    /// The files that are there, by name, with whether they are programs: those of the commit, as they are in
    /// the work tree, and those beside them that are not ignored.
    pub fn files(&self) -> Result<BTreeMap<String, bool>, BundleError> {
        let mut files = BTreeMap::new();
        for line in names(&printed(&self.root, &["ls-files", "--stage", "-z"])?) {
            let Some((stage, name)) = line.split_once('\t') else { continue };
            let is_executable = match stage.split(' ').next() {
                Some("100644") => false,
                Some("100755") => true,
                Some("120000") => return Err(self.unbundleable(name, "a link")),
                _ => return Err(self.unbundleable(name, "a repository of its own")),
            };
            files.insert(name.to_owned(), is_executable);
        }
        for name in names(&printed(&self.root, &["ls-files", "--others", "--exclude-standard", "-z"])?) {
            let mode = std::fs::metadata(self.root.join(name)).map_or(0, |about| about.mode());
            files.insert(name.to_owned(), mode & 0o100 != 0);
        }
        // With --allow-dirty, files that were removed are left out, and listed as changed.
        files.retain(|name, _| self.root.join(name).is_file());
        Ok(files)
    }

    fn unbundleable(&self, name: &str, reason: &str) -> BundleError {
        let (folder, name) = (self.root.display(), plain::line(name));
        BundleError::Usage(format!("{folder}: `{name}` is {reason}: it cannot be bundled"))
    }
}

/// What has changed. Into submodules git must not look; they keep a bundle from being made.
const CHANGES: [&str; 6] =
    ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty"];

/// The parts of a list that git separates by NUL.
fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split('\0').filter(|name| !name.is_empty())
}

/// What a git command prints.
fn printed(folder: &Path, arguments: &[&str]) -> Result<String, BundleError> {
    let failed = |reason: String| git_error(folder, &reason);
    let output = git(folder, arguments).map_err(|error| failed(format!("git cannot be run: {error}")))?;
    if !output.status.success() {
        return Err(failed(format!("git {}: {}", arguments[0], stderr_text(&output))));
    }
    String::from_utf8(output.stdout).map_err(|_| failed("a file's name is not UTF-8".to_owned()))
}

fn git_error(folder: &Path, reason: &str) -> BundleError {
    let folder = folder.display();
    BundleError::Usage(format!("{folder}: {reason}; a bundle is made from a git repository with a commit"))
}
