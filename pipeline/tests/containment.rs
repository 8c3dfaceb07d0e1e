//! Containment: whatever a plugin does costs its own game and no other. Each bad plugin is compared with its well-behaved
//! twin, which chooses the same moves.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use common::compile_plugin;
use common::lab::{Lab, Ran, experiment, is_alive, records, wait_until};
use engine::{AgentSeed, Ending, Rules, TileSeed};
use records::record::GameRecord;

const BAD: &str = "pipeline/tests/plugins/bad.c";
const SEED: u64 = 2048;
const GAMES: u64 = 16;
/// The plugin's own: in which games it is bad, and before which move.
const EVERY: u64 = 9;
const AT_MOVE: usize = 20;

fn bad_plugin(fault: &str, flags: &[&str]) -> PathBuf {
    let name = format!("bad-{}{}", fault, flags.concat().replace(|c: char| !c.is_ascii_alphanumeric(), ""));
    compile_plugin(BAD, &name, &[&[format!("-DFAULT={fault}").as_str()], flags].concat())
}

fn lab(fault: &str, flags: &[&str], more: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "bad", GAMES, more));
    lab.add_plugin(&bad_plugin(fault, flags));
    lab
}

/// The games of the twin that is not bad.
fn good_games() -> &'static [GameRecord] {
    static GAMES: OnceLock<Vec<GameRecord>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let lab = lab("none", &[], "");
        lab.succeed(&["run", "--jobs", "1"]);
        lab.records("p/e")
    })
}

fn is_bad(game: u64) -> bool {
    AgentSeed::derive(SEED, game).0.is_multiple_of(EVERY)
}

/// The tile seed of a game, as messages give it.
fn named_seed(game: u64) -> String {
    format!("{:016x}", TileSeed::derive(SEED, game).0)
}

/// Asserts that exactly the bad games ended so, each after the moves before the fault, and that all others are the twin's.
fn assert_games(played: &[GameRecord], ending: Ending) {
    assert_eq!(played.len(), good_games().len());
    let mut faults = 0;
    for (game, good) in played.iter().zip(good_games()) {
        assert_eq!(game.replay(&Rules::default(), SEED), Ok(()));
        if is_bad(game.game) {
            faults += 1;
            assert_eq!(game.ending, ending, "game {}", game.game);
            assert_eq!(game.directions, good.directions[..AT_MOVE], "game {}", game.game);
            assert_eq!(game.nodes, AT_MOVE as u64);
        } else {
            assert_eq!(game, good);
        }
    }
    assert!(faults >= 2, "only {faults} of the games are bad");
}

/// Runs a bad plugin to its end and asserts what becomes of its games.
fn assert_contained(fault: &str, ending: Ending, words: &[&str], arguments: &[&str]) {
    // Only what never ends needs a short limit: under load, the others may take their time.
    let limit = if ending == Ending::Timeout { 1000 } else { 20_000 };
    let lab = lab(fault, &[], &format!("fault_share = \"1/1\"\nmove_limit_ms = {limit}"));
    let ran = lab.run(&[&["run", "--jobs", "2"], arguments].concat());
    ran.assert_fails(3, words);
    assert!(!ran.stderr.contains("ALARM"), "{ran:?}");
    assert_games(&lab.records("p/e"), ending);
    for game in (0..GAMES).filter(|&game| is_bad(game)) {
        assert!(ran.stderr.contains(&format!("game {game} (tile seed {})", named_seed(game))), "{ran:?}");
    }
    assert!(!lab.journal("p/e").exists());
    lab.succeed(&["verify"]);
    let again = lab.succeed(&["run", "--json"]).json();
    assert_eq!(again["experiments"].as_array().map(Vec::len), Some(0), "nothing is played again");
}

#[test]
fn a_segmentation_fault_costs_its_game() {
    assert_contained("segfault", Ending::AgentCrash, &["segmentation fault"], &[]);
}

#[test]
fn an_abort_costs_its_game() {
    assert_contained("aborts", Ending::AgentCrash, &["(abort)"], &[]);
}

#[test]
fn an_exit_costs_its_game() {
    assert_contained("exits", Ending::AgentCrash, &["exit code 0"], &[]);
}

#[test]
fn an_infinite_loop_costs_its_game() {
    assert_contained("hangs", Ending::Timeout, &["time limit"], &[]);
}

#[test]
fn a_stopped_process_costs_its_game() {
    assert_contained("stops", Ending::Timeout, &["time limit"], &[]);
}

#[test]
fn an_illegal_move_costs_its_game() {
    // Not every board has an illegal direction: the plugin waits for one that has.
    let lab = lab("illegal", &["-DFROM_THEN_ON"], "fault_share = \"1/1\"");
    lab.run(&["run", "--jobs", "2"]).assert_fails(3, &["ended by illegal-move"]);
    for (game, good) in lab.records("p/e").iter().zip(good_games()) {
        assert_eq!(game.replay(&Rules::default(), SEED), Ok(()));
        assert_eq!(game.ending == Ending::IllegalMove, is_bad(game.game), "game {}", game.game);
        assert!(good.directions.starts_with(&game.directions) && game.moves >= AT_MOVE as u32);
        assert_eq!(game.directions.len() == good.directions.len(), !is_bad(game.game));
    }
}

#[test]
fn a_direction_that_does_not_exist_costs_its_game() {
    assert_contained("seven", Ending::IllegalMove, &["direction 7"], &[]);
}

#[test]
fn endless_output_costs_its_game() {
    assert_contained("endless_output", Ending::Timeout, &["time limit"], &[]);
}

#[test]
fn an_error_costs_its_game() {
    assert_contained("fails", Ending::AgentError, &["I have no idea"], &[]);
}

#[test]
fn an_error_that_is_not_utf_8_costs_its_game_and_is_shown_harmlessly() {
    assert_contained("fails_in_latin_1", Ending::AgentError, &["caf\u{fffd}"], &[]);
    let lab = lab("fails_in_latin_1", &[], "fault_share = \"1/1\"");
    let ran = lab.run(&["run", "--jobs", "2"]);
    assert!(!ran.stderr.contains('\x1b') && !ran.stderr.contains('\x01'), "{ran:?}");
}

#[test]
fn an_error_without_end_costs_its_game() {
    assert_contained("fails_at_length", Ending::AgentError, &["eee"], &[]);
}

#[test]
fn a_panic_costs_its_game() {
    assert_contained("panics", Ending::AgentError, &["index out of bounds"], &[]);
}

#[test]
fn an_unknown_status_costs_its_game() {
    assert_contained("unknown_status", Ending::AgentError, &["status 77"], &[]);
}

#[test]
fn running_out_of_memory_costs_its_game() {
    assert_contained("eats_memory", Ending::ResourceLimit, &["out of memory"], &["--memory", "512"]);
}

#[test]
fn running_out_of_memory_is_named_also_where_the_agent_says_nothing() {
    let limited = ["--memory", "256"];
    for fault in ["eats_memory_without_a_word", "maps_memory_without_a_word"] {
        assert_contained(fault, Ending::ResourceLimit, &["segmentation fault"], &limited);
    }
}

#[test]
fn an_agent_cannot_raise_the_limit_of_its_memory() {
    let limited = ["--memory", "256"];
    assert_contained("raises_its_limit", Ending::ResourceLimit, &["segmentation fault"], &limited);
}

#[test]
fn a_file_that_is_mapped_to_be_read_takes_nothing_from_the_limit() {
    let lab = lab("maps_a_file", &[], "");
    lab.succeed(&["run", "--memory", "256"]);
    assert_eq!(lab.records("p/e"), good_games());
}

#[test]
fn a_kill_by_the_system_costs_its_game() {
    assert_contained("kills_itself", Ending::ResourceLimit, &["signal 9 (kill)"], &[]);
}

#[test]
fn closed_descriptors_cost_their_game() {
    assert_contained("closes_descriptors", Ending::AgentCrash, &[], &[]);
}

#[test]
fn garbage_in_the_pipes_costs_its_game() {
    assert_contained("writes_garbage", Ending::AgentCrash, &["make no sense"], &[]);
}

#[test]
fn half_a_frame_in_the_pipes_costs_its_game() {
    let lab = lab("writes_half_a_frame", &[], "fault_share = \"1/1\"\nmove_limit_ms = 1000");
    lab.run(&["run", "--jobs", "2"]).assert_fails(3, &[]);
    for (game, good) in lab.records("p/e").iter().zip(good_games()) {
        let is_fault = matches!(game.ending, Ending::Timeout | Ending::AgentCrash);
        assert_eq!(is_fault, is_bad(game.game), "game {}", game.game);
        assert!(good.directions.starts_with(&game.directions), "game {}", game.game);
    }
}

#[test]
fn a_child_process_dies_with_its_game() {
    let lab = lab("leaves_a_child", &[], "fault_share = \"1/1\"");
    let pids = lab.path("pids");
    let ran: Ran = lab.command(&["run", "--jobs", "2"]).env("BAD_PID_FILE", &pids).output().unwrap().into();
    ran.assert_fails(3, &["segmentation fault"]);
    assert_games(&lab.records("p/e"), Ending::AgentCrash);
    let children: Vec<u32> =
        fs::read_to_string(pids).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    assert!(children.len() >= 2 && children.iter().all(|&child| !is_alive(child)), "{children:?}");
}

/// The numbers that processes wrote down.
fn numbers(file: &Path) -> Vec<u32> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn what_leaves_the_process_group_dies_with_its_worker() {
    for (fault, code) in
        [("leaves_a_daemon", 0), ("leaves_a_daemon_and_crashes", 3), ("leaves_a_daemon_and_hangs", 3)]
    {
        let lab = lab(fault, &[], "fault_share = \"1/1\"\nmove_limit_ms = 1000");
        let pids = lab.path("pids");
        let ran: Ran =
            lab.command(&["run", "--jobs", "2"]).env("BAD_PID_FILE", &pids).output().unwrap().into();
        assert_eq!(ran.code, Some(code), "{fault}: {ran:?}");
        let daemons = numbers(&pids);
        assert!(daemons.len() >= 2, "{fault}");
        assert!(daemons.iter().all(|&daemon| !is_alive(daemon)), "{fault}: {daemons:?}");
    }
}

#[test]
fn what_leaves_the_process_group_dies_when_the_run_is_killed() {
    let lab = lab("leaves_a_daemon_and_hangs", &[], "move_limit_ms = 600000");
    let pids = lab.path("pids");
    let mut run = lab.command(&["run", "--jobs", "2", "--quiet"]).env("BAD_PID_FILE", &pids).spawn().unwrap();
    wait_until("there is a daemon", || numbers(&pids).iter().any(|&daemon| is_alive(daemon)));
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until("it is gone", || numbers(&pids).iter().all(|&daemon| !is_alive(daemon)));
}

#[test]
fn much_output_and_values_that_are_no_numbers_cost_nothing() {
    for fault in ["much_output", "nan_value"] {
        let lab = lab(fault, &[], "");
        let ran = lab.succeed(&["run", "--jobs", "2", "--json"]);
        assert_eq!(ran.json()["experiments"][0]["faults"].as_array().map(Vec::len), Some(0), "{fault}");
        assert_eq!(lab.records("p/e"), good_games(), "{fault}");
    }
}

/// Games that take long are no moves that take long.
#[test]
fn a_limit_shorter_than_a_game_is_no_limit_of_the_game() {
    let lab = lab("none", &["-DSLEEP_US=1000"], "move_limit_ms = 60");
    lab.succeed(&["run", "--jobs", "2", "--games", "6"]);
    assert_eq!(lab.records("p/e"), &good_games()[..6]);
}

#[test]
fn an_experiment_with_too_many_faults_is_stopped_and_keeps_its_games() {
    let stops = |lab: &Lab| {
        lab.run(&["run", "--jobs", "1"])
            .assert_fails(3, &["p/e", "`fault_share`", "all games so far are kept"]);
        assert!(!lab.records_file("p/e").exists() && lab.journal("p/e").exists());
    };
    let lab = lab("segfault", &[], "fault_share = \"1/16\"");
    stops(&lab);
    let kept = fs::read(lab.journal("p/e")).unwrap();
    // Trying again does not wear the limit down.
    stops(&lab);
    assert_eq!(fs::read(lab.journal("p/e")).unwrap(), kept);
    lab.paper("p", &experiment("e", "bad", GAMES, "fault_share = \"1/1\""));
    let ran = lab.run(&["run", "--json"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.json()["experiments"][0]["played"].as_u64().unwrap() < GAMES, "{ran:?}");
    assert_games(&lab.records("p/e"), Ending::AgentCrash);
}

#[test]
fn the_other_experiments_go_on() {
    let lab = lab("segfault", &["-DEVERY=1", "-DAT_MOVE=3"], "fault_share = \"0/1\"");
    lab.paper("q", &experiment("r", "random", 20, ""));
    lab.run(&["run", "--jobs", "2"]).assert_fails(3, &["p/e"]);
    assert_eq!(lab.records("q/r").len(), 20);
    let explained = lab.succeed(&["explain", "p/e", "--json"]).json();
    assert!(explained[0]["identity"]["signature"].as_str().unwrap().contains("fault:agent-crash"));
}

#[test]
fn an_agent_that_cannot_be_made_costs_its_experiment() {
    for (fault, words) in [
        ("fails", "I have no idea"),
        ("panics", "index out of bounds"),
        ("unknown_status", "unknown status 77"),
        ("segfault", "segmentation fault"),
        ("exits", "exit code 0"),
    ] {
        let lab = lab(fault, &["-DIN_CREATE"], "");
        lab.paper("q", &experiment("r", "random", 3, ""));
        lab.run(&["run"]).assert_fails(3, &["p.toml", "experiment `e`", words]);
        assert!(!lab.records_file("p/e").exists() && !lab.journal("p/e").exists(), "{fault}");
        assert_eq!(lab.records("q/r").len(), 3, "{fault}");
    }
}

/// An agent that fails for good in the middle of a run, by an error that leaves its process alive or by a crash.
#[test]
fn an_agent_that_cannot_be_made_again_costs_its_experiment_and_keeps_its_games() {
    for fault in ["breaks_and_fails", "breaks_and_crashes"] {
        let lab = lab(fault, &[], "fault_share = \"1/1\"");
        lab.paper("q", &experiment("r", "random", 20, ""));
        let broken = lab.path("broken");
        let ran: Ran = lab
            .command(&["run", "--jobs", "1", "--json"])
            .env("BAD_BROKEN_FILE", &broken)
            .output()
            .unwrap()
            .into();
        ran.assert_fails(
            3,
            &[
                "p/e: the agent could be created before and now cannot",
                "broken for good",
                "games so far are kept",
            ],
        );
        assert_eq!(lab.records("q/r").len(), 20, "{fault}");
        assert!(!lab.records_file("p/e").exists(), "{fault}");
        let journalled = ran.json()["experiments"][0]["journalled"].as_u64().unwrap();
        assert!(journalled > 0 && journalled < GAMES, "{fault}: {ran:?}");
        fs::remove_file(broken).unwrap();
        let ran = lab.run(&["run", "--json"]);
        assert_eq!(ran.json()["experiments"][0]["played"], GAMES - journalled, "{fault}: {ran:?}");
        let is_error = fault == "breaks_and_fails";
        assert_games(&lab.records("p/e"), if is_error { Ending::AgentError } else { Ending::AgentCrash });
    }
}

/// What a machine is too slow or too small for is no property of the agent.
#[test]
fn running_out_of_time_or_memory_on_the_frozen_positions_is_no_signature() {
    for (fault, words) in [("hangs", "`move_limit_ms`"), ("kills_itself", "--memory")] {
        let lab = lab(fault, &["-DEVERY=1", "-DAT_MOVE=1", "-DFROM_THEN_ON"], "move_limit_ms = 500");
        lab.paper("q", &experiment("r", "random", 3, ""));
        let words = ["p.toml", "experiment `e`", "on the frozen positions", words];
        lab.run(&["run"]).assert_fails(3, &words);
        assert_eq!(lab.records("q/r").len(), 3, "{fault}");
        assert!(!lab.records_file("p/e").exists() && !lab.journal("p/e").exists(), "{fault}");
        let explained = lab.run(&["explain", "--json"]);
        explained.assert_fails(3, &words);
        assert_eq!(explained.json().as_array().map(Vec::len), Some(1), "{explained:?}");
        lab.run(&["plan"]).assert_fails(3, &words);
        let verified = lab.run(&["verify", "--current"]);
        assert!(
            verified.code == Some(1) && verified.stdout.contains("on the frozen positions"),
            "{verified:?}"
        );
    }
}

/// A worker may go down for reasons that are not the agent's.
#[test]
fn one_crash_on_the_frozen_positions_is_not_signed() {
    let lab = lab("crashes_once", &["-DEVERY=1", "-DAT_MOVE=1", "-DFROM_THEN_ON"], "");
    let once = lab.path("once");
    let ran: Ran = lab.command(&["run", "--json"]).env("BAD_ONCE_FILE", &once).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(once.exists(), "it went down");
    assert_eq!(lab.records("p/e"), good_games(), "and in no game");
    fs::remove_dir_all(lab.path("results/.cache")).unwrap();
    let explained = lab.succeed(&["explain", "p/e", "--json"]).json();
    assert_eq!(explained[0]["differences"].as_array().map(Vec::len), Some(0), "{explained:#}");
}

#[test]
fn broken_plugins_leave_the_good_ones_alone() {
    let lab = Lab::with(&experiment("r", "random", 3, ""));
    let not_utf_8 = "-DNAME=\"caf\\xe9\"";
    let huge = format!("-DNAME=\"{}\"", "x".repeat(100_000));
    for (fault, flags) in [
        ("segfault", vec!["-DIN_CONSTRUCTOR"]),
        ("exits", vec!["-DIN_CONSTRUCTOR"]),
        ("closes_descriptors", vec!["-DIN_CONSTRUCTOR"]),
        ("writes_garbage", vec!["-DIN_CONSTRUCTOR"]),
        ("none", vec![not_utf_8]),
    ] {
        lab.add_plugin(&bad_plugin(fault, &flags));
    }
    lab.add_plugin(&compile_plugin(BAD, "bad-huge", &[&huge, "-Wno-overlength-strings"]));
    fs::write(lab.path("plugins/libtext.so"), "agent2048_plugin_v1").unwrap();
    let listed = lab.succeed(&["agents", "--json"]).json();
    assert_eq!(listed["broken"].as_array().map(Vec::len), Some(7), "{listed:#}");
    let ids: Vec<&str> = listed["plugins"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|plugin| plugin["agents"].as_array().unwrap())
        .map(|agent| agent["id"].as_str().unwrap())
        .collect();
    assert!(ids.contains(&"random") && ids.contains(&"fixed-cycle") && !ids.contains(&"bad"));
    let text = lab.succeed(&["agents"]).stdout;
    assert!(text.contains("segmentation fault") && text.contains("not UTF-8"), "{text}");
    lab.succeed(&["run"]);
    lab.paper("p", &experiment("e", "bad", 3, ""));
    lab.run(&["run"]).assert_fails(2, &["`agent` is `bad`", "segmentation fault", "libbad-segfault"]);
    lab.paper("p", &(experiment("e", "bad", 3, "") + &experiment("f", "worse", 3, "")));
    let ran = lab.run(&["run"]);
    ran.assert_fails(2, &["`agent` is `bad`", "`agent` is `worse`"]);
    assert_eq!(ran.stderr.matches("libbad-segfault").count(), 1, "a broken plugin is named once: {ran:?}");
}

#[test]
fn a_fault_in_a_part_is_as_one_in_the_whole() {
    let lab = lab("segfault", &[], "fault_share = \"1/1\"");
    for part in ["1/3", "2/3", "3/3"] {
        let code = lab.run(&["run", "--shard", part]).code;
        assert!(matches!(code, Some(0 | 3)));
    }
    let parts = [1, 2, 3].map(|part| format!("results/records/p/e.part-{part}-of-3.parquet"));
    lab.succeed(&["merge", &parts[0], &parts[1], &parts[2]]);
    assert_games(&records(&lab.records_file("p/e")), Ending::AgentCrash);
}
