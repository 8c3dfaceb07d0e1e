//! `pipeline diff` on a real repository: a refactoring without effect, a changed parameter, a changed agent.

use crate::common::prelude::*;

const GAMES: u64 = 40;

/// The paper: a fixed cycle, and a random player in C that is said to score less.
fn paper(cycle: &str) -> String {
    let params = format!("params.cycle = \"{cycle}\"");
    experiment("f", "fixed-cycle", GAMES, &params)
        + &experiment("c", "random-c", GAMES, "")
        + &order("f", "c")
}

/// The random player in C with a piece of its source replaced, compiled with these flags.
fn player(name: &str, old: &str, new: &str, flags: &[&str]) -> PathBuf {
    let source = fs::read_to_string(root().join("engine/examples/c/random.c")).unwrap();
    assert_eq!(source.matches(old).count(), 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{name}.c"));
    fs::write(&file, source.replace(old, new)).unwrap();
    compile_plugin(file.to_str().unwrap(), name, flags)
}

const DRAW: &str = "legal[below(agent->rng, count)]";

/// A repository with the commits `base`, `refactored`, `parameter` and `agent`, each a tag.
fn history() -> Lab {
    copy_of("history", || {
        let lab = Lab::with(&paper("URDL"));
        let commit = |tag: &str, draw: &str, flags: &[&str], run: &str| {
            lab.install(&player(tag, DRAW, draw, flags), "librandom_c.so");
            lab.succeed(run);
            for arguments in [&["add", "--all"][..], &["commit", "--quiet", "--message", tag], &["tag", tag]]
            {
                git(&lab.path(""), arguments);
            }
        };
        lab.write(".gitignore", "plugins/\n.cache/\n.lock\n");
        git(&lab.path(""), &["init", "--quiet"]);
        commit("base", DRAW, &[], "run --quiet");
        // Another file with the same decisions; the games are played again and come out the same.
        let same = "*(legal + below(agent->rng, count))";
        commit("refactored", same, &["-O2"], "run --quiet --fresh");
        lab.paper("p", &paper("UDLR"));
        commit("parameter", same, &["-O2"], "run --quiet");
        commit("agent", "legal[0 * below(agent->rng, count)]", &[], "run --quiet");
        lab
    })
}

/// The exit code and the JSON of a diff.
fn diff_of(lab: &Lab, arguments: &str) -> (Option<i32>, Value) {
    let ran = lab.run(&format!("diff --json {arguments}"));
    (ran.code, ran.json())
}

fn state<'a>(diff: &'a Value, experiment: &str) -> &'a str {
    entry(diff, experiment)["state"].as_str().unwrap()
}

fn entry<'a>(diff: &'a Value, experiment: &str) -> &'a Value {
    let all = list(&diff["experiments"]);
    all.iter().find(|entry| entry["experiment"] == experiment).expect("it is in the diff")
}

fn components(entry: &Value) -> Vec<&str> {
    let parts = list(&entry["identity"]);
    parts.iter().map(|part| part["component"].as_str().unwrap()).collect()
}

#[test]
fn each_commit_is_described_by_its_effect_and_only_losses_fail() {
    let lab = history();
    let before = git(&lab.path(""), &["status", "--porcelain", "--ignored"]);

    let (code, diff) = diff_of(&lab, "base refactored");
    assert_eq!((code, diff["changed"].as_bool()), (Some(0), Some(false)), "{diff}");
    assert_eq!((state(&diff, "p/c"), state(&diff, "p/f")), ("identical", "identical"));
    assert!(entry(&diff, "p/c")["time"]["same_machine"].as_bool().unwrap(), "{diff}");

    let (code, diff) = diff_of(&lab, "refactored parameter");
    let changed = entry(&diff, "p/f");
    assert_eq!((code, state(&diff, "p/f"), state(&diff, "p/c")), (Some(1), "changed", "identical"));
    assert_eq!(components(changed), ["params.cycle", "signature"]);
    // Both begin with U; the second letter is another one.
    assert_eq!(changed["first_difference"]["game"], 0, "{changed}");
    let effect = &changed["effect"];
    assert_eq!(
        (&effect["pairing"], &effect["mean"]["difference"]["n"]),
        (&"same-seeds".into(), &GAMES.into())
    );
    assert!(effect["mean"]["difference"]["high"].as_f64().unwrap() < 0.0, "{effect}");
    assert!(effect["superiority"]["point"].as_f64().unwrap() < 0.5, "{effect}");
    assert!(effect["correlation"]["point"].is_number(), "{effect}");
    assert!(list(&effect["tiles"]).iter().any(|tile| tile["tile"] == 128), "{effect}");
    let verdict = &diff["verdicts"]["changes"][0];
    assert_eq!((&verdict["claim"], &verdict["before"]), (&"p/order".into(), &"confirmed".into()), "{diff}");

    let (code, diff) = diff_of(&lab, "parameter agent");
    assert_eq!((code, state(&diff, "p/c"), state(&diff, "p/f")), (Some(1), "changed", "identical"));
    assert_eq!(components(entry(&diff, "p/c")), ["signature"]);

    let code = |arguments: &str| diff_of(&lab, &format!("{arguments} --fail-on loss")).0;
    assert_eq!(code("refactored parameter"), Some(1), "a loss");
    assert_eq!(code("parameter refactored"), Some(0), "a gain");
    assert_eq!(code("base refactored"), Some(0), "neither");

    assert_eq!(
        git(&lab.path(""), &["status", "--porcelain", "--ignored"]),
        before,
        "the checkout is untouched"
    );
}

#[test]
fn the_work_tree_is_compared_with_the_last_commit_and_other_records_of_one_identity_are_an_alarm() {
    let lab = history();
    assert_eq!(diff_of(&lab, "").0, Some(0));
    lab.succeed("run --quiet p/f --games 50");
    lab.paper("q", &experiment("n", "random", 5, ""));
    lab.succeed("run --quiet q");
    let (code, diff) = diff_of(&lab, "");
    assert_eq!((code, state(&diff, "p/f"), state(&diff, "q/n")), (Some(1), "more-games", "new"));
    let (_, turned) = diff_of(&lab, "results HEAD");
    assert_eq!((state(&turned, "p/f"), state(&turned, "q/n")), ("fewer-games", "gone"));
    assert_eq!(diff_of(&lab, "--fail-on loss").0, Some(0));
    // The games of the agent's commit under the identity of the one before.
    git(&lab.path(""), &["worktree", "add", "--quiet", "old", "parameter"]);
    let path = lab.path("old/results/records/p/c.parquet");
    let digest = rewrite(&path, |_, games| *games = lab.records("p/c"));
    let mut json = lab.json("old/results/index.json");
    json["experiments"]["p/c"]["digest"] = digest.into();
    lab.write("old/results/index.json", json.to_string());
    let (code, diff) = diff_of(&lab, "parameter old");
    assert_eq!((code, state(&diff, "p/c")), (Some(1), "alarm"), "{diff}");
    assert!(entry(&diff, "p/c")["first_difference"]["game"].is_number(), "{diff}");
}

#[test]
fn changes_are_shown_in_every_form_and_sides_that_cannot_be_compared_refused() {
    let lab = history();
    let text = lab.run("diff refactored parameter --figures drawn").stdout;
    assert_has(&text, &["1 changed, 1 identical", "params.cycle: \"URDL\" → \"UDLR\""]);
    assert_has(
        &text,
        &["first difference: game 0, move ", "pairs of the same seed", "p/order: confirmed → "],
    );
    assert!(!text.contains('\x1b'), "colour is for terminals");
    assert!(files(&lab.path("drawn")).keys().eq(["p-f.png", "p-f.svg"]));
    lab.run("diff refactored parameter --markdown").assert_prints(&[
        "### Results: `refactored (",
        "| p/f ",
        "<details><summary>p/f: changed</summary>",
        "- p/order: confirmed →",
    ]);
    lab.run("diff nowhere").assert_fails(2, &["`nowhere` is neither a folder nor a revision"]);
    lab.run("diff base plugins").assert_fails(2, &["plugins", "index.json"]);
    lab.write("b.tar.zst", "");
    lab.run("diff b.tar.zst").assert_fails(1, &["b.tar.zst"]);
    lab.run_with("PATH", "/nowhere", "diff").assert_fails(2, &["git, which is needed to read a revision"]);
    Lab::new().run("diff").assert_fails(2, &["`HEAD`", "not a git repository"]);
}
