//! What goes wrong on a cluster, and that `retry` mends it.

use crate::common::prelude::*;
use crate::common::process::wait_up_to;

use super::node::Node;
use super::{alone, slow_lab};

/// Submits without waiting.
fn submit(node: &Node, lab: &Lab) {
    node.succeed(lab, "cluster submit --shard-time 1s --yes");
}

/// Retries until all is collected; each time something must have been submitted.
fn retry_to_the_end(node: &Node, lab: &Lab) {
    for _ in 0..8 {
        if node.run(lab, "cluster retry --yes --wait").code == Some(0) {
            break;
        }
    }
    if lab.exists("results/.cluster") {
        node.succeed(lab, "cluster collect");
    }
}

#[test]
fn an_element_that_is_cancelled_and_a_worker_that_is_killed_are_retried() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = slow_lab(24, 3000);
    submit(&node, &lab);
    wait_until("two shards are played", || node.players().len() == 2);
    wait_until("a game is over", || node.status(&lab)["done"].as_u64() > Some(0));
    // One process dies at once, and an element that has not begun is cancelled.
    signal("KILL", node.players()[0]);
    let waiting = node.ask("squeue", &["--noheader", "--array", "--states=PENDING", "--format=%i"]);
    let cancelled = waiting.lines().last().expect("one waits").trim().to_owned();
    node.ask("scancel", &[&cancelled]);
    let refused = node.run(&lab, "cluster submit --yes");
    refused
        .assert_fails(1, &["something is submitted from here already", "waiting", "pipeline cluster cancel"]);
    wait_until("nothing is under way", || node.count(&lab, "running") + node.count(&lab, "waiting") == 0);
    let status = node.status(&lab);
    let failed: Vec<_> = list(&status["shards"]).iter().filter(|shard| shard["state"] == "failed").collect();
    assert_eq!(failed.len(), 2, "{status}");
    assert!(failed.iter().any(|shard| shard["cause"] == "cancelled"), "{failed:?}");
    node.succeed(&lab, "cluster status").assert_prints(&["2 failed", "it was cancelled", "cluster retry"]);
    node.run(&lab, "cluster collect").assert_fails(1, &["p/e", "parts not played"]);
    retry_to_the_end(&node, &lab);
    assert_eq!(lab.digest("p/e"), alone(24));
}

#[test]
fn a_node_that_goes_down_has_its_shards_played_again_when_it_is_back() {
    let Some(node) = Node::start(&["ReturnToService=0"]) else { return };
    let lab = slow_lab(12, 3000);
    submit(&node, &lab);
    wait_until("a game is over", || node.status(&lab)["done"].as_u64() > Some(0));
    let name = node.name();
    node.ask("scontrol", &["update", &name, "state=down", "reason=test"]);
    wait_until("what it played is killed", || node.players().is_empty());
    node.resume(&name);
    wait_until("all is played", || {
        node.count(&lab, "complete") == node.status(&lab)["shards"].as_array().unwrap().len()
    });
    node.succeed(&lab, "cluster collect");
    assert_eq!(lab.digest("p/e"), alone(12));
}

#[test]
fn a_daemon_that_is_killed_costs_no_game() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = slow_lab(10, 3000);
    submit(&node, &lab);
    wait_until("a game is over", || node.status(&lab)["done"].as_u64() > Some(0));
    node.kill_slurmd();
    std::thread::sleep(Duration::from_millis(500));
    node.start_slurmd();
    wait_until("nothing is under way", || node.count(&lab, "running") + node.count(&lab, "waiting") == 0);
    retry_to_the_end(&node, &lab);
    assert_eq!(lab.digest("p/e"), alone(10));
}

#[test]
fn a_shard_that_is_told_of_its_time_limit_ends_its_game_and_goes_on_from_there() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = slow_lab(6, 20_000);
    node.succeed(&lab, "cluster submit --shard-time 1h --yes");
    wait_until("a game is over", || node.status(&lab)["done"].as_u64() > Some(0));
    signal("USR1", node.players()[0]);
    wait_until("it has put itself back into the queue", || node.count(&lab, "waiting") == 1);
    let status = node.status(&lab);
    assert!(status["done"].as_u64() < Some(6), "{status}");
    patiently("it is played", || node.count(&lab, "complete") == 1);
    let status = node.status(&lab);
    assert_eq!(status["shards"][0]["attempts"], 2, "{status}");
    node.succeed(&lab, "cluster collect");
    assert_eq!(lab.digest("p/e"), alone(6));
}

#[test]
fn a_game_that_is_longer_than_the_time_limit_is_played_with_more_time() {
    let Some(node) = Node::start(&[]) else { return };
    // 151 moves of 0.8 s each are two minutes; Slurm looks at time limits twice a minute.
    let lab = slow_lab(1, 800_000);
    node.succeed(&lab, "cluster submit --time 1m --yes");
    patiently("the limit is reached", || node.count(&lab, "failed") == 1);
    let status = node.status(&lab);
    assert_eq!(status["shards"][0]["cause"], "time", "{status}");
    let told = node.succeed(&lab, "cluster retry --time 5m --yes --wait").stdout;
    assert!(told.contains("a time limit of") || told.contains("Submitted 1 shard again"), "{told}");
    assert_eq!(lab.digest("p/e"), alone(1));
}

/// Waits for what Slurm does twice a minute.
pub(crate) fn patiently(what: &str, is_so: impl FnMut() -> bool) {
    wait_up_to(Duration::from_secs(400), Duration::from_millis(500), what, is_so);
}

#[test]
fn a_queue_that_is_full_takes_the_rest_later() {
    // Jobs that are over count as well, until Slurm forgets them.
    let Some(node) = Node::start(&["MaxArraySize=4", "MaxJobCount=5", "MinJobAge=2"]) else { return };
    let lab = slow_lab(8, 6500);
    // Nothing is played meanwhile, so that no room is made.
    let drained = node.drain();
    node.run(&lab, "cluster submit --shard-time 1s --time 2s --yes")
        .assert_fails(4, &["4 of ", "shards are submitted", "`pipeline cluster retry` submits the others"]);
    assert!(node.count(&lab, "unsent") > 0);
    node.resume(&drained);
    wait_until("nothing is under way", || node.count(&lab, "running") + node.count(&lab, "waiting") == 0);
    retry_to_the_end(&node, &lab);
    assert_eq!(lab.digest("p/e"), alone(8));
}

#[test]
fn a_cancelled_submission_leaves_no_job_and_no_folder() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = slow_lab(12, 3000);
    submit(&node, &lab);
    wait_until("one is played", || !node.players().is_empty());
    node.run(&lab, "cluster cancel").assert_fails(2, &["--yes"]);
    node.succeed(&lab, "cluster cancel --yes");
    wait_until("no job is left", || node.ask("squeue", &["--noheader"]).trim().is_empty());
    assert!(!lab.exists("results/.cluster"));
}

/// A laboratory with a program over the bridge that takes its time, and one whose program does not.
fn snails(games: u64) -> [Lab; 2] {
    ["0.01", "0"].map(|pause| {
        let lab = Lab::with(&experiment("e", "snail", games, "move_limit_ms = 20000"));
        lab.succeed("new-agent snail --lang python --dir made");
        copy_folder(&lab.path("made"), &lab.path("plugins"));
        let first = "        return next(direction for";
        lab.replace(
            "plugins/snail.py",
            first,
            &format!("        __import__(\"time\").sleep({pause})\n{first}"),
        );
        lab
    })
}

#[test]
fn programs_over_the_bridge_that_die_with_their_job_have_not_faulted() {
    if !has_python() {
        return skip("there is no python3");
    }
    let Some(node) = Node::start(&[]) else { return };
    let [lab, quick] = snails(8);
    quick.succeed("run --quiet");
    node.succeed(&lab, "cluster submit --shard-time 1h --yes");
    for round in 0..3 {
        wait_until("it is played", || !node.players().is_empty());
        std::thread::sleep(Duration::from_millis(1500));
        match round {
            1 => node.players().into_iter().for_each(|player| signal("KILL", player)),
            _ => drop(node.ask("scancel", &["--user=root"])),
        }
        wait_until("nothing is under way", || node.count(&lab, "running") + node.count(&lab, "waiting") == 0);
        if node.count(&lab, "failed") == 0 {
            break;
        }
        node.succeed(&lab, "cluster retry --yes");
    }
    patiently("it is played", || node.count(&lab, "complete") == 1);
    node.succeed(&lab, "cluster collect");
    assert_eq!(lab.digest("p/e"), quick.digest("p/e"));
}
