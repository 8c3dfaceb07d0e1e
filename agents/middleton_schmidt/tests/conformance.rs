//! The three searches pass the suite, refuse what they cannot use, and decide what they decided when these signatures were written.

use engine::Rules;
use engine::abi::host::{AgentInfo, CreateError, Plugin, Silent};
use engine::agent::Budget;
use engine::conformance::{self, Options};
use engine::signature::Set;
use serde_json::json;

/// The searches: `tests/measured.rs` has the plugin's other agents.
fn searches(plugin: &Plugin) -> impl Iterator<Item = &AgentInfo> {
    let ids = ["ms-expectimax", "ms-minimax-antagonistic", "ms-minimax-random"];
    ids.into_iter().map(|id| plugin.agent(id).unwrap())
}

#[test]
fn they_conform_with_both_heuristics_and_both_readings_of_the_depth() {
    let plugin = middleton_schmidt::plugin();
    for params in [json!({}), json!({"heuristics": "initial", "depth_counts": "moves"})] {
        let budget = params.get("depth_counts").map(|_| Budget::Plies(2));
        let options = Options { params: params.as_object().unwrap().clone(), budget, ..Options::default() };
        for agent in searches(&plugin) {
            let report = conformance::check(&plugin, agent, &options);
            assert!(report.passed(), "{}\n{report}", agent.id);
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let plugin = middleton_schmidt::plugin();
    for agent in searches(&plugin) {
        for (name, value) in [
            ("heuristics", json!("best")),
            ("depth_counts", json!("plies")),
            ("initial_corner", json!(1e300)),
            ("final_sum_power", json!(-1)),
            ("final_monotonicity_power", json!(11)),
        ] {
            let params = json!({name: value}).to_string();
            let error = plugin.create(agent.index, &Rules::default(), &params, Silent).map(drop).unwrap_err();
            assert!(matches!(&error, CreateError::BadParams(text) if text.contains(name)), "{error}");
        }
    }
}

#[test]
fn decisions_have_not_changed() {
    let plugin = middleton_schmidt::plugin();
    for (id, plies, expected) in [
        ("ms-expectimax", 3, "positions-1:94c440fb0d6c48e3d36fc83dc59495d64e4c6b04019b2d288a72df0a27e71460"),
        (
            "ms-minimax-antagonistic",
            5,
            "positions-1:3a2b3beb233cb8d4aca720ac1b2a2c6f54594c6db1a1dcd6300fc07bab9d0729",
        ),
        (
            "ms-minimax-random",
            5,
            "positions-1:35317f61c780800696b0e60c8b0e1d8d43149ba9795cc889f2d97f42c267e903",
        ),
    ] {
        let index = plugin.agent(id).unwrap().index;
        let mut agent = plugin.create(index, &Rules::default(), "{}", Silent).unwrap();
        let decisions = Set::First.decisions(&mut agent, &Rules::default(), Budget::Plies(plies)).unwrap();
        assert_eq!(Set::First.sign(&decisions), expected, "{id}: {decisions}");
    }
}
