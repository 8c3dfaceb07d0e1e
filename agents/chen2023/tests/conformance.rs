//! The agent passes the suite in all its forms, and refuses what it cannot use.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, assert_refused, begun, position};
use engine::Rules;
use engine::abi::host::{LoadedAgent, PlayError};
use engine::agent::Budget;
use serde_json::{Value, json};

fn agent(params: &Value) -> LoadedAgent {
    begun(&chen2023::plugin(), "chen-uct", &Rules::default(), params)
}

#[test]
fn they_conform_in_all_forms() {
    let plugin = chen2023::plugin();
    for params in [
        json!({}),
        json!({"tree": "as-written", "final_choice": "max-robust"}),
        json!({"tree": "as-written", "keep_tree": true, "measure": "sum", "rollouts": "random"}),
        json!({"measure": "best", "rollouts": "random", "final_choice": "secure"}),
    ] {
        assert_conforms(&plugin, "chen-uct", &params, 80, Some(Budget::Playouts(25)));
    }
    assert_conforms(&plugin, "chen-two-directions", &json!({}), 200, None);
}

#[test]
fn it_says_what_it_did() {
    let position = position("2 4 8 16 / . . . . / . . . . / . . . .", Budget::Playouts(1000));
    for (params, playouts) in [(json!({}), 1 + 1 + 999), (json!({"tree": "as-written"}), 1000)] {
        let mut agent = agent(&params);
        let decision = agent.choose_move(&position).unwrap();
        assert_eq!((decision.spent, decision.nodes), (playouts, playouts), "one move is legal");
        let values = agent.move_values().unwrap();
        assert_eq!(values.value[decision.direction as usize], decision.value);
        assert_eq!(values.nodes.iter().sum::<u64>() + 1, playouts, "one rollout began on the board itself");
    }
}

/// Section 5.4.3: "the constant in the exploration term can be adjusted to increase or decrease the amount of
/// exploration".
#[test]
fn a_larger_exploration_constant_spreads_the_rollouts_more_evenly() {
    let position = position("64 8 4 2 / 8 2 . . / 2 . . . / . . . .", Budget::Playouts(1000));
    for tree in ["as-released", "as-written"] {
        let [none, some, most] = [0.0, 1.0, 100.0].map(|exploration| {
            let mut agent = agent(&json!({"tree": tree, "exploration": exploration}));
            agent.choose_move(&position).unwrap();
            let nodes = agent.move_values().unwrap().nodes;
            nodes.into_iter().max().unwrap() - nodes.into_iter().min().unwrap()
        });
        assert!(none > some && some > most, "{tree}: {none}, {some}, {most}");
    }
}

#[test]
fn what_it_cannot_use_is_refused_by_name() {
    for (name, params) in [
        ("measure", json!({"measure": "score"})),
        ("tree", json!({"tree": "flat"})),
        ("final_choice", json!({"final_choice": "best"})),
        ("rollouts", json!({"rollouts": "cyclic"})),
        ("exploration", json!({"exploration": -1.0})),
        ("keep_tree", json!({"keep_tree": true})),
    ] {
        assert_refused(&chen2023::plugin(), "chen-uct", &params, name);
    }
    for playouts in [0, 1_000_001] {
        let position = position("2 4 8 16 / . . . . / . . . . / . . . .", Budget::Playouts(playouts));
        let failed = agent(&json!({})).choose_move(&position);
        assert!(matches!(failed, Err(PlayError::Failed(text)) if text.contains("playouts")));
    }
}
