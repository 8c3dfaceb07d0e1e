//! Studies of two folders, held against each other.

use std::path::Path;

use ::studies::{Effort, GameFigures, Player, StudyHeader, StudyIdentity, TrialOutcome, TrialRow, store};
use manifest::Study;

use super::*;

/// A folder with games of `p/e` and the study `p/s` of this seed, all of whose trials have this score.
fn side_with_study(folder: &Path, name: &str, seed: u32, score: u32) -> Side {
    let configs = folder.join(format!("{name}-configs"));
    std::fs::create_dir(&configs).unwrap();
    let text = format!(
        "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n[[study]]\nid = \"s\"\nagent = \"a\"\nseed = {seed}\ngames = 1\n\
         budget = {{ plies = 1 }}\nmethod = {{ kind = \"sobol\", points = 4, batch = 4 }}\n\
         winners = {{ best = 1, games = 10, seed = 9 }}\nspace = {{ x = {{ from = 0, to = 1, digits = 3 }} }}\n"
    );
    std::fs::write(configs.join("p.toml"), text).unwrap();
    let played = side(folder, name, 1, &["U"]);
    let papers = manifest::load_folder(&configs).unwrap();
    store_study(&played.layout, papers[0].study("s").unwrap(), score);
    Side::work_tree(WorkTree { results: played.layout.root().path(), configs: &configs }, None).unwrap()
}

fn store_study(layout: &Layout, study: &Study, score: u32) {
    let proposals = study.method.propose(&study.to_search(), &[]);
    let outcome = TrialOutcome::of_games(
        study,
        &[GameFigures { score, effort: Effort { moves: 10, nodes: 20 } }],
        "0123456789abcdef",
    );
    let row = |(trial, proposal)| TrialRow::of(trial, 0, proposal, outcome.clone());
    let rows: Vec<TrialRow> = (0..).zip(proposals).map(row).collect();
    let (version, signatures) = ("1".to_owned(), Vec::new());
    let player = Player { version, params: study.params.clone(), files: [].into(), signatures };
    let header = StudyHeader {
        study: "p/s".to_owned(),
        identity: StudyIdentity::new(study, player).stored(),
        manifest: serde_json::Value::Null,
        provenance: Vec::new(),
    };
    store::write(&layout.study(&"p/s".parse().unwrap()), study, &header, &rows).unwrap();
}

/// The only study of a diff whose games are the same, and whether anything changed.
fn told(before: &Side, after: &Side) -> (JobDiff, bool) {
    let mut told = diff(before, after).unwrap();
    assert!(told.jobs["experiments"].iter().all(|experiment| experiment.state == DiffState::Identical));
    let mut studies = told.jobs.remove("studies").unwrap();
    assert_eq!(studies.len(), 1);
    (studies.remove(0), told.changed)
}

#[test]
fn a_study_is_the_same_changed_new_gone_or_an_alarm() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, seed, score| side_with_study(folder.path(), name, seed, score);
    let before = made("before", 1, 500);
    let (same, changed) = told(&before, &made("same", 1, 500));
    assert!(same.state == DiffState::Identical && !changed && same.first_difference.is_none());
    let stored = same.after.unwrap();
    assert_eq!((stored.rows, &stored.details["best"]["point"]), (4, &json!(500.0)));
    assert_eq!(same.before.unwrap(), stored);

    let (seeded, changed) = told(&before, &made("seeded", 2, 500));
    let seeded_words = seeded.clone();
    assert!(seeded.state == DiffState::Changed && changed, "a study alone is a change");
    assert_eq!(seeded.identity.iter().map(|part| part.component.as_str()).collect::<Vec<_>>(), ["seed"]);
    assert_eq!(seeded.first_difference.unwrap().value["parting"], "proposal");

    let (alarm, changed) = told(&before, &made("alarm", 1, 600));
    assert!(alarm.state == DiffState::Alarm && changed && alarm.identity.is_empty());
    assert_eq!(alarm.first_difference.as_ref().unwrap().value["parting"], "result");
    assert_eq!(alarm.after.as_ref().unwrap().details["best"]["point"], 600.0);
    let text = overview(&[alarm.clone(), seeded_words.clone()]).unwrap().markdown();
    assert!(text.contains("| best before") && text.contains("500 [") && text.contains("600 ["), "{text}");
    assert_eq!(alarm.state.text(alarm.words), "ALARM: same identity, different trials");
    assert_eq!(notes(&seeded_words)[0], "identity: seed: \"0000000000000001\" → \"0000000000000002\"");

    let none = side(folder.path(), "none", 1, &["U"]);
    let ((gone, _), (new, changed)) = (told(&before, &none), told(&none, &before));
    assert_eq!((gone.state, new.state, changed), (DiffState::Gone, DiffState::New, true));
    assert!(gone.before.is_some() && gone.after.is_none() && new.before.is_none() && new.after.is_some());
}

#[test]
fn only_files_at_a_study_s_own_place_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let one = side_with_study(folder.path(), "one", 1, 500);
    let file = one.layout.study(&"p/s".parse().unwrap());
    std::fs::copy(file.path(), file.with_file_name("s.differs.parquet").path()).unwrap();
    std::fs::write(file.with_file_name("NO NAME.parquet").path(), "nothing").unwrap();
    let (same, changed) = told(&one, &one);
    assert!(same.state == DiffState::Identical && !changed);
    std::fs::write(file.path(), "no study").unwrap();
    assert!(diff(&one, &one).is_err(), "a broken study is an error");
}
