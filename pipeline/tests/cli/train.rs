//! Trainings: the same file for any number of jobs, stopped or killed, and errors with remedies.

use crate::common::prelude::*;

use trainings::{Curve, GamesOfARow, StoredTraining, store};

use crate::common::process::wait_up_to;

/// A training of a second or less.
const TINY: &str = r#"
[[training]]
id = "tiny"
agent = "ntuple"
games = 1200
seed = 7
curve_every = 500
params = { tuples = "0123 0145", restarts = "500:10:800", step = 1.0 }
"#;

fn stored(lab: &Lab, id: &str) -> StoredTraining {
    store::read(&confined(lab.path(format!("results/trainings/p/{id}.parquet")))).unwrap().unwrap()
}

/// What the longer training gives when nothing disturbs it.
fn undisturbed() -> &'static (String, String) {
    static OUTCOME: OnceLock<(String, String)> = OnceLock::new();
    OUTCOME.get_or_init(|| {
        let lab = Lab::with(LONG_TRAINING);
        lab.succeed("train");
        training_outcome(&lab, "long")
    })
}

/// The longer training, killed once it has a checkpoint.
fn killed() -> Lab {
    let lab = Lab::with(LONG_TRAINING);
    let run = lab.start("train --checkpoint-minutes 0.005");
    let has_checkpoint = || {
        let folder = lab.path("results/.cache/trainings");
        folder.exists() && files(&folder).keys().any(|name| name.contains("/standing-"))
    };
    wait_up_to(Duration::from_secs(60), Duration::from_millis(20), "a checkpoint", has_checkpoint);
    kill(run);
    lab
}

#[test]
fn a_training_gives_the_same_file_for_any_number_of_jobs_and_again() {
    let one = Lab::with(&format!("{TINY}{LONG_TRAINING}"));
    let told = one.json_of("train --jobs 2");
    let hashes = [0, 1].map(|place| told["trainings"][place]["sha256"].as_str().unwrap());
    assert_eq!(told["trainings"][1]["cost"]["games"], 1200);
    let other = Lab::with(&format!("{TINY}{LONG_TRAINING}"));
    let again = other.json_of("train --jobs 1");
    for (place, hash) in hashes.iter().enumerate() {
        assert_eq!(again["trainings"][place]["sha256"], *hash);
        let files = [&one, &other].map(|lab| fs::read(lab.path(format!("artefacts/{hash}"))).unwrap());
        assert!(files[0] == files[1], "packed to the same bytes");
    }
    assert_eq!(one.json_of("train")["trainings"][0]["outcome"], "known");
    let fresh = one.json_of("train p/tiny --fresh");
    assert_eq!(fresh["trainings"][0]["outcome"], "same");
    one.succeed("train").assert_prints(&["All 2 trainings are complete; nothing was played."]);
    let left = fs::read_dir(one.path("results/.cache/trainings")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "checkpoints go with the training's end");
}

#[test]
fn a_killed_training_resumes_to_the_same_file_and_curve_even_from_damaged_checkpoints() {
    type Damage = fn(Vec<u8>) -> Vec<u8>;
    let changed = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        assert_has(&text, &["\"score_sum\": "]);
        text.replace("\"score_sum\": ", "\"score_sum\": 4").into_bytes()
    };
    let cases: [(&str, Damage, &str); 3] = [
        ("/nothing", |bytes| bytes, "p/long: goes on after"),
        (
            "/checkpoint-",
            |bytes| flip(&bytes, bytes.len() / 2),
            "a checkpoint is dropped, and its games are played again",
        ),
        ("/standing-", changed, "it does not match its checksum"),
    ];
    for (part, damage, words) in cases {
        let lab = copy_of("killed-training", killed);
        let folder = lab.path("results/.cache/trainings");
        for (name, bytes) in files(&folder).into_iter().filter(|(name, _)| name.contains(part)) {
            fs::write(folder.join(name), damage(bytes)).unwrap();
        }
        lab.succeed("train").assert_warns(&[words]);
        assert_eq!(training_outcome(&lab, "long"), *undisturbed(), "{part}");
        assert!(lab.exists("results/SHA256SUMS"));
    }
}

#[test]
fn an_interrupted_training_says_so_and_resumes() {
    let lab = Lab::with(LONG_TRAINING);
    let run = lab.start("train");
    let began = ["results/.cache/trainings", "results/trainings/p/long.parquet"];
    wait_until("it learns", || began.iter().any(|name| lab.exists(name)));
    std::thread::sleep(Duration::from_millis(900));
    signal("INT", run.id());
    let stopped = CommandOutput::from(run);
    // On a fast machine it is over before the signal comes.
    if stopped.code != Some(0) {
        stopped.assert_finds(&["resumes from its checkpoint after "]);
        lab.succeed("train");
    }
    assert_eq!(training_outcome(&lab, "long"), *undisturbed());
}

#[test]
fn recomputing_compares_every_row_of_a_learning_curve() {
    let paper = experiment("r", "random", 3, "") + TINY;
    let lab = Lab::with(&paper);
    lab.succeed("reproduce --train");
    let StoredTraining { header, curve, .. } = stored(&lab, "tiny");
    let mut forged = Curve::default();
    for (number, row) in curve.rows().iter().enumerate() {
        let before = number.checked_sub(1).map_or(0, |before| curve.rows()[before].moves);
        let score_sum = if number == 1 { row.score_sum + 4 } else { row.score_sum };
        let (games, moves, reached) = (row.games_in_row, row.moves - before, row.reached);
        forged.add(GamesOfARow { games, moves, score_sum, reached });
    }
    store::write(&confined(lab.path("results/trainings/p/tiny.parquet")), &header, &forged).unwrap();
    // The manifest now asks for rows of another length, which must not count as a difference.
    lab.paper("p", &paper.replace("curve_every = 500", "curve_every = 400"));
    let words = "p/tiny: its learning curve is wrong: row 2: `score_sum` is stored as";
    lab.run("verify --recompute 1").assert_finds(&[words]);
}

#[test]
fn a_training_that_gives_another_file_than_its_manifest_says_is_an_error() {
    let stated = |hash: &str| TINY.replace("seed = 7", &format!("seed = 7\nsha256 = \"{hash}\""));
    let lab = Lab::with(TINY);
    lab.succeed("train");
    let (expected, _) = training_outcome(&lab, "tiny");
    Lab::with(&stated(&expected)).succeed("train");
    let lab = Lab::with(&stated(&"ab".repeat(32)));
    lab.run("train").assert_fails(1, &["p/tiny", &expected, &"ab".repeat(32), "`sha256`", "not kept"]);
    assert!(!lab.exists(&format!("artefacts/{expected}")) && !lab.exists("results/trainings/p/tiny.parquet"));
}

#[test]
fn a_dry_run_trains_nothing_and_shows_the_cost_and_a_wrong_training_is_refused() {
    let lab = Lab::with(TINY);
    lab.succeed("train --dry-run").assert_prints(&["1 training to train, 0 done", "1,200 games"]);
    assert!(!lab.exists("artefacts"));
    lab.succeed("train");
    assert_eq!(lab.json_of("train --dry-run --fresh")["to_train"][0]["cost"]["games"], 1200);
    lab.run("train p/other").assert_fails(2, &["`p/other`", "p/tiny"]);
    for (from, to, words) in [
        ("agent = \"ntuple\"", "agent = \"random\"", &["training `tiny`", "`random`"][..]),
        ("agent = \"ntuple\"", "agent = \"ntupel\"", &["training `tiny`", "`ntupel`"]),
        ("step = 1.0", "stop = 1.0", &["training `tiny`", "`stop`"]),
        ("step = 1.0", "alpha = 3.0", &["training `tiny`", "alpha"]),
        ("500:10:800", "500", &["training `tiny`", "`restarts`", "SUM:SHORT"]),
    ] {
        lab.paper("p", &TINY.replace(from, to));
        lab.run("train").assert_fails(2, words);
    }
}

#[test]
fn reproduce_trains_only_with_train_and_verify_recomputes_small_networks() {
    let lab = Lab::with(&(experiment("learned", "ntuple", 3, "files.weights = \"tiny\"") + TINY));
    lab.succeed("reproduce")
        .assert_warns(&["1 training not done", "p/tiny: 1,200 games"])
        .assert_prints(&["p/learned waits for training p/tiny; run `pipeline train p/tiny`"]);
    assert!(!lab.exists("artefacts"), "nothing is trained unasked");
    lab.succeed("reproduce --train");
    assert_eq!(lab.records("p/learned").len(), 3);
    let verified = lab.json_of("verify --current --recompute 1");
    let retrained = &verified["trainings"]["retrained"][0];
    assert_eq!(retrained["training"], "p/tiny");
    assert_eq!(retrained["now"]["Ok"], retrained["sha256"], "{verified}");
    lab.succeed("verify --recompute 1")
        .assert_prints(&["Re-ran 1 training: 1 with the same file and learning curve."]);
    let (sha256, _) = training_outcome(&lab, "tiny");
    lab.remove("artefacts");
    lab.run("run p/learned --fresh")
        .assert_fails(2, &["`learned`", "`weights`", &sha256, "pipeline train p/tiny"]);
    assert_eq!(lab.json_of("train --dry-run")["to_train"][0]["training"], "p/tiny");
}

#[test]
fn a_training_is_merged_verified_and_compared_like_any_job() {
    let (there, here) = (Lab::with(TINY), Lab::with(TINY));
    there.succeed("train");
    let (sha256, _) = training_outcome(&there, "tiny");
    let folder = there.path("results").display().to_string();
    here.succeed(&format!("merge {folder}"))
        .assert_prints(&["p/tiny: 1,200 games of a whole training; digest "]);
    assert_eq!(training_outcome(&here, "tiny"), training_outcome(&there, "tiny"), "with its artefact");
    here.succeed(&format!("merge {folder}"))
        .assert_prints(&["p/tiny: 1,200 games of a whole training, there already"]);
    here.succeed("verify --current")
        .assert_prints(&["Checked the curves of 1 training (1,200 games), and the content of 1 artefact."]);

    copy_folder(&here.path("results"), &here.path("before"));
    here.succeed("diff before results").assert_prints(&["1 training: 1 identical."]);
    here.paper("p", &TINY.replace("seed = 7", "seed = 8"));
    here.run("verify --current")
        .assert_finds(&["p/tiny: the training is stale: seed", "`pipeline train p/tiny`"]);
    here.succeed("train");
    let found = ["1 training: 1 changed.", "p/tiny: changed", "seed: ", "first difference: row 1: "];
    here.run("diff before results").assert_finds(&found);
    let changed = here.run("diff before results --json").json()["trainings"][0].clone();
    assert_eq!((&changed["training"], &changed["state"]), (&"p/tiny".into(), &"changed".into()));
    assert_eq!(changed["before"]["artefact"], sha256.as_str());
    here.run(&format!("merge {folder}"))
        .assert_fails(1, &["there is already another result of this training"]);
}
