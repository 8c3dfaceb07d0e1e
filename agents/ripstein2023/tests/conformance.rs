//! The agents pass the suite, and refuse what they cannot use.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, assert_refused, begun, position};
use engine::Rules;
use engine::abi::host::PlayError;
use engine::agent::{Budget, Position};
use serde_json::json;

#[test]
fn they_conform_as_written_and_as_released() {
    for (id, params) in [
        ("ripstein-pure-mcts", json!({})),
        ("ripstein-pure-mcts", json!({"spawn": "shared"})),
        ("ripstein-pure-mcts-top", json!({"spawn": "shared", "top": 0.25})),
        ("ripstein-mdp", json!({})),
        ("ripstein-mdp", json!({"four_boards": "twos", "games_from": "theta", "top": 0.25})),
        ("ripstein-mdp", json!({"bellman": "always", "theta1": 250})),
        ("ripstein-mdp", json!({"games_from": "theta", "theta1": 6, "theta2": 6, "expectimax_below": 4})),
    ] {
        assert_conforms(&ripstein2023::plugin(), id, &params, 60, None);
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let plugin = ripstein2023::plugin();
    for (name, value) in [
        ("top", json!(0)),
        ("top", json!(1.01)),
        ("twos", json!([1, 2, 3])),
        ("fours", json!([80, 40, 20, 7, 5, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3])),
        ("theta5", json!(0)),
        ("gamma", json!(1.1)),
        ("games_from", json!("paper")),
        ("four_boards", json!("eights")),
        ("bellman", json!(true)),
        ("expectimax_below", json!(17)),
        ("expectimax_depth", json!(0)),
    ] {
        assert_refused(&plugin, "ripstein-mdp", &json!({name: value}), name);
    }
    for share in [0.0, 1.5] {
        let range = "it must be above 0 and at most 1";
        assert_refused(&plugin, "ripstein-pure-mcts-top", &json!({"top": share}), range);
    }
    let no_game = json!({"games_from": "theta", "theta3": 1});
    assert_refused(&plugin, "ripstein-mdp", &no_game, "is 0 at 8 empty cells");
}

#[test]
fn a_budget_is_the_number_of_games_for_each_move() {
    let mut agent = begun(&ripstein2023::plugin(), "ripstein-pure-mcts", &Rules::default(), "{}");
    // Three directions are legal.
    let position = position("2 2 4 8 / . . . . / . . . . / . . . .", Budget::None);
    for (budget, games) in [(Budget::None, 100), (Budget::Playouts(1), 1), (Budget::Playouts(37), 37)] {
        let decision = agent.choose_move(&Position { budget, ..position }).unwrap();
        assert_eq!((decision.spent, decision.nodes), (games, 3 * games), "{budget}");
    }
    let nothing = Position { budget: Budget::Playouts(0), ..position };
    assert!(matches!(agent.choose_move(&nothing), Err(PlayError::Failed(_))));
}
