//! Stored studies and the journals of their trials: a damaged one is refused, or gives the very trials that
//! were written. What is forged behind a right seal or checksum is refused or can be used; it is never taken
//! for trials of other games.

use manifest::Study;
use pipeline::journal::Title;
use pipeline::study::gather;
use pipeline::study::journal::{FinishedTrial, TrialJournal};
use platform::hash::sha256;
use records::Layout;
use search::{Proposal, Trial};
use serde::Serialize;
use studies::{
    Effort, GameFigures, Player, StudyHeader, StudyIdentity, TrialOutcome, TrialRow, check, store,
};
use workers::frame;

use crate::prelude::*;

/// The study of the example that has every key: a parameter of each kind, and both objectives.
static STUDY: LazyLock<Study> = LazyLock::new(|| {
    let file = root().join("pipeline/crates/manifest/src/example.toml");
    let study = manifest::load(&file).unwrap().study("tuned").unwrap().clone();
    assert_eq!((study.space.len(), study.objectives.len()), (3, 2));
    study
});

/// All its trials, in games that nobody played.
static ROWS: LazyLock<Vec<TrialRow>> = LazyLock::new(|| {
    let searched = STUDY.to_search();
    let (mut rows, mut finished): (Vec<TrialRow>, Vec<Vec<Trial>>) = (Vec::new(), Vec::new());
    loop {
        let proposals = STUDY.method.propose(&searched, &finished);
        if proposals.is_empty() {
            return rows;
        }
        let first = rows.len();
        for proposal in proposals {
            let games: Vec<GameFigures> =
                proposal.games.clone().map(|game| figures(&proposal, game)).collect();
            let came = TrialOutcome::of_games(
                &STUDY,
                &games,
                &sha256(format!("{:?}", (&proposal.point, &proposal.games))),
            );
            rows.push(TrialRow::of(rows.len() as u64, finished.len() as u32, proposal, came));
        }
        finished.push(rows[first..].iter().map(|row| row.to_trial(&STUDY.objectives)).collect());
    }
});

fn figures(proposal: &Proposal, game: u64) -> GameFigures {
    let luck = game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
    let nodes = luck + proposal.point.values().iter().map(|value| (10.0 * value) as u64).sum::<u64>();
    GameFigures { score: 4 * nodes as u32, effort: Effort { moves: 20 + luck, nodes } }
}

fn header() -> StudyHeader {
    let player = Player {
        version: "1".to_owned(),
        params: STUDY.params.clone(),
        files: BTreeMap::new(),
        signatures: vec!["s".to_owned()],
    };
    StudyHeader {
        study: "example/tuned".to_owned(),
        identity: StudyIdentity::new(&STUDY, player).stored(),
        manifest: serde_json::to_value(&*STUDY).unwrap(),
        provenance: Vec::new(),
    }
}

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    in_file("tuned.parquet", b"", |file| {
        store::write(&confined(file), &STUDY, &header(), &ROWS).unwrap();
        fs::read(file).unwrap()
    })
});

/// Checks a study's file as `pipeline verify` does. Returns its rows where nothing is wrong with it.
fn checked(write: impl FnOnce(&Path)) -> Option<Vec<TrialRow>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("studies/example/tuned.parquet");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    write(&path);
    match check(&confined(&path), &STUDY) {
        Ok(_) => Some(store::read(&confined(&path), &STUDY).unwrap().unwrap().rows),
        Err(error) => {
            assert!(error.to_string().contains("tuned.parquet"), "{error}");
            None
        }
    }
}

fn check_file(changes: &[Change]) {
    let rows = checked(|path| fs::write(path, damaged(&BYTES, changes)).unwrap());
    assert!(rows.is_none_or(|rows| rows == *ROWS), "{changes:?}");
}

fn proposal(row: &TrialRow) -> Proposal {
    Proposal { point: row.point.clone(), origin: row.origin, games: row.games.clone() }
}

fn finished(row: &TrialRow) -> FinishedTrial {
    FinishedTrial::of(row.trial, &proposal(row), row.outcome.clone(), 5, 6)
}

fn title() -> Title {
    Title::new(format!("example/tuned {}", header().identity.hash()), None, None)
}

/// A title and the trials below it, each in a frame with its right checksum.
fn frames(title: &impl Serialize, trials: &[impl Serialize]) -> Vec<u8> {
    let (mut bytes, mut one) = (Vec::new(), Vec::new());
    frame::fill(&mut one, title).unwrap();
    bytes.append(&mut one);
    for trial in trials {
        frame::fill(&mut one, trial).unwrap();
        bytes.append(&mut one);
    }
    bytes
}

/// The trials in a journal of these bytes, which is also brought into a results folder and written on.
fn journalled(bytes: &[u8]) -> Vec<FinishedTrial> {
    let folder = tempfile::tempdir().unwrap();
    let (path, results) = (folder.path().join("tuned.part-1-of-2.journal"), folder.path().join("results"));
    fs::write(&path, bytes).unwrap();
    match gather(&confined(&path), &Layout::new(&results)) {
        Ok(gathered) => assert_eq!(gathered.path.path().parent(), Some(&*results.join("studies/example"))),
        Err(error) => assert!(error.to_string().contains("tuned.part-1-of-2.journal"), "{error}"),
    }
    let journal = TrialJournal::look(&confined(&path), &title()).unwrap();
    let trials = journal.iter().flat_map(|journal| journal.games().map(|trial| journal.read(trial)));
    let trials = trials.filter_map(Result::ok).collect();
    let last = ROWS.last().unwrap();
    let (mut journal, _) = TrialJournal::open(&confined(&path), &title()).unwrap();
    journal.append(&finished(last)).unwrap();
    assert!(TrialJournal::look(&confined(&path), &title()).unwrap().unwrap().contains(last.trial));
    trials
}

fn some_trials() -> Vec<FinishedTrial> {
    ROWS[..6].iter().map(finished).collect()
}

#[test]
fn the_study_and_the_journal_that_are_damaged_are_themselves_in_order() {
    assert_eq!(checked(|path| fs::write(path, &*BYTES).unwrap()).as_ref(), Some(&*ROWS));
    assert_eq!(journalled(&frames(&title(), &some_trials())), some_trials());
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_damaged_study_is_refused_or_gives_the_same_trials(changes in changes()) {
        check_file(&changes);
    }

    #[test]
    fn a_trial_that_is_forged_behind_the_seal_is_refused_or_followed(
        row in any::<Index>(), at in any::<Index>(), new in hard_values()
    ) {
        let mut rows = ROWS.clone();
        let row = row.index(rows.len());
        if let Ok(came) = serde_json::from_value(replaced(&serde_json::to_value(&rows[row].outcome).unwrap(), at, new)) {
            rows[row].outcome = came;
            let read = checked(|path| drop(store::write(&confined(path), &STUDY, &header(), &rows).unwrap()));
            prop_assert!(read.is_none_or(|read| read == rows));
        }
    }

    #[test]
    fn a_study_with_another_header_is_read_or_refused(at in any::<Index>(), new in hard_values()) {
        if let Ok(header) = serde_json::from_value(replaced(&serde_json::to_value(header()).unwrap(), at, new)) {
            let read = checked(|path| drop(store::write(&confined(path), &STUDY, &header, &ROWS).unwrap()));
            prop_assert!(read.is_none_or(|read| read == *ROWS));
        }
    }

    #[test]
    fn a_damaged_journal_gives_trials_that_were_written_or_none(changes in changes()) {
        let trials = journalled(&damaged(&frames(&title(), &some_trials()), &changes));
        prop_assert!(trials.iter().all(|trial| some_trials().contains(trial)), "{changes:?}");
    }

    #[test]
    fn a_journal_with_another_title_stays_in_its_place(at in any::<Index>(), new in hard_values()) {
        let title = replaced(&serde_json::to_value(title()).unwrap(), at, new);
        let trials = journalled(&frames(&title, &some_trials()));
        prop_assert!(trials.is_empty() || trials == some_trials());
    }

    #[test]
    fn an_accepted_journalled_trial_has_all_its_games(
        row in any::<Index>(), at in any::<Index>(), new in hard_values()
    ) {
        let row = row.get(&ROWS);
        let forged: Value = replaced(&serde_json::to_value(finished(row)).unwrap(), at, new);
        for trial in journalled(&frames(&title(), &[forged])).iter().filter(|trial| trial.is_of(&proposal(row))) {
            let scores = match &trial.came {
                TrialOutcome::Played { scores, .. } => scores.count(),
                TrialOutcome::Faulted { .. } => STUDY.evaluation.games,
            };
            prop_assert_eq!(scores, STUDY.evaluation.games);
        }
    }
}
