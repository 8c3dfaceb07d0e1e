//! Clocks. Runs work at any time of day. Under a wall-clock budget, no run repeats another, so such an
//! experiment has no signature, and differences between its games raise no alarm. The same agent under a
//! count budget shows that the differences exist.

use crate::common::compile_plugin;
use crate::common::lab::{Lab, Ran, experiment};
use records::store::RecordsSummary;
use std::fs;
use surroundings::confined::ConfinedPath;

/// Plays the first legal move, or the last where a file beside it says so: what a clock would do, but by order.
const FICKLE: &str = r#"while read -r line; do
case "$line" in
*'"type":"hello"'*) echo '{"type":"hello","protocol":1,"id":"fickle","version":"1","budgets":["time-ns","nodes"]}' ;;
*'"type":"setup"'*) echo '{"type":"ready"}' ;;
*'"type":"position"'*)
    legal=${line#*\"legal\":\"}; legal=${legal%%\"*}
    if [ -e other ]; then move=${legal#"${legal%?}"}; else move=${legal%"${legal#?}"}; fi
    echo "{\"type\":\"move\",\"direction\":\"$move\",\"nodes\":1,\"spent\":1}" ;;
esac
done
"#;

/// A laboratory whose agent has played two games, and from now on plays others.
fn played(budget: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "fickle", 2, budget));
    lab.add_script("fickle", FICKLE);
    lab.succeed(&["run"]);
    fs::write(lab.path("plugins/other"), "").unwrap();
    lab
}

#[test]
fn an_experiment_by_the_clock_is_exempt_from_signature_alarm_and_recompute() {
    let lab = played("budget.time-ns = 1000000");
    assert!(lab.succeed(&["explain", "--json"]).json()[0]["identity"]["signature"].is_null());
    let checked = lab.succeed(&["verify", "--current", "--recompute", "2", "--json"]).json();
    assert_eq!(checked["not_repeatable"], serde_json::json!(["p/e"]), "{checked}");
    assert_eq!(checked["recomputed"], serde_json::json!([]), "{checked}");
    let before = lab.digest("p/e");
    let ran = lab.succeed(&["run", "--fresh", "--json"]);
    let done = &ran.json()["experiments"][0];
    assert!(done["same_as_stored"].is_null() && done["alarms"] == serde_json::json!([]), "{ran:?}");
    assert_ne!(lab.digest("p/e"), before, "the games that were played last are kept");
}

#[test]
fn the_same_agent_under_a_counted_budget_is_signed_and_found_out() {
    let lab = played("budget.nodes = 5");
    assert!(lab.succeed(&["explain", "--json"]).json()[0]["identity"]["signature"].is_string());
    lab.run(&["verify", "--recompute", "2"]).assert_fails(1, &[]);
    let before = lab.digest("p/e");
    lab.run(&["run", "--fresh"])
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
        for command in [["reproduce", "--quiet"], ["verify", "--current"]] {
            let ran: Ran = lab.command(&command).env("LD_PRELOAD", &clock).output().unwrap().into();
            assert_eq!(ran.code, Some(0), "{seconds} {command:?}: {ran:?}");
        }
        let header =
            RecordsSummary::read(&ConfinedPath::file(&lab.records_file("p/r"))).unwrap().unwrap().header;
        assert_eq!(header.provenance[0].date, date, "{seconds}");
    }
}
