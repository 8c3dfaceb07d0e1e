//! What cannot be done: wrong arguments and wrong manifests are named, and nothing is written.

use crate::common::prelude::*;

use crate::quick_lab;

const COMMANDS: &str = "reproduce run plan explain verify diff compare merge agents check games replay schema completions \
    ask eval play new-agent claims render bundle unbundle shrink";

#[test]
fn every_command_explains_itself() {
    let lab = Lab::new();
    let help = lab.succeed("--help").stdout;
    assert_has(&help, &["Exit codes: 0 done, 1 a check failed"]);
    for command in COMMANDS.split_whitespace() {
        assert_has(&help, &[&format!("  {command} ")]);
        let own = lab.succeed(&format!("{command} --help")).stdout;
        assert_has(&own, &[&format!("Usage: pipeline {command}")]);
        assert!(own.lines().next().is_some_and(|about| about.len() > 15), "{own}");
    }
    assert!(!help.contains("worker"), "the worker is no command for people");
}

#[test]
fn wrong_usage_is_exit_code_2() {
    let lab = quick_lab();
    for (arguments, words) in [
        ("frobnicate", &["frobnicate"][..]),
        ("", &["Usage"]),
        ("run --games 0", &["--games"]),
        ("run --games 3000000000", &["--games", "3000000000", "10000000"]),
        ("plan --games 10000001", &["--games", "10000000"]),
        ("eval random --games 3000000000", &["--games", "10000000"]),
        ("compare random random --limit 3000000000", &["--limit", "10000000"]),
        ("run --shard 1/3000000000", &["--shard", "at most 10000000 parts"]),
        ("run --jobs 0", &["--jobs"]),
        ("run --shard 4/3", &["M/N", "1/4"]),
        ("run q", &["no paper or job is called `q`", "p"]),
        ("run p/x", &["no paper or job is called `p/x`; known: p/r, p/c"]),
        ("reproduce --smoke --fresh", &["--smoke", "--fresh"]),
        ("games p", &["PAPER/EXPERIMENT"]),
        ("games p/r", &["there are no records", "`pipeline run p/r`"]),
        ("replay p/r 0", &["there are no records"]),
        ("verify", &["no such file or folder", "`pipeline run`"]),
        ("run --plugin no.so", &["no.so"]),
        ("run --configs nowhere", &["nowhere"]),
        ("run mine.toml", &["mine.toml"]),
        ("render typo", &["no paper is called `typo`; known: p"]),
        ("claims typo", &["no paper is called `typo`; known: p"]),
        ("check no.so", &["no.so"]),
        ("merge", &["PARTS"]),
    ] {
        lab.run(arguments).assert_fails(2, words);
    }
    assert!(!lab.exists("results/records"));
    lab.paper("empty", "");
    assert!(lab.succeed("plan empty").stdout.contains("Nothing to play"), "a paper may have no experiment");
}

#[test]
fn a_wrong_manifest_is_named_with_its_key_and_the_remedy() {
    for (experiment, words) in [
        (experiment("e", "random", 0, ""), &["experiment `e`", "`games`", "at least 1"][..]),
        (experiment("e", "rndom", 3, ""), &["experiment `e`", "`agent` is `rndom`", "known: ", "random"]),
        (experiment("e", "random", 3, "gamse = 3"), &["`gamse` is unknown", ":9:", " games,"]),
        (experiment("e", "fixed-cycle", 3, "params.cicle = \"URDL\""), &["`cicle`", "known: cycle"]),
        (
            experiment("e", "fixed-cycle", 3, "params.cycle = \"UUUU\""),
            &["experiment `e`", "`cycle`", "once"],
        ),
        (experiment("e", "random", 3, "budget.plies = 3"), &["experiment `e`", "`budget`", "does not take"]),
        (experiment("e", "random", 3, "rules.four = \"11/10\""), &["four"]),
        ("[[experiment]\n".to_owned(), &[":5:"]),
    ] {
        let lab = Lab::with(&experiment);
        lab.run("run").assert_fails(2, words).assert_warns(&["paper-configs/p.toml"]);
        assert!(!lab.exists("results/records"));
    }
}

#[test]
fn more_games_in_all_than_a_run_takes_on_are_refused_before_they_are_listed() {
    let many =
        |number: u32| experiment(&format!("e{number}"), "random", 10_000_000, &format!("seed = {number}"));
    let lab = Lab::with(&(0..6).map(many).collect::<String>());
    lab.run("run").assert_fails(2, &["60000000 games", "50000000", "--games"]);
    assert!(!lab.exists("results/records"));
}
