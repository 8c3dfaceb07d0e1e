//! The agent and its training through the boundary, as a host sees them.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, with_weights};
use engine::Rules;
use engine::abi::host::{CreateError, Silent};
use serde_json::json;

/// The file of a short training of the smaller network.
fn weights(games: u32) -> Vec<u8> {
    let training = szubert2014::plugin().train(0, &Rules::default(), "{}", 7, Silent);
    let mut training = training.unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..games {
        training.next_game().unwrap();
    }
    let mut bytes = Vec::new();
    training.artefact(&mut bytes).unwrap();
    bytes
}

#[test]
fn what_is_trained_behind_the_boundary_plays_and_conforms() {
    let plugin = with_weights(szubert2014::plugin(), weights(50));
    let agent = plugin.agent("szubert-ntuple").unwrap();
    assert_eq!(agent.training.as_ref().unwrap().default_params()["rate"], 0.0025);
    assert_conforms(&plugin, "szubert-ntuple", &json!({}), 60, None);
}

#[test]
fn a_network_that_is_not_the_papers_is_refused() {
    let mut other = weights(1);
    // The first cell of the first tuple: no tuple of the paper begins so.
    other[33] = 1;
    let plugin = with_weights(szubert2014::plugin(), other);
    let refused = plugin.create(0, &Rules::default(), "{}", Silent).map(drop).unwrap_err();
    assert!(matches!(&refused, CreateError::Failed(text) if text.contains("`weights`")), "{refused}");
    let missing = szubert2014::plugin().create(0, &Rules::default(), "{}", Silent).map(drop);
    assert_eq!(missing, Err(CreateError::NoFile { role: "weights".to_owned() }));
}
