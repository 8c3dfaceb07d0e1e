//! `pipeline verify` on a whole results folder: what beside the records must be as it was written.

use std::collections::BTreeMap;
use std::path::Path;

use engine::abi::host::is_identifier;

use super::failure::chain;
use jobs::CheckedJob;
use jobs::Key;
use jobs::identity::Canonical as _;
use platform::confined::ConfinedPath;
use platform::open::LARGEST_TEXT;
use platform::threads;
use records::index::{Index, IndexEntry, IndexError};
use records::layout::Layout;
use records::store::{Extent, StoreError, TimingFile, read_timing_file};
use records::sums::{self, Sums};
use records::tree::Tree;
use rendering::catalogue;
use rendering::tables::all_claims;
use text::counted;
use verdict::StoredVerdicts;

/// What came of looking at a folder.
#[derive(Default)]
pub(super) struct Looked {
    /// What is wrong, each with its file.
    pub(super) problems: Vec<String>,
    /// What to know, though nothing is wrong.
    pub(super) notes: Vec<String>,
    /// The files of studies, which are still to be checked.
    pub(super) studies: Vec<ConfinedPath>,
    /// The files of trainings, which are too.
    pub(super) trainings: Vec<ConfinedPath>,
}

/// What the records files that were replayed are and say, by their paths. Those that could not be read are not among them.
pub(super) type Replayed<'a> = BTreeMap<&'a Path, &'a CheckedJob>;

/// Timing files by their names, as they were read.
type Timings<'a> = BTreeMap<&'a str, Result<Option<TimingFile>, StoreError>>;

/// Looks at all that a results folder holds, but for games and trials. Files that were replayed are not opened again.
pub(super) fn look(layout: &Layout, replayed: &Replayed<'_>) -> Looked {
    let mut looked = Looked::default();
    match Tree::of(layout.root()) {
        Ok(tree) => {
            let names: Vec<&str> = tree.parquet("timing").collect();
            let read = threads::map(&names, |name| read_timing_file(&layout.root().join(name)));
            let timings: Timings<'_> = names.into_iter().zip(read).collect();
            looked.strange(&tree);
            looked.hashes(layout, &tree, &known_hashes(layout, &tree, replayed, &timings));
            looked.seals(layout, &tree, replayed, &timings);
            let below = |part| tree.parquet(part).map(|name| layout.root().join(name)).collect();
            (looked.studies, looked.trainings) = (below("studies"), below("trainings"));
        }
        Err(error) => looked.problems.push(error.to_string()),
    }
    looked.index(layout, replayed);
    // Whether they are what the records give, `pipeline claims --gate` says; that they can be read at all is much less.
    looked.problems.extend(StoredVerdicts::read(&layout.claims(), &[]).err().map(|error| chain(&error)));
    looked.problems.extend(catalogue::problems(layout));
    looked.problems.extend(claims_table(layout));
    looked
}

/// What is wrong with the table of claims: it must say what the verdicts beside it say. Nothing where one of them is missing or unreadable,
/// which others tell.
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
fn known_hashes(layout: &Layout, tree: &Tree, replayed: &Replayed<'_>, timings: &Timings<'_>) -> Sums {
    let of_records = tree.parquet("records").filter_map(|name| {
        let stated = replayed.get(layout.root().join(name).path())?;
        Some((name.to_owned(), stated.sha256.clone()))
    });
    let of_timings = timings.iter().filter_map(|(name, read)| {
        let file = read.as_ref().ok()?.as_ref()?;
        Some(((*name).to_owned(), file.sha256.clone()))
    });
    of_records.chain(of_timings).collect()
}

impl Looked {
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

    /// Looks whether files are sealed. That a seal of records is broken, replaying them has told.
    fn seals(&mut self, layout: &Layout, tree: &Tree, replayed: &Replayed<'_>, timings: &Timings<'_>) {
        let older = |name: &&str| {
            let stated = replayed.get(layout.root().join(name).path());
            stated.is_some_and(|stated| !stated.is_sealed)
        };
        let older = tree.parquet("records").filter(older).count() as u64;
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

    /// Compares the index with the records that it names. What is wrong with a file that is there, replaying it has told.
    fn index(&mut self, layout: &Layout, replayed: &Replayed<'_>) {
        let index = match Index::read(layout) {
            Ok(index) => index,
            Err(IndexError::Missing { .. }) => return,
            Err(error) => return self.problems.push(chain(&error)),
        };
        for (experiment, entry) in &index.experiments {
            // What is no name could lead to any file of this machine.
            let told = if is_plain(&entry.records) && experiment.parse().is_ok_and(|key| is_plain(&key)) {
                let path = layout.records(&entry.records, None);
                let told = match replayed.get(path.path()) {
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
