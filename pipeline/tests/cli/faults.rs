//! The share of faults: up to it an experiment is played to its end, beyond it is stopped.

use crate::common::prelude::*;

use engine::AgentSeed;

const SEED: u64 = 2048;
const GAMES: u64 = 8;

/// A laboratory with an agent that fails in its first `bad` games, of which a quarter may.
fn lab(bad: u64) -> Lab {
    let seeds = (0..bad).map(|game| format!("*'{:016x}'*", AgentSeed::derive(SEED, game).0));
    let (seeds, first) = (seeds.collect::<Vec<_>>().join("|"), reply("$first"));
    let error = r#"echo '{"type":"error","reason":"in a mood"}'"#;
    let lab = Lab::with(&experiment("e", "moody", GAMES, "fault_share = \"1/4\""));
    lab.add_agent("moody", "", &format!("case \"$game\" in {seeds}) {error} ;; *) {first} ;; esac"));
    lab
}

#[test]
fn an_experiment_is_stopped_by_one_fault_more_than_its_share_allows() {
    let run = |lab: &Lab| lab.run("run --jobs 1 --json").assert_code(3).json()["experiments"][0].clone();
    let allowed = lab(GAMES / 4);
    let done = run(&allowed);
    assert_eq!((&done["stopped_by_faults"], &done["played"]), (&json!(false), &json!(GAMES)), "{done}");
    let records = allowed.records("p/e");
    let faults = records.iter().filter(|record| record.ending.is_fault()).count();
    assert_eq!((records.len() as u64, faults as u64), (GAMES, GAMES / 4));

    let lab = lab(GAMES / 4 + 1);
    let done = run(&lab);
    assert_eq!(done["stopped_by_faults"], true, "{done}");
    assert!(done["played"].as_u64().unwrap() < GAMES && done["records"].is_null(), "{done}");
    assert!(!lab.records_file("p/e").exists());
    // What was played counts again: the next run is stopped before it begins.
    let again = run(&lab);
    assert_eq!((&again["stopped_by_faults"], &again["played"]), (&json!(true), &json!(0)), "{again}");
}
