//! The bridge: programs as agents. A fault costs its own game and no other, and leaves nothing behind.

use crate::common::prelude::*;

use crate::twins::{AT_MOVE, GAMES, assert_games, is_bad, process_ids, twin_games};

const PROGRAM: &str = "pipeline/tests/programs/bad.c";

fn bad_program(fault: &str) -> PathBuf {
    compile_program_with(PROGRAM, &format!("program-{fault}"), &[&format!("-DFAULT={fault}")])
}

/// A laboratory with the program in it, named by a file that says what starts it.
fn lab(fault: &str, more: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "bad", GAMES, more));
    fs::copy(bad_program(fault), lab.path("plugins/bad")).unwrap();
    lab.write("plugins/bad.agent", "command = [\"./bad\"]\nstart_limit_ms = 1500\n");
    lab
}

/// The games of the twin that is not bad.
fn good_games() -> &'static [GameRecord] {
    static GAMES: OnceLock<Vec<GameRecord>> = OnceLock::new();
    GAMES.get_or_init(|| twin_games(&lab("none", "")))
}

/// Runs a bad program to its end and asserts what becomes of its games.
fn assert_contained(fault: &str, ending: Ending, words: &[&str]) {
    let lab = lab(fault, "fault_share = \"1/1\"\nmove_limit_ms = 500");
    lab.run("run --jobs 2").assert_fails(3, words).assert_omits(&["ALARM"]);
    assert_games(&Rules::default(), &lab.records("p/e"), good_games(), ending);
    assert_nothing_left(&lab);
}

/// The processes that were started in the laboratory's folder of plugins.
fn assert_nothing_left(lab: &Lab) {
    let folder = lab.path("plugins").canonicalize().unwrap();
    wait_until("everything is gone", || {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        !processes.into_iter().any(|process| {
            let is_ours = fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder);
            let id = process.file_name().to_str().and_then(|name| name.parse().ok());
            is_ours && id.is_some_and(is_alive)
        })
    });
}

#[test]
fn a_fault_of_a_program_costs_its_game_and_its_last_error_output_is_shown() {
    for (fault, ending, words) in [
        ("aborts", Ending::AgentCrash, &["(abort)", "the table is upside down"][..]),
        ("exits", Ending::AgentCrash, &["exit code 7"]),
        ("closes", Ending::AgentCrash, &["closed its descriptors"]),
        ("hangs", Ending::Timeout, &["time limit"]),
        ("late", Ending::Timeout, &["time limit"]),
        ("garbage", Ending::AgentError, &["`hm, let me see`", "standard error"]),
        ("huge", Ending::AgentError, &["a line of more than"]),
        ("latin", Ending::AgentError, &["makes no sense"]),
        ("no_direction", Ending::AgentError, &["`X` is not one of the directions"]),
        ("complains", Ending::AgentError, &["the network is down"]),
    ] {
        println!("{fault}");
        assert_contained(fault, ending, words);
    }
}

/// The games of a program that says something twice in its bad games, with this number of jobs.
fn games_said_twice(program: &Path, more: &str, jobs: &str) -> Vec<GameRecord> {
    let lab = Lab::with(&experiment("e", "bad", GAMES, &format!("fault_share = \"1/1\"\n{more}")));
    fs::copy(program, lab.path("plugins/bad")).unwrap();
    lab.write("plugins/bad.agent", "command = [\"./bad\"]\n");
    lab.run(&format!("run --jobs {jobs}")).assert_fails(3, &[]).assert_omits(&["ALARM"]);
    assert_nothing_left(&lab);
    lab.succeed("verify");
    lab.records("p/e")
}

/// What is left over after an answer would be the answer to the next position, in this game or the next one.
#[test]
fn a_second_answer_costs_the_game_in_which_it_was_given() {
    let played: Vec<_> = ["twice", "twice_and_late"]
        .into_iter()
        .flat_map(|fault| ["1", "3"].map(|jobs| games_said_twice(&bad_program(fault), "", jobs)))
        .collect();
    for (game, good) in played[0].iter().zip(good_games()) {
        if is_bad(game.game) {
            assert!(matches!(game.ending, Ending::AgentError | Ending::IllegalMove), "game {}", game.game);
            assert_eq!(game.directions[..=AT_MOVE], good.directions[..=AT_MOVE], "game {}", game.game);
        } else {
            assert_eq!(game, good);
        }
    }
    assert!(played.iter().all(|games| *games == played[0]), "neither jobs nor time make a difference");
}

#[test]
fn a_second_answer_to_the_last_position_costs_the_game_and_takes_the_move_back() {
    // The first legal direction makes the tile that ends the game.
    let rules =
        "[experiment.rules]\nstart = { board = \"4 4 . . / . . . . / . . . . / . . . .\" }\nstop_at = 8";
    for fault in ["twice", "twice_and_late"] {
        let flags = [&format!("-DFAULT={fault}"), "-DAT_MOVE=0"];
        let program = compile_program_with(PROGRAM, &format!("program-{fault}-at-last"), &flags);
        let [alone, three] = ["1", "3"].map(|jobs| games_said_twice(&program, rules, jobs));
        assert_eq!(alone, three);
        for game in &alone {
            let expected =
                if is_bad(game.game) { (Ending::AgentError, "") } else { (Ending::StoppedAtTile, "R") };
            assert_eq!((game.ending, game.directions.as_str()), expected, "{fault}: game {}", game.game);
        }
    }
}

#[test]
fn a_program_that_runs_out_of_memory_is_named() {
    for (fault, words) in [("eats_memory", "segmentation fault"), ("memory_error", "MemoryError")] {
        let lab = lab(fault, "fault_share = \"1/1\"");
        lab.run("run --jobs 2 --memory 256").assert_fails(3, &[words]);
        for game in lab.records("p/e").iter().filter(|game| is_bad(game.game)) {
            assert_eq!(game.ending, Ending::ResourceLimit, "{fault}: game {}", game.game);
        }
    }
}

#[test]
fn child_processes_of_a_program_end_with_it() {
    assert_contained("forks", Ending::AgentCrash, &["(abort)"]);
    let lab = lab("forks", "fault_share = \"1/1\"");
    lab.run("run --jobs 1").assert_fails(3, &[]);
    let left: u32 = lab.read("plugins/grandchild").trim().parse().unwrap();
    wait_until("the grandchild is gone", || !is_alive(left));
}

#[test]
fn processes_outside_a_programs_group_end_with_the_run() {
    for (fault, code) in [("daemon_and_abort", 3), ("daemon_and_play", 0)] {
        let lab = lab(fault, "fault_share = \"1/1\"");
        let ran = lab.run("run --jobs 2");
        assert_eq!(ran.code, Some(code), "{fault}: {ran:?}");
        let daemons = process_ids(&lab.path("plugins/daemons"));
        assert!(
            daemons.len() >= 2 && !daemons.iter().any(|&daemon| is_alive(daemon)),
            "{fault}: {daemons:?}"
        );
    }
}

#[test]
fn a_program_without_a_hello_and_a_wrong_file_are_refused_with_the_reason() {
    for (fault, words) in [
        ("mute", &["bad.agent", "said nothing within 1500 ms", "flush"][..]),
        ("leaves", &["bad.agent", "exit code 3", "no module named numpy"]),
    ] {
        let lab = lab(fault, "");
        lab.run("run").assert_fails(2, words);
        lab.run("check plugins/bad.agent").assert_fails(2, words);
        lab.succeed("agents").assert_prints(&["cannot be used", words[1]]);
        assert_nothing_left(&lab);
    }
    let lab = Lab::new();
    for (text, words) in [
        ("command = []", &["`command` is empty"][..]),
        ("comand = [\"x\"]", &["comand"]),
        ("command = [\"./nowhere\"]", &["nowhere", "cannot be started"]),
        ("command = [\"true\"]\nfiles = [\"weights.bin\"]", &["weights.bin"]),
        ("command = [\"true\"]", &["exit code 0"]),
        ("command = [\"cat\"]", &["makes no sense"]),
    ] {
        lab.write("x.agent", text);
        lab.run("check x.agent").assert_fails(2, &["x.agent"]).assert_warns(words);
    }
    lab.write("script.py", "print(1)");
    lab.run("check ./script.py").assert_fails(2, &["script.py", "chmod +x"]);
}

#[test]
fn nothing_stays_behind_when_the_run_is_killed() {
    let lab = lab("hangs", "fault_share = \"1/1\"\nmove_limit_ms = 600000");
    let run = lab.start("run --jobs 2 --quiet");
    let journal = lab.journal("p/e");
    wait_until("a program hangs", || {
        let mut all = fs::read_dir("/proc").unwrap().flatten().map(|process| process.path().join("exe"));
        journal.exists() && all.any(|exe| fs::read_link(exe).is_ok_and(|exe| exe.ends_with("plugins/bad")))
    });
    kill(run);
    assert_nothing_left(&lab);
}

#[test]
fn games_are_the_same_for_any_number_of_jobs_and_the_programs_hash_is_recorded() {
    let lab = lab("none", "");
    lab.succeed("run --jobs 1");
    lab.succeed("run --jobs 3 --out again");
    let again = summary(&lab.path("again/records/p/e.parquet"));
    assert_eq!(again.digest, lab.digest("p/e"));
    let agents = lab.json_of("agents");
    let is_bad = |plugin: &&Value| plugin["file"].as_str().unwrap().ends_with("bad.agent");
    let plugin = list(&agents["plugins"]).iter().find(is_bad).unwrap();
    assert_eq!(plugin["sha256"], *again.header.provenance[0].plugin_sha256);
    assert_eq!(again.header.identity.agent, "bad");
    assert!(again.header.identity.signature.is_some());
    lab.succeed("verify --recompute 2");
}

#[test]
fn a_program_passes_the_suite_like_any_plugin() {
    let lab = Lab::new();
    fs::copy(bad_program("none"), lab.path("mine")).unwrap();
    fs::set_permissions(lab.path("mine"), fs::Permissions::from_mode(0o755)).unwrap();
    let checked = lab.json_of("check ./mine");
    let steps = list(&checked[0]["steps"]);
    assert_eq!(checked[0]["agent"], "bad");
    assert!(steps.len() >= 10 && steps.iter().all(|step| step["passed"] == true), "{checked}");
    let asked = lab.json_of("ask ./mine '2 . . . / . . . . / . . . . / . . . .'");
    assert_eq!((&asked["direction"], &asked["nodes"]), (&json!("right"), &json!(1)));
}

#[test]
fn the_example_in_python_is_a_complete_agent() {
    if !has_python() {
        return skip("there is no python3 to try the example with");
    }
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/corner.py");
    let lab = Lab::new();
    fs::copy(example, lab.path("corner.py")).unwrap();
    fs::set_permissions(lab.path("corner.py"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(lab.read("corner.py").lines().count() <= 45, "it is about thirty lines long");
    lab.succeed("check ./corner.py --moves 40");
    let ask = "ask ./corner.py '2 . . . / 4 . . . / . . . . / . . . .'";
    assert_eq!(lab.json_of(ask)["direction"], "down");
    assert_eq!(lab.json_of(&format!("{ask} --param order=RULD"))["direction"], "right");
    lab.run(&format!("{ask} --param order=3"))
        .assert_fails(2, &["`order`", "must name each of D, L, R and U once"]);
    let python = Command::new("python3").arg("-m").arg("py_compile").arg(example).status().unwrap();
    assert!(python.success());
}
