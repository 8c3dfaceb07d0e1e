//! What runs that were stopped or killed have left: journals, and the spools beside them.

use platform::{ConfinedPath, Entry};
use std::collections::BTreeSet;

/// What comes behind a journal's name in the names of its spools.
const SPOOL: &str = ".spool-";

/// The name of a spool of the journal at this path.
pub fn spool_path(journal: &ConfinedPath, number: usize) -> ConfinedPath {
    let mut name = journal.file_name().unwrap_or_default().to_owned();
    // The process makes the name its own: a worker of a killed run may still be writing to the old one.
    name.push(format!("{SPOOL}{}-{number}", std::process::id()));
    journal.with_file_name(name)
}

/// The journals that runs which were stopped or killed have left in a results folder, by themselves or in
/// spools. The folders are listed once: asking for every journal by itself would take a look at all files for
/// each.
#[derive(Clone, Debug, Default)]
pub struct Leftovers {
    journals: BTreeSet<ConfinedPath>,
}

impl Leftovers {
    /// Looks through the folder of the records.
    pub fn below(records: &ConfinedPath) -> Self {
        let folders = records.list().into_iter().flatten();
        let files = folders.flat_map(|folder| folder.path.list().into_iter().flatten());
        let journal = |file: Entry| {
            let name = file.path.name()?;
            let name = name.split_once(SPOOL).map_or(name, |(journal, _)| journal);
            name.ends_with(".journal").then(|| file.path.with_file_name(name))
        };
        Self { journals: files.filter_map(journal).collect() }
    }

    /// Whether something is left of the journal at this path.
    pub fn contains(&self, journal: &ConfinedPath) -> bool {
        self.journals.contains(journal)
    }
}

/// The spools that lie beside the journal at this path.
pub fn spools(journal: &ConfinedPath) -> Vec<ConfinedPath> {
    let (Some(folder), Some(name)) = (journal.parent(), journal.name()) else { return Vec::new() };
    let prefix = format!("{name}{SPOOL}");
    let is_spool = |path: &ConfinedPath| path.name().is_some_and(|name| name.starts_with(&prefix));
    folder.list().into_iter().flatten().map(|entry| entry.path).filter(is_spool).collect()
}
