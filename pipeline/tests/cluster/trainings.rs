//! Trainings on a cluster: interrupted and resumed, they give the weights and the curve of one machine.

use crate::common::prelude::*;

use super::faults::patiently;
use super::node::Node;

#[test]
fn a_training_that_reaches_its_time_limit_and_is_killed_goes_on_to_the_same_weights() {
    let Some(node) = Node::start(&[]) else { return };
    let (local, lab) = (Lab::with(LONG_TRAINING), Lab::with(LONG_TRAINING));
    local.succeed("train --quiet");
    node.succeed(&lab, "cluster submit p/long --yes");
    wait_until("it learns", || !node.players().is_empty());
    std::thread::sleep(Duration::from_secs(1));
    signal("USR1", node.players()[0]);
    wait_until("it has put itself back into the queue", || node.count(&lab, "waiting") == 1);
    let learned = node.status(&lab)["done"].as_u64();
    assert!(learned > Some(0) && learned < Some(6000), "{learned:?}");
    patiently("its second attempt learns", || !node.players().is_empty());
    node.players().into_iter().for_each(|player| signal("KILL", player));
    wait_until("it has failed", || node.count(&lab, "failed") == 1);
    node.run(&lab, "cluster collect").assert_fails(1, &["p/long: the training is not complete"]);
    node.succeed(&lab, "cluster retry --yes --wait")
        .assert_prints(&["training p/long: 6,000 games", "the work folder is removed"]);
    assert_eq!(training_outcome(&lab, "long"), training_outcome(&local, "long"));
    assert!(!lab.exists("results/.cluster"));
    lab.succeed("verify");
    node.succeed(&lab, "cluster submit p/long --yes").assert_prints(&["Nothing is missing"]);
}

#[test]
fn weights_and_curves_that_are_not_what_was_sent_are_not_collected() {
    let lab = Lab::with(&training("t", 300, "curve_every = 100"));
    let (path, folder) = (lab.add_slurm(), lab.path("results/.cluster"));
    let run = |arguments: &str| lab.run_with("PATH", &path, arguments);
    run("cluster submit p/t --fresh --yes")
        .assert_code(0)
        .assert_prints(&["300 games of 1 training", "Submitted as job "]);
    run(&format!("cluster work {} 1 0", folder.display())).assert_code(0);
    let attempt = only(folder.join("shards/00000"));
    let mut weights = fs::read_dir(attempt.join("artefacts")).unwrap().map(|entry| entry.unwrap().path());
    let weights = weights.find(|path| path.file_name().unwrap().len() == 64).unwrap();
    let curve = attempt.join("trainings/p/t.parquet");
    for (file, words) in [(weights, "it gave the artefact"), (curve, "t.parquet")] {
        let good = fs::read(&file).unwrap();
        fs::write(&file, flip(&good, good.len() / 2)).unwrap();
        run("cluster collect").assert_fails(1, &["p/t", words]);
        assert!(!lab.exists("results/trainings/p/t.parquet"));
        fs::write(&file, good).unwrap();
    }
    run("cluster collect").assert_code(0).assert_prints(&["training p/t: 300 games"]);
    lab.succeed("verify");
}
