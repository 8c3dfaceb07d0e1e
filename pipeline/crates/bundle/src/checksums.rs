//! `SHA256SUMS`: the checksum of every other file of a bundle, in the form that `sha256sum -c` reads.

use std::collections::BTreeSet;

use super::archive::objection;
use super::consistency::inside;
use super::listing::read_text;
use super::places::misplaced;
use super::{BundleError, Contents, Statement};
use platform::confined::ConfinedPath;
use platform::hash::sha256_of;
use platform::plain;
use records::sums::{self, Sums};

/// The file's name.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The checksums of files, by name.
pub(super) struct Checksums {
    sums: Sums,
    /// Lines that name what no bundle has, or what was named before.
    problems: Vec<String>,
}

impl Checksums {
    /// Hashes all contents.
    pub(super) fn of(contents: &Contents) -> Result<Self, BundleError> {
        let sum = |(name, item): (&str, &super::contents::Item)| Ok((name.to_owned(), item.sha256()?));
        let sums = contents.iter().map(sum).collect::<Result<_, BundleError>>()?;
        Ok(Self { sums, problems: Vec::new() })
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        sums::text(&self.sums)
    }

    /// Reads the file of an unpacked bundle with these files.
    pub(super) fn read(folder: &ConfinedPath, files: &[String]) -> Result<Self, BundleError> {
        let path = folder.join(CHECKSUMS);
        let bytes = read_text(folder, files, CHECKSUMS)?;
        let text = String::from_utf8(bytes).map_err(|_| BundleError::form(path.path(), "it is not text"))?;
        let mut found = Self { sums: Sums::new(), problems: Vec::new() };
        for line in sums::lines(&text) {
            let (number, sum, name) = line.map_err(|error| BundleError::form(path.path(), error))?;
            if let Some(problem) = found.add(name, sum) {
                let name = plain::line(name);
                found.problems.push(format!("{CHECKSUMS}: line {number}: `{name}` {problem}"));
            }
        }
        Ok(found)
    }

    /// Adds a line of the file, unless its name is none that a bundle can have: that may be any file of this
    /// machine.
    fn add(&mut self, name: &str, sum: &str) -> Option<&'static str> {
        let objection = objection(name).or_else(|| misplaced(name));
        let is_itself = (name == CHECKSUMS).then_some("is this file itself");
        objection
            .or(is_itself)
            .or_else(|| self.sums.insert(name.to_owned(), sum.to_owned()).map(|_| "is there twice"))
    }

    /// How many files there are.
    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// What is wrong with these files of a folder, one problem a file. No other file is looked at.
    pub(super) fn problems(&self, folder: &ConfinedPath, files: &[String]) -> Vec<String> {
        let known: BTreeSet<&String> = files.iter().collect();
        let wrong = self.sums.iter().filter_map(|(name, sum)| {
            if !known.contains(name) {
                return Some(format!("{name}: it is missing"));
            }
            match folder.join(name).open().and_then(sha256_of) {
                Ok(found) if found == *sum => None,
                Ok(_) => Some(format!("{name}: its bytes differ from those listed in {CHECKSUMS}")),
                Err(error) => Some(format!("{name}: it cannot be read: {error}")),
            }
        });
        let is_unknown = |name: &&String| *name != CHECKSUMS && !self.sums.contains_key(*name);
        let more = files.iter().filter(is_unknown).map(|name| format!("{name}: it is not in {CHECKSUMS}"));
        self.problems.iter().cloned().chain(wrong).chain(more).collect()
    }
}

/// Compares the files of an unpacked bundle with their checksums, and returns the problems. If there are
/// none, also checks `bundle.json`.
pub fn checksum_problems(folder: &ConfinedPath, files: &[String]) -> Result<Vec<String>, BundleError> {
    let problems = || {
        let problems = Checksums::read(folder, files)?.problems(folder, files);
        if problems.is_empty() {
            Statement::read(folder, files)?;
        }
        Ok(problems)
    };
    match problems() {
        Ok(problems) => Ok(problems),
        Err(error @ BundleError::Form { .. }) => Ok(vec![inside(folder, &error)]),
        Err(error) => Err(error),
    }
}
