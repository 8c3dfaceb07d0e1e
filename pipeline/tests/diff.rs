//! `pipeline diff` on a real repository: a refactoring without effect, a changed parameter, a changed agent.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use surroundings::confined::ConfinedPath;

use common::lab::{Lab, experiment};
use common::{compile_plugin, git};
use records::store::{RecordsReader, RecordsWriter};
use serde_json::Value;

const GAMES: u64 = 40;

/// The paper: a fixed cycle, and a random player in C that is said to score less.
fn paper(cycle: &str) -> String {
    let params = format!("params.cycle = \"{cycle}\"");
    let claim = "[[claim]]\nid = \"order\"\nkind = \"ordinal\"\ntext = \"The cycle is better.\"\nplace = \"Table 1\"\n\
                 metric = \"score.mean\"\nbetter = \"f\"\nworse = \"c\"\n";
    experiment("f", "fixed-cycle", GAMES, &params) + &experiment("c", "random-c", GAMES, "") + claim
}

/// The random player in C with a piece of its source replaced, compiled with these flags.
fn player(name: &str, old: &str, new: &str, flags: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let source = fs::read_to_string(root.join("engine/examples/c/random.c")).unwrap();
    assert_eq!(source.matches(old).count(), 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{name}.c"));
    fs::write(&file, source.replace(old, new)).unwrap();
    compile_plugin(file.to_str().unwrap(), name, flags)
}

const DRAW: &str = "legal[below(agent->rng, count)]";

/// A repository with the commits `base`, `refactored`, `parameter` and `agent`, each a tag.
struct History {
    lab: Lab,
}

impl History {
    fn new() -> Self {
        let lab = Lab::with(&paper("URDL"));
        fs::write(lab.path(".gitignore"), "plugins/\n.cache/\n.lock\n").unwrap();
        let history = Self { lab };
        history.git(&["init", "--quiet"]);
        history.use_player(&player("diff_base", DRAW, DRAW, &[]));
        history.commit("base", &["run", "--quiet"]);
        // Another file with the same decisions; the games are played again and come out the same.
        history.use_player(&player("diff_refactored", DRAW, "*(legal + below(agent->rng, count))", &["-O2"]));
        history.commit("refactored", &["run", "--quiet", "--fresh"]);
        history.lab.paper("p", &paper("UDLR"));
        history.commit("parameter", &["run", "--quiet"]);
        history.use_player(&player("diff_changed", DRAW, "legal[0 * below(agent->rng, count)]", &[]));
        history.commit("agent", &["run", "--quiet"]);
        history
    }

    fn use_player(&self, file: &Path) {
        fs::copy(file, self.lab.path("plugins/librandom_c.so")).unwrap();
    }

    fn commit(&self, tag: &str, run: &[&str]) {
        self.lab.succeed(run);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", tag]);
        self.git(&["tag", tag]);
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.lab.path("."), arguments)
    }

    /// The exit code and the JSON of a diff.
    fn diff(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let ran = self.lab.run(&[&["diff", "--json"], arguments].concat());
        (ran.code, ran.json())
    }
}

fn state<'a>(diff: &'a Value, experiment: &str) -> &'a str {
    entry(diff, experiment)["state"].as_str().unwrap()
}

fn entry<'a>(diff: &'a Value, experiment: &str) -> &'a Value {
    let all = diff["experiments"].as_array().unwrap();
    all.iter().find(|entry| entry["experiment"] == experiment).expect("it is in the diff")
}

fn components(entry: &Value) -> Vec<&str> {
    let parts = entry["identity"].as_array().unwrap();
    parts.iter().map(|part| part["component"].as_str().unwrap()).collect()
}

#[test]
fn each_commit_is_told_by_what_it_did() {
    let history = History::new();
    let before = history.git(&["status", "--porcelain", "--ignored"]);

    let (code, diff) = history.diff(&["base", "refactored"]);
    assert_eq!((code, diff["changed"].as_bool()), (Some(0), Some(false)), "{diff}");
    assert_eq!((state(&diff, "p/c"), state(&diff, "p/f")), ("identical", "identical"));
    assert!(entry(&diff, "p/c")["time"]["same_machine"].as_bool().unwrap(), "{diff}");

    let (code, diff) = history.diff(&["refactored", "parameter"]);
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
    assert!(effect["tiles"].as_array().unwrap().iter().any(|tile| tile["tile"] == 128), "{effect}");
    let verdict = &diff["verdicts"]["changes"][0];
    assert_eq!((&verdict["claim"], &verdict["before"]), (&"p/order".into(), &"confirmed".into()), "{diff}");

    let (code, diff) = history.diff(&["parameter", "agent"]);
    assert_eq!((code, state(&diff, "p/c"), state(&diff, "p/f")), (Some(1), "changed", "identical"));
    assert_eq!(components(entry(&diff, "p/c")), ["signature"]);

    assert_eq!(history.git(&["status", "--porcelain", "--ignored"]), before, "the checkout is untouched");
}

#[test]
fn a_loss_fails_in_one_direction_only() {
    let history = History::new();
    let code = |arguments: &[&str]| history.diff(arguments).0;
    assert_eq!(code(&["refactored", "parameter", "--fail-on", "loss"]), Some(1));
    assert_eq!(code(&["parameter", "refactored", "--fail-on", "loss"]), Some(0));
    assert_eq!(code(&["base", "refactored", "--fail-on", "loss"]), Some(0));
}

#[test]
fn the_work_tree_is_compared_with_the_last_commit() {
    let history = History::new();
    assert_eq!(history.diff(&[]).0, Some(0));
    history.lab.succeed(&["run", "--quiet", "p/f", "--games", "50"]);
    history.lab.paper("q", &experiment("n", "random", 5, ""));
    history.lab.succeed(&["run", "--quiet", "q"]);
    let (code, diff) = history.diff(&[]);
    assert_eq!((code, state(&diff, "p/f"), state(&diff, "q/n")), (Some(1), "more-games", "new"));
    let (_, turned) = history.diff(&["results", "HEAD"]);
    assert_eq!((state(&turned, "p/f"), state(&turned, "q/n")), ("fewer-games", "gone"));
    assert_eq!(history.diff(&["--fail-on", "loss"]).0, Some(0));
}

/// Writes the games of the agent's commit under the identity of the one before.
#[test]
fn other_records_under_the_same_identity_are_an_alarm() {
    let history = History::new();
    history.git(&["worktree", "add", "--quiet", "old", "parameter"]);
    let path = history.lab.path("old/results/records/p/c.parquet");
    let header = RecordsReader::open(&ConfinedPath::file(&path)).unwrap().summary.header;
    let mut writer = RecordsWriter::create(&ConfinedPath::file(&path)).unwrap();
    history.lab.records("p/c").iter().for_each(|record| writer.push(record).unwrap());
    let digest = writer.finish(&header).unwrap();
    let index = history.lab.path("old/results/index.json");
    let mut json: Value = serde_json::from_str(&fs::read_to_string(&index).unwrap()).unwrap();
    json["experiments"]["p/c"]["digest"] = digest.into();
    fs::write(&index, json.to_string()).unwrap();
    let (code, diff) = history.diff(&["parameter", "old"]);
    assert_eq!((code, state(&diff, "p/c")), (Some(1), "alarm"), "{diff}");
    assert!(entry(&diff, "p/c")["first_difference"]["game"].is_number(), "{diff}");
}

#[test]
fn people_get_tables_markdown_and_figures_of_what_changed() {
    let history = History::new();
    let text = history.lab.run(&["diff", "refactored", "parameter", "--figures", "drawn"]).stdout;
    for words in [
        "1 changed, 1 identical",
        "params.cycle: \"URDL\" → \"UDLR\"",
        "first difference: game 0, move ",
        "pairs of the same seed",
        "p/order: confirmed → ",
    ] {
        assert!(text.contains(words), "no `{words}` in {text}");
    }
    assert!(!text.contains('\x1b'), "colour is for terminals");
    let mut drawn: Vec<_> =
        fs::read_dir(history.lab.path("drawn")).unwrap().map(|file| file.unwrap().file_name()).collect();
    drawn.sort();
    assert_eq!(drawn, ["p-f.png", "p-f.svg"]);
    let markdown = history.lab.run(&["diff", "refactored", "parameter", "--markdown"]).stdout;
    for words in [
        "### Results: `refactored (",
        "| p/f ",
        "<details><summary>p/f: changed</summary>",
        "- p/order: confirmed →",
    ] {
        assert!(markdown.contains(words), "no `{words}` in {markdown}");
    }
}

#[test]
fn what_cannot_be_compared_is_exit_code_2() {
    let history = History::new();
    let lab = &history.lab;
    lab.run(&["diff", "nowhere"]).assert_fails(2, &["`nowhere` is neither a folder nor a revision"]);
    lab.run(&["diff", "base", "plugins"]).assert_fails(2, &["plugins", "index.json"]);
    fs::write(lab.path("b.tar.zst"), "").unwrap();
    lab.run(&["diff", "b.tar.zst"]).assert_fails(1, &["b.tar.zst"]);
    let without_git = lab.command(&["diff"]).env("PATH", "/nowhere").output().unwrap();
    let without_git: common::lab::Ran = without_git.into();
    without_git.assert_fails(2, &["git, which is needed to read a revision"]);
    Lab::new().run(&["diff"]).assert_fails(2, &["`HEAD`", "not a git repository"]);
}
