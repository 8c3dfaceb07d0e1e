//! What lies below a results folder, looked at without following a link or opening a file.

use std::io;

use crate::holder::is_holder;
use platform::confined::other_kind;
use platform::{ConfinedPath, Entry};

/// What lies below a folder.
#[derive(Debug, Default)]
pub struct Tree {
    /// The regular files that are results, by their names from the folder on, sorted.
    pub files: Vec<String>,
    /// What has no place among results: where it is, and what.
    pub strange: Vec<(ConfinedPath, &'static str)>,
}

impl Tree {
    /// Looks through a folder. Locks, caches, journals, spools and temporary files are no results.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be read; the error names it.
    pub fn of(root: &ConfinedPath) -> io::Result<Self> {
        let mut tree = Self::default();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let named =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
            // A link to a folder counts as a link, so the walk cannot loop.
            for Entry { path, kind } in folder.list().map_err(named)? {
                match (other_kind(kind), name(root, &path)) {
                    (None | Some("a folder"), Some(name)) if is_passing(&name) => {}
                    (Some("a folder"), _) => folders.push(path),
                    (Some(other), _) => tree.strange.push((path, other)),
                    (None, Some(name)) => tree.files.push(name),
                    (None, None) => tree.strange.push((path, "a file whose name is not plain text")),
                }
            }
        }
        tree.files.sort();
        tree.strange.sort();
        Ok(tree)
    }

    /// The Parquet files of a part of the folder, such as `records`.
    pub fn parquet<'a>(&'a self, part: &'a str) -> impl Iterator<Item = &'a str> {
        let is_in_part = move |name: &&str| {
            name.strip_prefix(part).is_some_and(|rest| rest.starts_with('/')) && name.ends_with(".parquet")
        };
        self.files.iter().map(String::as_str).filter(is_in_part)
    }
}

/// The name of a file from the root on, if it can stand in a line of a list.
fn name(root: &ConfinedPath, path: &ConfinedPath) -> Option<String> {
    let name = path.path().strip_prefix(root.path()).ok()?.to_str()?;
    (!name.contains(|letter: char| letter.is_control() || letter == '\\')).then(|| name.to_owned())
}

/// Whether a file is there only while something works in the folder, or to make that quicker; git ignores the
/// same ones.
fn is_passing(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    [".lock", ".cache", ".cluster", "SHA256SUMS"].contains(&name)
        || is_holder(name)
        || last.ends_with(".tmp")
        || last.contains(".journal")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn circles_are_not_walked_and_whatever_is_no_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("records/p")).unwrap();
        fs::create_dir(at(".cache")).unwrap();
        for name in
            ["index.json", "records/p/e.parquet", "records/p/e.journal.spool-1-2", ".cache/x", "SHA256SUMS"]
        {
            fs::write(at(name), name).unwrap();
        }
        symlink(folder.path(), at("records/circle")).unwrap();
        symlink("/etc/passwd", at(".lock")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("records/pipe.parquet"), rustix::fs::Mode::RWXU).unwrap();
        let tree = Tree::of(&ConfinedPath::root(folder.path())).unwrap();
        assert_eq!(tree.files, ["index.json", "records/p/e.parquet"]);
        assert_eq!(tree.parquet("records").collect::<Vec<_>>(), ["records/p/e.parquet"]);
        let strange =
            [(".lock", "a link"), ("records/circle", "a link"), ("records/pipe.parquet", "a named pipe")];
        let found = tree.strange.iter().map(|(path, kind)| (path.path().to_owned(), *kind));
        assert_eq!(found.collect::<Vec<_>>(), strange.map(|(name, kind)| (at(name), kind)));
    }
}
