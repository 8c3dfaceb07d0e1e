//! Closed pipes, terminals that hang up and signals: no game is lost, and nothing is left behind.

use crate::common::prelude::*;

use std::io;

use records::{RecordsReader, StoreError};

const GAMES: u64 = 16;

/// A pipe that nobody reads.
fn nobody() -> Stdio {
    let (_, write) = io::pipe().unwrap();
    write.into()
}

#[test]
fn a_command_succeeds_if_nobody_reads_its_output() {
    let lab = Lab::with(&experiment("r", "random", 12, ""));
    lab.succeed("run --out heard");
    let expected = records(&lab.path("heard/records/p/r.parquet"));
    for arguments in ["run", "reproduce", "reproduce --smoke", "verify"] {
        let status = lab.command(arguments).stdout(nobody()).stderr(nobody()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{arguments:?}");
        assert_eq!(lab.records("p/r"), expected, "{arguments:?}");
    }
    for arguments in [
        "--help",
        "run --help",
        "--version",
        "completions bash",
        "schema",
        "agents",
        "claims",
        "plan",
        "explain p/r",
        "games p/r",
        "games p/r --json",
        "replay p/r 0",
        "diff results results",
    ] {
        let ran: CommandOutput = lab.command(arguments).stdout(nobody()).output().unwrap().into();
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

/// Faults appear on standard error; the worker writes an agent's own output there too.
#[test]
fn a_fault_is_recorded_if_nobody_reads_standard_error() {
    let lab = Lab::with(&experiment("e", "bad", GAMES, "fault_share = \"1/1\""));
    lab.build_plugin(BAD, "bad-unheard", &["-DFAULT=segfault"]);
    for (arguments, code) in [("run", 3), ("run no-such-paper", 2)] {
        assert_eq!(lab.command(arguments).stderr(nobody()).status().unwrap().code(), Some(code));
    }
    assert!(lab.records("p/e").iter().any(|game| game.ending == Ending::AgentCrash));
}

#[test]
fn signals_stop_after_the_games_in_progress_and_the_same_command_resumes() {
    let expected = {
        let lab = Lab::slow(GAMES, 0);
        lab.succeed("run --jobs 2");
        lab.digest("p/slow")
    };
    // What a terminal says when it is gone, nobody hears.
    for (name, is_heard) in [("INT", true), ("HUP", false), ("TERM", false)] {
        println!("{name}");
        let lab = Lab::slow(GAMES, 900);
        let mut command = lab.command("run --jobs 2");
        if !is_heard {
            command.stdout(nobody()).stderr(nobody());
        }
        let run = command.spawn().unwrap();
        lab.wait_for_games("p/slow", 1000);
        signal(name, run.id());
        let ran = CommandOutput::from(run);
        ran.assert_code(1);
        if is_heard {
            ran.assert_warns(&["stopping after the games in progress"])
                .assert_prints(&["Run the same command again to continue"]);
        }
        assert!(lab.journal("p/slow").exists() && !lab.records_file("p/slow").exists());
        assert!(lab.json_of("run")["experiments"][0]["played"].as_u64().unwrap() < GAMES);
        assert_eq!(lab.digest("p/slow"), expected);
    }
}

#[test]
fn a_run_that_ignores_hangups_outlives_its_terminal() {
    let lab = Lab::slow(GAMES, 900);
    let mut run = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" run --jobs 2 --quiet", env!("CARGO_BIN_EXE_pipeline")])
        .current_dir(lab.path(""))
        .env("RETILE_AGENT_PATH", lab.path("plugins"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    lab.wait_for_games("p/slow", 1000);
    signal("HUP", run.id());
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert_eq!(lab.records("p/slow").len(), GAMES as usize);
}

/// A shell that becomes the program by `exec` leaves it its background jobs, which are none of the run's.
#[test]
fn processes_older_than_the_run_are_left_alone() {
    let lab = Lab::with(&experiment("r", "random", 3, ""));
    let script = "set -m; sleep 600 & echo $! > job; set +m; exec \"$0\" run --quiet";
    let status = Command::new("bash")
        .args(["-c", script, env!("CARGO_BIN_EXE_pipeline")])
        .current_dir(lab.path(""))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    let job: u32 = lab.read("job").trim().parse().unwrap();
    assert!(is_alive(job));
    signal("KILL", job);
}

/// Writing bars to a closed terminal is another error than writing to a closed pipe.
#[test]
fn a_closed_terminal_costs_no_game() {
    let lab = Lab::slow(GAMES, 900);
    let run = format!("trap '' HUP; '{}' run --jobs 2; echo $? > code", env!("CARGO_BIN_EXE_pipeline"));
    let mut terminal = in_terminal(&run);
    terminal.current_dir(lab.path("")).env("RETILE_AGENT_PATH", lab.path("plugins")).stdout(Stdio::null());
    let Ok(mut terminal) = terminal.spawn() else {
        return skip("there is no `script` to run in a terminal with");
    };
    lab.wait_for_games("p/slow", 1000);
    terminal.kill().unwrap();
    terminal.wait().unwrap();
    let code = || fs::read_to_string(lab.path("code")).unwrap_or_default();
    wait_until("the run ends", || code().ends_with('\n'));
    assert_eq!(code(), "0\n");
    assert_eq!(lab.records("p/slow").len(), GAMES as usize);
}

/// Polars gives up on some corrupt files with a panic, which is an error like any other.
#[test]
fn a_panic_of_a_library_is_reported_once_as_an_error() {
    let lab = Lab::with(&experiment("r", "random", 3, ""));
    lab.succeed("run --quiet");
    let (good, bad) = (fs::read(lab.records_file("p/r")).unwrap(), lab.path("bad.parquet"));
    let is_corrupt = |place: &usize| {
        let mut bytes = good.clone();
        bytes[*place] ^= 0x15;
        lab.write("bad.parquet", bytes);
        matches!(RecordsReader::open(&confined(&bad)), Err(StoreError::Corrupt { .. }))
    };
    let footer = good.len() / 2..good.len();
    assert!(footer.rev().find(is_corrupt).is_some(), "polars panics on none of them");
    let ran = lab.run_with("RUST_BACKTRACE", "1", "verify bad.parquet");
    assert_has(&ran.assert_code(1).output(), &["the file is corrupt"]);
    ran.assert_omits(&["panicked at", "backtrace"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}

#[test]
fn an_interrupted_smoke_reproduction_leaves_no_folder() {
    for name in ["INT", "TERM", "HUP"] {
        let lab = Lab::slow(GAMES, 20_000);
        let scratch = lab.path("tmp");
        fs::create_dir(&scratch).unwrap();
        let run = lab.command("reproduce --smoke").env("TMPDIR", &scratch).spawn().unwrap();
        let is_there = || fs::read_dir(&scratch).unwrap().count() > 0;
        wait_until("the games begin", || is_there() && !children(run.id()).is_empty());
        signal_until_it_ends(name, run);
        assert!(!is_there(), "{name}: {:?}", fs::read_dir(&scratch).unwrap().flatten().collect::<Vec<_>>());
    }
}
