//! `pipeline cluster` on a real Slurm node: if jobs, processes or the node fail, the records are still
//! those of one machine.

#[path = "../common/mod.rs"]
mod common;
mod fake;
mod faults;
mod node;
mod refusals;
mod studies;
mod trainings;

use common::prelude::*;
use node::Node;

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
    lab.build_plugin(BAD, &format!("cluster-{pause_us}"), &[&format!("-DSLEEP_US={pause_us}")]);
    lab
}

/// What one machine plays.
fn alone(games: u64) -> String {
    let lab = slow_lab(games, 0);
    lab.succeed("run --quiet");
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
    local.succeed("run --quiet");
    let arguments = "cluster submit --cores 2 --shard-time 1s --time 2s --yes --wait";
    let ran = node.succeed(&lab, arguments);
    for experiment in ["p/r", "p/c", "p/g"] {
        assert_eq!(lab.digest(experiment), local.digest(experiment), "{ran:?}");
        let [one, other] = [&lab, &local].map(|lab| without_footer(&lab.records_file(experiment)));
        assert!(one == other, "{experiment}");
    }
    assert!(!lab.exists("results/.cluster") && !lab.exists("results/.holder"));
    let [ours, theirs] = [&lab, &local].map(|lab| fs::read(lab.path("results/index.json")).unwrap());
    assert_eq!(ours, theirs);
    lab.succeed("verify --current");
    assert!(lab.succeed("run").stdout.contains("nothing was played"));
    lab.succeed("games p/r --json").assert_prints(&["\"score\""]);
}

#[test]
fn more_games_are_added_to_those_that_are_stored_and_all_can_be_played_again() {
    let Some(node) = Node::start(&[]) else { return };
    let (local, lab) = (Lab::with(&quick()), Lab::with(&quick()));
    local.succeed("run p/r --quiet");
    lab.succeed("run p/r --games 23 --quiet");
    let told = node.succeed(&lab, "cluster submit p/r --yes --wait").stdout;
    assert_has(&told, &["experiment p/r: 37 games"]);
    assert_eq!(lab.digest("p/r"), local.digest("p/r"));
    let told = node.succeed(&lab, "cluster submit p/r --fresh --yes --wait").stdout;
    assert_has(&told, &["experiment p/r: 60 games", "the same as before"]);
    node.succeed(&lab, "cluster submit p/r --yes").assert_prints(&["Nothing is missing"]);
}

#[test]
fn a_dry_run_shows_the_script_and_without_slurm_an_error_says_so_and_nothing_is_left() {
    let lab = Lab::with(&quick());
    let options = "--cores 3 --at-most 9 -- --partition=long '--comment=a b'";
    let dry = lab.succeed(&format!("cluster submit --dry-run {options}"));
    dry.assert_prints(&["#!/bin/bash\n", "--cpus-per-task=3", "--array=0-0%9", "#SBATCH --partition=long\n"]);
    dry.assert_prints(&["core hours", "108 games of 3 experiments"]);
    // There is one array.
    dry.assert_omits(&["--dependency"]);
    assert!(!lab.exists("results/.cluster"));
    lab.run("cluster submit").assert_fails(2, &["--yes"]);
    assert!(!lab.exists("results/.cluster"));
    lab.run("cluster status").assert_fails(2, &["nothing is submitted", "pipeline cluster submit"]);
    lab.run_with("PATH", "/nonexistent", "cluster submit --yes")
        .assert_fails(2, &["there is no `sbatch` here", "login node"]);
    assert!(!lab.exists("results/.cluster"));
}
