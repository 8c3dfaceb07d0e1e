//! Shards of a cluster: a node may be broken, or belong to somebody else.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use crate::common::lab::{Lab, Ran, experiment};
use crate::forge::{Change, Forged};

/// A submission to a scheduler that only accepts it; the shard was played here.
fn played() -> (Lab, PathBuf) {
    let lab = Lab::with(&experiment("r", "random", 6, ""));
    fs::create_dir(lab.path("bin")).unwrap();
    for (program, prints) in [("sbatch", "echo 7"), ("squeue", ":"), ("sacct", ":"), ("scontrol", ":")] {
        let file = lab.path(&format!("bin/{program}"));
        fs::write(&file, format!("#!/bin/sh\n{prints}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let submitted = run(&lab, &["cluster", "submit", "--yes"]);
    assert_eq!(submitted.code, Some(0), "{submitted:?}");
    let folder = lab.path("results/.cluster");
    let worked = run(&lab, &["cluster", "work", folder.to_str().unwrap(), "1", "0"]);
    assert_eq!(worked.code, Some(0), "{worked:?}");
    let attempt = fs::read_dir(folder.join("shards/00000")).unwrap().next().unwrap().unwrap().path();
    (lab, attempt.join("records/p/r.part-1-of-1.parquet"))
}

fn run(lab: &Lab, arguments: &[&str]) -> Ran {
    let path = format!("{}:{}", lab.path("bin").display(), std::env::var("PATH").unwrap());
    lab.command(arguments).env("PATH", path).output().unwrap().into()
}

#[test]
fn a_forged_shard_is_not_collected() {
    let (lab, part) = played();
    let good = fs::read(&part).unwrap();
    let cases: [(Change, &str); 5] = [
        (|file| file.games(|games| games[3].score += 4), "game 3: score is"),
        (|file| file.games(|games| games[3].tile_seed ^= 1), "game 3: tile_seed is"),
        (|file| file.games(|games| games[3] = games[2].clone()), "it holds game 2 twice"),
        (|file| file.games(|games| games[5].game = 77), "it holds game 77 twice, or a game of another part"),
        (|file| file.header(|header| header["identity"]["agent"] = "other".into()), "another identity"),
    ];
    for (forge, words) in cases {
        let mut forged = Forged::of(&part);
        forge(&mut forged);
        forged.write(&part);
        run(&lab, &["cluster", "collect"]).assert_fails(1, &[words, "r.part-1-of-1.parquet"]);
        assert!(!lab.records_file("p/r").exists(), "{words}");
        fs::write(&part, &good).unwrap();
    }
    let collected = run(&lab, &["cluster", "collect"]);
    assert_eq!(collected.code, Some(0), "{collected:?}");
    lab.succeed(&["verify", "results/records"]);
}
