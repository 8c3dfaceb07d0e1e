//! The agents pass the suite, say what they did, and refuse what they cannot use.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, assert_refused, begun, position};
use engine::Rules;
use engine::abi::host::PlayError;
use engine::agent::{Budget, Position};
use serde_json::json;

#[test]
fn they_conform() {
    for (id, params, moves) in [
        ("er-expectimax", json!({}), 60),
        ("er-minimax", json!({}), 60),
        ("er-nodes", json!({"empty": 5}), 30),
    ] {
        assert_conforms(&expectimax_report::plugin(), id, &params, moves, None);
    }
}

#[test]
fn it_says_what_it_did() {
    let position = position("2 . 8 . / 16 32 . 2 / 4 8 2 64 / 2 . 128 256", Budget::None);
    // 2048 ends the report's games.
    let rules = Rules { stop_at: 2048.try_into().ok(), ..Rules::default() };
    let mut agent = begun(&expectimax_report::plugin(), "er-expectimax", &rules, "{}");
    let decision = agent.choose_move(&position).unwrap();
    assert_eq!((decision.depth, decision.spent), (7, 7), "four cells are empty");
    let values = agent.move_values().unwrap();
    assert_eq!(values.value[decision.direction as usize], decision.value);
    assert_eq!(values.nodes.iter().sum::<u64>() + 1, decision.nodes, "the root is expanded too");

    let shallow = Position { budget: Budget::Plies(2), ..position };
    let decision = agent.choose_move(&shallow).unwrap();
    assert_eq!((decision.depth, decision.spent), (2, 2));
    let nothing = Position { budget: Budget::Plies(0), ..position };
    assert!(matches!(agent.choose_move(&nothing), Err(PlayError::Failed(_))));
}

#[test]
fn numbers_out_of_range_are_refused_by_name() {
    for name in ["corner_weight", "adjacency_weight", "empty_weight", "won_value", "dead_value"] {
        assert_refused(&expectimax_report::plugin(), "er-expectimax", &json!({name: -1e13}), name);
    }
    assert_refused(&expectimax_report::plugin(), "er-nodes", &json!({"empty": 15}), "empty");
}
