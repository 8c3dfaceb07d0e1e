//! What is written is read again, and what was changed is not believed.

use engine::Ending;
use platform::confined::ConfinedPath;
use search::Rating;
use std::path::Path;

use super::*;
use crate::fixtures::{identity, run, study};

fn header(study: &Study) -> StudyHeader {
    StudyHeader {
        study: "p/s".to_owned(),
        identity: identity(study),
        manifest: serde_json::to_value(study).unwrap(),
        provenance: Vec::new(),
    }
}

#[test]
fn a_study_is_read_as_it_was_written_faults_included() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p/s.parquet");
    let study = study(Rating::Once);
    assert_eq!(read(&ConfinedPath::file(&path), &study).unwrap(), None);
    let mut rows = run(&study);
    let reason = "it crashed\tbadly".to_owned();
    rows[3].outcome = TrialOutcome::Faulted { game: rows[3].games.start, ending: Ending::AgentCrash, reason };
    let digest = write(&ConfinedPath::file(&path), &study, &header(&study), &rows).unwrap();
    let stored = read(&ConfinedPath::file(&path), &study).unwrap().unwrap();
    assert_eq!((&stored.rows, &stored.digest, &stored.header), (&rows, &digest, &header(&study)));
    let summary = summary(&ConfinedPath::file(&path)).unwrap().unwrap();
    assert_eq!((summary.rows, summary.digest), (rows.len() as u64, digest));
}

#[test]
fn the_trials_of_another_study_are_not_this_one_s() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.parquet");
    let asked = study(Rating::Once);
    write(&ConfinedPath::file(&path), &asked, &header(&asked), &run(&asked)).unwrap();
    let other = Study { seed: 9, ..asked.clone() };
    let told = read(&ConfinedPath::file(&path), &other).unwrap_err().to_string();
    assert!(told.contains("s.parquet: the manifest asks for another study (seed)"), "{told}");
    let mut fixed = asked.clone();
    fixed.params.insert("fixed".to_owned(), 2.into());
    let told = read(&ConfinedPath::file(&path), &fixed).unwrap_err().to_string();
    assert!(told.contains("(params.fixed)"), "{told}");
    let more_games = Study { winners: manifest::Winners { games: 99, ..asked.winners }, ..asked };
    assert!(
        read(&ConfinedPath::file(&path), &more_games).unwrap().is_some(),
        "how winners are played again changes no trial"
    );
}

#[test]
fn a_flipped_byte_is_noticed_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.parquet");
    let study = study(Rating::Once);
    write(&ConfinedPath::file(&path), &study, &header(&study), &run(&study)).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for place in (0..whole.len()).step_by(97) {
        let mut flipped = whole.clone();
        flipped[place] ^= 16;
        std::fs::write(&path, &flipped).unwrap();
        assert!(read(&ConfinedPath::file(&path), &study).is_err(), "byte {place} of {}", whole.len());
    }
}

#[test]
fn a_mean_that_does_not_follow_from_its_games_is_told_with_its_trial() {
    let study = study(Rating::Once);
    let rows = run(&study);
    let mut frame = columns::frame(&study, &rows).unwrap();
    let means: Vec<f64> = frame.column("mean_score").unwrap().f64().unwrap().into_no_null_iter().collect();
    let forged: Vec<f64> =
        means.iter().enumerate().map(|(at, mean)| mean + f64::from(u8::from(at == 5))).collect();
    frame.replace("mean_score", polars::prelude::Column::new("mean_score".into(), forged)).unwrap();
    let told =
        columns::rows(&ConfinedPath::file(Path::new("s.parquet")), &study, &frame).unwrap_err().to_string();
    assert!(
        told.starts_with("s.parquet: trial 5: mean_score does not follow from its games; restore"),
        "{told}"
    );
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
