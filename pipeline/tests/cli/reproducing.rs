//! Reproduction: a clone stays as it was committed, and a smoke run touches no results.

use crate::common::prelude::*;

use crate::quick_lab;

#[test]
fn reproducing_a_clone_leaves_it_clean() {
    let lab = quick_lab();
    let ignored = concat!(env!("CARGO_MANIFEST_DIR"), "/../.gitignore");
    fs::copy(ignored, lab.path(".gitignore")).unwrap();
    let root = lab.path("");
    git(&root, &["init", "-q"]);
    lab.succeed("reproduce");
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "results"]);
    lab.succeed("reproduce");
    assert_eq!(git(&root, &["status", "--porcelain"]), "");
    lab.succeed("reproduce --smoke");
    assert_eq!(git(&root, &["status", "--porcelain"]), "");
    let clone = tempfile::tempdir().unwrap();
    git(&root, &["clone", "-q", ".", clone.path().to_str().unwrap()]);
    let ran = CommandOutput::from(lab.command("reproduce").current_dir(clone.path()));
    ran.assert_code(0).assert_prints(&["nothing was played"]);
    assert_eq!(git(clone.path(), &["status", "--porcelain"]), "");
}

#[test]
fn a_smoke_reproduction_touches_no_results() {
    let lab = quick_lab();
    let ran = lab.succeed("reproduce --smoke");
    ran.assert_prints(&["smoke"]).assert_warns(&["results/ is not touched"]);
    let json = lab.succeed("reproduce --smoke --json");
    for told in [&ran, &json] {
        assert!(!told.stdout.contains("retile-smoke"), "the folder is gone: {told:?}");
        told.assert_prints(&["records/p/r.parquet"]);
    }
    assert!(!lab.exists("results"));
    lab.succeed("run");
    let before = fs::read(lab.records_file("p/r")).unwrap();
    lab.succeed("reproduce --smoke");
    for out in ["./results", "results/", lab.path("results").to_str().unwrap()] {
        let _ = lab.run(&format!("reproduce --smoke --out {out}"));
        assert_eq!(fs::read(lab.records_file("p/r")).unwrap(), before, "{out}");
    }
    lab.succeed("reproduce --smoke --out mine");
    assert_eq!(records(&lab.path("mine/records/p/r.parquet")).len(), 3);
}

#[test]
fn counts_agree_with_their_nouns() {
    let lab = Lab::with(&experiment("r", "random", 1, ""));
    for (arguments, words) in [
        ("plan", &["1 game to play"][..]),
        ("run", &["Played 1 game.\n"]),
        ("run", &["The experiment is complete"]),
        ("verify --recompute 1", &["Replayed 1 game (", "in 1 file.", "Played 1 of 1 stored game again"]),
        ("claims", &["No claims."]),
    ] {
        lab.succeed(arguments).assert_prints(words);
    }
}
