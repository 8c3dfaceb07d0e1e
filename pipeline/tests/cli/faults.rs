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
fn exactly_the_share_of_faults_that_is_allowed_stops_nothing() {
    let lab = lab(GAMES / 4);
    let done = &lab.run("run --jobs 1 --json").assert_code(3).json()["experiments"][0];
    assert_eq!((&done["stopped_by_faults"], &done["played"]), (&false.into(), &GAMES.into()), "{done}");
    let records = lab.records("p/e");
    assert_eq!(records.iter().filter(|record| record.ending.is_fault()).count() as u64, GAMES / 4);
    assert_eq!(records.len() as u64, GAMES);
}

#[test]
fn one_fault_more_than_the_share_stops_the_experiment() {
    let lab = lab(GAMES / 4 + 1);
    let done = &lab.run("run --jobs 1 --json").assert_code(3).json()["experiments"][0];
    assert_eq!(done["stopped_by_faults"], true, "{done}");
    assert!(done["played"].as_u64().unwrap() < GAMES && done["records"].is_null(), "{done}");
    assert!(!lab.records_file("p/e").exists());
    // What was played counts again: the next run is stopped before it begins.
    let again = &lab.run("run --jobs 1 --json").json()["experiments"][0];
    assert_eq!((&again["stopped_by_faults"], &again["played"]), (&true.into(), &0.into()), "{again}");
}
