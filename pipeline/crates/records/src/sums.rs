//! `SHA256SUMS`: the hash of every file of a results folder, in the form that `sha256sum -c` reads.
//!
//! Records and timings have seals of their own. The list protects what has none, the index and the verdicts
//! and all that is drawn, and it notices files that are gone, or new. Whoever changes a file by accident is
//! found out; whoever changes the list with it is found by git's history, or by playing the games again.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use crate::{Layout, Tree};
use platform::hash::sha256_of;
use platform::{ConfinedPath, LARGEST_TEXT, WriteError, atomic, plain};

/// Hashes by name.
pub type Sums = BTreeMap<String, String>;

/// Which files are hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Those that playing makes: records, studies, trainings, timings and the index. What the list says of
    /// others stays, so that a run does not vouch for what it has not made.
    Played,
}

/// Why there is no list.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SumsError {
    #[error("{}: the files of the folder cannot be hashed: {source}", path.display())]
    Io { path: ConfinedPath, source: io::Error },
    #[error("{}: not a list of hashes: {reason}; restore it, or run `pipeline render` to write it again", path.display())]
    Form { path: ConfinedPath, reason: String },
    #[error(transparent)]
    Output(#[from] WriteError),
}

/// Writes the list of a results folder.
///
/// # Errors
/// Returns an error if a file cannot be read, if the list cannot be written, or if the list of which a part
/// should stay is damaged.
pub fn write(layout: &Layout, scope: Scope) -> Result<(), SumsError> {
    let before = match scope {
        Scope::All => None,
        Scope::Played => read(layout)?,
    };
    let is_hashed = |name: &str| before.is_none() || is_played(name);
    let found = Tree::of(layout.root()).map_err(|source| failed(layout.root(), source))?;
    let mut sums: Sums = before.iter().flatten().map(|(name, sum)| (name.clone(), sum.clone())).collect();
    sums.retain(|name, _| !is_hashed(name));
    for name in found.files.into_iter().filter(|name| is_hashed(name)) {
        let sum = hash(layout, &name).map_err(|source| failed(&layout.root().join(&name), source))?;
        sums.insert(name, sum);
    }
    atomic::write(&layout.sums(), text(&sums).as_bytes())?;
    Ok(())
}

/// Whether playing makes a file.
fn is_played(name: &str) -> bool {
    name == "index.json"
        || ["records/", "studies/", "timing/", "trainings/"].iter().any(|folder| name.starts_with(folder))
}

/// Reads the list of a results folder; `None` if there is none.
pub fn read(layout: &Layout) -> Result<Option<Sums>, SumsError> {
    let path = layout.sums();
    match path.read(LARGEST_TEXT) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).map_err(|_| "it is not text".to_owned());
            let sums = text.and_then(|text| parse(&text));
            sums.map(Some).map_err(|reason| SumsError::Form { path, reason })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(failed(&path, source)),
    }
}

/// What is wrong with the files of a folder that has this list, each with its name. No file is opened that
/// the tree does not have, nor one whose hash is known, by its name, since somebody has just read it.
pub fn problems(layout: &Layout, tree: &Tree, sums: &Sums, known: &Sums) -> Vec<String> {
    let at = |name: &str| layout.root().join(name).display().to_string();
    let there: BTreeSet<&String> = tree.files.iter().collect();
    let missing = sums.keys().filter(|name| !there.contains(name));
    let missing = missing.map(|name| format!("{}: it is missing, though SHA256SUMS lists it", at(name)));
    let found = |name: &String| known.get(name).map_or_else(|| hash(layout, name), |sum| Ok(sum.clone()));
    let wrong = tree.files.iter().filter_map(|name| match sums.get(name).map(|sum| (sum, found(name))) {
        None => Some(format!("{}: it is not in SHA256SUMS", at(name))),
        Some((sum, Ok(found))) if *sum == found => None,
        Some((_, Ok(_))) => Some(format!("{}: its bytes do not match SHA256SUMS", at(name))),
        Some((_, Err(error))) => Some(format!("{}: it cannot be read: {error}", at(name))),
    });
    missing.chain(wrong).collect()
}

/// The text of a list.
pub fn text(sums: &Sums) -> String {
    sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect()
}

/// Reads the text of a list.
pub fn parse(text: &str) -> Result<Sums, String> {
    let mut sums = Sums::new();
    for line in lines(text) {
        let (number, sum, name) = line?;
        if sums.insert(name.to_owned(), sum.to_owned()).is_some() {
            let line = plain::line(&format!("{sum}  {name}"));
            return Err(format!("line {number} names a file for the second time: `{line}`"));
        }
    }
    Ok(sums)
}

/// The lines of a list, each with its number from 1, the hash and the file's name, for a reader who has more
/// to ask of names.
pub fn lines(text: &str) -> impl Iterator<Item = Result<(usize, &str, &str), String>> {
    let is_sum = |sum: &str| sum.len() == 64 && sum.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
    (1..).zip(text.lines()).map(move |(number, line)| {
        let parts = line.split_once("  ").filter(|(sum, _)| is_sum(sum));
        let wrong = || format!("line {number} is not a checksum and a name: `{}`", plain::line(line));
        parts.map(|(sum, name)| (number, sum, name)).ok_or_else(wrong)
    })
}

fn hash(layout: &Layout, name: &str) -> io::Result<String> {
    sha256_of(layout.root().join(name).open()?)
}

fn failed(path: &ConfinedPath, source: io::Error) -> SumsError {
    SumsError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> (tempfile::TempDir, Layout) {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path());
        for part in ["records/p", "tables"] {
            fs::create_dir_all(layout.root().join(part).path()).unwrap();
        }
        for name in ["index.json", "records/p/e.parquet", "tables/p-results.md"] {
            fs::write(layout.root().join(name).path(), name).unwrap();
        }
        (folder, layout)
    }

    fn found(layout: &Layout) -> Vec<String> {
        let sums = read(layout).unwrap().unwrap();
        let root = format!("{}/", layout.root().display());
        let told = problems(layout, &Tree::of(layout.root()).unwrap(), &sums, &Sums::new());
        told.into_iter().map(|problem| problem.replace(&root, "")).collect()
    }

    #[test]
    fn changed_missing_and_unknown_files_are_named() {
        let (_folder, layout) = folder();
        assert_eq!(read(&layout).unwrap(), None);
        write(&layout, Scope::All).unwrap();
        assert!(found(&layout).is_empty());
        fs::write(layout.index().path(), "swapped").unwrap();
        fs::rename(
            layout.root().join("tables/p-results.md").path(),
            layout.root().join("tables/q-results.md").path(),
        )
        .unwrap();
        assert_eq!(
            found(&layout),
            [
                "tables/p-results.md: it is missing, though SHA256SUMS lists it",
                "index.json: its bytes do not match SHA256SUMS",
                "tables/q-results.md: it is not in SHA256SUMS",
            ]
        );
    }

    #[test]
    fn a_hash_that_is_known_stands_for_the_file_and_must_match_as_well() {
        let (_folder, layout) = folder();
        write(&layout, Scope::All).unwrap();
        let (tree, mut known) = (Tree::of(layout.root()).unwrap(), read(&layout).unwrap().unwrap());
        let sums = known.clone();
        fs::remove_file(layout.index().path()).unwrap();
        assert!(problems(&layout, &tree, &sums, &known).is_empty(), "no file is opened again");
        known.insert("index.json".to_owned(), "0".repeat(64));
        let told = problems(&layout, &tree, &sums, &known);
        assert!(told.len() == 1 && told[0].ends_with("index.json: its bytes do not match SHA256SUMS"));
    }

    #[test]
    fn a_run_does_not_vouch_for_what_it_has_not_made() {
        let (_folder, layout) = folder();
        write(&layout, Scope::Played).unwrap();
        assert!(found(&layout).is_empty(), "where there is no list, all is hashed");
        fs::write(layout.root().join("records/p/e.parquet").path(), "played anew").unwrap();
        fs::write(layout.root().join("tables/p-results.md").path(), "tampered with").unwrap();
        write(&layout, Scope::Played).unwrap();
        assert_eq!(found(&layout), ["tables/p-results.md: its bytes do not match SHA256SUMS"]);
        write(&layout, Scope::All).unwrap();
        assert!(found(&layout).is_empty());
    }

    #[test]
    fn a_damaged_list_is_told_of() {
        let (_folder, layout) = folder();
        write(&layout, Scope::All).unwrap();
        let whole = fs::read_to_string(layout.sums().path()).unwrap();
        for damaged in [whole.replacen("  ", " ", 1), whole.repeat(2), "x\n".to_owned()] {
            fs::write(layout.sums().path(), &damaged).unwrap();
            let told = read(&layout).unwrap_err().to_string();
            assert!(told.contains("SHA256SUMS: not a list of hashes: line "), "{told}");
        }
    }
}
