//! Verification: what was tampered with is found and named.

use crate::common::prelude::*;

use crate::quick_lab;

#[test]
fn verification_names_tampered_files_and_other_records_under_one_identity_are_an_alarm() {
    let lab = quick_lab();
    lab.succeed("run");
    let (file, untouched) = (lab.records_file("p/r"), fs::read(lab.records_file("p/r")).unwrap());
    let found = || {
        lab.run("verify").assert_finds(&["p/r.parquet"]).assert_omits(&["p/c.parquet", "panicked"]);
    };
    // Changes of games and headers behind a valid seal are tried in tests/forged.
    for length in [0, 3, 100, untouched.len() / 2, untouched.len() - 1] {
        fs::write(&file, &untouched[..length]).unwrap();
        found();
        // A broken file is no reason to play over it.
        lab.run("run").assert_fails(1, &["p/r.parquet", "restore the file, or remove it"]);
    }
    fs::write(&file, flip(&untouched, 200)).unwrap();
    found();
    fs::write(&file, &untouched).unwrap();
    lab.succeed("verify");
    rewrite(&file, |_, games| {
        let letter = if &games[7].directions[4..5] == "U" { "D" } else { "U" };
        games[7].directions.replace_range(4..5, letter);
    });
    let stored = fs::read(&file).unwrap();
    lab.run("run --fresh")
        .assert_fails(1, &["same identity, different records", "game 7, move 5", "is kept"])
        .assert_prints(&["1 experiment gave the same games as before; 1 gave different ones: p/r.\n"]);
    assert_eq!(fs::read(&file).unwrap(), stored);
    let other = lab.path("results/records/p/r.differs.parquet");
    assert_eq!(records(&other).len(), 12);
    lab.run("verify --recompute 12").assert_finds(&["p/r: played again: game 7, move 5"]);
    // The other experiment, and what it says of itself, are as before.
    lab.succeed("verify results/records/p/c.parquet");
}

#[test]
fn nothing_to_verify_is_no_success_nor_a_comparison_of_single_files_with_agents() {
    let lab = quick_lab();
    lab.run("verify").assert_fails(2, &["results/records", "`pipeline run` makes records"]);
    lab.succeed("run");
    lab.succeed("verify results").assert_prints(&["All as stored"]);
    lab.run("verify results/records/p/r.parquet --recompute 1")
        .assert_fails(2, &["--results", "a whole results folder"]);
    for arguments in ["verify paper-configs", "verify results paper-configs"] {
        lab.run(arguments).assert_fails(2, &["paper-configs: there is no records file", "`pipeline run`"]);
    }
    lab.remove("results/records");
    lab.make_folder("results/records");
    lab.run("verify --recompute 1").assert_fails(2, &["there is no records file"]);
    // Two files that the manifests ask for, the list has, and the index names.
    lab.run("verify --current")
        .assert_fails(1, &["6 problems"])
        .assert_prints(&["p/r: the experiment has not run"]);
}
