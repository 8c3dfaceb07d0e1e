//! `pipeline artefacts`: the files that agents are lent, which experiment needs which, and what is there.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::context::bar;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::output::table::table;
use jobs::Key;
use manifest::{FileSource, Paper};
use platform::threads;
use records::layout::Layout;
use text::counted;
use trainings::artefacts::LARGEST_COMMITTED;
use trainings::{Artefacts, StoredTrainings};

/// Up to how many experiments are named in a row.
const FEW: usize = 3;
/// How many digits of a hash tell artefacts apart for people.
const DIGITS: usize = 16;

/// What there is of an artefact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// The file exists, and its content matches its name.
    Present,
    /// Something needs it, and it is not there.
    Missing,
    /// It is there, and nothing needs it.
    Orphaned,
    /// What is there is not it.
    Damaged,
    /// The training that gives it has not been conducted, so that nobody knows its hash.
    Untrained,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Missing => "missing",
            Self::Orphaned => "orphaned",
            Self::Damaged => "damaged",
            Self::Untrained => "not trained",
        }
    }
}

/// An artefact, for scripts.
#[derive(Debug, Serialize)]
struct Row {
    sha256: Option<String>,
    state: State,
    /// The experiments and studies that need it.
    needed_by: BTreeSet<Key>,
    /// The trainings that give it.
    trainings: BTreeSet<Key>,
    packed_bytes: Option<u64>,
    raw_bytes: Option<u64>,
    /// Whether it is small enough for git; absent where its size is not known.
    committed: Option<bool>,
    /// What is wrong with it.
    problem: Option<String>,
}

/// Who has to do with an artefact, and what is known of its size without looking at it.
#[derive(Debug, Default)]
struct Use {
    needed_by: BTreeSet<Key>,
    trainings: BTreeSet<Key>,
    /// Its size in the store and unpacked, as a training says.
    said: Option<(u64, u64)>,
}

pub(crate) fn artefacts(arguments: &cli::Artefacts) -> Result<(), Failure> {
    let papers = manifest::load_folder(&arguments.places.configs)?;
    let stored = StoredTrainings::read(&papers, &Layout::new(&arguments.places.out));
    let artefacts = Artefacts::new(&arguments.artefacts);
    artefacts.sweep();
    let (uses, untrained) = uses(&papers, &stored);
    let there = artefacts.list().map_err(Failure::io)?;
    let all: BTreeSet<&String> = uses.keys().chain(&there).collect();
    let all: Vec<&String> = all.into_iter().collect();
    let unused = Use::default();
    let progress = bar(all.len() as u64, "artefacts checked");
    let mut rows = threads::map(&all, |sha256| {
        let row = row(&artefacts, sha256, uses.get(*sha256).unwrap_or(&unused));
        progress.inc(1);
        row
    });
    progress.finish_and_clear();
    rows.extend(untrained.into_iter().map(|(training, needed_by)| Row {
        sha256: None,
        state: State::Untrained,
        needed_by,
        trainings: [training].into(),
        packed_bytes: None,
        raw_bytes: None,
        committed: None,
        problem: None,
    }));
    match arguments.json {
        true => print_json(&rows)?,
        false => print_text(&text(&rows, arguments))?,
    }
    if arguments.check { outcome(&rows) } else { Ok(()) }
}

/// Who has to do with which artefact, by hash; and who waits for which training, whose artefact nobody knows yet.
fn uses(papers: &[Paper], stored: &StoredTrainings) -> (BTreeMap<String, Use>, BTreeMap<Key, BTreeSet<Key>>) {
    let (mut uses, mut untrained) = (BTreeMap::<String, Use>::new(), BTreeMap::<Key, BTreeSet<Key>>::new());
    for read in stored.iter() {
        match read.sha256(None) {
            Ok(sha256) => {
                let used = uses.entry(sha256.clone()).or_default();
                used.trainings.insert(read.key.clone());
                let header =
                    read.stored.as_ref().ok().and_then(|stored| Some(&stored.as_ref()?.header.artefact));
                let header = header.filter(|artefact| artefact.sha256 == sha256);
                used.said = header.map(|artefact| (artefact.packed_bytes, artefact.raw_bytes)).or(used.said);
            }
            Err(_) => drop(untrained.insert(read.key.clone(), BTreeSet::new())),
        }
    }
    for (key, source) in papers.iter().flat_map(files) {
        match (stored.sha256(source, |_| None), source) {
            (Ok(sha256), _) => drop(uses.entry(sha256).or_default().needed_by.insert(key)),
            (Err(_), FileSource::Training(training)) => {
                untrained.entry(training.clone()).or_default().insert(key);
            }
            (Err(_), FileSource::Sha256(_)) => {}
        }
    }
    (uses, untrained)
}

/// The files that a paper's experiments and studies name.
fn files(paper: &Paper) -> Vec<(Key, &FileSource)> {
    let key = |id: &String| Key::new(&paper.id, id);
    let experiments = paper.experiments.iter().map(|one| (key(&one.id), &one.files));
    let studies = paper.studies.iter().map(|one| (key(&one.id), &one.files));
    let all = experiments.chain(studies);
    all.flat_map(|(key, files)| files.values().map(move |source| (key.clone(), source))).collect()
}

fn row(artefacts: &Artefacts, sha256: &str, used: &Use) -> Row {
    let Use { needed_by, trainings, said } = used;
    let looked = artefacts.check(sha256);
    let state = match &looked {
        Ok(_) if needed_by.is_empty() && trainings.is_empty() => State::Orphaned,
        Ok(_) => State::Present,
        Err(error) if error.is_missing() => State::Missing,
        Err(_) => State::Damaged,
    };
    let packed_bytes = artefacts.packed_bytes(sha256).ok().or(said.map(|(packed, _)| packed));
    Row {
        sha256: Some(sha256.to_owned()),
        state,
        needed_by: needed_by.clone(),
        trainings: trainings.clone(),
        packed_bytes,
        raw_bytes: looked.as_ref().ok().copied().or(said.map(|(_, raw)| raw)),
        committed: packed_bytes.map(|bytes| bytes <= LARGEST_COMMITTED),
        problem: looked.err().filter(|error| !error.is_missing()).map(|error| error.to_string()),
    }
}

/// What there is, and what to do about it.
fn text(rows: &[Row], arguments: &cli::Artefacts) -> String {
    if rows.is_empty() {
        return "There are no artefacts, and no experiment needs one.\n".to_owned();
    }
    let header = ["artefact", "state", "packed", "unpacked", "from training", "needed by"];
    let mut text = table(&header, &rows.iter().map(cells).collect::<Vec<_>>());
    for row in rows {
        text.extend(remedy(row, arguments).map(|remedy| format!("{remedy}\n")));
    }
    text
}

fn cells(row: &Row) -> Vec<String> {
    let size = |bytes: Option<u64>| bytes.map(megabytes).unwrap_or_default();
    vec![
        row.sha256.as_ref().map_or_else(|| "–".to_owned(), |sha256| short(sha256).to_owned()),
        row.state.word().to_owned(),
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

fn megabytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes < 1000 => format!("{bytes} B"),
        bytes if bytes < 1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        bytes => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// What to do about an artefact that is not as it should be; nothing where it is.
fn remedy(row: &Row, arguments: &cli::Artefacts) -> Option<String> {
    let make = row.trainings.first().map(|training| format!("`pipeline train {training}` makes it"));
    let folder = arguments.artefacts.display();
    let name = row.sha256.as_deref().unwrap_or_default();
    match row.state {
        State::Present => None,
        State::Untrained => make.map(|make| format!("{}: {make}", names(&row.trainings))),
        State::Missing => {
            let make = make.unwrap_or_else(|| format!("no training gives it: restore it to {folder}/{name}"));
            Some(format!("{}: {make}", short(name)))
        }
        State::Orphaned => Some(format!("{}: nothing needs it: remove {folder}/{name}", short(name))),
        State::Damaged => {
            let problem = row.problem.as_deref().unwrap_or_default();
            let make = make.map_or_else(|| "restore it".to_owned(), |make| format!("{make} again"));
            Some(format!("{problem}; then {make}"))
        }
    }
}

/// Fails where something is damaged, or missing though it is needed.
fn outcome(rows: &[Row]) -> Result<(), Failure> {
    let wrong = |row: &&Row| match row.state {
        State::Damaged => true,
        State::Missing => !row.needed_by.is_empty(),
        State::Present | State::Orphaned | State::Untrained => false,
    };
    match rows.iter().filter(wrong).count() as u64 {
        0 => Ok(()),
        1 => Err(Failure::check("1 artefact is missing or damaged")),
        count => Err(Failure::check(format!("{} are missing or damaged", counted(count, "artefact")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_names_are_for_people() {
        assert_eq!([999, 1000, 1_949_000, 1_950_000].map(megabytes), ["999 B", "1.0 kB", "1.9 MB", "1.9 MB"]);
        let keys = |count: u64| (0..count).map(|number| format!("p/e{number}").parse().unwrap()).collect();
        assert_eq!(names(&keys(3)), "p/e0, p/e1, p/e2");
        assert_eq!(names(&keys(5)), "p/e0, p/e1, p/e2, and 2 more");
    }
}
