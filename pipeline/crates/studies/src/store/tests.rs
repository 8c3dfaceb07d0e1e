//! What is written is read again, and what was changed is not believed.

use engine::Ending;
use platform::ConfinedPath;
use search::Rating;

use super::*;
use crate::fixtures::{header, run, study};

#[test]
fn a_study_is_read_as_it_was_written_faults_included() {
    let folder = tempfile::tempdir().unwrap();
    let path = ConfinedPath::root(folder.path()).join("p/s.parquet");
    let study = study(Rating::Once);
    assert_eq!(read(&path, &study).unwrap(), None);
    let mut rows = run(&study);
    let reason = "it crashed\tbadly".to_owned();
    rows[3].outcome = TrialOutcome::Faulted { game: rows[3].games.start, ending: Ending::AgentCrash, reason };
    let digest = write(&path, &study, &header(&study), &rows).unwrap();
    let stored = read(&path, &study).unwrap().unwrap();
    assert_eq!((&stored.rows, &stored.digest, &stored.header), (&rows, &digest, &header(&study)));
    let summary = summary(&path).unwrap().unwrap();
    assert_eq!((summary.rows, summary.digest), (rows.len() as u64, digest));
}

#[test]
fn the_trials_of_another_study_are_not_this_one_s() {
    let folder = tempfile::tempdir().unwrap();
    let path = ConfinedPath::root(folder.path()).join("s.parquet");
    let asked = study(Rating::Once);
    write(&path, &asked, &header(&asked), &run(&asked)).unwrap();
    let other = Study { seed: 9, ..asked.clone() };
    let told = read(&path, &other).unwrap_err().to_string();
    assert!(told.contains("s.parquet: the manifest asks for another study (seed)"), "{told}");
    let mut fixed = asked.clone();
    fixed.params.insert("fixed".to_owned(), 2.into());
    let told = read(&path, &fixed).unwrap_err().to_string();
    assert!(told.contains("(params.fixed)"), "{told}");
    let more_games = Study { winners: manifest::Winners { games: 99, ..asked.winners }, ..asked };
    assert!(read(&path, &more_games).unwrap().is_some(), "how winners are played again changes no trial");
}

#[test]
fn the_digest_is_of_everything_in_a_row() {
    let rows = run(&study(Rating::Once));
    let change = |change: fn(&mut TrialRow)| {
        let mut changed = rows.clone();
        change(&mut changed[2]);
        digest(&changed)
    };
    let one_more_node = |row: &mut TrialRow| {
        if let TrialOutcome::Played { efforts, .. } = &mut row.outcome {
            efforts[0].nodes += 1;
        }
    };
    let digests = [
        digest(&rows),
        change(|row| row.batch += 1),
        change(|row| row.games.start += 1),
        change(|row| row.origin = search::Origin::Kept),
        change(one_more_node),
        change(|row| {
            let reason = String::new();
            row.outcome = TrialOutcome::Faulted { game: 0, ending: Ending::Timeout, reason };
        }),
    ];
    let distinct: std::collections::BTreeSet<&String> = digests.iter().collect();
    assert_eq!(distinct.len(), digests.len());
}
