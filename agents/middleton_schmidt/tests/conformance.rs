//! The agents pass the suite, and refuse what they cannot use.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, assert_refused, create};
use engine::abi::host::CreateError;
use engine::agent::Budget;
use engine::{Rules, Start};
use serde_json::json;

const SEARCHES: [&str; 3] = ["ms-expectimax", "ms-minimax-antagonistic", "ms-minimax-random"];

#[test]
fn searches_conform_with_both_heuristics_and_both_readings_of_the_depth() {
    let initial = json!({"heuristics": "initial", "depth_counts": "moves"});
    for (params, budget) in [(json!({}), None), (initial, Some(Budget::Plies(2)))] {
        for id in SEARCHES {
            assert_conforms(&middleton_schmidt::plugin(), id, &params, 200, budget);
        }
    }
}

#[test]
fn agents_that_are_measured_conform() {
    for (id, params) in [
        ("ms-boards", json!({"board": "naive", "work": "games"})),
        ("ms-boards", json!({"board": "packed", "work": "final-heuristics"})),
        ("ms-boards", json!({"board": "integer", "work": "games"})),
        ("ms-fullness", json!({})),
        ("ms-speedups", json!({"memo": false, "pruning": false})),
    ] {
        assert_conforms(&middleton_schmidt::plugin(), id, &params, 50, None);
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let plugin = middleton_schmidt::plugin();
    for (name, value) in [
        ("heuristics", json!("best")),
        ("depth_counts", json!("plies")),
        ("initial_corner", json!(1e300)),
        ("final_sum_power", json!(-1)),
        ("final_monotonicity_power", json!(11)),
    ] {
        SEARCHES.iter().for_each(|id| assert_refused(&plugin, id, &json!({name: value}), name));
    }
    for (id, name, params) in [
        ("ms-boards", "board", json!({"board": "wooden"})),
        ("ms-boards", "work", json!({"work": "none"})),
        ("ms-fullness", "empty_to", json!({"empty_to": 16})),
        ("ms-fullness", "empty_from", json!({"empty_from": 4, "empty_to": 3})),
    ] {
        assert_refused(&plugin, id, &params, name);
    }
    let start = Start::Board("2 4 8 2 / 4 2 4 8 / 2 8 2 4 / 4 2 8 2".parse().unwrap());
    let refused = create(&plugin, "ms-fullness", &Rules { start, ..Rules::default() }, "{}").map(drop);
    assert!(matches!(refused, Err(CreateError::BadRules(text)) if text.contains("0 to 15 empty cells")));
}
