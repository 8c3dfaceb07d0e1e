//! The agent passes the suite in all its forms, and refuses what it cannot use.

use engine::abi::host::{CreateError, LoadedAgent, PlayError, Silent};
use engine::agent::{Budget, Position};
use engine::conformance::{self, Options};
use engine::{AgentSeed, Rules};
use serde_json::{Value, json};

fn agent(params: &Value) -> Result<LoadedAgent, CreateError> {
    let plugin = chen2023::plugin();
    plugin.create(plugin.agent("chen-uct").unwrap().index, &Rules::default(), &params.to_string(), Silent)
}

fn position(text: &str, playouts: u64) -> Position {
    let position = Position::of_board(text.parse().unwrap()).unwrap();
    Position { budget: Budget::Playouts(playouts), ..position }
}

#[test]
fn it_conforms_in_all_its_forms() {
    let plugin = chen2023::plugin();
    for params in [
        json!({}),
        json!({"tree": "as-written", "final_choice": "max-robust"}),
        json!({"tree": "as-written", "keep_tree": true, "measure": "sum", "rollouts": "random"}),
        json!({"measure": "best", "rollouts": "random", "final_choice": "secure"}),
    ] {
        let params = params.as_object().unwrap().clone();
        let options = Options { params, moves: 80, budget: Some(Budget::Playouts(25)) };
        let report = conformance::check(&plugin, plugin.agent("chen-uct").unwrap(), &options);
        assert!(report.passed(), "{report}");
    }
    let two_directions = plugin.agent("chen-two-directions").unwrap();
    let report = conformance::check(&plugin, two_directions, &Options::default());
    assert!(report.passed(), "{report}");
}

#[test]
fn it_says_what_it_did() {
    let position = position("2 4 8 16 / . . . . / . . . . / . . . .", 1000);
    for (params, playouts) in [(json!({}), 1 + 1 + 999), (json!({"tree": "as-written"}), 1000)] {
        let mut agent = agent(&params).unwrap();
        agent.new_game(AgentSeed(0)).unwrap();
        let decision = agent.choose_move(&position).unwrap();
        assert_eq!((decision.spent, decision.nodes), (playouts, playouts), "one move is legal");
        let values = agent.move_values().unwrap();
        assert_eq!(values.value[decision.direction as usize], decision.value);
        assert_eq!(values.nodes.iter().sum::<u64>() + 1, playouts, "one rollout began on the board itself");
    }
}

/// Section 5.4.3: "the constant in the exploration term can be adjusted to increase or decrease the amount of exploration".
#[test]
fn a_larger_exploration_constant_spreads_the_rollouts_more_evenly() {
    let position = position("64 8 4 2 / 8 2 . . / 2 . . . / . . . .", 1000);
    for tree in ["as-released", "as-written"] {
        let [none, some, most] = [0.0, 1.0, 100.0].map(|exploration| {
            let mut agent = agent(&json!({"tree": tree, "exploration": exploration})).unwrap();
            agent.new_game(AgentSeed(0)).unwrap();
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
        let error = agent(&params).map(drop).unwrap_err();
        assert!(matches!(&error, CreateError::BadParams(text) if text.contains(name)), "{error}");
    }
    for playouts in [0, 1_000_001] {
        let mut agent = agent(&json!({})).unwrap();
        agent.new_game(AgentSeed(0)).unwrap();
        let position = position("2 4 8 16 / . . . . / . . . . / . . . .", playouts);
        assert!(
            matches!(agent.choose_move(&position), Err(PlayError::Failed(text)) if text.contains("playouts"))
        );
    }
}
