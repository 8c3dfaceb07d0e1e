//! The three searches pass the suite, and refuse what they cannot use.

use engine::Rules;
use engine::abi::host::{AgentInfo, CreateError, Plugin, Silent};
use engine::agent::Budget;
use engine::conformance::{self, Options};
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
