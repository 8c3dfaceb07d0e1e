//! Files of agents with the real program: from a training to the games that are played with what it gave, and whatever can be wrong on the
//! way.

mod common;

use std::fs;

use common::lab::{Lab, experiment};

/// A training of a second or less.
const TINY: &str = r#"
[[training]]
id = "tiny"
agent = "ntuple"
games = 300
seed = 7
curve_every = 100
params = { tuples = "0123 0145", step = 1.0 }
"#;

/// A paper whose first experiment plays with what is learned, and the second by itself.
fn paper(training: &str) -> String {
    let learned = experiment("learned", "ntuple", 3, "files = { weights = \"tiny\" }");
    format!("{learned}{}{training}", experiment("plain", "random", 3, ""))
}

/// A laboratory in which the training is done, and the hash of what it gave.
fn trained() -> (Lab, String) {
    let lab = Lab::with(&paper(TINY));
    let told = lab.succeed(&["train", "--quiet", "--json"]).json();
    let sha256 = told["trainings"][0]["sha256"].as_str().unwrap().to_owned();
    (lab, sha256)
}

/// Runs a check that must fail, and say so among what it prints.
#[track_caller]
fn fails(lab: &Lab, arguments: &[&str], words: &[&str]) {
    let ran = lab.run(arguments);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = format!("{}{}", ran.stdout, ran.stderr);
    words.iter().for_each(|word| assert!(said.contains(word), "no `{word}` in {ran:?}"));
}

/// The big network of Szubert and Jaśkowski: 67 MB.
const BIG: &str = "2655f01f9dc16abc8382d25388172431662783a15ecf2783eb395f608f8d81bb";

#[test]
fn a_file_that_is_lent_takes_nothing_from_the_memory_of_its_agent() {
    let lab = Lab::new();
    let artefacts = concat!(env!("CARGO_MANIFEST_DIR"), "/../artefacts");
    let agent = format!("szubert-ntuple,weights={BIG}");
    let limited = ["eval", &agent, "--games", "2", "--memory", "48", "--artefacts", artefacts, "--json"];
    lab.succeed(&limited);
    let missing = format!("szubert-ntuple,weights={}", "0".repeat(64));
    lab.run(&["eval", &missing, "--games", "2"])
        .assert_fails(2, &["`weights`", &"0".repeat(64), "pipeline artefacts"]);
}

#[test]
fn an_experiment_waits_for_its_training_and_is_then_played_with_what_it_gave() {
    let lab = Lab::with(&paper(TINY));
    let waits = "p/learned waits for training p/tiny; run `pipeline train p/tiny`.";
    for command in ["plan", "run", "explain"] {
        let ran = lab.succeed(&[command]);
        assert!(ran.stdout.contains(waits), "{command}: {ran:?}");
    }
    assert!(lab.records_file("p/plain").exists() && !lab.records_file("p/learned").exists());
    let listed = lab.succeed(&["artefacts"]).stdout;
    assert!(
        listed.contains("not trained") && listed.contains("`pipeline train p/tiny` makes it"),
        "{listed}"
    );
    fails(
        &lab,
        &["verify", "--current"],
        &["training p/tiny has not been conducted; run `pipeline train p/tiny`"],
    );

    let (lab, sha256) = trained();
    lab.succeed(&["run", "--quiet"]);
    let explained = lab.succeed(&["explain", "p/learned"]).stdout;
    assert!(explained.contains(&format!("\"weights\": \"{sha256}\"")), "{explained}");
    let json = lab.succeed(&["artefacts", "--check", "--json"]).json();
    assert_eq!(json.as_array().unwrap().len(), 1);
    let row = &json[0];
    assert_eq!((row["sha256"].as_str(), row["state"].as_str()), (Some(&*sha256), Some("present")));
    assert_eq!((&row["needed_by"][0], &row["trainings"][0]), (&"p/learned".into(), &"p/tiny".into()));
    assert_eq!(row["packed_bytes"], fs::metadata(lab.path(&format!("artefacts/{sha256}"))).unwrap().len());
    let verified = lab.succeed(&["verify", "--current"]).stdout;
    let said = "Checked the curves of 1 training (300 games), and the content of 1 artefact.";
    assert!(verified.contains(said), "{verified}");
    lab.succeed(&["verify", "results/trainings/p/tiny.parquet"]);
    lab.succeed(&["shrink"]);
    lab.succeed(&["verify", "--current", "--recompute", "1"]);
}

#[test]
fn a_missing_or_damaged_file_costs_its_experiment_alone_before_a_game_is_played() {
    let (lab, sha256) = trained();
    let path = lab.path(&format!("artefacts/{sha256}"));
    let whole = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let words = ["experiment `learned`", "`weights`", &*sha256, "`pipeline train p/tiny`"];
    lab.run(&["run"]).assert_fails(2, &words);
    assert!(lab.records_file("p/plain").exists() && !lab.records_file("p/learned").exists());
    lab.run(&["plan"]).assert_fails(2, &words);
    fails(&lab, &["verify"], &[&sha256, "there is no such file"]);
    fails(&lab, &["artefacts", "--check"], &["missing", "1 artefact is missing or damaged"]);
    lab.succeed(&["artefacts"]);

    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    lab.run(&["run"]).assert_fails(2, &[&words[..], &["it cannot be unpacked"]].concat());
    fails(&lab, &["artefacts", "--check"], &["damaged", "it cannot be unpacked"]);
    let middle = whole.len() / 2;
    let flipped = [&whole[..middle], &[whole[middle] ^ 1], &whole[middle + 1..]].concat();
    for damaged in [&whole[..middle], &flipped] {
        fs::write(&path, damaged).unwrap();
        let listed = lab.succeed(&["artefacts", "--json"]).json();
        assert_eq!(listed[0]["state"], "damaged", "also where nobody asks for a check: {listed}");
    }
    fs::write(&path, whole).unwrap();
    lab.succeed(&["run", "--quiet"]);
    assert!(lab.records_file("p/learned").exists());
    let json = lab.succeed(&["run", "--json"]).json();
    assert!(json.to_string().find("missing_file").is_none(), "{json}");
}

#[test]
fn a_training_comes_to_its_end_among_foreign_files_and_what_killed_ones_have_left() {
    let lab = Lab::with(&paper(TINY));
    let at = |name: &str| lab.path("artefacts").join(name);
    fs::create_dir(lab.path("artefacts")).unwrap();
    std::os::unix::fs::symlink("/nonexistent", at(&"0".repeat(64))).unwrap();
    let left = fs::File::create(at(".retile-abcdef.tmp")).unwrap();
    left.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(600)).unwrap();
    drop(left);
    let trained = lab.succeed(&["train"]);
    let words = ["removed 1 temporary file that killed commands left", "warning: skipped", "it is a link"];
    words.iter().for_each(|word| assert!(trained.stderr.contains(word), "no `{word}` in {trained:?}"));
    assert!(lab.path("results/trainings/p/tiny.parquet").exists() && !at(".retile-abcdef.tmp").exists());
    assert!(fs::symlink_metadata(at(&"0".repeat(64))).unwrap().is_symlink(), "what is not ours stays");
}

#[test]
fn other_weights_make_records_stale_and_say_so_by_role() {
    let (lab, _) = trained();
    lab.succeed(&["run", "--quiet"]);
    lab.paper("p", &paper(&TINY.replace("seed = 7", "seed = 8")));
    let plan = lab.succeed(&["plan"]).stdout;
    assert!(plan.contains("is stale, seed changed; run `pipeline train p/tiny`"), "{plan}");
    fails(&lab, &["verify", "--current"], &["training p/tiny is stale, seed changed"]);
    lab.succeed(&["verify"]);
    lab.succeed(&["train", "--quiet"]);
    let explained = lab.succeed(&["explain"]).stdout;
    assert!(explained.contains("stale") && explained.contains("files.weights"), "{explained}");
    let artefacts = lab.succeed(&["artefacts"]).stdout;
    assert!(artefacts.contains("orphaned") && artefacts.contains("nothing needs it"), "{artefacts}");
}

#[test]
fn roles_that_an_agent_does_not_have_and_files_that_it_lacks_are_told_with_their_lines() {
    let lab = Lab::with(&paper(TINY).replace("{ weights =", "{ weigths ="));
    let words = ["p.toml:", "`files` lacks `weights`", "`files` has `weigths`", "it needs: weights"];
    lab.run(&["plan"]).assert_fails(2, &words);
    lab.paper(
        "p",
        &experiment("plain", "random", 3, &format!("files = {{ weights = \"{}\" }}", "ab".repeat(32))),
    );
    lab.run(&["plan"]).assert_fails(2, &["which agent `random` does not need; it needs: none"]);
}

#[test]
fn a_damaged_curve_and_a_forged_name_are_found() {
    let (lab, _) = trained();
    let path = lab.path("results/trainings/p/tiny.parquet");
    let whole = fs::read(&path).unwrap();
    fs::rename(&path, lab.path("results/trainings/p/other.parquet")).unwrap();
    fails(&lab, &["verify"], &["it says that it is training `p/tiny`", "SHA256SUMS"]);
    fs::remove_file(lab.path("results/trainings/p/other.parquet")).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 3] ^= 1;
    fs::write(&path, damaged).unwrap();
    fails(&lab, &["verify"], &["tiny.parquet"]);
    let plan = lab.succeed(&["plan"]).stdout;
    assert!(
        plan.contains("p/learned waits for training p/tiny: ") && plan.contains("tiny.parquet"),
        "{plan}"
    );
}
