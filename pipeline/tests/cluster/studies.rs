//! Studies on a cluster: a chain of arrays comes to the trials of one machine.

use studies::store;
use surroundings::confined::ConfinedPath;

use super::node::Node;
use crate::common::compile_plugin;
use crate::common::lab::Lab;

pub(crate) const TUNED: &str = "pipeline/tests/plugins/tuned.c";

pub(crate) const STUDY: &str = "[[study]]\nid = \"s\"\nagent = \"tuned\"\nseed = 7\nwinners = { best = 2, games = 5, seed = 9 }\ngames = 3\n\
    seeds = \"fresh\"\nmethod = { kind = \"genetic\", population = 6, iterations = 3, mutation_probability = 0.1, \
    crossover_probability = 0.5 }\n[study.space]\nskill = { from = 0, to = 1, digits = 2 }\n";

pub(crate) fn lab() -> Lab {
    let lab = Lab::with(STUDY);
    lab.add_plugin(&compile_plugin(TUNED, "cluster-tuned", &["-DSLEEP_US=0"]));
    lab
}

fn digest(lab: &Lab) -> String {
    store::summary(&ConfinedPath::file(&lab.path("results/studies/p/s.parquet")))
        .unwrap()
        .expect("it is whole")
        .digest
}

#[test]
fn a_chain_of_arrays_comes_to_the_trials_of_one_machine() {
    let Some(node) = Node::start(&[]) else { return };
    let (local, lab) = (lab(), lab());
    local.succeed(&["study", "--no-winners", "--quiet"]);
    let arguments = ["cluster", "submit", "p/s", "--shard-time", "1s", "--cores", "1", "--yes", "--wait"];
    let told = node.succeed(&lab, &arguments).stdout;
    assert!(told.contains("a chain of 4 arrays, one for each batch"), "{told}");
    assert!(told.contains("Study p/s is whole"), "{told}");
    assert_eq!(digest(&lab), digest(&local));
    assert!(!lab.path("results/.cluster").exists());
}
