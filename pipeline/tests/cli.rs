//! The command line, by the real program: what it prints, where, and with which exit code.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::lab::{Lab, experiment, records, wait_until};
use pipeline::layout::Layout;
use pipeline::record::GameRecord;
use pipeline::store::{Header, RecordsReader, RecordsWriter};

const COMMANDS: [&str; 22] = [
    "reproduce",
    "run",
    "plan",
    "explain",
    "verify",
    "diff",
    "compare",
    "merge",
    "agents",
    "check",
    "games",
    "replay",
    "schema",
    "completions",
    "ask",
    "eval",
    "play",
    "new-agent",
    "claims",
    "render",
    "bundle",
    "unbundle",
];

fn quick_lab() -> Lab {
    Lab::with(
        &(experiment("r", "random", 12, "") + &experiment("c", "fixed-cycle", 12, "params.cycle = \"URDL\"")),
    )
}

#[test]
fn every_command_explains_itself() {
    let lab = Lab::new();
    let help = lab.succeed(&["--help"]).stdout;
    assert!(help.contains("Exit codes: 0 done, 1 a check failed"), "{help}");
    for command in COMMANDS {
        assert!(help.contains(&format!("  {command} ")), "{command} is not in {help}");
        let own = lab.succeed(&[command, "--help"]).stdout;
        assert!(own.contains(&format!("Usage: pipeline {command}")), "{own}");
        assert!(own.lines().next().is_some_and(|about| about.len() > 15), "{own}");
    }
    assert!(!help.contains("worker"), "the worker is no command for people");
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let lab = quick_lab();
    for (arguments, words) in [
        (&["frobnicate"][..], &["frobnicate"][..]),
        (&[], &["Usage"]),
        (&["run", "--games", "0"], &["--games"]),
        (&["run", "--jobs", "0"], &["--jobs"]),
        (&["run", "--shard", "4/3"], &["M/N", "1/4"]),
        (&["run", "q"], &["no paper or experiment is called `q`", "p"]),
        (&["run", "p/x"], &["no paper or experiment is called `p/x`"]),
        (&["reproduce", "--smoke", "--fresh"], &["--smoke", "--fresh"]),
        (&["games", "p"], &["PAPER/EXPERIMENT"]),
        (&["games", "p/r"], &["there are no records", "`pipeline run p/r`"]),
        (&["replay", "p/r", "0"], &["there are no records"]),
        (&["verify"], &["no such file or folder", "`pipeline run`"]),
        (&["run", "--plugin", "no.so"], &["no.so"]),
        (&["run", "--configs", "nowhere"], &["nowhere"]),
        (&["run", "mine.toml"], &["mine.toml"]),
        (&["render", "typo"], &["no paper is called `typo`; there are: p"]),
        (&["claims", "typo"], &["no paper is called `typo`; there are: p"]),
        (&["check", "no.so"], &["no.so"]),
        (&["merge"], &["PARTS"]),
    ] {
        lab.run(arguments).assert_fails(2, words);
    }
    assert!(!lab.path("results/records").exists());
}

#[test]
fn a_wrong_manifest_is_named_with_its_key_and_the_remedy() {
    for (experiment, words) in [
        (experiment("e", "random", 0, ""), &["experiment `e`", "`games`", "at least 1"][..]),
        (experiment("e", "rndom", 3, ""), &["experiment `e`", "`agent` is `rndom`", "known: ", "random"]),
        (experiment("e", "random", 3, "gamse = 3"), &["gamse", ":9:", "`games`"]),
        (experiment("e", "random", 3, "params.depth = 3"), &["experiment `e`", "`depth`", "`random`"]),
        (experiment("e", "fixed-cycle", 3, "params.cicle = \"URDL\""), &["`cicle`", "known: cycle"]),
        (experiment("e", "fixed-cycle", 3, "params.cycle = 3"), &["parameter `cycle` is 3, must be text"]),
        (
            experiment("e", "fixed-cycle", 3, "params.cycle = \"UUUU\""),
            &["experiment `e`", "`cycle`", "once"],
        ),
        (experiment("e", "random", 3, "budget.plies = 3"), &["experiment `e`", "`budget`", "does not take"]),
        (experiment("e", "random", 3, "").repeat(2), &["`id`", "`e`"]),
        (experiment("e", "random", 3, "rules.four = \"11/10\""), &["four"]),
        ("[[experiment]\n".to_owned(), &[":5:"]),
    ] {
        let lab = Lab::with(&experiment);
        let ran = lab.run(&["run"]);
        ran.assert_fails(2, words);
        assert!(ran.stderr.contains("paper-configs/p.toml"), "{ran:?}");
        assert!(!lab.path("results/records").exists());
    }
}

#[test]
fn the_second_run_in_a_folder_is_refused() {
    let lab = quick_lab();
    let held = Layout::new(lab.path("results")).lock().unwrap();
    for command in [&["run"][..], &["reproduce"], &["merge", "x.parquet"]] {
        lab.run(command).assert_fails(4, &["another run works in this folder", "results"]);
    }
    lab.succeed(&["run", "--out", "elsewhere"]);
    drop(held);
    lab.succeed(&["run"]);
}

#[test]
fn with_json_there_is_nothing_but_json_on_standard_output() {
    let lab = quick_lab();
    let report = lab.succeed(&["run", "--json"]).json();
    assert_eq!(report["experiments"][0]["experiment"], "p/r");
    assert_eq!(report["experiments"][0]["played"], 12);
    assert_eq!(report["experiments"][0]["digest"], lab.digest("p/r").as_str());
    assert_eq!(lab.succeed(&["plan", "--json"]).json()[1]["state"], "complete");
    assert_eq!(lab.succeed(&["explain", "p/c", "--json"]).json()[0]["identity"]["params"]["cycle"], "URDL");
    assert_eq!(lab.succeed(&["verify", "--recompute", "2", "--json"]).json()["files"][0]["games"], 12);
    assert_eq!(
        lab.succeed(&["reproduce", "--json"]).json()["run"]["experiments"].as_array().map(Vec::len),
        Some(0)
    );
    assert_eq!(lab.succeed(&["reproduce", "--smoke", "--json"]).json()["smoke"], true);
    assert!(lab.succeed(&["schema"]).json()["properties"]["experiment"].is_object());
    let agents = lab.succeed(&["agents", "--json"]).json();
    assert!(
        agents["plugins"]
            .as_array()
            .unwrap()
            .iter()
            .all(|plugin| plugin["sha256"].as_str().unwrap().len() == 64)
    );
    let games = lab.succeed(&["games", "p/r", "--sort", "score", "--json"]).json();
    let scores: Vec<u64> =
        games.as_array().unwrap().iter().map(|game| game["score"].as_u64().unwrap()).collect();
    assert!(scores.len() == 12 && scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    let plugin = agents["plugins"][0]["file"].as_str().unwrap();
    assert!(lab.succeed(&["check", plugin, "--moves", "5", "--json"]).json().is_array());
}

#[test]
fn people_get_text_without_control_sequences() {
    let lab = quick_lab();
    let mut texts = Vec::new();
    for (arguments, words) in [
        (&["plan"][..], &["p/r", "missing", "24 games to play"][..]),
        (&["run"], &["Played 24 games", "p/c: 12 played", "digest "]),
        (&["run"], &["All 2 experiments are there; nothing was played"]),
        (&["plan"], &["complete", "Nothing to play"]),
        (&["explain"], &["p/r", "identity ", "\"agent\": \"random\"", "12 games of this identity"]),
        (&["games", "p/r", "--limit", "3", "--sort", "max-tile"], &["max tile", "no-moves"]),
        (&["replay", "p/r", "3", "--move", "0"], &["game 3 move 0/", "score 0"]),
        (&["replay", "p/r", "3"], &["game 3 move 1/", "no-moves"]),
        (&["agents"], &["random", "fixed-cycle", "cycle=\"URDL\"", "SHA-256"]),
        (&["verify", "--current"], &["Replayed 24 games", "All as stored"]),
        (&["reproduce"], &["nothing was played", "Replayed 24 games", "Played 2 games again", "--fresh"]),
        (&["completions", "bash"], &["complete", "pipeline"]),
        (&["completions", "fish"], &["pipeline"]),
        (&["completions", "zsh"], &["#compdef pipeline"]),
    ] {
        let ran = lab.succeed(arguments);
        for word in words {
            assert!(ran.stdout.contains(word), "{arguments:?}: no `{word}` in {ran:?}");
        }
        texts.extend([ran.stdout, ran.stderr]);
    }
    texts.push(lab.run(&["run", "q"]).stderr);
    assert!(texts.iter().all(|text| !text.contains('\x1b') && !text.contains('\r')));
    assert_eq!(lab.succeed(&["run", "--quiet", "--fresh"]).stderr, "");
    lab.run(&["replay", "p/r", "12"]).assert_fails(2, &["no game 12", "12 games"]);
    lab.run(&["replay", "p/r", "0", "--move", "99999"]).assert_fails(2, &["not 99999"]);
}

#[test]
fn the_last_board_of_a_replay_is_the_final_board() {
    let lab = quick_lab();
    lab.succeed(&["run", "p/r"]);
    let game = &lab.records("p/r")[5];
    let shown = lab.succeed(&["replay", "p/r", "5", "--move", &game.moves.to_string()]).stdout;
    let tiles = |text: &str| {
        text.split_whitespace().filter(|word| *word != "/").map(str::to_owned).collect::<Vec<_>>()
    };
    let (head, board) = shown.split_once('\n').unwrap();
    assert!(head.contains(&format!("score {}", game.score)) && head.contains("no-moves"), "{head}");
    assert_eq!(tiles(board), tiles(&game.final_board));
}

#[test]
fn a_changed_parameter_makes_records_stale_and_is_named() {
    let lab = quick_lab();
    lab.succeed(&["run"]);
    let before = (lab.digest("p/r"), lab.digest("p/c"));
    let changed =
        experiment("r", "random", 12, "") + &experiment("c", "fixed-cycle", 12, "params.cycle = \"ULDR\"");
    lab.paper("p", &changed);
    let explained = lab.succeed(&["explain", "p/c"]).stdout;
    assert!(explained.contains("params.cycle: stored \"URDL\", now \"ULDR\""), "{explained}");
    assert!(lab.succeed(&["plan"]).stdout.contains("params.cycle"));
    let current = lab.run(&["verify", "--current"]);
    assert_eq!(current.code, Some(1));
    assert!(current.stdout.contains("p/c: the records are stale: params.cycle"), "{current:?}");
    let report = lab.succeed(&["run", "--json"]).json();
    assert_eq!(
        (&report["experiments"][0]["experiment"], &report["experiments"][0]["played"]),
        (&"p/c".into(), &12.into())
    );
    assert_eq!(lab.digest("p/r"), before.0);
    assert_ne!(lab.digest("p/c"), before.1);
    lab.succeed(&["verify", "--current"]);
}

/// Rewrites a records file, seal and all, with something changed.
fn tamper(file: &Path, change: impl FnOnce(&mut Header, &mut Vec<GameRecord>)) {
    let mut reader = RecordsReader::open(file).unwrap();
    let mut games: Vec<GameRecord> = reader.games().collect::<Result<_, _>>().unwrap();
    let mut header = reader.summary.header;
    change(&mut header, &mut games);
    let mut writer = RecordsWriter::create(file).unwrap();
    games.iter().for_each(|game| writer.push(game).unwrap());
    writer.finish(&header).unwrap();
}

#[test]
fn verification_finds_what_was_tampered_with_and_names_it() {
    let lab = quick_lab();
    lab.succeed(&["run"]);
    let (file, untouched) = (lab.records_file("p/r"), fs::read(lab.records_file("p/r")).unwrap());
    let found = |words: &[&str]| {
        let ran = lab.run(&["verify"]);
        ran.assert_fails(1, &[]);
        for word in words {
            assert!(ran.stdout.contains(word), "no `{word}` in {ran:?}");
        }
        assert!(ran.stdout.contains("p/r.parquet"), "{ran:?}");
        assert!(!ran.stdout.contains("p/c.parquet"), "{ran:?}");
        assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    };
    let tampered = |change: fn(&mut Header, &mut Vec<GameRecord>), words: &[&str]| {
        fs::write(&file, &untouched).unwrap();
        tamper(&file, change);
        found(words);
    };
    tampered(|_, games| games[3].score += 4, &["game 3: score is "]);
    tampered(|_, games| games[4].directions.replace_range(6..7, "X"), &["game 4: move 7: `X`"]);
    tampered(|_, games| games[5].directions.truncate(10), &["game 5"]);
    tampered(|_, games| games[6].tile_seed ^= 1, &["game 6: tile_seed is "]);
    tampered(|_, games| games[7].agent_seed ^= 1, &["game 7: agent_seed is "]);
    tampered(|_, games| games[8].final_board = "2 2 2 2".into(), &["game 8: final_board is "]);
    tampered(|_, games| games[9].max_tile *= 2, &["game 9: max_tile is "]);
    tampered(|_, games| games[10].ending = engine::Ending::TileCap, &["game 10: ending is tile-cap"]);
    tampered(|header, _| header.identity.seed = "0000000000000001".into(), &["game 0: tile_seed is "]);
    tampered(|_, games| drop(games.remove(2)), &["game 2 should come next, game 3 does"]);
    for length in [0, 3, 100, untouched.len() / 2, untouched.len() - 1] {
        fs::write(&file, &untouched[..length]).unwrap();
        found(&[]);
        // A broken file is no reason to play over it.
        let ran = lab.run(&["run"]);
        ran.assert_fails(1, &["p/r.parquet", "restore the file, or remove it"]);
    }
    let mut flipped = untouched.clone();
    flipped[200] ^= 1;
    fs::write(&file, flipped).unwrap();
    found(&[]);
    fs::write(&file, &untouched).unwrap();
    lab.succeed(&["verify"]);
}

#[test]
fn other_records_under_one_identity_are_an_alarm() {
    let lab = quick_lab();
    lab.succeed(&["run"]);
    let file = lab.records_file("p/r");
    tamper(&file, |_, games| {
        let letter = if &games[7].directions[4..5] == "U" { "D" } else { "U" };
        games[7].directions.replace_range(4..5, letter);
    });
    let stored = fs::read(&file).unwrap();
    lab.run(&["run", "--fresh"])
        .assert_fails(1, &["same identity, other records", "game 7, move 5", "is kept"]);
    assert_eq!(fs::read(&file).unwrap(), stored);
    let other = lab.path("results/records/p/r.differs.parquet");
    assert_eq!(records(&other).len(), 12);
    let ran = lab.run(&["verify", "--recompute", "12"]);
    assert!(ran.code == Some(1) && ran.stdout.contains("p/r: played again: game 7, move 5"), "{ran:?}");
    // The other experiment, and what it says of itself, are as before.
    lab.succeed(&["verify", "results/records/p/c.parquet"]);
}

#[test]
fn merging_refuses_gaps_overlaps_and_strangers() {
    let lab = quick_lab();
    for part in ["1/3", "2/3", "3/3"] {
        lab.succeed(&["run", "p/r", "--shard", part]);
    }
    lab.succeed(&["run", "p/r", "--shard", "1/2", "--out", "halves"]);
    lab.succeed(&["run", "p/r", "--shard", "3/3", "--games", "15", "--out", "more"]);
    lab.succeed(&["run", "p/r", "--out", "whole"]);
    lab.paper("p", &experiment("r", "random", 12, "seed = 7"));
    lab.succeed(&["run", "p/r", "--shard", "3/3", "--out", "other"]);
    let part = |folder: &str, part: &str| format!("{folder}/records/p/r.part-{part}.parquet");
    let (one, two) = (part("results", "1-of-3"), part("results", "2-of-3"));
    let three = part("results", "3-of-3");
    let refused = |third: &str, words: &[&str]| {
        lab.run(&["merge", "--out", "merged", &one, &two, third]).assert_fails(2, words);
    };
    lab.run(&["merge", "--out", "merged", &one, &three])
        .assert_fails(2, &["game 1 is in none of the parts", "part 2 of 3"]);
    lab.run(&["merge", "--out", "merged", &one, &two, &three, &two])
        .assert_fails(2, &["game 1 is in two parts", &two]);
    refused(&part("other", "3-of-3"), &["different experiments", "seed"]);
    refused(&part("halves", "1-of-2"), &["2 parts of 12 games"]);
    refused(&part("more", "3-of-3"), &["3 parts of 15 games"]);
    refused("whole/records/p/r.parquet", &["no part of an experiment", "whole/records/p/r.parquet"]);
    let left: Vec<_> = fs::read_dir(lab.path("merged/records/p")).into_iter().flatten().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
    lab.succeed(&["merge", "--out", "merged", &one, &two, &three]);
    assert_eq!(
        records(&lab.path("merged/records/p/r.parquet")),
        records(&lab.path("whole/records/p/r.parquet"))
    );
    let timed = pipeline::store::read_timing(&lab.path("merged/timing/p/r.parquet")).unwrap();
    assert_eq!(timed.iter().map(|timing| timing.game).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
}

#[test]
fn merging_leaves_other_records_alone() {
    let lab = quick_lab();
    for part in ["1/2", "2/2"] {
        lab.succeed(&["run", "p/r", "--shard", part]);
    }
    lab.succeed(&["run", "p/r", "--games", "13"]);
    let file = lab.path("results/records/p/r.parquet");
    let stored = fs::read(&file).unwrap();
    let part = |part: &str| format!("results/records/p/r.part-{part}-of-2.parquet");
    lab.run(&["merge", &part("1"), &part("2")])
        .assert_fails(1, &["results/records/p/r.parquet: other records are there already", "move one away"]);
    assert_eq!(fs::read(&file).unwrap(), stored);
}

#[test]
fn verify_takes_a_results_folder_and_refuses_to_compare_single_files_with_agents() {
    let lab = quick_lab();
    lab.succeed(&["run", "p"]);
    let ran = lab.succeed(&["verify", "results"]);
    assert!(ran.stdout.contains("All as stored"), "{ran:?}");
    lab.run(&["verify", "results/records/p/r.parquet", "--recompute", "1"])
        .assert_fails(2, &["--out", "a whole results folder"]);
}

#[test]
fn a_manifest_of_ones_own_needs_no_folder_and_stands_for_its_namesake() {
    let lab = quick_lab();
    let manifest = lab.path("paper-configs/p.toml");
    // The file that is in the folder anyway is not a second paper.
    let planned = lab.succeed(&["plan", "paper-configs/p.toml", "--json"]).json();
    assert_eq!(planned.as_array().map(Vec::len), Some(2));
    assert_eq!(planned[0]["also_for"].as_array().map(Vec::len), Some(0), "{planned:#}");
    fs::rename(manifest, lab.path("p.toml")).unwrap();
    fs::remove_dir(lab.path("paper-configs")).unwrap();
    lab.succeed(&["run", "p.toml"]);
    assert_eq!(lab.records("p/r").len(), 12);
}

#[test]
fn experiments_of_one_identity_are_played_once() {
    let lab = quick_lab();
    lab.paper("q", &experiment("same", "random", 20, ""));
    let report = lab.succeed(&["run", "--json"]).json();
    assert_eq!(report["experiments"].as_array().map(Vec::len), Some(2));
    assert_eq!(lab.records("p/r").len(), 20);
    assert!(lab.succeed(&["run", "q"]).stdout.contains("nothing was played"));
    assert_eq!(lab.succeed(&["games", "q/same", "--json"]).json().as_array().map(Vec::len), Some(20));
    let planned = lab.succeed(&["plan", "--json"]).json();
    assert_eq!(planned[0]["also_for"][0], "q/same");
}

/// A file system of its own that is soon full; none where mounting is not permitted.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=32k", "none"]).arg(at).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self(at.to_owned()))
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_an_error_and_the_next_run_goes_on() {
    let lab = Lab::with(&experiment("r", "random", 500, ""));
    let Some(disk) = SmallDisk::mount(&lab.path("results")) else {
        eprintln!("skipped: mounting a file system is not permitted here");
        return;
    };
    lab.succeed(&["run", "--out", "elsewhere"]);
    let expected = records(&lab.path("elsewhere/records/p/r.parquet"));
    let mut failures = 0;
    for kilobytes in (32..1024).step_by(16) {
        disk.remount(&format!("size={kilobytes}k"));
        let ran = lab.run(&["run", "--jobs", "1"]);
        if ran.code == Some(0) {
            break;
        }
        ran.assert_fails(4, &["No space left on device"]);
        assert!(
            ran.stderr.contains("results/records/p/r") || ran.stderr.contains("results/timing/p/r"),
            "{ran:?}"
        );
        failures += 1;
    }
    assert!(failures > 2);
    assert_eq!(lab.records("p/r"), expected);
    lab.succeed(&["verify", "--current"]);
    let left: Vec<_> = fs::read_dir(lab.path("results/records/p")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    disk.remount("ro");
    lab.run(&["run", "--fresh"]).assert_fails(4, &["results", "Read-only"]);
    lab.succeed(&["verify", "--recompute", "1"]);
    assert_eq!(lab.records("p/r"), expected);
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    let output = Command::new("git").arg("-C").arg(folder).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn reproducing_a_clone_leaves_it_clean() {
    let lab = quick_lab();
    let ignored = concat!(env!("CARGO_MANIFEST_DIR"), "/../.gitignore");
    fs::copy(ignored, lab.path(".gitignore")).unwrap();
    let root = lab.path("");
    git(&root, &["init", "-q"]);
    lab.succeed(&["reproduce"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "results"]);
    lab.succeed(&["reproduce"]);
    assert_eq!(git(&root, &["status", "--porcelain"]), "");
    lab.succeed(&["reproduce", "--smoke"]);
    assert_eq!(git(&root, &["status", "--porcelain"]), "");
    let clone = tempfile::tempdir().unwrap();
    git(&root, &["clone", "-q", ".", clone.path().to_str().unwrap()]);
    let ran = lab.command(&["reproduce"]).current_dir(clone.path()).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(git(clone.path(), &["status", "--porcelain"]), "");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("nothing was played"));
}

#[test]
fn a_smoke_reproduction_touches_no_results() {
    let lab = quick_lab();
    let ran = lab.succeed(&["reproduce", "--smoke"]);
    assert!(ran.stderr.contains("results/ is not touched") && ran.stdout.contains("smoke"), "{ran:?}");
    assert!(!lab.path("results").exists());
    lab.succeed(&["run"]);
    let before = fs::read(lab.records_file("p/r")).unwrap();
    lab.succeed(&["reproduce", "--smoke"]);
    for out in ["./results", "results/", lab.path("results").to_str().unwrap()] {
        let _ = lab.run(&["reproduce", "--smoke", "--out", out]);
        assert_eq!(fs::read(lab.records_file("p/r")).unwrap(), before, "{out}");
    }
    lab.succeed(&["reproduce", "--smoke", "--out", "mine"]);
    assert_eq!(records(&lab.path("mine/records/p/r.parquet")).len(), 3);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let lab = quick_lab();
    lab.succeed(&["run"]);
    let mut child = lab.start(&["replay", "p/r", "0"]);
    drop(child.stdout.take());
    wait_until("the program ends", || child.try_wait().unwrap().is_some());
    let ran: common::lab::Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}
