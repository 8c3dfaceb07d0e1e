//! Determinism: the same records for any number of jobs and parts, topped up, undisturbed or killed.

use crate::common::prelude::*;

use std::os::unix::process::ExitStatusExt as _;

use engine::Rng;
use pipeline::journal::spools;

/// Two experiments that are quickly played.
fn quick_lab() -> Lab {
    let cycle = experiment("c", "fixed-cycle", 40, "seed = \"0xfedcba9876543210\"");
    Lab::with(&(experiment("r", "random", 40, "") + &cycle))
}

fn digests(lab: &Lab) -> [String; 2] {
    ["p/r", "p/c"].map(|experiment| lab.digest(experiment))
}

fn expected_digests() -> [String; 2] {
    static DIGESTS: OnceLock<[String; 2]> = OnceLock::new();
    let played = || {
        let lab = quick_lab();
        lab.succeed("run --jobs 1");
        digests(&lab)
    };
    DIGESTS.get_or_init(played).clone()
}

#[test]
fn the_number_of_jobs_does_not_matter_and_fresh_games_are_the_stored_ones() {
    let expected = expected_digests();
    assert_ne!(expected[0], expected[1]);
    for jobs in [1, 2, 5] {
        let lab = quick_lab();
        let report = lab.json_of(&format!("run --jobs {jobs}"));
        assert_eq!(digests(&lab), expected, "{jobs} jobs");
        assert_eq!(report["experiments"][0]["digest"], expected[0].as_str());
    }
    let lab = quick_lab();
    lab.succeed("run");
    let report = lab.json_of("run --fresh");
    assert_eq!(report["experiments"][1]["played"], 40);
    assert_eq!(report["experiments"][1]["same_as_stored"], true);
    assert_eq!(digests(&lab), expected);
    lab.succeed("reproduce p --fresh").assert_prints(&["gave the same games as before.\n"]);
}

#[test]
fn parts_merge_into_the_whole() {
    let expected = expected_digests();
    let lab = quick_lab();
    for (part, folder) in [(1, "a"), (2, "b"), (3, "a")] {
        lab.succeed(&format!("run --shard {part}/3 --out {folder}"));
    }
    for (id, digest) in ["r", "c"].iter().zip(&expected) {
        // The order in which they are named does not matter.
        let parts = [(2, "b"), (3, "a"), (1, "a")]
            .map(|(part, folder)| format!("{folder}/records/p/{id}.part-{part}-of-3.parquet"));
        lab.succeed(&format!("merge {}", parts.join(" "))).assert_prints(&[digest]);
    }
    assert_eq!(digests(&lab), expected);
    lab.succeed("verify --current --recompute 2");
    lab.succeed("run").assert_prints(&["nothing was played"]);
}

#[test]
fn topping_up_gives_the_games_of_one_run() {
    let expected = expected_digests();
    let lab = quick_lab();
    lab.succeed("run --games 10");
    assert_ne!(digests(&lab), expected);
    let planned = lab.json_of("plan");
    assert_eq!((&planned[0]["to_play"], &planned[0]["state"]), (&30.into(), &"10 games stored".into()));
    assert_eq!(lab.json_of("run")["experiments"][0]["played"], 30);
    assert_eq!(digests(&lab), expected);
    let summary = summary(&lab.records_file("p/r"));
    assert_eq!((summary.games, summary.header.provenance.len()), (40, 2));
    // Fewer games than are stored take none away, even when they are played again.
    lab.succeed("run --games 5");
    lab.succeed("run --games 5 --fresh");
    assert_eq!(digests(&lab), expected);
}

/// What must be as in an undisturbed run: the identity and the digest.
fn outcome(lab: &Lab) -> (String, String) {
    let summary = summary(&lab.records_file("p/slow"));
    (summary.header.identity.hash(), summary.digest)
}

/// The outcome of the slow experiment without pauses and kills. A pause is no part of its identity.
fn undisturbed(games: u64) -> (String, String) {
    let lab = Lab::slow(games, 0);
    lab.succeed("run --jobs 2");
    outcome(&lab)
}

/// A slow run that was killed after some games, and its journal.
fn killed(games: u64) -> (Lab, Vec<u8>) {
    let lab = Lab::slow(games, 500);
    let run = lab.start("run --jobs 1");
    lab.wait_for_games("p/slow", 2000);
    kill(run);
    let journal = fs::read(lab.journal("p/slow")).unwrap();
    (lab, journal)
}

#[test]
fn a_run_that_is_killed_at_any_moment_resumes_where_it_stopped() {
    const GAMES: u64 = 120;
    let expected = undisturbed(GAMES);
    let lab = Lab::slow(GAMES, 150);
    let check = || {
        if lab.records_file("p/slow").exists() {
            assert_eq!(outcome(&lab), expected);
            lab.remove("results");
        }
    };
    kill_repeatedly((20, 300), &lab.journal("p/slow"), || lab.start("run --jobs 2"), check);
    lab.succeed("run --jobs 2");
    assert_eq!(outcome(&lab), expected);
    assert!(!lab.journal("p/slow").exists());
    lab.succeed("verify --current");
}

#[test]
fn records_appear_when_their_last_game_is_in_and_outlast_a_kill() {
    let lab = Lab::with(&(experiment("r", "random", 40, "") + &experiment("slow", "bad", 12, "")));
    lab.build_plugin(BAD, "slow-500", &["-DSLEEP_US=500"]);
    let run = lab.start("run --jobs 2");
    lab.wait_for_games("p/slow", 1000);
    wait_until("the first experiment is complete", || lab.records_file("p/r").exists());
    kill(run);
    assert!(!lab.journal("p/r").exists() && !lab.records_file("p/slow").exists());
    assert_eq!(lab.digest("p/r"), expected_digests()[0]);
    assert_eq!(lab.json_of("plan")[0]["to_play"], 0);
    let report = lab.json_of("run");
    // On a busy machine the kill may leave an empty spool of the first one, which is then removed.
    let experiments = list(&report["experiments"]).iter();
    let played: Vec<&Value> =
        experiments.filter(|done| done["played"] != 0).map(|done| &done["experiment"]).collect();
    assert_eq!(played, ["p/slow"]);
}

#[test]
fn the_plan_counts_the_games_of_a_killed_run_and_those_that_are_in_the_records_too_once() {
    const GAMES: u64 = 12;
    let (lab, journal) = killed(GAMES);
    let path = lab.journal("p/slow");
    let planned = lab.json_of("plan")[0].clone();
    let [journalled, to_play] = ["journalled", "to_play"].map(|key| planned[key].as_u64().unwrap());
    assert!(journalled >= 2 && journalled + to_play == GAMES, "{planned:#}");
    // The agent sleeps, which takes hardly any of the CPU time by which a plan estimates.
    assert!(planned["seconds_per_game"].as_f64().is_some_and(|seconds| seconds > 0.0), "{planned:#}");
    lab.succeed("plan").assert_prints(&[
        &format!("in progress, {journalled} games in the journal"),
        "by the CPU time of earlier games",
    ]);
    // Games that are played again have a journal of their own.
    assert_eq!(lab.json_of("plan --fresh")[0]["to_play"], GAMES);
    assert_eq!(fs::read(&path).unwrap(), journal, "planning changes nothing");
    assert_eq!(lab.json_of("run")["experiments"][0]["played"], to_play);
    // A kill after the records have their name and before the journal is gone leaves games in both.
    let (expected, origin) = (outcome(&lab), lab.header("p/slow").provenance);
    assert_eq!(origin.len(), 1);
    fs::write(&path, journal).unwrap();
    let planned = lab.json_of("plan --games 20");
    assert_eq!((&planned[0]["journalled"], &planned[0]["to_play"]), (&0.into(), &8.into()));
    lab.succeed("plan --fresh").assert_prints(&["complete, to be run again"]);
    assert_eq!(lab.json_of("run")["experiments"][0]["played"], 0);
    assert_eq!(outcome(&lab), expected);
    assert_eq!(lab.header("p/slow").provenance, origin, "a run that adds no game is no origin of any");
    assert!(!path.exists());
}

/// Games that a worker has written down, and its run has not taken over, are the next run's.
#[test]
fn a_game_is_kept_as_soon_as_it_ends() {
    const GAMES: u64 = 60;
    let expected = undisturbed(GAMES);
    let lab = Lab::slow(GAMES, 150);
    let journal = lab.journal("p/slow");
    let size = |spool: &ConfinedPath| fs::metadata(spool.path()).map_or(0, |file| file.len());
    let spool_size = || spools(&confined(&journal)).first().map_or(0, size);
    let run = lab.start("run --jobs 1");
    wait_until("a worker goes on while its run stands still", || {
        signal("STOP", run.id());
        let before = spool_size();
        std::thread::sleep(Duration::from_millis(300));
        let has_gone_on = before > 0 && spool_size() > before;
        if !has_gone_on {
            signal("CONT", run.id());
            std::thread::sleep(Duration::from_millis(100));
        }
        has_gone_on
    });
    kill(run);
    let journalled = || lab.json_of("plan")[0]["journalled"].as_u64().unwrap();
    let with_spool = journalled();
    let (spool, aside) = (spools(&confined(&journal))[0].clone(), lab.path("aside"));
    fs::rename(spool.path(), &aside).unwrap();
    assert!(journalled() < with_spool);
    fs::rename(&aside, spool.path()).unwrap();
    assert_eq!(lab.json_of("run")["experiments"][0]["played"], GAMES - with_spool);
    assert_eq!(outcome(&lab), expected);
    assert_eq!(spools(&confined(&journal)), []);
}

#[test]
fn a_worker_that_is_killed_at_any_moment_spoils_nothing() {
    const GAMES: u64 = 40;
    let expected = undisturbed(GAMES);
    let mut rng = Rng::from_seed(8);
    for number in 0..10 {
        let lab = Lab::slow(GAMES, 140);
        let mut run = lab.start("run --jobs 2");
        if number % 2 == 0 {
            wait_until("games are played", || {
                lab.journal("p/slow").exists() || run.try_wait().unwrap().is_some()
            });
        }
        std::thread::sleep(Duration::from_millis(rng.below(300).into()));
        if let Some(&worker) = children(run.id()).first() {
            signal("KILL", worker);
        }
        let _ = run.wait();
        let ran = lab.run("run --jobs 2");
        assert_eq!(ran.code, Some(0), "{number}: {ran:?}");
        assert_eq!(outcome(&lab), expected, "{number}");
    }
}

#[test]
fn a_worker_that_is_killed_in_a_game_raises_an_alarm_and_the_game_is_complete() {
    const GAMES: u64 = 12;
    let expected = undisturbed(GAMES);
    let lab = Lab::slow(GAMES, 1000);
    let run = lab.start("run --jobs 1");
    lab.wait_for_games("p/slow", 2000);
    children(run.id()).iter().for_each(|&worker| signal("KILL", worker));
    let alarm = ["ALARM: game ", "signal 9", "played again did not; the second game is kept"];
    CommandOutput::from(run).assert_fails(1, &alarm);
    assert_eq!(outcome(&lab), expected);
    lab.succeed("run").assert_prints(&["nothing was played"]);
}

#[test]
fn a_worker_ends_with_its_run_though_its_agent_never_returns() {
    let flags = ["-DFAULT=hangs", "-DEVERY=1", "-DAT_MOVE=0"];
    let lab = Lab::with(&experiment("slow", "bad", 3, ""));
    lab.build_plugin(BAD, "hangs-at-once", &flags);
    let mut run = lab.start("run");
    // Planning asks for the decision signature, over which the agent hangs.
    let mut workers = Vec::new();
    wait_until("a worker stays", || {
        let before = std::mem::replace(&mut workers, children(run.id()));
        std::thread::sleep(Duration::from_secs(1));
        !workers.is_empty() && workers == before
    });
    assert!(run.try_wait().unwrap().is_none());
    kill(run);
    assert!(!workers.iter().any(|&worker| is_alive(worker)));
}

#[test]
fn a_torn_end_of_the_journal_is_dropped_with_a_message() {
    const GAMES: u64 = 12;
    let expected = undisturbed(GAMES);
    for (name, tear) in [
        ("cut", (|journal| journal.truncate(journal.len() - 7)) as fn(&mut Vec<u8>)),
        ("garbage", |journal| journal.extend([0x17; 100])),
        ("flipped", |journal| {
            let place = journal.len() - 20;
            journal[place] ^= 1;
        }),
    ] {
        let (lab, mut journal) = killed(GAMES);
        tear(&mut journal);
        println!("{name}");
        fs::write(lab.journal("p/slow"), journal).unwrap();
        let ran = lab.succeed("run");
        // The whole games are kept.
        ran.assert_warns(&["an incomplete end", "p/slow.journal"]).assert_omits(&["Played 12 games"]);
        assert_eq!(outcome(&lab), expected, "{name}");
    }
}

#[test]
fn a_second_interrupt_stops_at_once_and_loses_only_the_games_in_progress() {
    const GAMES: u64 = 4;
    let lab = Lab::slow(GAMES, 20_000);
    let run = lab.start("run --jobs 1");
    wait_until("a worker plays", || lab.journal("p/slow").exists() && !children(run.id()).is_empty());
    let status = signal_until_it_ends("INT", run).status;
    assert!(status.code() == Some(130) || status.signal().is_some(), "{status:?}");
}

/// The first 20 games of each baseline: another machine, compiler or version must play these very games.
const DIGESTS: [(&str, &str); 6] = [
    ("random", "449bb7b7b86488ffdbe8ba57650ff62f43f468cfcaaf90c600743401d91c9a30"),
    ("random-course", "1fd9b304191fdd84bef3a171261ff050b2e8484a8cc7ae61198f7f0f831c242d"),
    ("cycle", "f734493c8bd19ff40d8b6eeca0a4636eebac906ae7aa1d30be602d4ac4db4690"),
    ("cycle-course", "7d51cc3b36a0e17524e69c38cce54d03b9e99b539de5cc94a2ef8a8fb711df90"),
    ("greedy", "c2e76ee7babe51297035498516c1db07cec58754426938294bb99894f4a9ab7d"),
    ("greedy-course", "da220892e60bc2dcacb426fb1b2453b412e8ff57e1b9b04caec5ba210a5b75c0"),
];

#[test]
fn the_baselines_play_the_games_that_they_always_played() {
    let configs = root().join("paper-configs").display().to_string();
    let lab = Lab::new();
    lab.succeed(&format!("run baselines --games 20 --configs {configs}"));
    let played = fs::read_dir(lab.path("results/records/baselines")).unwrap();
    assert_eq!(played.count(), DIGESTS.len(), "every baseline has its digest here");
    for (experiment, digest) in DIGESTS {
        let file = lab.records_file(&format!("baselines/{experiment}"));
        let summary = summary(&file);
        assert_eq!(summary.games, 20, "{experiment}");
        assert_eq!(summary.digest, digest, "{experiment}");
    }
}
