//! Agents that are not deterministic: detected before their games are stored, or marked as such if the user
//! accepts them.

use crate::common::prelude::*;

use records::SealedTable;

/// The example in the documentation, except for one line.
fn dice() -> String {
    let example = include_str!("../../../docs/examples/corner.py");
    let dice = example.replace("legal[0]", "random.choice(legal)").replace("corner-py", "dice");
    dice.replace("import json\n", "import json\nimport random\n")
}

/// A laboratory with an experiment whose agent draws random numbers from this and from the game's seed.
fn lab(chance: &str, name: &str) -> Lab {
    let lab = Lab::with(&experiment("e", "tuned", 3, ""));
    add(&lab, chance, name);
    lab
}

fn add(lab: &Lab, chance: &str, name: &str) {
    let plugin = compile_plugin(TUNED, &format!("chance-{name}"), &[&format!("-DCHANCE={chance}")]);
    fs::copy(plugin, lab.path("plugins/libtuned.so")).unwrap();
}

/// A laboratory whose agent depends on its process id.
fn fickle() -> Lab {
    lab("getpid()", "pid")
}

fn signature(lab: &Lab) -> Option<String> {
    let header = summary(&lab.records_file("p/e")).header;
    assert_eq!(header.identity.signature.is_some(), header.second_signature.is_some());
    header.identity.signature
}

/// Asserts that a command refused the agent, and showed a board with two different answers.
fn assert_refused(ran: &CommandOutput, agent: &str) {
    let named = format!("agent `{agent}` is not deterministic: on the board `");
    ran.assert_fails(3, &[&named, " / ", " in one process and ", "new", "--nondeterministic"]);
}

#[test]
fn a_nondeterministic_agent_is_refused_before_a_game_is_stored() {
    for (name, chance) in [
        ("pid", "getpid()"),
        ("clock", "time(NULL)"),
        ("carried", "rand()"),
        ("address", "(uintptr_t)(void *)agent >> 4"),
    ] {
        let lab = lab(chance, name);
        assert_refused(&lab.run("run"), "tuned");
        assert!(!lab.records_file("p/e").exists() && !lab.journal("p/e").exists(), "{name}");
    }
}

#[test]
fn an_agent_that_draws_from_the_seed_is_asked_once() {
    let lab = lab("0", "none");
    lab.paper("q", &experiment("other-seed", "tuned", 2, "seed = 5"));
    lab.succeed("run");
    assert!(signature(&lab).is_some());
    let cache = || lab.read("results/.cache/signatures");
    let before = cache();
    assert_eq!(before.matches("two-processes-agree").count(), 1, "{before}");
    lab.succeed("run --games 5");
    assert_eq!(cache(), before, "what is known is not asked again");
    lab.succeed("run --nondeterministic --games 6");
    assert!(signature(&lab).is_some(), "an agent that passes is not marked");
}

#[test]
fn random_choice_in_python_is_found_by_every_command_that_plays() {
    if !has_python() {
        return skip("there is no python3");
    }
    let lab = Lab::with(&experiment("e", "dice", 2, ""));
    lab.write("plugins/dice.py", dice());
    lab.write("plugins/dice.agent", "command = [\"python3\", \"dice.py\"]\nfiles = [\"dice.py\"]\n");
    for command in [
        "run",
        "reproduce",
        "eval dice --games 2",
        "compare dice random --limit 2",
        "cluster submit --dry-run",
    ] {
        assert_refused(&lab.run(command), "dice");
    }
    lab.run("check dice --moves 5")
        .assert_fails(1, &["failed"])
        .assert_prints(&["FAILED  decides the same in two processes"]);
    lab.succeed("plan");
}

#[test]
fn accepted_games_are_marked_and_exempt_from_signature_alarm_and_recompute() {
    let lab = fickle();
    lab.succeed("run --nondeterministic").assert_prints(&["p/e: marked as not repeatable"]);
    assert_eq!(signature(&lab), None);
    lab.succeed("explain p/e").assert_prints(&["3 games of this identity", "marked as nondeterministic"]);
    let checked = lab.json_of("verify --current --recompute 2");
    assert_eq!(checked["not_repeatable"], json!(["p/e"]), "{checked}");
    assert_eq!(checked["recomputed"], json!([]), "{checked}");
    lab.succeed("verify --recompute 2")
        .assert_prints(&["no run repeats them (wall-clock budget, or marked as nondeterministic): p/e"]);
    lab.succeed("render");
    let catalogue = SealedTable::read(&confined(lab.path("results/catalogue.parquet"))).unwrap().unwrap();
    let repeatable = catalogue.frame.column("repeatable").unwrap().bool().unwrap().get(0);
    assert_eq!(repeatable, Some(false));
    let before = lab.digest("p/e");
    let fresh = lab.succeed("run --fresh --nondeterministic --json");
    assert!(fresh.json()["experiments"][0]["same_as_stored"].is_null(), "{fresh:?}");
    assert_ne!(lab.digest("p/e"), before);
    lab.succeed("reproduce --fresh --nondeterministic --quiet");
    lab.succeed("verify");
    let lab = fickle();
    lab.play_parts("p/e", 2, "--nondeterministic");
    lab.succeed("merge results");
    assert_eq!((lab.records("p/e").len(), signature(&lab)), (3, None));
    lab.paper("p", &study("s", SOBOL));
    for command in ["study", "reproduce --nondeterministic"] {
        lab.run(command).assert_fails(3, &["agent `tuned` is not deterministic", "a study must reproduce"]);
    }
    assert!(!lab.exists("results/studies/p/s.parquet"));
}

#[test]
fn agents_that_no_run_repeats_are_named_and_marked_games_stay_until_they_are_played_again() {
    let lab = fickle();
    let told = |arguments: &str| lab.run(&format!("{arguments} --nondeterministic --json")).json();
    let evaluated = told("eval tuned --games 2 --against random");
    assert_eq!(evaluated["not_repeatable"], json!(["tuned"]), "{evaluated}");
    let compared = told("compare random tuned --limit 2 --keep kept");
    let repeatable = |place: usize| &compared["contestants"][place]["repeatable"];
    assert_eq!((repeatable(0), repeatable(1)), (&json!(true), &json!(false)), "{compared}");
    assert_refused(&lab.run("compare random tuned,skill=0.4 --limit 2 --keep kept"), "tuned");
    lab.succeed("eval tuned --games 2 --nondeterministic")
        .assert_prints(&["another run plays different games: tuned"]);
    lab.succeed("run --nondeterministic");
    let stored = lab.digest("p/e");
    lab.succeed("run").assert_prints(&["nothing was played"]);
    let words = ["p/e.parquet: its games are marked", "--nondeterministic", "--fresh"];
    lab.run("run --games 4").assert_fails(3, &words);
    assert_refused(&lab.run("run --fresh"), "tuned");
    assert_eq!(lab.digest("p/e"), stored);
    lab.succeed("run --games 4 --nondeterministic");
    assert_eq!((lab.records("p/e").len(), signature(&lab)), (4, None));
    add(&lab, "0", "none");
    lab.run("run --games 5").assert_fails(3, &["its games are marked"]);
    lab.succeed("run --fresh");
    assert!(signature(&lab).is_some(), "a fixed agent takes their place");
    lab.succeed("verify --current --recompute all");
}
