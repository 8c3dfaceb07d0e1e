//! The agents pass the suite, and refuse what they cannot use.

use engine::abi::host::{CreateError, PlayError, Silent};
use engine::agent::{Budget, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Rules};
use serde_json::json;

#[test]
fn they_conform_as_written_and_as_released() {
    let plugin = ripstein2023::plugin();
    for (id, params) in [
        ("ripstein-pure-mcts", json!({})),
        ("ripstein-pure-mcts", json!({"spawn": "shared"})),
        ("ripstein-pure-mcts-top", json!({"spawn": "shared", "top": 0.25})),
        ("ripstein-mdp", json!({})),
        ("ripstein-mdp", json!({"four_boards": "twos", "games_from": "theta", "top": 0.25})),
        ("ripstein-mdp", json!({"bellman": "always", "theta1": 250})),
        ("ripstein-mdp", json!({"games_from": "theta", "theta1": 6, "theta2": 6, "expectimax_below": 4})),
    ] {
        let options = Options { params: params.as_object().unwrap().clone(), moves: 60, budget: None };
        let report = conformance::check(&plugin, plugin.agent(id).unwrap(), &options);
        assert!(report.passed(), "{id} {params}\n{report}");
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let plugin = ripstein2023::plugin();
    let refused = |id: &str, params: serde_json::Value| {
        let index = plugin.agent(id).unwrap().index;
        plugin.create(index, &Rules::default(), &params.to_string(), Silent).map(drop).unwrap_err()
    };
    let refusal = |params| refused("ripstein-mdp", params);
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
        let error = refusal(json!({name: value}));
        assert!(matches!(&error, CreateError::BadParams(text) if text.contains(name)), "{name}: {error}");
    }
    for share in [0.0, 1.5] {
        let error = refused("ripstein-pure-mcts-top", json!({"top": share}));
        assert!(error.to_string().contains("it must be above 0 and at most 1"), "{error}");
    }
    let error = refusal(json!({"games_from": "theta", "theta3": 1}));
    assert!(error.to_string().contains("is 0 at 8 empty cells"), "{error}");
}

#[test]
fn a_budget_is_the_number_of_games_for_each_move() {
    let plugin = ripstein2023::plugin();
    let index = plugin.agent("ripstein-pure-mcts").unwrap().index;
    let mut agent = plugin.create(index, &Rules::default(), "{}", Silent).unwrap();
    agent.new_game(AgentSeed(0)).unwrap();
    // Three directions are legal.
    let position = Position::of_board("2 2 4 8 / . . . . / . . . . / . . . .".parse().unwrap()).unwrap();
    for (budget, games) in [(Budget::None, 100), (Budget::Playouts(1), 1), (Budget::Playouts(37), 37)] {
        let decision = agent.choose_move(&Position { budget, ..position }).unwrap();
        assert_eq!((decision.spent, decision.nodes), (games, 3 * games), "{budget}");
    }
    let nothing = Position { budget: Budget::Playouts(0), ..position };
    assert!(matches!(agent.choose_move(&nothing), Err(PlayError::Failed(_))));
}
