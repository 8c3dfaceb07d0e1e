//! `pipeline merge`: results from other machines. Parts of experiments become whole records files, whole jobs
//! of every kind are taken over, and journals of the parts of studies go where the next run of the study
//! finds them. Files that cannot be merged are reported and left unchanged.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::PathBuf;

use super::checksums::write_checksums;
use super::{Failure, print_text};
use crate::cli;
use crate::failure::chain;
use crate::study::{GatheredPart, gather, is_journal_of_part};
use jobs::{Canonical as _, Key, Shard, StoredContext, StoredJob, StoredKind, Words};
use platform::{ConfinedPath, Entry, FileType, atomic};
use project::kinds;
use records::merge::{merge_parts, merge_timings};
use records::{EXPERIMENT, Index, IndexEntry, Layout, Scope};
use text::counted;
use trainings::Artefacts;

/// Folders of a results folder in which nothing is to be merged.
const PASSED_OVER: [&str; 5] = ["timing", "tables", "figures", "report", ".cache"];

pub(crate) fn merge(arguments: &cli::MergeArgs) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let MergeInput { mut parts, wholes, journals, unfinished, mut failures } =
        MergeInput::of(&arguments.parts)?;
    // Parts beside the whole that they became are merged already.
    wholes.iter().for_each(|whole| drop(parts.remove(&whole.stored.key)));
    let mut text = String::new();
    let mut keep = |merged: Result<String, Failure>| match merged {
        Ok(line) => text.push_str(&line),
        Err(failure) => failures.push(failure),
    };
    journals.iter().for_each(|journal| keep(take_journal(journal, &layout)));
    wholes.iter().for_each(|whole| keep(whole.take_over(&layout)));
    parts.values().for_each(|parts| keep(take_parts(parts, &layout)));
    for journal in &unfinished {
        text.push_str(&format!("{}: passed over, since its run is not finished\n", journal.display()));
    }
    if text.is_empty() && failures.is_empty() {
        let text = "there is nothing to merge: no results of jobs, and no journals of the parts of studies";
        return Err(Failure::usage(text));
    }
    if layout.index().exists() {
        write_checksums(&layout, Scope::Played)?;
    }
    print_text(&text)?;
    Failure::of_all(failures)
}

/// The files to merge.
#[derive(Default)]
struct MergeInput {
    /// The parts of each experiment, by its name.
    parts: BTreeMap<String, Vec<ConfinedPath>>,
    /// The files of whole jobs.
    wholes: Vec<WholeJob>,
    /// The journals of the parts of studies.
    journals: Vec<ConfinedPath>,
    /// The journals of runs that are not finished.
    unfinished: Vec<ConfinedPath>,
    /// Problems of files that cannot be read.
    failures: Vec<Failure>,
}

impl MergeInput {
    /// All that is in these files and folders.
    fn of(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut input = Self::default();
        for path in paths {
            match path.is_dir() {
                true => input.walk(&ConfinedPath::root(path))?,
                false => input.add(ConfinedPath::file(path)),
            }
        }
        Ok(input)
    }

    /// Links are not followed: a folder may be a stranger's.
    fn walk(&mut self, folder: &ConfinedPath) -> Result<(), Failure> {
        let layout = Layout::below(folder);
        // The catalogue holds no games, and is made again from those that do.
        let catalogue = layout.index().exists().then(|| layout.catalogue());
        for Entry { path, kind } in folder.list().map_err(Failure::io)? {
            let is_passed_over = path.name().is_some_and(|name| PASSED_OVER.contains(&name));
            let extension = path.path().extension().and_then(OsStr::to_str);
            let is_input = matches!(extension, Some("journal" | "parquet"));
            if kind == FileType::Directory && !is_passed_over {
                self.walk(&path)?;
            } else if kind == FileType::RegularFile && is_input && catalogue.as_ref() != Some(&path) {
                self.add(path);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: ConfinedPath) {
        let kind = kinds().into_iter().find(|kind| kind.words().is_place(&path));
        let is_journal = path.path().extension().is_some_and(|extension| extension == "journal");
        match is_journal {
            true if is_journal_of_part(&path) && kind.is_none_or(|kind| kind.words() != &EXPERIMENT) => {
                return self.journals.push(path);
            }
            true => return self.unfinished.push(path),
            false => {}
        }
        // Files elsewhere are taken for records.
        let kind = kind.unwrap_or(kinds()[0]);
        match kind.read(&path) {
            Ok(Some(stored)) if stored.shard.is_some() => {
                self.parts.entry(stored.key).or_default().push(path)
            }
            Ok(Some(stored)) => self.wholes.push(WholeJob { kind, path, stored }),
            Ok(None) => {
                self.failures.push(Failure::usage(format!("{}: there is no such file", path.display())))
            }
            Err(error) => self.failures.push(damaged(&chain(&error))),
        }
    }
}

/// The file of a whole job.
struct WholeJob {
    kind: &'static dyn StoredKind,
    path: ConfinedPath,
    stored: StoredJob,
}

impl WholeJob {
    /// Copies the job into a results folder, unless another result is stored there.
    fn take_over(&self, layout: &Layout) -> Result<String, Failure> {
        let Self { kind, path, stored } = self;
        let Words { kind: name, row, .. } = kind.words();
        check(*kind, path)?;
        let key: Key = stored
            .key
            .parse()
            .map_err(|error: jobs::KeyError| Failure::usage(format!("{}: {error}", path.display())))?;
        let target = kind.words().path(layout.root(), &key);
        let is_same = match kind.read(&target) {
            Ok(None) => false,
            Ok(Some(there)) => (&there.digest, &there.identity) == (&stored.digest, &stored.identity),
            Err(jobs::StoreError::Io { path, action, source }) => {
                return Err(jobs::StoreError::Io { path, action, source }.into());
            }
            Err(_) => false,
        };
        if !is_same && target.exists() {
            return Err(Failure::check(format!(
                "{}: there is already another result of this {name}, {}: compare them with `pipeline diff` or `pipeline games`, \
                 and move one of them away",
                path.display(),
                target.display()
            )));
        }
        if !is_same {
            let bytes = path.read(u64::MAX).map_err(Failure::io)?;
            atomic::write(&target, &bytes)?;
            merge_timings(std::slice::from_ref(path), &layout.timing(&key, None))?;
        }
        self.take_artefact()?;
        if kind.words() == &EXPERIMENT {
            let identity = stored.identity.hash();
            let (digest, games) = (stored.digest.clone(), stored.rows);
            Index::enter(layout, IndexEntry { records: key.clone(), identity, digest, games })?;
        }
        let there = if is_same { ", there already" } else { "" };
        let rows = counted(stored.rows, row);
        Ok(format!("{key}: {rows} of a whole {name}{there}; digest {}\n", stored.digest))
    }

    /// Copies the artefact that the job gave, if it lies beside the results that the file is from.
    fn take_artefact(&self) -> Result<(), Failure> {
        let Some(sha256) = &self.stored.artefact else { return Ok(()) };
        let whole = self.path.absolute().map_err(Failure::io)?;
        let Some(folder) = whole.path().ancestors().nth(4) else { return Ok(()) };
        let (from, to) = (Artefacts::new(folder.join(cli::ARTEFACTS)), Artefacts::new(cli::ARTEFACTS));
        if from.check(sha256).is_ok() && to.check(sha256).is_err() {
            let bytes = from.path(sha256).read(u64::MAX).map_err(Failure::io)?;
            atomic::write(&to.path(sha256), &bytes)?;
        }
        Ok(())
    }
}

/// Merges the parts of one experiment.
fn take_parts(parts: &[ConfinedPath], layout: &Layout) -> Result<String, Failure> {
    parts.iter().try_for_each(|part| check(kinds()[0], part))?;
    let merged = merge_parts(parts, layout)?;
    Index::enter(layout, merged.clone())?;
    let IndexEntry { records, games, digest, .. } = merged;
    let (games, parts) = (counted(games, "game"), counted(parts.len() as u64, "part"));
    Ok(format!("{records}: {games} from {parts}; digest {digest}\n"))
}

/// Checks a file, which comes from another machine, before it is stored among others.
fn check(kind: &dyn StoredKind, path: &ConfinedPath) -> Result<(), Failure> {
    let checked = kind.check(path, &StoredContext::default()).map_err(|error| damaged(&chain(&error)))?;
    match checked.as_ref().and_then(|checked| checked.problems.first()) {
        Some(problem) => Err(damaged(&format!("{}: {problem}", path.display()))),
        None => Ok(()),
    }
}

/// A file that is damaged may be the only copy of somebody's games.
fn damaged(problem: &str) -> Failure {
    Failure::check(format!(
        "{problem}; the file is left unchanged: copy it again from the machine that made it"
    ))
}

/// Copies the journal of a study's part into the results folder.
fn take_journal(journal: &ConfinedPath, layout: &Layout) -> Result<String, Failure> {
    let GatheredPart { key, part: Shard { part, of, .. }, trials, path } = gather(journal, layout)?;
    let (trials, path) = (counted(trials as u64, "trial"), path.display());
    Ok(format!("{key}: {trials} of part {part}/{of} in {path}; `pipeline study {key}` takes them up\n"))
}
