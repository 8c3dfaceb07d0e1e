//! `pipeline cluster` on a real Slurm node: whatever happens to jobs, processes and the node, the records are those of one machine.

#[path = "../common/mod.rs"]
mod common;
mod fake;
mod faults;
mod node;
mod refusals;
mod studies;

use std::fs;
use std::path::Path;

use common::compile_plugin;
use common::lab::{Lab, experiment};
use node::Node;

const BAD: &str = "pipeline/tests/plugins/bad.c";

/// Three experiments that are quickly played.
fn quick() -> String {
    experiment("r", "random", 60, "")
        + &experiment("c", "fixed-cycle", 41, "seed = \"0xfedcba9876543210\"")
        + &experiment("g", "score-greedy", 7, "")
}

/// An experiment whose moves take so long.
fn slow_lab(games: u64, pause_us: u32) -> Lab {
    // The first game of this seed has 151 moves.
    let lab = Lab::with(&experiment("e", "bad", games, "seed = 10\nmove_limit_ms = 20000"));
    let flag = format!("-DSLEEP_US={pause_us}");
    lab.add_plugin(&compile_plugin(BAD, &format!("cluster-{pause_us}"), &[&flag]));
    lab
}

/// What one machine plays.
fn alone(games: u64) -> String {
    let lab = slow_lab(games, 0);
    lab.succeed(&["run", "--quiet"]);
    lab.digest("p/e")
}

/// A records file without its footer, which says where and when it was played.
fn without_footer(file: &Path) -> Vec<u8> {
    let mut bytes = fs::read(file).unwrap();
    let length = bytes[bytes.len() - 8..bytes.len() - 4].try_into().map(u32::from_le_bytes).unwrap();
    bytes.truncate(bytes.len() - 8 - length as usize);
    bytes
}

#[test]
fn several_experiments_in_arrays_of_two_cores_give_the_bytes_of_one_machine() {
    let Some(node) = Node::start(&["MaxArraySize=4"]) else { return };
    let (local, lab) = (Lab::with(&quick()), Lab::with(&quick()));
    local.succeed(&["run", "--quiet"]);
    let arguments =
        ["cluster", "submit", "--cores", "2", "--shard-time", "1s", "--time", "2s", "--yes", "--wait"];
    let ran = node.succeed(&lab, &arguments);
    for experiment in ["p/r", "p/c", "p/g"] {
        assert_eq!(lab.digest(experiment), local.digest(experiment), "{ran:?}");
        let [one, other] = [&lab, &local].map(|lab| without_footer(&lab.records_file(experiment)));
        assert!(one == other, "{experiment}");
    }
    assert!(!lab.path("results/.cluster").exists() && !lab.path("results/.holder").exists());
    let [ours, theirs] = [&lab, &local].map(|lab| fs::read(lab.path("results/index.json")).unwrap());
    assert_eq!(ours, theirs);
    lab.succeed(&["verify", "--current"]);
    assert!(lab.succeed(&["run"]).stdout.contains("nothing was played"));
    let bundled = lab.succeed(&["games", "p/r", "--json"]);
    assert!(bundled.stdout.contains("\"score\""));
}

#[test]
fn more_games_are_added_to_those_that_are_stored_and_all_can_be_played_again() {
    let Some(node) = Node::start(&[]) else { return };
    let (local, lab) = (Lab::with(&quick()), Lab::with(&quick()));
    local.succeed(&["run", "p/r", "--quiet"]);
    lab.succeed(&["run", "p/r", "--games", "23", "--quiet"]);
    let told = node.succeed(&lab, &["cluster", "submit", "p/r", "--yes", "--wait"]).stdout;
    assert!(told.contains("Collected 37 games of 1 experiment."), "{told}");
    assert_eq!(lab.digest("p/r"), local.digest("p/r"));
    let told = node.succeed(&lab, &["cluster", "submit", "p/r", "--fresh", "--yes", "--wait"]).stdout;
    assert!(told.contains("60 played") && told.contains("the same games as before"), "{told}");
    let told = node.succeed(&lab, &["cluster", "submit", "p/r", "--yes"]).stdout;
    assert!(told.contains("Nothing is missing"), "{told}");
}

#[test]
fn a_dry_run_shows_the_script_and_leaves_nothing() {
    let lab = Lab::with(&quick());
    let arguments = [
        "cluster",
        "submit",
        "--dry-run",
        "--cores",
        "3",
        "--at-most",
        "9",
        "--",
        "--partition=long",
        "--comment=a b",
    ];
    let told = lab.succeed(&arguments).stdout;
    for words in [
        "#!/bin/bash\n",
        "--cpus-per-task=3",
        "--array=0-0%9",
        "#SBATCH --partition=long\n",
        "core hours",
        "108 games of 3 experiments",
    ] {
        assert!(told.contains(words), "no `{words}` in {told}");
    }
    assert!(!told.contains("--dependency"), "there is one array: {told}");
    assert!(!lab.path("results/.cluster").exists());
    let without_terminal = lab.run(&["cluster", "submit"]);
    without_terminal.assert_fails(2, &["--yes"]);
    assert!(!lab.path("results/.cluster").exists());
    lab.run(&["cluster", "status"]).assert_fails(2, &["nothing is submitted", "pipeline cluster submit"]);
}

#[test]
fn without_slurm_the_error_says_so_and_nothing_is_left() {
    let lab = Lab::with(&quick());
    let mut command = lab.command(&["cluster", "submit", "--yes"]);
    let ran: common::lab::Ran = command.env("PATH", "/nonexistent").output().unwrap().into();
    ran.assert_fails(2, &["there is no `sbatch` here", "login node"]);
    assert!(!lab.path("results/.cluster").exists());
}
