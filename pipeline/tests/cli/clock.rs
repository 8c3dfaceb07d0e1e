//! Clocks. Runs work at any time of day. Under a wall-clock budget, no run repeats another, so such an
//! experiment has no signature, and differences between its games raise no alarm. The same agent under a
//! count budget shows that the differences exist.

use crate::common::prelude::*;

/// A laboratory whose agent has played two games, and from now on plays others.
fn played(budget: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "fickle", 2, budget));
    // It plays the last legal move instead of the first if a file beside it says so.
    let budgets = r#","budgets":["time-ns","nodes"]"#;
    let position = r#"[ ! -e other ] || first=${legal#"${legal%?}"}; "#.to_owned() + &reply("$first");
    lab.add_agent("fickle", budgets, &position);
    lab.succeed("run");
    lab.write("plugins/other", "");
    lab
}

#[test]
fn an_experiment_by_the_clock_is_exempt_from_signature_alarm_and_recompute() {
    let lab = played("budget.time-ns = 1000000");
    assert!(lab.json_of("explain")[0]["identity"]["signature"].is_null());
    let checked = lab.json_of("verify --current --recompute 2");
    assert_eq!(checked["not_repeatable"], json!(["p/e"]), "{checked}");
    assert_eq!(checked["recomputed"], json!([]), "{checked}");
    let before = lab.digest("p/e");
    let ran = lab.succeed("run --fresh --json");
    let done = &ran.json()["experiments"][0];
    assert!(done["same_as_stored"].is_null() && done["alarms"] == json!([]), "{ran:?}");
    assert_ne!(lab.digest("p/e"), before, "the games that were played last are kept");
}

#[test]
fn the_same_agent_under_a_counted_budget_is_signed_and_found_out() {
    let lab = played("budget.nodes = 5");
    assert!(lab.json_of("explain")[0]["identity"]["signature"].is_string());
    lab.run("verify --recompute 2").assert_fails(1, &[]);
    let before = lab.digest("p/e");
    lab.run("run --fresh")
        .assert_fails(1, &["same identity, different records", "U is stored, L was played"]);
    assert_eq!(lab.digest("p/e"), before, "the stored games are kept");
}

#[cfg(target_os = "linux")]
#[test]
fn a_clock_that_is_set_to_another_century_stops_nothing() {
    for (seconds, date) in [
        ("-1", "1970-01-01T00:00:00Z"),
        ("-9223372036854775807", "1970-01-01T00:00:00Z"),
        ("253402300800", "9999-12-31T23:59:59Z"),
    ] {
        let clock = compile_plugin("pipeline/tests/plugins/clock.c", "clock", &[&format!("-DNOW={seconds}")]);
        let lab = Lab::with(&experiment("r", "random", 2, ""));
        for command in ["reproduce --quiet", "verify --current"] {
            let ran = lab.run_with("LD_PRELOAD", &clock, command);
            assert_eq!(ran.code, Some(0), "{seconds} {command:?}: {ran:?}");
        }
        let header = summary(&lab.records_file("p/r")).header;
        assert_eq!(header.provenance[0].date, date, "{seconds}");
    }
}
