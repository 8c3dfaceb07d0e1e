//! Trainings by the real program: the same file for any number of jobs, in one go, stopped or killed, and errors with their remedies.

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use surroundings::confined::ConfinedPath;

use common::lab::Lab;
use trainings::{Curve, GamesOfARow, StoredTraining, store};

/// A training of a second or less.
const TINY: &str = r#"
[[training]]
id = "tiny"
agent = "ntuple"
games = 1200
seed = 7
curve_every = 500
params = { tuples = "0123 0145", restarts = "500:10:800", step = 1.0 }
"#;

/// One that takes long enough to be stopped in: some seconds.
const LONGER: &str = r#"
[[training]]
id = "longer"
agent = "szubert-ntuple"
games = 6000
curve_every = 1000
"#;

fn sha256(lab: &Lab, training: &str) -> String {
    let told = lab.succeed(&["train", training, "--json"]).json();
    told["trainings"][0]["sha256"].as_str().unwrap().to_owned()
}

fn artefact(lab: &Lab, sha256: &str) -> PathBuf {
    lab.path(&format!("artefacts/{sha256}"))
}

/// Waits until a checkpoint is there, while the training goes on.
fn wait_for_checkpoint(lab: &Lab) {
    let began = Instant::now();
    let folder = lab.path("results/.cache/trainings");
    let is_there = || {
        let folders = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files =
            folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        files.any(|file| file.file_name().to_string_lossy().starts_with("standing-"))
    };
    while !is_there() {
        assert!(began.elapsed() < Duration::from_secs(60), "no checkpoint");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_training_gives_the_same_file_for_any_number_of_jobs_and_again() {
    let one = Lab::with(&format!("{TINY}{LONGER}"));
    let told = one.succeed(&["train", "--jobs", "2", "--json"]).json();
    let hashes: Vec<&str> =
        (0..2).map(|place| told["trainings"][place]["sha256"].as_str().unwrap()).collect();
    assert_eq!(told["trainings"][1]["cost"]["games"], 1200);
    let other = Lab::with(&format!("{TINY}{LONGER}"));
    let again = other.succeed(&["train", "--jobs", "1", "--json"]).json();
    for place in 0..2 {
        assert_eq!(again["trainings"][place]["sha256"], hashes[place]);
        let files = [&one, &other].map(|lab| fs::read(artefact(lab, hashes[place])).unwrap());
        assert!(files[0] == files[1], "packed to the same bytes");
    }
    assert_eq!(one.succeed(&["train", "--json"]).json()["trainings"][0]["outcome"], "known");
    let fresh = one.succeed(&["train", "p/tiny", "--fresh", "--json"]).json();
    assert_eq!(fresh["trainings"][0]["outcome"], "same");
    let text = one.succeed(&["train"]).stdout;
    assert!(
        text.contains("p/tiny") && text.contains("done before") && text.contains(&hashes[1][..16]),
        "{text}"
    );
    assert!(!one.path("results/.cache/trainings").join("x").exists());
    let left = fs::read_dir(one.path("results/.cache/trainings")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "checkpoints go with the training's end");
}

#[test]
fn a_training_that_is_killed_goes_on_to_the_same_file() {
    let whole = Lab::with(LONGER);
    let expected = sha256(&whole, "p/longer");
    let lab = Lab::with(LONGER);
    let mut killed = lab.start(&["train", "--checkpoint-minutes", "0.005"]);
    wait_for_checkpoint(&lab);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let resumed = lab.succeed(&["train"]);
    assert!(resumed.stderr.contains("p/longer: goes on after"), "{resumed:?}");
    assert_eq!(sha256(&lab, "p/longer"), expected);
    let curves = [&whole, &lab].map(|lab| fs::read(lab.path("results/SHA256SUMS")).is_ok());
    assert_eq!(curves, [true, true]);
}

#[test]
fn a_training_that_is_stopped_says_so_and_goes_on() {
    let lab = Lab::with(LONGER);
    let stopped = lab.start(&["train"]);
    sleep(Duration::from_millis(900));
    let pid = stopped.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let stopped = stopped.wait_with_output().unwrap();
    if stopped.status.code() == Some(0) {
        // On a fast machine it is over before the signal comes.
        return;
    }
    let text = String::from_utf8_lossy(&stopped.stdout);
    assert_eq!(stopped.status.code(), Some(1), "{text}");
    assert!(text.contains("stopped, and goes on from its checkpoint"), "{text}");
    let whole = Lab::with(LONGER);
    assert_eq!(sha256(&lab, "p/longer"), sha256(&whole, "p/longer"));
}

#[test]
fn a_damaged_checkpoint_costs_its_games_and_not_the_training() {
    let lab = Lab::with(LONGER);
    let mut killed = lab.start(&["train", "--checkpoint-minutes", "0.005"]);
    wait_for_checkpoint(&lab);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let folder = fs::read_dir(lab.path("results/.cache/trainings")).unwrap().next().unwrap().unwrap().path();
    for file in fs::read_dir(folder).unwrap().flatten() {
        if file.file_name().to_string_lossy().starts_with("checkpoint-") {
            let mut bytes = fs::read(file.path()).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs::write(file.path(), bytes).unwrap();
        }
    }
    let again = lab.succeed(&["train"]);
    assert!(again.stderr.contains("a checkpoint is dropped, and its games are played again"), "{again:?}");
    assert_eq!(sha256(&lab, "p/longer"), sha256(&Lab::with(LONGER), "p/longer"));
}

#[test]
fn a_changed_state_of_a_training_never_gets_into_its_curve() {
    let lab = Lab::with(LONGER);
    let mut killed = lab.start(&["train", "--checkpoint-minutes", "0.005"]);
    wait_for_checkpoint(&lab);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let folder = fs::read_dir(lab.path("results/.cache/trainings")).unwrap().next().unwrap().unwrap().path();
    for file in fs::read_dir(folder).unwrap().flatten() {
        if file.file_name().to_string_lossy().starts_with("standing-") {
            let text = fs::read_to_string(file.path()).unwrap();
            let changed = text.replace("\"score_sum\": ", "\"score_sum\": 4");
            assert_ne!(text, changed);
            fs::write(file.path(), changed).unwrap();
        }
    }
    let again = lab.succeed(&["train"]);
    assert!(again.stderr.contains("it does not match its checksum"), "{again:?}");
    assert_eq!(curve_digest(&lab, "longer"), {
        let whole = Lab::with(LONGER);
        whole.succeed(&["train"]);
        curve_digest(&whole, "longer")
    });
}

#[test]
fn recomputing_compares_every_row_of_a_learning_curve() {
    let plays = "[[experiment]]\nid = \"r\"\nagent = \"random\"\ngames = 3\n";
    let paper = format!("{TINY}{plays}");
    let lab = Lab::with(&paper);
    lab.succeed(&["reproduce", "--train"]);
    let path = lab.path("results/trainings/p/tiny.parquet");
    let StoredTraining { header, curve, .. } = store::read(&ConfinedPath::file(&path)).unwrap().unwrap();
    let mut forged = Curve::default();
    for (number, row) in curve.rows().iter().enumerate() {
        let before = number.checked_sub(1).map_or(0, |before| curve.rows()[before].moves);
        let score_sum = if number == 1 { row.score_sum + 4 } else { row.score_sum };
        let (games, moves, reached) = (row.games_in_row, row.moves - before, row.reached());
        forged.add(GamesOfARow { games, moves, score_sum, reached });
    }
    store::write(&ConfinedPath::file(&path), &header, &forged).unwrap();
    // The manifest now asks for rows of another length, which must not count as a difference.
    lab.paper("p", &paper.replace("curve_every = 500", "curve_every = 400"));
    let forged = lab.run(&["verify", "--recompute", "1"]);
    let words = "p/tiny: its learning curve is wrong: row 2: `score_sum` is stored as";
    assert!(forged.code == Some(1) && forged.stdout.contains(words), "{forged:?}");
}

/// The logical digest of a stored learning curve.
fn curve_digest(lab: &Lab, training: &str) -> String {
    let path = lab.path(&format!("results/trainings/p/{training}.parquet"));
    store::read(&ConfinedPath::file(&path)).unwrap().unwrap().digest
}

#[test]
fn a_training_that_gives_another_file_than_its_manifest_says_is_an_error() {
    let stated = |hash: &str| TINY.replace("seed = 7", &format!("seed = 7\nsha256 = \"{hash}\""));
    let expected = sha256(&Lab::with(TINY), "p/tiny");
    sha256(&Lab::with(&stated(&expected)), "p/tiny");
    let lab = Lab::with(&stated(&"ab".repeat(32)));
    lab.run(&["train"]).assert_fails(1, &["p/tiny", &expected, &"ab".repeat(32), "`sha256`", "not kept"]);
    assert!(!artefact(&lab, &expected).exists() && !lab.path("results/trainings/p/tiny.parquet").exists());
}

#[test]
fn what_cannot_be_trained_is_told_with_the_remedy() {
    let lab = Lab::with(TINY);
    lab.run(&["train", "p/other"]).assert_fails(2, &["`p/other`", "p/tiny"]);
    for (from, to, words) in [
        ("agent = \"ntuple\"", "agent = \"random\"", &["training `tiny`", "`random`"][..]),
        ("agent = \"ntuple\"", "agent = \"ntupel\"", &["training `tiny`", "`ntupel`"]),
        ("step = 1.0", "stop = 1.0", &["training `tiny`", "`stop`"]),
        ("step = 1.0", "alpha = 3.0", &["training `tiny`", "alpha"]),
        ("500:10:800", "500", &["training `tiny`", "`restarts`", "SUM:SHORT"]),
    ] {
        lab.paper("p", &TINY.replace(from, to));
        lab.run(&["train"]).assert_fails(2, words);
    }
}

#[test]
fn a_dry_run_trains_nothing_and_says_what_it_would_take() {
    let lab = Lab::with(TINY);
    let text = lab.succeed(&["train", "--dry-run"]).stdout;
    assert!(text.contains("1 training to train, 0 done") && text.contains("1,200 games"), "{text}");
    assert!(!lab.path("artefacts").exists());
    lab.succeed(&["train"]);
    let told = lab.succeed(&["train", "--dry-run", "--fresh", "--json"]).json();
    assert_eq!(told["to_train"][0]["cost"]["games"], 1200);
}

#[test]
fn reproduce_trains_only_where_it_is_asked_to_and_verify_trains_small_networks_again() {
    let plays = "[[experiment]]\nid = \"learned\"\nagent = \"ntuple\"\ngames = 3\nfiles.weights = \"tiny\"\n";
    let lab = Lab::with(&format!("{TINY}{plays}"));
    let without = lab.succeed(&["reproduce"]);
    assert!(
        without.stderr.contains("1 training not done") && without.stderr.contains("p/tiny: 1,200 games"),
        "{without:?}"
    );
    assert!(
        without.stdout.contains("p/learned waits for training p/tiny; run `pipeline train p/tiny`"),
        "{without:?}"
    );
    assert!(!lab.path("artefacts").exists(), "nothing is trained unasked");
    let with = lab.succeed(&["reproduce", "--train"]);
    assert!(lab.records("p/learned").len() == 3, "{with:?}");
    let verified = lab.succeed(&["verify", "--current", "--recompute", "1", "--json"]).json();
    let retrained = &verified["trainings"]["retrained"][0];
    assert_eq!(retrained["training"], "p/tiny");
    assert_eq!(retrained["now"]["Ok"], retrained["sha256"], "{verified}");
    let text = lab.succeed(&["verify", "--recompute", "1"]).stdout;
    assert!(text.contains("Ran 1 training again: 1 with the same file and learning curve."), "{text}");
    fs::remove_dir_all(lab.path("artefacts")).unwrap();
    let lost = lab.run(&["run", "p/learned", "--fresh"]);
    lost.assert_fails(2, &["`learned`", "`weights`", &sha256_of(&lab), "pipeline train p/tiny"]);
}

/// The hash that the stored training says it gave.
fn sha256_of(lab: &Lab) -> String {
    let told = lab.succeed(&["train", "--dry-run", "--json"]).json();
    assert_eq!(told["to_train"][0]["training"], "p/tiny", "{told}");
    let file = lab.path("results/trainings/p/tiny.parquet");
    store::read(&ConfinedPath::file(&file)).unwrap().unwrap().header.artefact.sha256
}
