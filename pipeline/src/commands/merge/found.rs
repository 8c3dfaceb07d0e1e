//! What there is to merge in files and folders: sorted by what each file is, and each experiment's parts together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::super::Failure;
use super::is_study;
use crate::study::is_journal_of_part;
use records::layout::Layout;
use records::merge::MergeError;
use records::store::RecordsSummary;

/// Folders beside the records and studies of a results folder, in which nothing is to be merged.
const PASSED_OVER: [&str; 5] = ["timing", "tables", "figures", "report", ".cache"];

/// What there is to merge.
#[derive(Default)]
pub(super) struct Found {
    /// The parts of each experiment, by its name.
    pub(super) parts: BTreeMap<String, Vec<PathBuf>>,
    /// The records of whole experiments.
    pub(super) wholes: Vec<PathBuf>,
    /// The journals of the parts of studies.
    pub(super) journals: Vec<PathBuf>,
    /// Whole studies.
    pub(super) studies: Vec<PathBuf>,
    /// The journals of runs that are not finished.
    pub(super) unfinished: Vec<PathBuf>,
    /// What is wrong with files that cannot be read.
    pub(super) failures: Vec<Failure>,
}

impl Found {
    /// All that is in these files and folders. A file that is named is taken for a part, whatever it is.
    pub(super) fn in_all(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut found = Self::default();
        for path in paths {
            if path.is_dir() {
                found.walk(path)?;
            } else if is_journal_of_part(path) {
                found.journals.push(path.clone());
            } else {
                found.add_part(path);
            }
        }
        found.leave_out_parts_of_wholes();
        Ok(found)
    }

    /// Links are not followed: a folder may be a stranger's.
    fn walk(&mut self, folder: &Path) -> Result<(), Failure> {
        let mut entries = fs::read_dir(folder)
            .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
            .map_err(Failure::io)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let layout = Layout::new(folder);
        // A results folder's own table holds no games, and is made anew from those that do.
        let catalogue = layout.index().exists().then(|| layout.catalogue());
        for entry in entries {
            let (kind, path) = (entry.file_type().map_err(Failure::io)?, entry.path());
            let name = entry.file_name();
            if kind.is_dir() && !PASSED_OVER.iter().any(|other| name == *other) {
                self.walk(&path)?;
            } else if kind.is_file() && catalogue.as_ref() != Some(&path) {
                self.sort_in(path);
            }
        }
        Ok(())
    }

    fn sort_in(&mut self, path: PathBuf) {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
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
    fn add_part(&mut self, path: &Path) {
        let experiment = RecordsSummary::read(path).ok().flatten().map(|stored| stored.header.experiment);
        self.parts.entry(experiment.unwrap_or_default()).or_default().push(path.to_owned());
    }

    /// Parts that a run has left beside the whole that they became are merged already.
    fn leave_out_parts_of_wholes(&mut self) {
        let name = |path: &PathBuf| Some(RecordsSummary::read(path).ok()??.header.experiment);
        let wholes: BTreeSet<String> = self.wholes.iter().filter_map(name).collect();
        self.parts.retain(|experiment, _| !wholes.contains(experiment));
    }
}
