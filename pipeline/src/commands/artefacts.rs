//! `pipeline artefacts`: weights and other files that agents load, which experiments need them, and their
//! states.

use std::collections::{BTreeMap, BTreeSet};

use indicatif::DecimalBytes;
use serde::Serialize;

use super::{Failure, print_result};
use crate::cli;
use crate::context::bar;
use crate::output::table;
use crate::training::sweep;
use jobs::Key;
use manifest::{FileSource, Paper};
use platform::console::note;
use platform::threads;
use records::Layout;
use text::counted_verb;
use trainings::{ArtefactError, Artefacts, LARGEST_COMMITTED, StoredTrainings};

/// Up to how many experiments are named in a row.
const FEW: usize = 3;
/// How many digits of a hash tell artefacts apart for people.
const DIGITS: usize = 16;

/// The state of an artefact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ArtefactState {
    /// The file exists, and its content matches its name.
    Present,
    /// A job needs it, and it does not exist.
    Missing,
    /// It exists, and no job needs it.
    Orphaned,
    /// Its content does not match its name.
    Damaged,
    /// Its training has not run yet, so its hash is not known.
    #[default]
    Untrained,
}

/// An artefact, for scripts.
#[derive(Debug, Default, Serialize)]
struct Artefact {
    sha256: Option<String>,
    state: ArtefactState,
    /// The experiments and studies that need it.
    needed_by: BTreeSet<Key>,
    /// The trainings that give it.
    trainings: BTreeSet<Key>,
    packed_bytes: Option<u64>,
    raw_bytes: Option<u64>,
    /// Whether it is small enough for git; absent if its size is not known.
    committed: Option<bool>,
    /// What is wrong with it.
    problem: Option<String>,
}

pub(crate) fn artefacts(arguments: &cli::ArtefactsArgs) -> Result<(), Failure> {
    let papers = manifest::load_folder(&arguments.places.configs)?;
    let stored = StoredTrainings::read(&papers, &Layout::new(&arguments.places.out));
    let artefacts = Artefacts::new(&arguments.artefacts);
    if let Some(text) = sweep(&artefacts) {
        note(text);
    }
    let (mut known, untrained) = known(&papers, &stored);
    for sha256 in artefacts.list().map_err(Failure::io)? {
        known.entry(sha256).or_default();
    }
    let hashes: Vec<&String> = known.keys().collect();
    let progress = bar(hashes.len() as u64, "artefacts checked");
    let checked = threads::map(&hashes, |sha256| {
        let checked = artefacts.check(sha256);
        progress.inc(1);
        checked
    });
    progress.finish_and_clear();
    let rows = known.into_iter().zip(checked);
    let rows = rows.map(|((sha256, artefact), checked)| artefact.with(&artefacts, sha256, checked));
    let rows: Vec<Artefact> = rows.chain(untrained.into_values()).collect();
    print_result(arguments.json, &rows, || text(&rows, arguments))?;
    if arguments.check { outcome(&rows) } else { Ok(()) }
}

/// The artefacts of manifests and trainings, by hash; and by training those whose training has not run yet.
fn known(
    papers: &[Paper],
    stored: &StoredTrainings,
) -> (BTreeMap<String, Artefact>, BTreeMap<Key, Artefact>) {
    let (mut known, mut untrained) = (BTreeMap::<_, Artefact>::new(), BTreeMap::<_, Artefact>::new());
    for read in stored.iter() {
        let Ok(sha256) = read.sha256(None) else {
            untrained.entry(read.key.clone()).or_default().trainings.insert(read.key.clone());
            continue;
        };
        let artefact = known.entry(sha256.clone()).or_default();
        artefact.trainings.insert(read.key.clone());
        let header = read.stored.as_ref().ok().and_then(|stored| Some(&stored.as_ref()?.header.artefact));
        if let Some(header) = header.filter(|header| header.sha256 == sha256) {
            artefact.packed_bytes = Some(header.packed_bytes);
            artefact.raw_bytes = Some(header.raw_bytes);
        }
    }
    for (key, source) in papers.iter().flat_map(files) {
        let artefact = match (stored.sha256(source, |_| None), source) {
            (Ok(sha256), _) => known.entry(sha256).or_default(),
            (Err(_), FileSource::Training(training)) => {
                let artefact = untrained.entry(training.clone()).or_default();
                artefact.trainings.insert(training.clone());
                artefact
            }
            (Err(_), FileSource::Sha256(_)) => continue,
        };
        artefact.needed_by.insert(key);
    }
    (known, untrained)
}

/// The files that a paper's experiments and studies name.
fn files(paper: &Paper) -> Vec<(Key, &FileSource)> {
    let key = |id: &String| Key::new(&paper.id, id);
    let experiments = paper.experiments.iter().map(|one| (key(&one.id), &one.files));
    let studies = paper.studies.iter().map(|one| (key(&one.id), &one.files));
    let all = experiments.chain(studies);
    all.flat_map(|(key, files)| files.values().map(move |source| (key.clone(), source))).collect()
}

impl Artefact {
    /// The same with its hash and the outcome of checking it.
    fn with(mut self, store: &Artefacts, sha256: String, checked: Result<u64, ArtefactError>) -> Self {
        self.state = match &checked {
            Ok(_) if self.needed_by.is_empty() && self.trainings.is_empty() => ArtefactState::Orphaned,
            Ok(_) => ArtefactState::Present,
            Err(error) if error.is_missing() => ArtefactState::Missing,
            Err(_) => ArtefactState::Damaged,
        };
        self.packed_bytes = store.packed_bytes(&sha256).ok().or(self.packed_bytes);
        self.raw_bytes = checked.as_ref().ok().copied().or(self.raw_bytes);
        self.committed = self.packed_bytes.map(|bytes| bytes <= LARGEST_COMMITTED);
        self.problem = checked.err().filter(|error| !error.is_missing()).map(|error| error.to_string());
        Self { sha256: Some(sha256), ..self }
    }
}

/// A table of the artefacts, and what to do about those that are not present.
fn text(rows: &[Artefact], arguments: &cli::ArtefactsArgs) -> String {
    if rows.is_empty() {
        return "There are no artefacts, and no experiment needs one.\n".to_owned();
    }
    let header = ["artefact", "state", "packed", "unpacked", "from training", "needed by"];
    let mut text = table(&header, rows.iter().map(cells));
    text.extend(rows.iter().filter_map(|row| remedy(row, arguments)).map(|remedy| format!("{remedy}\n")));
    text
}

fn cells(row: &Artefact) -> Vec<String> {
    let state = match row.state {
        ArtefactState::Present => "present",
        ArtefactState::Missing => "missing",
        ArtefactState::Orphaned => "orphaned",
        ArtefactState::Damaged => "damaged",
        ArtefactState::Untrained => "not trained",
    };
    let size = |bytes: Option<u64>| bytes.map(|bytes| DecimalBytes(bytes).to_string()).unwrap_or_default();
    vec![
        row.sha256.as_ref().map_or_else(|| "–".to_owned(), |sha256| short(sha256).to_owned()),
        state.to_owned(),
        size(row.packed_bytes),
        size(row.raw_bytes),
        names(&row.trainings),
        names(&row.needed_by),
    ]
}

fn short(sha256: &str) -> &str {
    &sha256[..DIGITS.min(sha256.len())]
}

/// A few of the names, and how many more there are.
fn names(keys: &BTreeSet<Key>) -> String {
    let mut shown: Vec<String> = keys.iter().take(FEW).map(ToString::to_string).collect();
    if keys.len() > FEW {
        shown.push(format!("and {} more", keys.len() - FEW));
    }
    shown.join(", ")
}

/// What to do about an artefact that is not as it should be.
fn remedy(row: &Artefact, arguments: &cli::ArtefactsArgs) -> Option<String> {
    let make = row.trainings.first().map(|training| format!("`pipeline train {training}` makes it"));
    let folder = arguments.artefacts.display();
    let name = row.sha256.as_deref().unwrap_or_default();
    match row.state {
        ArtefactState::Present => None,
        ArtefactState::Untrained => make.map(|make| format!("{}: {make}", names(&row.trainings))),
        ArtefactState::Missing => {
            let make = make.unwrap_or_else(|| format!("no training gives it: restore it to {folder}/{name}"));
            Some(format!("{}: {make}", short(name)))
        }
        ArtefactState::Orphaned => Some(format!("{}: nothing needs it: remove {folder}/{name}", short(name))),
        ArtefactState::Damaged => {
            let problem = row.problem.as_deref().unwrap_or_default();
            let make = make.map_or_else(|| "restore it".to_owned(), |make| format!("{make} again"));
            Some(format!("{problem}; then {make}"))
        }
    }
}

/// Fails if an artefact is damaged, or missing though it is needed.
fn outcome(rows: &[Artefact]) -> Result<(), Failure> {
    let wrong = |row: &&Artefact| match row.state {
        ArtefactState::Damaged => true,
        ArtefactState::Missing => !row.needed_by.is_empty(),
        ArtefactState::Present | ArtefactState::Orphaned | ArtefactState::Untrained => false,
    };
    let count = rows.iter().filter(wrong).count() as u64;
    let are = counted_verb(count, "artefact", ["is", "are"]);
    if count == 0 { Ok(()) } else { Err(Failure::check(format!("{are} missing or damaged"))) }
}
