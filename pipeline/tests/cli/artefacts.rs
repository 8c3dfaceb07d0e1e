//! Files of agents: from a training to the games with its weights, and everything that can be wrong.

use crate::common::prelude::*;

/// A paper whose first experiment plays with what is learned, and the second by itself.
fn paper(training: &str) -> String {
    let learned = experiment("learned", "ntuple", 3, "files = { weights = \"tiny\" }");
    format!("{learned}{}{training}", experiment("plain", "random", 3, ""))
}

/// A training of a second or less.
fn tiny(seed: u32) -> String {
    training("tiny", 300, &format!("seed = {seed}\ncurve_every = 100"))
}

/// A laboratory in which the training is done, and the hash of what it gave.
fn trained() -> (Lab, String) {
    let lab = copy_of("trained", || {
        let lab = Lab::with(&paper(&tiny(7)));
        lab.succeed("train --quiet");
        lab
    });
    let sha256 = files(&lab.path("artefacts")).into_keys().find(|name| name.len() == 64).unwrap();
    (lab, sha256)
}

/// Runs a check that must fail, and say so among what it prints.
#[track_caller]
fn fails(lab: &Lab, arguments: &str, words: &[&str]) {
    assert_has(&lab.run(arguments).assert_code(1).output(), words);
}

/// The big network of Szubert and Jaśkowski: 67 MB.
const BIG: &str = "2655f01f9dc16abc8382d25388172431662783a15ecf2783eb395f608f8d81bb";

#[test]
fn a_loaded_file_does_not_count_towards_the_memory_limit_of_its_agent() {
    let lab = Lab::new();
    let artefacts = root().join("artefacts").display().to_string();
    let agent = format!("szubert-ntuple,weights={BIG}");
    lab.json_of(&format!("eval {agent} --games 2 --memory 48 --artefacts {artefacts}"));
    let missing = format!("szubert-ntuple,weights={}", "0".repeat(64));
    lab.run(&format!("eval {missing} --games 2"))
        .assert_fails(2, &["`weights`", &"0".repeat(64), "pipeline artefacts"]);
}

#[test]
fn an_experiment_waits_for_its_training_and_is_then_played_with_its_weights() {
    let lab = Lab::with(&paper(&tiny(7)));
    let waits = "p/learned waits for training p/tiny; run `pipeline train p/tiny`.";
    for command in ["plan", "run", "explain"] {
        lab.succeed(command).assert_prints(&[waits]);
    }
    assert!(lab.records_file("p/plain").exists() && !lab.records_file("p/learned").exists());
    lab.succeed("artefacts").assert_prints(&["not trained", "`pipeline train p/tiny` makes it"]);
    let not_run = "p/tiny: the training has not run; `pipeline train p/tiny`";
    fails(&lab, "verify --current", &[not_run]);

    let (lab, sha256) = trained();
    lab.succeed("run --quiet");
    lab.succeed("explain p/learned").assert_prints(&[&format!("\"weights\": \"{sha256}\"")]);
    let json = lab.json_of("artefacts --check");
    assert_eq!(list(&json).len(), 1);
    let row = &json[0];
    assert_eq!((row["sha256"].as_str(), row["state"].as_str()), (Some(&*sha256), Some("present")));
    assert_eq!((&row["needed_by"][0], &row["trainings"][0]), (&"p/learned".into(), &"p/tiny".into()));
    assert_eq!(row["packed_bytes"], fs::metadata(lab.path(format!("artefacts/{sha256}"))).unwrap().len());
    let checked = "Checked the curves of 1 training (300 games), and the content of 1 artefact.";
    lab.succeed("verify --current").assert_prints(&[checked]);
    lab.succeed("verify results/trainings/p/tiny.parquet");
    lab.succeed("shrink");
    lab.succeed("verify --current --recompute 1");
}

#[test]
fn a_missing_or_damaged_file_costs_its_experiment_alone_before_a_game_is_played() {
    let (lab, sha256) = trained();
    let path = lab.path(format!("artefacts/{sha256}"));
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let words = ["experiment `learned`", "`weights`", &*sha256, "`pipeline train p/tiny`"];
    lab.run("run").assert_fails(2, &words);
    assert!(lab.records_file("p/plain").exists() && !lab.records_file("p/learned").exists());
    lab.run("plan").assert_fails(2, &words);
    fails(&lab, "verify", &[&sha256, "there is no such file"]);
    fails(&lab, "artefacts --check", &["missing", "1 artefact is missing or damaged"]);
    lab.succeed("artefacts");

    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    lab.run("run").assert_fails(2, &[&words[..], &["it cannot be unpacked"]].concat());
    fails(&lab, "artefacts --check", &["damaged", "it cannot be unpacked"]);
    let middle = whole.len() / 2;
    for damaged in [&whole[..middle], &flip(&whole, middle)] {
        fs::write(&path, damaged).unwrap();
        let listed = lab.json_of("artefacts");
        assert_eq!(listed[0]["state"], "damaged", "also where nobody asks for a check: {listed}");
    }
    fs::write(&path, whole).unwrap();
    lab.succeed("run --quiet");
    assert!(lab.records_file("p/learned").exists());
    assert_lacks(&lab.json_of("run").to_string(), &["missing_file"]);
}

#[test]
fn a_training_finishes_among_foreign_files_and_leftovers_of_killed_ones() {
    let lab = Lab::with(&paper(&tiny(7)));
    let at = |name: &str| lab.path("artefacts").join(name);
    lab.make_folder("artefacts");
    std::os::unix::fs::symlink("/nonexistent", at(&"0".repeat(64))).unwrap();
    let left = fs::File::create(at(".retile-abcdef.tmp")).unwrap();
    left.set_modified(std::time::SystemTime::now() - Duration::from_secs(600)).unwrap();
    let words = ["removed 1 temporary file that killed commands left", "warning: skipped", "it is a link"];
    lab.succeed("train").assert_warns(&words);
    assert!(lab.exists("results/trainings/p/tiny.parquet") && !at(".retile-abcdef.tmp").exists());
    assert!(fs::symlink_metadata(at(&"0".repeat(64))).unwrap().is_symlink(), "what is not ours stays");
}

#[test]
fn other_weights_make_records_stale_and_a_damaged_curve_or_a_forged_name_is_found() {
    let (lab, _) = trained();
    lab.succeed("run --quiet");
    lab.paper("p", &paper(&tiny(8)));
    lab.succeed("plan").assert_prints(&["is stale, seed changed; run `pipeline train p/tiny`"]);
    fails(&lab, "verify --current", &["p/tiny: the training is stale: seed, signature changed"]);
    lab.succeed("verify");
    lab.succeed("train --quiet");
    lab.succeed("explain").assert_prints(&["stale", "files.weights"]);
    lab.succeed("artefacts").assert_prints(&["orphaned", "nothing needs it"]);
    let (lab, _) = trained();
    let path = lab.path("results/trainings/p/tiny.parquet");
    let whole = fs::read(&path).unwrap();
    fs::rename(&path, lab.path("results/trainings/p/other.parquet")).unwrap();
    fails(&lab, "verify", &["this file belongs to training `p/tiny`", "SHA256SUMS"]);
    lab.remove("results/trainings/p/other.parquet");
    fs::write(&path, flip(&whole, whole.len() / 3)).unwrap();
    fails(&lab, "verify", &["tiny.parquet"]);
    lab.succeed("plan").assert_prints(&["p/learned waits for training p/tiny: ", "tiny.parquet"]);
}

#[test]
fn unknown_roles_and_missing_files_of_an_agent_are_reported_with_their_lines() {
    let lab = Lab::with(&paper(&tiny(7)).replace("{ weights =", "{ weigths ="));
    let words = ["p.toml:", "`files` lacks `weights`", "`files` has `weigths`", "it needs: weights"];
    lab.run("plan").assert_fails(2, &words);
    let unknown = format!("files = {{ weights = \"{}\" }}", "ab".repeat(32));
    lab.paper("p", &experiment("plain", "random", 3, &unknown));
    lab.run("plan").assert_fails(2, &["which agent `random` does not need; it needs: none"]);
}
