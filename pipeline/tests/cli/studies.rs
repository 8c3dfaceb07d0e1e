//! Studies: the same trials for any number of jobs and parts, killed or not, and faults in them.

use crate::common::prelude::*;

use manifest::Study;
use studies::{StoredStudy, TrialOutcome, store};

/// A laboratory with this paper, whose agent pauses before each move.
fn lab_with_pauses(paper: &str, pause_us: u32) -> Lab {
    let lab = Lab::with(paper);
    lab.build_plugin(TUNED, &format!("tuned-{pause_us}"), &[&format!("-DSLEEP_US={pause_us}")]);
    lab
}

pub(crate) fn lab(paper: &str) -> Lab {
    lab_with_pauses(paper, 0)
}

/// A laboratory with a genetic study.
fn genetic_lab() -> Lab {
    lab(&study("s", GENETIC))
}

/// A genetic study that is being run by one job, slowly, and has journalled some trials.
fn started() -> (Lab, Child) {
    let lab = lab_with_pauses(&study("s", GENETIC), 200);
    let run = lab.start("study --jobs 1 --no-winners");
    wait_for_bytes(&journal(&lab), 2500);
    (lab, run)
}

/// The same, killed, and its journal.
fn killed() -> (Lab, Vec<u8>) {
    let (lab, run) = started();
    kill(run);
    let kept = fs::read(journal(&lab)).unwrap();
    (lab, kept)
}

pub(crate) fn manifest_of(lab: &Lab, id: &str) -> Study {
    manifest::load(&lab.path("paper-configs/p.toml")).unwrap().study(id).unwrap().clone()
}

fn stored(lab: &Lab, id: &str) -> StoredStudy {
    let path = lab.path(format!("results/studies/p/{id}.parquet"));
    store::read(&confined(&path), &manifest_of(lab, id)).unwrap().expect("the study is whole")
}

pub(crate) fn digest(lab: &Lab) -> String {
    stored(lab, "s").digest
}

fn expected_digest() -> String {
    static DIGEST: OnceLock<String> = OnceLock::new();
    let run = || {
        let lab = genetic_lab();
        lab.succeed("study --jobs 1 --no-winners");
        digest(&lab)
    };
    DIGEST.get_or_init(run).clone()
}

/// Asserts that the study is whole, as expected, and that nothing else is left.
#[track_caller]
fn assert_whole(lab: &Lab) {
    let names: Vec<String> = files(&lab.path("results/studies/p")).into_keys().collect();
    assert_eq!((digest(lab), names), (expected_digest(), vec!["s.parquet".to_owned()]));
}

fn journal(lab: &Lab) -> PathBuf {
    lab.path("results/studies/p/s.journal")
}

/// Every method, small.
fn all_methods() -> String {
    let (common, fresh) = ("games = 2\nseeds = \"common\"", "games = 2\nseeds = \"fresh\"");
    let both = format!("objectives = [\"score\", \"cost\"]\n{common}");
    let methods = [
        ("sobol", common, "points = 9, batch = 4"),
        ("latin", fresh, "points = 6, batch = 6"),
        ("bayes", &both, "start = 4, batches = 2, batch = 2"),
        ("nsga", &both, "population = 6, generations = 3"),
        ("surrogate", &both, "start = 6, rounds = 2, batch = 2, epochs = 50"),
        ("race", common, "points = 8, most = 16, winners = 2"),
    ];
    let genetic = study("genetic", GENETIC);
    let robust = study("robust", &GENETIC.replace("0.5 }", "0.5, rating = \"all-games\" }"));
    let others = methods.map(|(kind, how, settings)| {
        study(kind, &format!("{how}\nmethod = {{ kind = \"{kind}\", {settings} }}"))
    });
    genetic + &robust + &others.concat()
}

#[test]
fn every_method_gives_the_same_trials_for_any_number_of_jobs_and_a_few_in_a_smoke_reproduction() {
    let digests = |jobs: u32| {
        let lab = lab(&all_methods());
        let report = lab.json_of(&format!("study --jobs {jobs} --no-winners"));
        let studies = list(&report["studies"]);
        assert_eq!(studies.len(), 8);
        for done in studies {
            let id = done["study"].as_str().unwrap().strip_prefix("p/").unwrap();
            let StoredStudy { rows, .. } = stored(&lab, id);
            assert_eq!(studies::verify::verify_proposals(&manifest_of(&lab, id), &rows), Ok(()), "{id}");
            assert_eq!(done["trials"], rows.len(), "{id}");
        }
        texts(&report["studies"], "digest").join(" ")
    };
    let expected = digests(1);
    assert_eq!([digests(2), digests(5)], [expected.clone(), expected]);
    let lab = lab(&all_methods());
    let report = lab.json_of("reproduce --smoke --quiet");
    let studies = list(&report["studies"]["studies"]);
    assert_eq!(studies.len(), 8);
    for done in studies {
        assert!(done["trials"].as_u64().is_some_and(|trials| (4..=8).contains(&trials)), "{done:#}");
        assert!(done["batches"].as_u64().is_some_and(|batches| batches <= 2), "{done:#}");
    }
}

#[test]
fn a_complete_study_is_run_again_only_with_fresh_or_when_it_is_stale_which_is_explained() {
    let lab = genetic_lab();
    lab.succeed("study --no-winners");
    assert_whole(&lab);
    let told = lab.succeed("study --no-winners").stdout;
    assert!(told.starts_with("The study is complete; nothing was played.\n"), "{told}");
    lab.succeed("plan").assert_prints(&["No trial to play."]);
    let trials = stored(&lab, "s").rows.len();
    lab.succeed("plan --fresh")
        .assert_prints(&[&format!("{trials} trials to play: about "), "complete, to be run again"]);
    let report = lab.json_of("study --fresh --no-winners");
    assert_eq!(report["studies"][0]["same_as_stored"], true);
    assert_eq!(report["studies"][0]["played"], trials);
    assert_whole(&lab);
    let timing = records::store::read_timing(&confined(lab.path("results/timing/p/s.parquet"))).unwrap();
    let batches: Vec<u64> = timing.iter().map(|timing| timing.game).collect();
    let last = stored(&lab, "s").rows.last().unwrap().batch;
    assert_eq!(batches, (0..=u64::from(last)).collect::<Vec<_>>());
    lab.succeed("explain p/s").assert_prints(&["18 trials of this identity"]).assert_omits(&["s-best-1"]);
    let before = digest(&lab);
    let other = study("s", GENETIC).replace("seed = 7", "seed = 8");
    lab.paper("p", &other.replace("to = 1,", "to = 0.5,"));
    lab.succeed("explain p/s")
        .assert_prints(&["stale, trials of another identity:\n  seed: stored ", "  space.skill: stored "]);
    // Winners of another study are none.
    let words = ["stale: seed, signature, space.skill changed", "wait for study p/s"];
    lab.succeed("plan").assert_prints(&words);
    let report = lab.json_of("explain p/s");
    assert_eq!((&report[0]["study"], &report[0]["state"]), (&"p/s".into(), &"stale".into()));
    assert_eq!(report[0]["differences"][0]["component"], "seed");
    lab.succeed("study");
    assert_ne!(digest(&lab), before);
}

#[test]
fn a_study_that_is_killed_at_any_moment_resumes_where_it_stopped() {
    let expected = expected_digest();
    let lab = lab_with_pauses(&study("s", GENETIC), 60);
    let start = || lab.start("study --jobs 2 --no-winners");
    kill_repeatedly((10, 120), &journal(&lab), start, || {
        if lab.exists("results/studies/p/s.parquet") {
            assert_eq!(digest(&lab), expected);
            lab.remove("results");
        }
    });
    lab.succeed("study --jobs 2 --no-winners");
    assert_whole(&lab);
}

#[test]
fn trials_of_a_killed_study_are_not_played_again() {
    let (lab, mut bytes) = killed();
    let planned = lab.json_of("plan");
    let planned = list(&planned).iter().find(|row| row["study"] == "p/s").unwrap().clone();
    let [done, trials] = ["done", "trials"].map(|key| planned[key].as_u64().unwrap());
    assert!(done >= 2 && planned["state"] == "in progress", "{planned:#}");
    lab.succeed("plan").assert_prints(&["in progress", "judging by the CPU time of earlier trials"]);
    // A kill in the middle of a write leaves a torn end.
    bytes.extend([200, 0, 0, 0, 1, 2, 3, 4, b'{']);
    fs::write(journal(&lab), bytes).unwrap();
    let ran = lab.succeed("study --json --no-winners");
    ran.assert_warns(&["dropped an incomplete end of 9 bytes"]);
    assert_eq!(ran.json()["studies"][0]["played"], trials - done);
    assert_whole(&lab);
}

#[test]
fn parts_that_share_a_folder_make_the_whole() {
    let lab = genetic_lab();
    let part = |part: u32| lab.json_of(&format!("study --shard {part}/2"))["studies"][0].clone();
    let first = part(1);
    assert_eq!((&first["waiting"]["batch"], &first["waiting"]["parts"]), (&0.into(), &vec![2].into()));
    assert_eq!(first["waiting"]["trials"], 3);
    lab.succeed("study --shard 1/2").assert_prints(&["batch 0 waits for 3 trials of part 2/2"]);
    for round in 0.. {
        assert!(round < 10, "it never ends");
        if [part(2), part(1)].iter().all(|done| done["file"].is_string()) {
            break;
        }
    }
    assert_whole(&lab);
    // A run of the whole study continues all parts.
    let lab = genetic_lab();
    lab.succeed("study --shard 3/3");
    let report = lab.json_of("study --no-winners");
    let trials = stored(&lab, "s").rows.len() as u64;
    assert_eq!(report["studies"][0]["played"], trials - 2);
    assert_whole(&lab);
}

#[test]
fn parts_may_play_at_the_same_time() {
    let lab = lab_with_pauses(&study("s", GENETIC), 60);
    for round in 0.. {
        assert!(round < 20, "it never ends");
        let parts = [1, 2].map(|part| lab.start(&format!("study --shard {part}/2 --jobs 1")));
        for part in parts {
            CommandOutput::from(part).assert_code(0);
        }
        if lab.exists("results/studies/p/s.parquet") {
            break;
        }
    }
    assert_whole(&lab);
}

#[test]
fn nothing_but_other_parts_may_play_beside_a_part() {
    let how = GENETIC.replace("games = 3", "games = 100");
    let lab = lab_with_pauses(&study("s", &how), 2000);
    let part = lab.start("study --shard 1/2 --jobs 1");
    let journal = lab.path("results/studies/p/s.part-1-of-2.journal");
    wait_until("the part plays", || journal.exists());
    lab.run("study").assert_fails(4, &["another run is using this folder"]);
    lab.run("study --shard 1/2").assert_fails(4, &["s.part-1-of-2.journal", "another process writes to it"]);
    kill(part);
}

#[test]
fn the_winners_wait_for_their_study_and_are_then_played_on_new_games() {
    let lab = genetic_lab();
    let waiting = "2 experiments wait for study p/s; run `pipeline study p/s`.\n";
    for command in ["run", "plan"] {
        let told = lab.succeed(command).stdout;
        assert!(told.ends_with(waiting), "{told}");
    }
    assert_eq!(lab.digest("p/s-default").len(), 64, "the default needs no study");
    let words = ["s-best-1", "s-best-2", "s-default", "skill=", "n = 3)", "n = 5)"];
    lab.succeed("study").assert_prints(&words);
    let planned = lab.json_of("plan");
    assert_eq!(texts(&planned, "state"), ["complete"; 4]);
    // The best of the study is what is played again.
    let means = stored(&lab, "s").rows.into_iter().filter_map(|row| Some(row.score()?.point));
    let best = means.fold(f64::NEG_INFINITY, f64::max);
    let report = lab.json_of("study");
    let winners = &report["winners"][0]["winners"];
    assert_eq!(winners[0]["in_study"]["point"], best);
    assert_eq!(lab.header("p/s-best-1").identity.params["skill"], winners[0]["params"]["skill"]);
    lab.succeed("run p/s").assert_prints(&["All 3 experiments are complete"]);
}

#[test]
fn equal_parameters_on_equal_games_are_played_once() {
    let how = GENETIC.replace("fresh", "common");
    let lab = lab(&study_of("s", &how, "skill = { from = 0, to = 1, digits = 0 }"));
    let report = lab.json_of("study --no-winners");
    let done = &report["studies"][0];
    assert_eq!((&done["trials"], &done["played"], &done["copied"]), (&18.into(), &2.into(), &16.into()));
    let rows = stored(&lab, "s").rows;
    let distinct: BTreeSet<String> = rows.iter().map(|row| format!("{:?}", row.outcome)).collect();
    assert_eq!(distinct.len(), 2);
}

#[test]
fn a_fault_costs_its_trial_and_the_study_continues() {
    let how = format!("{GENETIC}\nparams = {{ fails_from = 0.8 }}\nfault_share = \"1/2\"");
    let run = |jobs: u32| {
        let lab = lab(&study("s", &how));
        let report = lab.json_of(&format!("study --jobs {jobs} --no-winners"));
        let rows = stored(&lab, "s").rows;
        for row in &rows {
            if let TrialOutcome::Faulted { game, reason, .. } = &row.outcome {
                assert!(row.games.contains(game) && row.point.values()[0] >= 0.8, "{row:?}");
                assert_has(reason, &["I have no idea"]);
            }
        }
        let faulted = rows.iter().filter(|row| row.scores().is_none()).count();
        assert!(faulted > 0 && list(&report["studies"][0]["faults"]).len() == faulted);
        digest(&lab)
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn too_many_faults_end_the_study_and_all_trials_are_kept() {
    let how = format!("{GENETIC}\nparams = {{ refuses_from = 0.6 }}");
    let lab = self::lab(&study("s", &how));
    let words =
        ["more than its `fault_share` allows", "the agent cannot be made: ", "too skilled to be made"];
    lab.run("study --jobs 1").assert_fails(3, &words);
    let kept = fs::read(journal(&lab)).unwrap();
    assert!(!lab.exists("results/studies/p/s.parquet"));
    lab.run("study").assert_fails(3, &words[..1]);
    assert_eq!(fs::read(journal(&lab)).unwrap(), kept, "nothing is played again");
    lab.paper("p", &study("s", &format!("{how}\nfault_share = \"1/1\"")));
    let report = lab.json_of("study --no-winners");
    let trials = stored(&lab, "s").rows.len() as u64;
    assert!(report["studies"][0]["played"].as_u64().unwrap() < trials, "{report:#}");
    let how = format!("{GENETIC}\nparams = {{ refuses_from = 0.0 }}");
    let lab = self::lab(&study("s", &how));
    lab.run("study").assert_fails(3, &["paper-configs/p.toml: study `s`: ", "too skilled to be made"]);
    assert!(!journal(&lab).exists());
}

/// The agent that is built to drift plays otherwise in long games only, which no signature sees.
#[test]
fn trials_of_another_agent_are_not_added_to() {
    let (lab, kept) = killed();
    let replace = |flags: &[&str], name: &str| {
        lab.remove("plugins");
        lab.make_folder("plugins");
        lab.build_plugin(TUNED, name, flags);
    };
    replace(&["-DDRIFTS"], "tuned-drifts");
    lab.run("study").assert_fails(3, &["p/s: its agent is not the one that played the journalled trials"]);
    assert!(fs::read(journal(&lab)).unwrap().starts_with(&kept), "nothing is lost");
    replace(&["-O2"], "tuned-again");
    let report = lab.json_of("study --no-winners");
    assert!(report["studies"][0]["proven_by_trial"].is_u64(), "{report:#}");
    assert_whole(&lab);
}

#[test]
fn an_interrupted_study_ends_in_order_and_resumes() {
    let (lab, run) = started();
    signal("INT", run.id());
    CommandOutput::from(run)
        .assert_fails(1, &["stopped before the end"])
        .assert_prints(&["Run the same command again to continue."]);
    lab.succeed("study --no-winners");
    assert_whole(&lab);
}

#[test]
fn a_journal_of_another_study_is_kept_aside() {
    let (lab, kept) = killed();
    lab.paper("p", &study("s", GENETIC).replace("seed = 7", "seed = 8"));
    lab.succeed("study --no-winners").assert_warns(&["belongs to another identity and is kept as"]);
    let aside = lab.path("results/studies/p/s.journal.stale-1");
    assert!(fs::read(aside).unwrap().starts_with(&kept[..1000]));
}

#[test]
fn a_reproduction_runs_studies_and_then_their_winners_which_the_report_offers_to_play_again() {
    let lab = genetic_lab();
    let report = lab.json_of("reproduce --quiet");
    assert_eq!((&report["studies"]["studies"][0]["study"], &report["waiting"]), (&json!("p/s"), &json!([])));
    assert_eq!(list(&report["run"]["experiments"]).len(), 3);
    assert_whole(&lab);
    let again = lab.succeed("reproduce").stdout;
    assert!(again.starts_with("The study is complete; nothing was played.\nAll 3 experiments"), "{again}");
    lab.run("study p/t").assert_fails(2, &["no paper or study is called `p/t`", "known studies: p/s"]);
    lab.run("study p/s-best-1").assert_fails(2, &["no paper or study is called"]);

    // The command that the report offers for a winner plays its held-out games.
    let page = lab.read("results/report/index.html");
    let (_, offered) = page.split_once("pipeline eval tuned,skill=").expect("the parameters follow the name");
    let (settings, _) = offered.split_once('<').unwrap();
    let command = format!("eval tuned,skill={settings} --json --quiet --out again");
    assert_has(&command, &[" --games 5 --seed 9 "]);
    let told = lab.succeed(&command).json();
    let again = records(&lab.path(told["records"].as_str().unwrap()));
    assert_eq!(again, lab.records("p/s-best-1"));
}
