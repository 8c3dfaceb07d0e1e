//! What runs that were stopped or killed have left: journals, and the spools beside them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What comes behind a journal's name in the names of its spools.
const SPOOL: &str = ".spool-";

/// The name of a spool of the journal at this path.
#[must_use]
pub fn spool_path(journal: &Path, number: usize) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    // The process makes the name its own: a worker of a killed run may still be writing to the old one.
    name.push(format!("{SPOOL}{}-{number}", std::process::id()));
    name.into()
}

/// The journals that runs which were stopped or killed have left in a results folder, by themselves or in spools. The folders are
/// listed once: asking for every journal by itself would take a look at all files for each.
#[derive(Clone, Debug, Default)]
pub struct Leftovers {
    journals: BTreeSet<PathBuf>,
}

impl Leftovers {
    /// Looks through the folder of the records.
    #[must_use]
    pub fn below(records: &Path) -> Self {
        let folders = fs::read_dir(records).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let journal = |file: fs::DirEntry| {
            let name = file.file_name().into_string().ok()?;
            let name = name.split_once(SPOOL).map_or(name.as_str(), |(journal, _)| journal);
            name.ends_with(".journal").then(|| file.path().with_file_name(name))
        };
        Self { journals: files.filter_map(journal).collect() }
    }

    /// Whether something is left of the journal at this path.
    #[must_use]
    pub fn contains(&self, journal: &Path) -> bool {
        self.journals.contains(journal)
    }
}

/// The spools that lie beside the journal at this path.
#[must_use]
pub fn spools(journal: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (journal.parent(), journal.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let prefix = format!("{name}{SPOOL}");
    let is_spool = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut spools: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_spool).collect();
    spools.sort();
    spools
}
