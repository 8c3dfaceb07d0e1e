//! The random agent passes the suite, and plays every legal direction equally often.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;

use agents::{assert_conforms, begun, position};
use engine::Rules;
use engine::agent::Budget;
use serde_json::json;

#[test]
fn it_conforms() {
    assert_conforms(&random::plugin(), "random", &json!({}), 200, None);
}

#[test]
fn every_legal_direction_is_equally_likely() {
    let position = position("2 2 4 8 / . . . . / . . . . / . . . .", Budget::None);
    let mut agent = begun(&random::plugin(), "random", &Rules::default(), "{}");
    let mut counts = [0_u32; 4];
    for _ in 0..30_000 {
        counts[agent.choose_move(&position).unwrap().direction as usize] += 1;
    }
    // Up is illegal. The chi-square of the other three has two degrees of freedom; 18.4 is its 0.9999
    // quantile.
    let chi_square: f64 =
        counts[1..].iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
    assert_eq!(counts[0], 0);
    assert!(chi_square < 18.4, "{counts:?}");
}
