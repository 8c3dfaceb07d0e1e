//! `pipeline verify` on a whole results folder: what beside the records must be as it was written.

use std::collections::BTreeMap;
use std::path::Path;

use engine::abi::host::is_identifier;

use super::VerifyOutcome;
use crate::failure::chain;
use jobs::{Canonical as _, CheckedJob, Key};
use platform::{ConfinedPath, LARGEST_TEXT, threads};
use records::store::read_timing_file;
use records::{Extent, Index, IndexEntry, IndexError, Layout, StoreError, Sums, TimingFile, Tree, sums};
use rendering::catalogue;
use rendering::tables::all_claims;
use text::counted;
use verdict::StoredVerdicts;

/// The files that were checked, by their paths. Files that could not be read are missing.
type CheckedFiles<'a> = BTreeMap<&'a Path, &'a CheckedJob>;

/// Timing files by their names, as they were read.
type Timings<'a> = BTreeMap<&'a str, Result<Option<TimingFile>, StoreError>>;

impl VerifyOutcome {
    /// Checks the rest of a results folder. Files that were checked are not opened again.
    pub(super) fn check_folder(&mut self, layout: &Layout) {
        let mut folder = FolderCheck::default();
        folder.check(layout, &self.checked());
        self.folder.extend(folder.problems);
        self.notes.extend(folder.notes);
    }
}

/// The outcome of checking a folder.
#[derive(Default)]
struct FolderCheck {
    /// Problems, each with its file.
    problems: Vec<String>,
    /// Notes that are not problems.
    notes: Vec<String>,
}

/// What is wrong with the table of claims: it must say what the verdicts beside it say. Nothing where one of
/// them is missing or unreadable, which others tell.
fn claims_table(layout: &Layout) -> Option<String> {
    let text = |path: ConfinedPath| String::from_utf8(path.read(LARGEST_TEXT).ok()?).ok();
    let stored = text(layout.claims_table())?;
    let verdicts = serde_json::from_str(&text(layout.claims())?).ok()?;
    (all_claims(&verdicts)? != stored).then(|| {
        let path = layout.claims_table();
        format!("{}: it differs from claims.json; `pipeline render` writes it again", path.display())
    })
}

/// The hashes of the files that have been read already, by name.
fn known_hashes(layout: &Layout, checked: &CheckedFiles<'_>, timings: &Timings<'_>) -> Sums {
    let of_jobs = checked.iter().filter_map(|(path, file)| {
        let name = path.strip_prefix(layout.root().path()).ok()?.to_str()?;
        Some((name.to_owned(), file.sha256.clone()))
    });
    let of_timings = timings.iter().filter_map(|(name, read)| {
        let file = read.as_ref().ok()?.as_ref()?;
        Some(((*name).to_owned(), file.sha256.clone()))
    });
    of_jobs.chain(of_timings).collect()
}

impl FolderCheck {
    fn check(&mut self, layout: &Layout, checked: &CheckedFiles<'_>) {
        match Tree::of(layout.root()) {
            Ok(tree) => {
                let names: Vec<&str> = tree.parquet("timing").collect();
                let read = threads::map(&names, |name| read_timing_file(&layout.root().join(name)));
                let timings: Timings<'_> = names.into_iter().zip(read).collect();
                self.strange(&tree);
                self.hashes(layout, &tree, &known_hashes(layout, checked, &timings));
                self.seals(layout, checked, &timings);
            }
            Err(error) => self.problems.push(error.to_string()),
        }
        self.index(layout, checked);
        // `pipeline claims --gate` compares them with the records; here it counts that they can be read.
        let verdicts = StoredVerdicts::read(&layout.claims(), &[]);
        self.problems.extend(verdicts.err().map(|error| chain(&error)));
        self.problems.extend(catalogue::problems(layout));
        self.problems.extend(claims_table(layout));
    }

    fn strange(&mut self, tree: &Tree) {
        let told = |(path, what): &(ConfinedPath, &str)| {
            format!(
                "{}: it is {what}, which does not belong among results",
                path.path().to_string_lossy().escape_debug()
            )
        };
        self.problems.extend(tree.strange.iter().map(told));
    }

    /// Compares every file with the list.
    fn hashes(&mut self, layout: &Layout, tree: &Tree, known: &Sums) {
        match sums::read(layout) {
            Ok(Some(sums)) => {
                let problems = sums::problems(layout, tree, &sums, known);
                if !problems.is_empty() {
                    let text = "SHA256SUMS lists what `pipeline` last wrote. If a run was killed since then, run it again; if you made these \
                                changes, run `pipeline render` to write the list again.";
                    self.notes.push(text.to_owned());
                }
                self.problems.extend(problems);
            }
            Ok(None) => self.notes.push(format!(
                "{}: there is no list of hashes; `pipeline render` or `pipeline reproduce` writes it",
                layout.sums().display()
            )),
            Err(error) => self.problems.push(chain(&error)),
        }
    }

    /// Checks whether files are sealed. Checking a job reports a broken seal.
    fn seals(&mut self, layout: &Layout, checked: &CheckedFiles<'_>, timings: &Timings<'_>) {
        let is_older =
            |(path, file): &(&&Path, &&CheckedJob)| path.starts_with(layout.root().path()) && !file.is_sealed;
        let older = checked.iter().filter(is_older).count() as u64;
        if older > 0 {
            let are = if older == 1 { "is" } else { "are" };
            self.notes.push(format!(
                "{} {are} not sealed to the last byte; `pipeline reproduce` seals them",
                counted(older, "records file")
            ));
        }
        for (name, read) in timings {
            match read {
                Ok(Some(file)) if file.sealed != Extent::Whole => {
                    let path = layout.root().join(name);
                    self.problems
                        .push(format!("{}: it has no seal; `pipeline render` seals it", path.display()));
                }
                Ok(_) => {}
                Err(error) => self.problems.push(chain(error)),
            }
        }
    }

    /// Compares the index with the records that it names. Replaying a file reports its own problems.
    fn index(&mut self, layout: &Layout, checked: &CheckedFiles<'_>) {
        let index = match Index::read(layout) {
            Ok(index) => index,
            Err(IndexError::Missing { .. }) => return,
            Err(error) => return self.problems.push(chain(&error)),
        };
        for (experiment, entry) in &index.experiments {
            // What is no name could lead to any file of this machine.
            let told = if is_plain(&entry.records) && experiment.parse().is_ok_and(|key| is_plain(&key)) {
                let path = layout.records(&entry.records, None);
                let told = match checked.get(path.path()) {
                    Some(stated) => difference(entry, stated),
                    None => (!path.exists()).then_some("is missing"),
                };
                told.map(|told| format!("{} {told}", path.display()))
            } else {
                Some("it is not the name of an experiment, or its records are not an experiment's".to_owned())
            };
            let (index, experiment) = (layout.index(), experiment.escape_debug());
            self.problems.extend(told.map(|told| format!("{}: `{experiment}`: {told}", index.display())));
        }
    }
}

fn is_plain(key: &Key) -> bool {
    is_identifier(&key.paper) && is_identifier(&key.id)
}

/// In what a records file is not as the index says.
fn difference(entry: &IndexEntry, stated: &CheckedJob) -> Option<&'static str> {
    let identity = stated.stored.identity.hash() != entry.identity;
    let digest = (stated.stored.digest != entry.digest).then_some("has another digest");
    let games = (stated.stored.rows != entry.games).then_some("has a different number of games");
    identity.then_some("has another identity").or(digest).or(games)
}
