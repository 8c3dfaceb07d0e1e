//! A bundle with nothing but itself: verified, unpacked, and its games played again, with nothing left behind.

use crate::common::prelude::*;
use crate::forge::opened;

#[test]
fn a_bundle_is_verified_with_nothing_but_itself_and_its_games_come_out_the_same_elsewhere() {
    let (lab, elsewhere) = (opened(), Lab::new());
    elsewhere.remove("paper-configs");
    fs::copy(lab.path("b.tar.zst"), elsewhere.path("b.tar.zst")).unwrap();
    elsewhere.succeed("verify b.tar.zst").assert_prints(&[
        "Replayed 10 games",
        "Rendered again",
        "Signatures are not computed again",
        "All as stored",
    ]);
    let outcome = elsewhere.json_of("verify b.tar.zst");
    assert_eq!((&outcome["is_as_packed"], &outcome["problems"]), (&json!(true), &json!([])));
    let outcome = elsewhere.json_of("reproduce --from b.tar.zst");
    assert_eq!(list(&outcome["experiments"]).len(), 2);
    for experiment in list(&outcome["experiments"]) {
        assert_eq!((&experiment["games"], &experiment["difference"]), (&json!(5), &Value::Null));
        assert_eq!(experiment["stored_digest"], experiment["played_digest"]);
    }
    assert!(!elsewhere.exists("results"), "the results of this place are not touched");
    elsewhere.succeed("unbundle b.tar.zst open");
    elsewhere.succeed("verify open");
    elsewhere.run("unbundle b.tar.zst open").assert_fails(2, &["open", "already exists"]);
    let part = elsewhere.succeed("reproduce --from open --games 2 p/r");
    assert_lacks(&part.assert_prints(&["p/r", "identical"]).stdout, &["p/c"]);
    elsewhere.run("reproduce --from open --trust").assert_fails(1, &["source", "cannot be built"]);
    elsewhere.run("reproduce --trust").assert_fails(2, &["--from"]);
}

#[test]
fn only_the_named_experiments_are_reported() {
    let timed = |id: &str, ns: u64| experiment(id, "quick", 1, &format!("budget = {{ time-ns = {ns} }}"));
    let lab = Lab::with(&(experiment("r", "random", 5, "") + &timed("timed", 1_000_000)));
    // The same games as p/r, whose records it shares.
    lab.paper("q", &(experiment("same", "random", 4, "") + &timed("gone", 2_000_000)));
    lab.add_agent("quick", r#","budgets":["time-ns"]"#, &reply("$first"));
    track(&lab);
    let file = bundle(&lab, "bundles", "");
    let reproduce = format!("reproduce --from {file} q");
    let ran = lab.succeed(&reproduce);
    ran.assert_prints(&["q/same", "no run repeats them: q/gone."]);
    assert_lacks(&ran.stdout, &["p/r", "p/timed"]);
    let json = lab.json_of(&reproduce);
    assert_eq!(list(&json["experiments"]).len(), 1, "{json}");
    assert_eq!(json["not_repeatable"], json!(["q/gone"]));
}

#[test]
fn an_agent_with_other_decisions_is_noticed() {
    let (lab, elsewhere) = (Lab::with(&experiment("b", "bad", 2, "")), Lab::new());
    lab.build_plugin(BAD, "bundled", &[]);
    track(&lab);
    elsewhere.build_plugin(BAD, "bundled-other", &["-DINCREMENT=99u"]);
    elsewhere
        .run(&format!("reproduce --from {}", bundle(&lab, "bundles", "")))
        .assert_prints(&["different identity: signature"])
        .assert_fails(1, &["1 of 1 experiments gave other results"]);
}

/// Interrupts a command as soon as it has a scratch folder, until a signal comes in time; none is ever left.
fn assert_nothing_left(lab: &Lab, arguments: &str) {
    let scratch = lab.path("tmp");
    fs::create_dir_all(&scratch).unwrap();
    let count = || fs::read_dir(&scratch).unwrap().count();
    wait_until("a signal comes in time", || {
        let mut child = lab.command(arguments).env("TMPDIR", &scratch).spawn().unwrap();
        wait_until("it has begun", || count() > 0 || child.try_wait().unwrap().is_some());
        signal("TERM", child.id());
        let status = child.wait_with_output().unwrap().status;
        assert_eq!(count(), 0, "{arguments:?}: {status:?}");
        status.code() == Some(128 + 15)
    });
}

#[test]
fn an_interrupted_check_or_reproduction_of_a_bundle_leaves_no_folder() {
    let (lab, file) = (opened(), "b.tar.zst");
    for command in ["verify FILE", "reproduce --from FILE", "diff FILE FILE"] {
        assert_nothing_left(&lab, &command.replace("FILE", file));
    }
}
