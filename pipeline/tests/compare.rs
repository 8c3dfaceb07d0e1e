//! `pipeline compare`: the real program decides between agents, the same way for any number of jobs.

mod common;

use common::compile_plugin;
use common::lab::Lab;

#[test]
fn the_decision_does_not_depend_on_the_jobs() {
    let lab = Lab::new();
    let run = |jobs: &str, agents: [&str; 2]| {
        let [first, second] = agents;
        lab.run(&["compare", first, second, "--elo1", "100", "--json", "--jobs", jobs])
    };
    let alone = run("1", ["random", "score-greedy"]);
    assert_eq!(
        (alone.code, &alone.json()["standing"]["decision"]),
        (Some(0), &"stronger".into()),
        "{alone:?}"
    );
    assert_eq!(run("3", ["random", "score-greedy"]).stdout, alone.stdout);
    let turned = run("2", ["score-greedy", "random"]);
    assert_eq!((turned.code, &turned.json()["standing"]["decision"]), (Some(1), &"not-stronger".into()));
}

/// The C twin of the random agent plays the same games, so that every seed is a tie.
#[test]
fn two_builds_of_one_agent_tie_on_every_seed() {
    let lab = Lab::new();
    let plugin = compile_plugin("engine/examples/c/random.c", "compare_random", &[]);
    let file = plugin.display();
    let ran = lab.run(&["compare", &format!("{file}:random-c"), "random", "--elo1", "60", "--json"]);
    let tally = &ran.json()["standing"]["tally"];
    assert_eq!((ran.code, &tally["wins"], &tally["losses"]), (Some(1), &0.into(), &0.into()), "{ran:?}");
    assert!(tally["ties"].as_u64().unwrap() < 40, "ties alone decide soon: {tally}");
}

#[test]
fn a_limit_ends_what_is_undecided_and_wrong_usage_is_named() {
    let lab = Lab::new();
    let ran = lab.run(&["compare", "fixed-cycle", "fixed-cycle", "--param-b", "cycle=RDLU", "--limit", "5"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("Undecided after 5 seeds"), "{ran:?}");
    let ran = lab.run(&[
        "compare",
        "fixed-cycle",
        "fixed-cycle",
        "--param-b",
        "cycle=RDLU",
        "--elo0=-900",
        "--elo1",
        "0",
    ]);
    let words =
        ["fixed-cycle with cycle=RDLU (B) is not weaker than fixed-cycle with cycle=", " (A) by 900 Elo"];
    assert!(ran.code == Some(0) && words.iter().all(|word| ran.stdout.contains(word)), "{ran:?}");
    for (arguments, words) in [
        (&["random", "nobody"][..], &["no agent is called `nobody`"][..]),
        (&["random", "random", "--elo0", "5", "--elo1", "5"], &["elo1"]),
        (&["random", "random", "--alpha", "0.7"], &["alpha"]),
        (&["random", "random", "--budget", "playouts=5"], &["which agent `random` does not take"]),
        (&["random", "random", "--budget", "hours=5"], &["playouts=N"]),
        (&["random", "no.so:x"], &["no.so"]),
        (&["fixed-cycle", "fixed-cycle", "--param-a", "cycle=X"], &["cycle"]),
    ] {
        lab.run(&[&["compare"], arguments].concat()).assert_fails(2, words);
    }
}
