//! What there is to merge in files and folders: sorted by what each file is, and each experiment's parts together.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;

use super::super::Failure;
use super::is_study;
use crate::study::is_journal_of_part;
use platform::confined::{ConfinedPath, Entry, FileType};
use records::layout::Layout;
use records::merge::MergeError;
use records::store::RecordsSummary;

/// Folders beside the records and studies of a results folder, in which nothing is to be merged.
const PASSED_OVER: [&str; 6] = ["trainings", "timing", "tables", "figures", "report", ".cache"];

/// What there is to merge.
#[derive(Default)]
pub(super) struct Found {
    /// The parts of each experiment, by its name.
    pub(super) parts: BTreeMap<String, Vec<ConfinedPath>>,
    /// The records of whole experiments.
    pub(super) wholes: Vec<ConfinedPath>,
    /// The journals of the parts of studies.
    pub(super) journals: Vec<ConfinedPath>,
    /// Whole studies.
    pub(super) studies: Vec<ConfinedPath>,
    /// The journals of runs that are not finished.
    pub(super) unfinished: Vec<ConfinedPath>,
    /// What is wrong with files that cannot be read.
    pub(super) failures: Vec<Failure>,
}

impl Found {
    /// All that is in these files and folders. A file that is named is taken for a part, whatever it is.
    pub(super) fn in_all(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            let file = ConfinedPath::file(path);
            if path.is_dir() {
                found.walk(&ConfinedPath::root(path))?;
            } else if is_journal_of_part(&file) {
                found.journals.push(file);
            } else {
                found.add_part(file);
            }
        }
        found.leave_out_parts_of_wholes();
        Ok(found)
    }

    /// Links are not followed: a folder may be a stranger's.
    fn walk(&mut self, folder: &ConfinedPath) -> Result<(), Failure> {
        let layout = Layout::below(folder);
        // A results folder's own table holds no games, and is made anew from those that do.
        let catalogue = layout.index().exists().then(|| layout.catalogue());
        for Entry { path, kind } in folder.list().map_err(Failure::io)? {
            let is_passed_over = path.name().is_some_and(|name| PASSED_OVER.contains(&name));
            if kind == FileType::Directory && !is_passed_over {
                self.walk(&path)?;
            } else if kind == FileType::RegularFile && catalogue.as_ref() != Some(&path) {
                self.sort_in(path);
            }
        }
        Ok(())
    }

    fn sort_in(&mut self, path: ConfinedPath) {
        match path.path().extension().and_then(OsStr::to_str) {
            Some("journal") if is_journal_of_part(&path) && is_study(&path) => self.journals.push(path),
            Some("journal") => self.unfinished.push(path),
            Some("parquet") if is_study(&path) => self.studies.push(path),
            Some("parquet") => match RecordsSummary::read(&path) {
                Ok(Some(stored)) if stored.header.shard.is_none() => self.wholes.push(path),
                Ok(Some(stored)) => self.parts.entry(stored.header.experiment).or_default().push(path),
                Ok(None) => {}
                Err(error) => self.failures.push(MergeError::from(error).into()),
            },
            _ => {}
        }
    }

    /// A file that is named: one that cannot be read says so when it is merged.
    fn add_part(&mut self, path: ConfinedPath) {
        let experiment = RecordsSummary::read(&path).ok().flatten().map(|stored| stored.header.experiment);
        self.parts.entry(experiment.unwrap_or_default()).or_default().push(path);
    }

    /// Parts that a run has left beside the whole that they became are merged already.
    fn leave_out_parts_of_wholes(&mut self) {
        let name = |path: &ConfinedPath| Some(RecordsSummary::read(path).ok()??.header.experiment);
        let wholes: BTreeSet<String> = self.wholes.iter().filter_map(name).collect();
        self.parts.retain(|experiment, _| !wholes.contains(experiment));
    }
}
