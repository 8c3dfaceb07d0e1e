//! What `collect` refuses.

use crate::common::prelude::*;

use platform::sealed;

use super::node::Node;
use super::quick;

/// A submission of which everything is played, and nothing is collected.
fn played(node: &Node) -> Lab {
    let lab = Lab::with(&quick());
    node.succeed(&lab, "cluster submit p/r --yes");
    wait_until("it is played", || node.count(&lab, "complete") == 1);
    lab
}

/// The owner in the seal of a submission.
const SUBMISSION: &str = "a submission to a cluster";

/// Changes the submission, and seals it again.
pub(crate) fn change(lab: &Lab, change: impl FnOnce(&mut Value)) {
    let path = lab.path("results/.cluster/submission.json");
    let mut submission: Value = sealed::read(SUBMISSION, &fs::read(&path).unwrap()).unwrap();
    change(&mut submission);
    fs::write(&path, sealed::text(SUBMISSION, &submission).unwrap()).unwrap();
}

#[test]
fn other_players_and_identities_and_attempts_that_contradict_each_other_are_refused() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = played(&node);
    let before = fs::read(lab.path("results/.cluster/submission.json")).unwrap();
    let refused = |words: &[&str], make: &dyn Fn(&mut Value)| {
        change(&lab, make);
        node.run(&lab, "cluster collect").assert_fails(1, words);
        assert!(!lab.records_file("p/r").exists());
        lab.write("results/.cluster/submission.json", &before);
    };
    refused(&["another program has played it"], &|sent| sent["program_sha256"] = "0".into());
    refused(&["another plugin has played it"], &|sent| sent["plugins"][0]["sha256"] = "0".into());
    refused(&["another identity"], &|sent| sent["jobs"][0]["planned"]["identity"]["seed"] = "0x7".into());
    let attempt = only(lab.path("results/.cluster/shards/00000"));
    let part = attempt.join("records/p/r.part-1-of-1.parquet");
    let other = attempt.with_file_name("other");
    copy_folder(&attempt, &other);
    // The same games twice are no harm.
    let copy = other.join("records/p/r.part-1-of-1.parquet");
    let games = records(&part);
    let write = |change: &dyn Fn(&mut GameRecord)| {
        rewrite(&copy, |_, copied| {
            copied.clone_from(&games);
            copied.iter_mut().for_each(change);
        });
    };
    write(&|game| game.score += u32::from(game.game == 5) * 4);
    node.run(&lab, "cluster collect").assert_fails(1, &["two attempts at the same games", "different ones"]);
    assert!(!lab.records_file("p/r").exists());
    write(&|_| ());
    node.succeed(&lab, "cluster collect");
    assert_eq!(summary(&lab.records_file("p/r")).games, 60);
}

#[test]
fn stored_games_must_still_be_there_and_what_slurm_refuses_leaves_nothing() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = Lab::with(&quick());
    lab.succeed("run p/r --games 3 --quiet");
    node.succeed(&lab, "cluster submit p/r --yes");
    wait_until("it is played", || node.count(&lab, "complete") == 1);
    fs::rename(lab.records_file("p/r"), lab.path("aside")).unwrap();
    node.run(&lab, "cluster collect").assert_fails(1, &["the first 3 games were stored", "restore them"]);
    fs::rename(lab.path("aside"), lab.records_file("p/r")).unwrap();
    node.succeed(&lab, "cluster collect");
    assert_eq!(summary(&lab.records_file("p/r")).games, 60);
    let lab = Lab::with(&quick());
    for (option, words) in
        [("--partition=nowhere", "nvalid partition"), ("--no-such-option", "no-such-option")]
    {
        let refused = node.run(&lab, &format!("cluster submit p/r --yes -- {option}"));
        refused.assert_fails(2, &["`sbatch` refused", words]);
        assert!(!lab.exists("results/.cluster"), "{option}");
    }
}

#[test]
fn a_program_that_is_rebuilt_meanwhile_changes_nothing_and_a_changed_copy_plays_nothing() {
    let Some(node) = Node::start(&[]) else { return };
    let lab = Lab::with(&quick());
    // The element waits, while what was copied for it is changed.
    let drained = node.drain();
    node.succeed(&lab, "cluster submit p/r --yes");
    let file = only(lab.path("results/.cluster/program/plugin-0"));
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, b"another").unwrap();
    node.resume(&drained);
    wait_until("it has failed", || node.count(&lab, "failed") == 1);
    node.succeed(&lab, "cluster status").assert_prints(&["not the plugin that was sent"]);
    fs::write(&file, bytes).unwrap();
    node.succeed(&lab, "cluster retry --yes --wait");
    let local = Lab::with(&quick());
    local.succeed("run p/r --quiet");
    assert_eq!(lab.digest("p/r"), local.digest("p/r"));
}
