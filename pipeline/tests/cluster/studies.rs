//! Studies on a cluster: a chain of arrays comes to the trials of one machine.

use crate::common::manifests::{GENETIC, study};
use crate::common::prelude::*;

use studies::store;

use super::node::Node;

/// A laboratory with a study of this id.
pub(crate) fn lab(id: &str) -> Lab {
    let lab = Lab::with(&study(id, GENETIC));
    lab.build_plugin(TUNED, "cluster-tuned", &["-DSLEEP_US=0"]);
    lab
}

fn digest(lab: &Lab) -> String {
    store::summary(&confined(lab.path("results/studies/p/s.parquet"))).unwrap().expect("it is whole").digest
}

#[test]
fn a_chain_of_arrays_comes_to_the_trials_of_one_machine() {
    let Some(node) = Node::start(&[]) else { return };
    let (local, lab) = (lab("s"), lab("s"));
    local.succeed("study --no-winners --quiet");
    let arguments = "cluster submit p/s --shard-time 1s --cores 1 --yes --wait";
    node.succeed(&lab, arguments)
        .assert_prints(&["a chain of 4 arrays, one for each batch", "study p/s: 18 trials"]);
    assert_eq!(digest(&lab), digest(&local));
    assert!(!lab.exists("results/.cluster"));
}
