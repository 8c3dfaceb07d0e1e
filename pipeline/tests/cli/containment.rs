//! Containment: a fault of a plugin costs its own game, by comparison with its well-behaved twin.

use crate::common::prelude::*;

use engine::{AgentSeed, TileSeed};

use crate::twins::{self, AT_MOVE, GAMES, SEED, is_bad, process_ids};

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
    GAMES.get_or_init(|| twins::twin_games(&lab("none", &[], "")))
}

fn assert_games(played: &[GameRecord], ending: Ending) {
    twins::assert_games(&Rules::default(), played, good_games(), ending);
}

/// Runs a bad plugin to its end and asserts what becomes of its games.
fn assert_contained(fault: &str, ending: Ending, words: &str, options: &str) {
    // Only what never ends needs a short limit: under load, the others may take their time.
    let limit = if ending == Ending::Timeout { 1000 } else { 20_000 };
    let lab = lab(fault, &[], &format!("fault_share = \"1/1\"\nmove_limit_ms = {limit}"));
    let ran = lab.run(&format!("run --jobs 2 {options}"));
    ran.assert_fails(3, &[words]).assert_omits(&["ALARM", "\x1b", "\x01"]);
    assert_games(&lab.records("p/e"), ending);
    for game in (0..GAMES).filter(|&game| is_bad(game)) {
        let seed = TileSeed::derive(SEED, game).0;
        ran.assert_warns(&[&format!("game {game} (tile seed {seed:016x})")]);
    }
    assert!(!lab.journal("p/e").exists());
    lab.succeed("verify");
    assert_eq!(lab.json_of("run")["experiments"], json!([]), "nothing is played again");
}

#[test]
fn a_fault_costs_its_game() {
    use Ending::{AgentCrash, AgentError, IllegalMove, ResourceLimit, Timeout};
    for (fault, ending, words, options) in [
        ("segfault", AgentCrash, "segmentation fault", ""),
        ("aborts", AgentCrash, "(abort)", ""),
        ("exits", AgentCrash, "exit code 0", ""),
        ("closes_descriptors", AgentCrash, "", ""),
        ("writes_garbage", AgentCrash, "make no sense", ""),
        ("seven", IllegalMove, "direction 7", ""),
        ("fails", AgentError, "I have no idea", ""),
        ("fails_at_length", AgentError, "eee", ""),
        ("fails_in_latin_1", AgentError, "caf\u{fffd}", ""),
        ("panics", AgentError, "index out of bounds", ""),
        ("unknown_status", AgentError, "status 77", ""),
        ("kills_itself", ResourceLimit, "signal 9 (kill)", ""),
        ("eats_memory", ResourceLimit, "out of memory", "--memory 512"),
        // It is named also if the agent says nothing, and an agent cannot raise the limit.
        ("eats_memory_without_a_word", ResourceLimit, "segmentation fault", "--memory 256"),
        ("maps_memory_without_a_word", ResourceLimit, "segmentation fault", "--memory 256"),
        ("raises_its_limit", ResourceLimit, "segmentation fault", "--memory 256"),
        ("hangs", Timeout, "time limit", ""),
        ("stops", Timeout, "time limit", ""),
        ("endless_output", Timeout, "time limit", ""),
    ] {
        println!("{fault}");
        assert_contained(fault, ending, words, options);
    }
}

#[test]
fn an_illegal_move_costs_its_game() {
    // Not every board has an illegal direction: the plugin waits for one that has.
    let lab = lab("illegal", &["-DFROM_THEN_ON"], "fault_share = \"1/1\"");
    lab.run("run --jobs 2").assert_fails(3, &["ended by illegal-move"]);
    for (game, good) in lab.records("p/e").iter().zip(good_games()) {
        assert_eq!(game.replay(&Rules::default(), SEED), Ok(()));
        assert_eq!(game.ending == Ending::IllegalMove, is_bad(game.game), "game {}", game.game);
        assert!(good.directions.starts_with(&game.directions) && game.moves >= AT_MOVE as u32);
        assert_eq!(game.directions.len() == good.directions.len(), !is_bad(game.game));
    }
}

#[test]
fn half_a_frame_in_the_pipes_costs_its_game() {
    let lab = lab("writes_half_a_frame", &[], "fault_share = \"1/1\"\nmove_limit_ms = 1000");
    lab.run("run --jobs 2").assert_fails(3, &[]);
    for (game, good) in lab.records("p/e").iter().zip(good_games()) {
        let is_fault = matches!(game.ending, Ending::Timeout | Ending::AgentCrash);
        assert_eq!(is_fault, is_bad(game.game), "game {}", game.game);
        assert!(good.directions.starts_with(&game.directions), "game {}", game.game);
    }
}

#[test]
fn child_processes_die_with_their_game_and_daemons_with_their_worker() {
    for (fault, code) in [
        ("leaves_a_child", 3),
        ("leaves_a_daemon", 0),
        ("leaves_a_daemon_and_crashes", 3),
        ("leaves_a_daemon_and_hangs", 3),
    ] {
        let lab = lab(fault, &[], "fault_share = \"1/1\"\nmove_limit_ms = 1000");
        let pids = lab.path("pids");
        let ran = lab.run_with("BAD_PID_FILE", &pids, "run --jobs 2");
        assert_eq!(ran.code, Some(code), "{fault}: {ran:?}");
        let left = process_ids(&pids);
        assert!(left.len() >= 2 && !left.iter().any(|&process| is_alive(process)), "{fault}: {left:?}");
        if fault == "leaves_a_child" {
            ran.assert_warns(&["segmentation fault"]);
            assert_games(&lab.records("p/e"), Ending::AgentCrash);
        }
    }
}

#[test]
fn processes_outside_the_group_die_when_the_run_is_killed() {
    let lab = lab("leaves_a_daemon_and_hangs", &[], "move_limit_ms = 600000");
    let pids = lab.path("pids");
    let run = lab.command("run --jobs 2 --quiet").env("BAD_PID_FILE", &pids).spawn().unwrap();
    wait_until("there is a daemon", || process_ids(&pids).iter().any(|&daemon| is_alive(daemon)));
    kill(run);
    wait_until("it is gone", || process_ids(&pids).iter().all(|&daemon| !is_alive(daemon)));
}

#[test]
fn much_output_values_that_are_not_numbers_and_a_file_that_is_mapped_to_be_read_cost_no_game() {
    for (fault, options) in [("much_output", ""), ("nan_value", ""), ("maps_a_file", "--memory 256")] {
        let lab = lab(fault, &[], "");
        let ran = lab.succeed(&format!("run --jobs 2 --json {options}"));
        assert_eq!(ran.json()["experiments"][0]["faults"].as_array().map(Vec::len), Some(0), "{fault}");
        assert_eq!(lab.records("p/e"), good_games(), "{fault}");
    }
}

/// Games that take long are no moves that take long.
#[test]
fn a_limit_shorter_than_a_game_is_no_limit_of_the_game() {
    let lab = lab("none", &["-DSLEEP_US=1000"], "move_limit_ms = 60");
    lab.succeed("run --jobs 2 --games 6");
    assert_eq!(lab.records("p/e"), &good_games()[..6]);
}

#[test]
fn an_experiment_with_too_many_faults_is_stopped_and_keeps_its_games() {
    let stops = |lab: &Lab| {
        lab.run("run --jobs 1").assert_fails(3, &["p/e", "`fault_share`", "all games so far are kept"]);
        assert!(!lab.records_file("p/e").exists() && lab.journal("p/e").exists());
    };
    let lab = lab("segfault", &[], "fault_share = \"1/16\"");
    stops(&lab);
    let kept = fs::read(lab.journal("p/e")).unwrap();
    // Trying again does not wear the limit down.
    stops(&lab);
    assert_eq!(fs::read(lab.journal("p/e")).unwrap(), kept);
    lab.paper("p", &experiment("e", "bad", GAMES, "fault_share = \"1/1\""));
    let ran = lab.run("run --json");
    let played = ran.assert_code(3).json()["experiments"][0]["played"].as_u64();
    assert!(played.unwrap() < GAMES, "{ran:?}");
    assert_games(&lab.records("p/e"), Ending::AgentCrash);
}

#[test]
fn other_experiments_are_played_although_one_is_stopped() {
    let lab = lab("segfault", &["-DEVERY=1", "-DAT_MOVE=3"], "fault_share = \"0/1\"");
    lab.paper("q", &experiment("r", "random", 20, ""));
    lab.run("run --jobs 2").assert_fails(3, &["p/e"]);
    assert_eq!(lab.records("q/r").len(), 20);
    let explained = lab.json_of("explain p/e");
    assert!(explained[0]["identity"]["signature"].as_str().unwrap().contains("fault:agent-crash"));
}

#[test]
fn an_agent_that_cannot_be_made_or_fails_the_frozen_positions_costs_its_experiment() {
    let (in_create, frozen) = (&["-DIN_CREATE"][..], &["-DEVERY=1", "-DAT_MOVE=1", "-DFROM_THEN_ON"][..]);
    for (fault, flags, words) in [
        ("fails", in_create, &["I have no idea"][..]),
        ("panics", in_create, &["index out of bounds"]),
        ("unknown_status", in_create, &["unknown status 77"]),
        ("segfault", in_create, &["segmentation fault"]),
        ("exits", in_create, &["exit code 0"]),
        // What a machine is too slow or too small for is no property of the agent, and is not signed.
        ("hangs", frozen, &["on the frozen positions", "`move_limit_ms`"]),
        ("kills_itself", frozen, &["on the frozen positions", "--memory"]),
    ] {
        println!("{fault}");
        let lab = lab(fault, flags, if flags == frozen { "move_limit_ms = 500" } else { "" });
        lab.paper("q", &experiment("r", "random", 3, ""));
        let words = [&["p.toml", "experiment `e`"], words].concat();
        lab.run("run").assert_fails(3, &words);
        assert!(!lab.records_file("p/e").exists() && !lab.journal("p/e").exists());
        assert_eq!(lab.records("q/r").len(), 3);
        if flags == frozen {
            let explained = lab.run("explain --json").assert_fails(3, &words).json();
            assert_eq!(list(&explained).len(), 1, "{explained}");
            lab.run("plan").assert_fails(3, &words);
            lab.run("verify --current").assert_finds(&["on the frozen positions"]);
        }
    }
}

/// An agent that fails for good during a run, by an error or by a crash.
#[test]
fn an_agent_that_cannot_be_made_again_costs_its_experiment_and_keeps_its_games() {
    for fault in ["breaks_and_fails", "breaks_and_crashes"] {
        let lab = lab(fault, &[], "fault_share = \"1/1\"");
        lab.paper("q", &experiment("r", "random", 20, ""));
        let broken = lab.path("broken");
        let ran = lab.run_with("BAD_BROKEN_FILE", &broken, "run --jobs 1 --json");
        let created = "p/e: the agent could be created before and now cannot";
        ran.assert_fails(3, &[created, "broken for good", "games so far are kept"]);
        assert_eq!(lab.records("q/r").len(), 20, "{fault}");
        assert!(!lab.records_file("p/e").exists(), "{fault}");
        let journalled = ran.json()["experiments"][0]["journalled"].as_u64().unwrap();
        assert!(journalled > 0 && journalled < GAMES, "{fault}: {ran:?}");
        fs::remove_file(broken).unwrap();
        let ran = lab.run("run --json");
        assert_eq!(ran.json()["experiments"][0]["played"], GAMES - journalled, "{fault}: {ran:?}");
        let is_error = fault == "breaks_and_fails";
        assert_games(&lab.records("p/e"), if is_error { Ending::AgentError } else { Ending::AgentCrash });
    }
}

/// A worker may go down for reasons that are not the agent's.
#[test]
fn one_crash_on_the_frozen_positions_is_not_signed() {
    let lab = lab("crashes_once", &["-DEVERY=1", "-DAT_MOVE=1", "-DFROM_THEN_ON"], "");
    let once = lab.path("once");
    lab.run_with("BAD_ONCE_FILE", &once, "run --json").assert_code(0);
    assert!(once.exists(), "it went down");
    assert_eq!(lab.records("p/e"), good_games(), "and in no game");
    lab.remove("results/.cache");
    let explained = lab.json_of("explain p/e");
    assert_eq!(list(&explained[0]["differences"]).len(), 0, "{explained:#}");
}

#[test]
fn broken_plugins_leave_the_good_ones_alone() {
    let lab = Lab::with(&experiment("r", "random", 3, ""));
    let not_utf_8 = "-DNAME=\"caf\\xe9\"";
    let huge = format!("-DNAME=\"{}\"", "x".repeat(100_000));
    for fault in ["segfault", "exits", "closes_descriptors", "writes_garbage"] {
        lab.add_plugin(&bad_plugin(fault, &["-DIN_CONSTRUCTOR"]));
    }
    lab.add_plugin(&bad_plugin("none", &[not_utf_8]));
    lab.build_plugin(BAD, "bad-huge", &[&huge, "-Wno-overlength-strings"]);
    lab.write("plugins/libtext.so", "agent2048_plugin_v1");
    let listed = lab.json_of("agents");
    assert_eq!(list(&listed["broken"]).len(), 7, "{listed:#}");
    let plugins = list(&listed["plugins"]).iter();
    let ids: Vec<&str> = plugins.flat_map(|plugin| texts(&plugin["agents"], "id")).collect();
    assert!(ids.contains(&"random") && ids.contains(&"fixed-cycle") && !ids.contains(&"bad"));
    lab.succeed("agents").assert_prints(&["segmentation fault", "not UTF-8"]);
    lab.succeed("run");
    lab.paper("p", &experiment("e", "bad", 3, ""));
    lab.run("run").assert_fails(2, &["`agent` is `bad`", "segmentation fault", "libbad-segfault"]);
    lab.paper("p", &(experiment("e", "bad", 3, "") + &experiment("f", "worse", 3, "")));
    let ran = lab.run("run");
    ran.assert_fails(2, &["`agent` is `bad`", "`agent` is `worse`"]);
    assert_eq!(ran.stderr.matches("libbad-segfault").count(), 1, "a broken plugin is named once: {ran:?}");
}

#[test]
fn a_fault_in_a_part_is_recorded_as_in_the_whole() {
    let lab = lab("segfault", &[], "fault_share = \"1/1\"");
    for part in 1..=3 {
        assert!(matches!(lab.run(&format!("run --shard {part}/3")).code, Some(0 | 3)), "part {part}");
    }
    lab.succeed("merge results");
    assert_games(&lab.records("p/e"), Ending::AgentCrash);
}

/// A laboratory with an agent that fails in its first `bad` games, of which a quarter may.
fn moody_lab(bad: u64) -> Lab {
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
    let allowed = moody_lab(GAMES / 4);
    let done = run(&allowed);
    assert_eq!((&done["stopped_by_faults"], &done["played"]), (&json!(false), &json!(GAMES)), "{done}");
    let records = allowed.records("p/e");
    let faults = records.iter().filter(|record| record.ending.is_fault()).count();
    assert_eq!((records.len() as u64, faults as u64), (GAMES, GAMES / 4));

    let lab = moody_lab(GAMES / 4 + 1);
    let done = run(&lab);
    assert_eq!(done["stopped_by_faults"], true, "{done}");
    assert!(done["played"].as_u64().unwrap() < GAMES && done["records"].is_null(), "{done}");
    assert!(!lab.records_file("p/e").exists());
    // What was played counts again: the next run is stopped before it begins.
    let again = run(&lab);
    assert_eq!((&again["stopped_by_faults"], &again["played"]), (&json!(true), &json!(0)), "{again}");
}
