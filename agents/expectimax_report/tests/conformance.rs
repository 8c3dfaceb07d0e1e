//! The agents that play pass the suite, and say what they did.

use engine::abi::host::{CreateError, LoadedAgent, PlayError, Silent};
use engine::agent::{Budget, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Rules};
use serde_json::json;

fn agent(rules: &Rules, params: &serde_json::Value) -> Result<LoadedAgent, CreateError> {
    agent_of("er-expectimax", rules, params)
}

fn agent_of(id: &str, rules: &Rules, params: &serde_json::Value) -> Result<LoadedAgent, CreateError> {
    let plugin = expectimax_report::plugin();
    let index = plugin.agent(id).unwrap().index;
    plugin.create(index, rules, &params.to_string(), Silent)
}

/// The rules of the report: 2048 ends the game.
fn rules() -> Rules {
    Rules { stop_at: 2048.try_into().ok(), ..Rules::default() }
}

#[test]
fn they_conform() {
    let plugin = expectimax_report::plugin();
    for id in ["er-expectimax", "er-minimax"] {
        let agent = plugin.agent(id).unwrap();
        let report = conformance::check(&plugin, agent, &Options { moves: 60, ..Options::default() });
        assert!(report.passed(), "{id}\n{report}");
    }
}

#[test]
fn it_says_what_it_did() {
    let board = "2 . 8 . / 16 32 . 2 / 4 8 2 64 / 2 . 128 256".parse().unwrap();
    let position = Position::of_board(board).unwrap();
    let mut agent = agent(&rules(), &json!({})).unwrap();
    agent.new_game(AgentSeed(0)).unwrap();
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
        let error = agent(&rules(), &json!({name: -1e13})).map(drop).unwrap_err();
        assert!(matches!(&error, CreateError::BadParams(text) if text.contains(name)), "{error}");
    }
}
