//! A bundle's games, played again elsewhere.

use std::fs;

use crate::common::lab::{Lab, experiment};
use crate::common::{compile_plugin, git};
use crate::repository::{CITATION, bundle, commit, repository};

#[test]
fn the_games_of_a_bundle_come_out_the_same_elsewhere() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let elsewhere = Lab::new();
    fs::remove_dir(elsewhere.path("paper-configs")).unwrap();
    fs::copy(&file, elsewhere.path("b.tar.zst")).unwrap();
    let outcome = elsewhere.succeed(&["reproduce", "--from", "b.tar.zst", "--json"]).json();
    let experiments = outcome["experiments"].as_array().unwrap();
    assert_eq!(experiments.len(), 2);
    for experiment in experiments {
        assert_eq!(experiment["games"], 5);
        assert_eq!(experiment["stored_digest"], experiment["played_digest"]);
        assert!(experiment["difference"].is_null());
    }
    assert!(!elsewhere.path("results").exists(), "the results of this place are not touched");
    elsewhere.succeed(&["unbundle", "b.tar.zst", "open"]);
    let text = elsewhere.succeed(&["reproduce", "--from", "open", "--games", "2", "p/r"]).stdout;
    assert!(text.contains("p/r") && !text.contains("p/c") && text.contains("identical"), "{text}");
    elsewhere
        .run(&["reproduce", "--from", "open", "--trust"])
        .assert_fails(1, &["source", "cannot be built"]);
    elsewhere.run(&["reproduce", "--trust"]).assert_fails(2, &["--from"]);
}

/// Plays the first legal move, by the clock or without.
const QUICK: &str = r#"while read -r line; do
case "$line" in
*'"type":"hello"'*) echo '{"type":"hello","protocol":1,"id":"quick","version":"1","budgets":["time-ns"]}' ;;
*'"type":"setup"'*) echo '{"type":"ready"}' ;;
*'"type":"position"'*) printf '{"type":"move","direction":"%.1s","spent":1}\n' "${line#*\"legal\":\"}" ;;
esac
done
"#;

#[test]
fn only_what_was_asked_for_is_spoken_of() {
    let lab = Lab::with(
        &(experiment("r", "random", 5, "")
            + &experiment("timed", "quick", 1, "budget = { time-ns = 1000000 }")),
    );
    // The same games as p/r, whose records it shares.
    lab.paper(
        "q",
        &(experiment("same", "random", 4, "")
            + &experiment("gone", "quick", 1, "budget = { time-ns = 2000000 }")),
    );
    lab.add_script("quick", QUICK);
    fs::write(lab.path("CITATION.cff"), CITATION).unwrap();
    fs::write(lab.path(".gitignore"), "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n").unwrap();
    lab.succeed(&["reproduce", "--quiet"]);
    git(&lab.path(""), &["init", "--quiet"]);
    commit(&lab);
    let file = bundle(&lab, "bundles", &[]);
    let told = lab.succeed(&["reproduce", "--from", file.to_str().unwrap(), "q"]).stdout;
    assert!(told.contains("q/same") && told.contains("no run repeats them: q/gone."), "{told}");
    assert!(!told.contains("p/r") && !told.contains("p/timed"), "{told}");
    let json = lab.succeed(&["reproduce", "--from", file.to_str().unwrap(), "q", "--json"]).json();
    assert_eq!(json["experiments"].as_array().map(Vec::len), Some(1), "{json}");
    assert_eq!(json["not_repeatable"], serde_json::json!(["q/gone"]));
}

#[test]
fn an_agent_that_plays_otherwise_is_noticed() {
    let lab = Lab::with(&experiment("b", "bad", 2, ""));
    lab.add_plugin(&compile_plugin("pipeline/tests/plugins/bad.c", "bundled", &[]));
    fs::write(lab.path("CITATION.cff"), CITATION).unwrap();
    fs::write(lab.path(".gitignore"), "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n").unwrap();
    lab.succeed(&["reproduce", "--quiet"]);
    git(&lab.path(""), &["init", "--quiet"]);
    commit(&lab);
    let file = bundle(&lab, "bundles", &[]);

    let elsewhere = Lab::new();
    elsewhere.add_plugin(&compile_plugin(
        "pipeline/tests/plugins/bad.c",
        "bundled-other",
        &["-DINCREMENT=99u"],
    ));
    let ran = elsewhere.run(&["reproduce", "--from", file.to_str().unwrap()]);
    assert!(ran.stdout.contains("different identity: signature"), "{ran:?}");
    ran.assert_fails(1, &["1 of 1 experiments came out different"]);
}

#[test]
fn a_damaged_bundle_is_not_played() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    lab.succeed(&["unbundle", file.to_str().unwrap(), "open"]);
    fs::write(lab.path("open/paper-configs/p.toml"), "").unwrap();
    lab.run(&["reproduce", "--from", "open"]).assert_fails(1, &["damaged", "paper-configs/p.toml"]);
}
