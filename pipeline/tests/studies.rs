//! Studies: the same trials for any number of jobs and parts, undisturbed or killed; and what becomes of agents that fault in them.

mod common;

use std::fs;
use std::process::Child;
use std::time::Duration;
use surroundings::confined::ConfinedPath;

use common::compile_plugin;
use common::lab::{Lab, Ran, children, is_alive, signal, wait_until};
use engine::Rng;
use manifest::Study;
use studies::store::{self, StoredStudy};
use studies::{Came, TrialRow};

const TUNED: &str = "pipeline/tests/plugins/tuned.c";
const GENETIC: &str = "games = 3\nseeds = \"fresh\"\nmethod = { kind = \"genetic\", population = 6, iterations = 3, mutation_probability = 0.1, \
     crossover_probability = 0.5 }";

/// A study of the agent `tuned` in TOML.
fn study(id: &str, how: &str, space: &str) -> String {
    format!(
        "[[study]]\nid = \"{id}\"\nagent = \"tuned\"\nseed = 7\nwinners = {{ best = 2, games = 5, seed = 9 }}\n{how}\n[study.space]\n{space}\n"
    )
}

const SKILL: &str = "skill = { from = 0, to = 1, digits = 2 }";

/// A laboratory with this paper, whose agent pauses before each move.
fn lab_with_pauses(paper: &str, pause_us: u32) -> Lab {
    let lab = Lab::with(paper);
    let flag = format!("-DSLEEP_US={pause_us}");
    lab.add_plugin(&compile_plugin(TUNED, &format!("tuned-{pause_us}"), &[&flag]));
    lab
}

fn lab(paper: &str) -> Lab {
    lab_with_pauses(paper, 0)
}

/// A laboratory with a genetic study.
fn genetic_lab() -> Lab {
    lab(&study("s", GENETIC, SKILL))
}

fn manifest_of(lab: &Lab, id: &str) -> Study {
    manifest::load(&lab.path("paper-configs/p.toml")).unwrap().study(id).unwrap().clone()
}

fn stored(lab: &Lab, id: &str) -> StoredStudy {
    let path = lab.path(&format!("results/studies/p/{id}.parquet"));
    store::read(&ConfinedPath::file(&path), &manifest_of(lab, id)).unwrap().expect("the study is whole")
}

fn digest(lab: &Lab) -> String {
    stored(lab, "s").digest
}

fn expected_digest() -> String {
    let lab = genetic_lab();
    lab.succeed(&["study", "--jobs", "1", "--no-winners"]);
    digest(&lab)
}

fn journal(lab: &Lab) -> std::path::PathBuf {
    lab.path("results/studies/p/s.journal")
}

/// The names of all files below the studies of the paper.
fn files(lab: &Lab) -> Vec<String> {
    let entries = fs::read_dir(lab.path("results/studies/p")).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn finish(child: Child) -> Ran {
    child.wait_with_output().unwrap().into()
}

fn kill(mut run: Child) {
    let workers = children(run.id());
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until("the workers of a killed study end", || !workers.iter().any(|&worker| is_alive(worker)));
}

/// Every method, small.
fn all_methods() -> String {
    let both = "objectives = [\"score\", \"cost\"]\ngames = 2\nseeds = \"common\"";
    let methods = [
        ("genetic", GENETIC.to_owned()),
        ("robust", GENETIC.replace("0.5 }", "0.5, rating = \"all-games\" }")),
        (
            "sobol",
            "games = 2\nseeds = \"common\"\nmethod = { kind = \"sobol\", points = 9, batch = 4 }".to_owned(),
        ),
        (
            "latin",
            "games = 2\nseeds = \"fresh\"\nmethod = { kind = \"latin\", points = 6, batch = 6 }".to_owned(),
        ),
        ("bayes", format!("{both}\nmethod = {{ kind = \"bayes\", start = 4, batches = 2, batch = 2 }}")),
        ("nsga", format!("{both}\nmethod = {{ kind = \"nsga\", population = 6, generations = 3 }}")),
        (
            "surrogate",
            format!(
                "{both}\nmethod = {{ kind = \"surrogate\", start = 6, rounds = 2, batch = 2, epochs = 50 }}"
            ),
        ),
        (
            "race",
            "games = 2\nseeds = \"common\"\nmethod = { kind = \"race\", points = 8, most = 16, winners = 2 }"
                .to_owned(),
        ),
    ];
    methods.iter().map(|(id, how)| study(id, how, SKILL)).collect()
}

#[test]
fn every_method_gives_the_same_trials_for_any_number_of_jobs() {
    let digests = |jobs: &str| {
        let lab = lab(&all_methods());
        let report = lab.succeed(&["study", "--jobs", jobs, "--no-winners", "--json"]).json();
        let studies = report["studies"].as_array().unwrap();
        assert_eq!(studies.len(), 8);
        let digests: Vec<String> =
            studies.iter().map(|done| done["digest"].as_str().unwrap().to_owned()).collect();
        for done in studies {
            let id = done["study"].as_str().unwrap().strip_prefix("p/").unwrap();
            let StoredStudy { rows, .. } = stored(&lab, id);
            assert_eq!(studies::follow::follow(&manifest_of(&lab, id), &rows), Ok(()), "{id}");
            assert_eq!(done["trials"], rows.len(), "{id}");
        }
        digests
    };
    let expected = digests("1");
    assert_eq!(digests("2"), expected);
    assert_eq!(digests("5"), expected);
}

#[test]
fn a_study_that_is_whole_is_not_run_again_unless_it_is_asked_for() {
    let lab = genetic_lab();
    lab.succeed(&["study", "--no-winners"]);
    let before = digest(&lab);
    assert_eq!(files(&lab), ["s.parquet"]);
    let told = lab.succeed(&["study", "--no-winners"]).stdout;
    assert!(told.starts_with("The study is complete; nothing was played.\n"), "{told}");
    assert!(lab.succeed(&["plan"]).stdout.contains("No trial to play."));
    let planned = lab.succeed(&["plan", "--fresh"]).stdout;
    let to_play = format!("{} trials to play: about ", stored(&lab, "s").rows.len());
    assert!(planned.contains(&to_play) && planned.contains("complete, to be run again"), "{planned}");
    let report = lab.succeed(&["study", "--fresh", "--no-winners", "--json"]).json();
    assert_eq!(report["studies"][0]["same_as_stored"], true);
    assert_eq!(report["studies"][0]["played"], stored(&lab, "s").rows.len());
    assert_eq!((digest(&lab), files(&lab)), (before, vec!["s.parquet".to_owned()]));
    let timing =
        records::store::read_timing(&ConfinedPath::file(&lab.path("results/timing/p/s.parquet"))).unwrap();
    let batches: Vec<u64> = timing.iter().map(|timing| timing.game).collect();
    let last = stored(&lab, "s").rows.last().unwrap().batch;
    assert_eq!(batches, (0..=u64::from(last)).collect::<Vec<_>>());
}

#[test]
fn a_study_that_is_killed_at_any_moment_goes_on_where_it_stopped() {
    let expected = expected_digest();
    let lab = lab_with_pauses(&study("s", GENETIC, SKILL), 60);
    let mut rng = Rng::from_seed(11);
    let size = || fs::metadata(journal(&lab)).map_or(0, |journal| journal.len());
    for number in 0..10 {
        let kept = size();
        let mut run = lab.start(&["study", "--jobs", "2", "--no-winners"]);
        // Every other one is killed while it plays, however slow the machine is; the others at any moment.
        if number % 2 == 0 {
            wait_until("a trial is played", || size() != kept || run.try_wait().unwrap().is_some());
        }
        std::thread::sleep(Duration::from_millis(rng.below(120).into()));
        kill(run);
        if lab.path("results/studies/p/s.parquet").exists() {
            assert_eq!(digest(&lab), expected);
            fs::remove_dir_all(lab.path("results")).unwrap();
        }
    }
    lab.succeed(&["study", "--jobs", "2", "--no-winners"]);
    assert_eq!(digest(&lab), expected);
    assert_eq!(files(&lab), ["s.parquet"]);
}

#[test]
fn what_a_killed_study_has_played_is_not_played_again() {
    let lab = lab_with_pauses(&study("s", GENETIC, SKILL), 200);
    let run = lab.start(&["study", "--jobs", "1", "--no-winners"]);
    wait_until("some trials are played", || {
        fs::metadata(journal(&lab)).is_ok_and(|journal| journal.len() > 2500)
    });
    kill(run);
    let planned = lab.succeed(&["plan", "--json"]).json();
    let planned = planned.as_array().unwrap().iter().find(|row| row["study"] == "p/s").unwrap().clone();
    let (done, trials) = (planned["done"].as_u64().unwrap(), planned["trials"].as_u64().unwrap());
    assert!(done >= 2 && planned["state"] == "in progress", "{planned:#}");
    let text = lab.succeed(&["plan"]).stdout;
    assert!(
        text.contains("in progress") && text.contains("judging by the CPU time of earlier trials"),
        "{text}"
    );
    // A kill in the middle of a write leaves a torn end.
    let mut bytes = fs::read(journal(&lab)).unwrap();
    bytes.extend([200, 0, 0, 0, 1, 2, 3, 4, b'{']);
    fs::write(journal(&lab), bytes).unwrap();
    let ran = lab.succeed(&["study", "--json", "--no-winners"]);
    assert!(ran.stderr.contains("9 bytes of an incomplete end were dropped"), "{}", ran.stderr);
    assert_eq!(ran.json()["studies"][0]["played"], trials - done);
    assert_eq!(digest(&lab), expected_digest());
}

#[test]
fn parts_that_share_a_folder_make_the_whole() {
    let expected = expected_digest();
    let lab = genetic_lab();
    let part = |part: &str| lab.succeed(&["study", "--shard", part, "--json"]).json()["studies"][0].clone();
    let first = part("1/2");
    assert_eq!((&first["waiting"]["batch"], &first["waiting"]["parts"]), (&0.into(), &vec![2].into()));
    assert_eq!(first["waiting"]["trials"], 3);
    let told = lab.succeed(&["study", "--shard", "1/2"]).stdout;
    assert!(told.contains("batch 0 waits for 3 trials of part 2/2"), "{told}");
    for round in 0.. {
        assert!(round < 10, "it never ends");
        if [part("2/2"), part("1/2")].iter().all(|done| done["file"].is_string()) {
            break;
        }
    }
    assert_eq!((digest(&lab), files(&lab)), (expected.clone(), vec!["s.parquet".to_owned()]));
    // Whoever plays no part takes all of them up.
    let lab = genetic_lab();
    lab.succeed(&["study", "--shard", "3/3"]);
    let report = lab.succeed(&["study", "--no-winners", "--json"]).json();
    let trials = stored(&lab, "s").rows.len() as u64;
    assert_eq!(report["studies"][0]["played"], trials - 2);
    assert_eq!((digest(&lab), files(&lab)), (expected, vec!["s.parquet".to_owned()]));
}

#[test]
fn parts_may_play_at_the_same_time() {
    let expected = expected_digest();
    let lab = lab_with_pauses(&study("s", GENETIC, SKILL), 60);
    for round in 0.. {
        assert!(round < 20, "it never ends");
        let parts = ["1/2", "2/2"].map(|part| lab.start(&["study", "--shard", part, "--jobs", "1"]));
        for part in parts {
            let ran = finish(part);
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
        if lab.path("results/studies/p/s.parquet").exists() {
            break;
        }
    }
    assert_eq!((digest(&lab), files(&lab)), (expected, vec!["s.parquet".to_owned()]));
}

#[test]
fn nothing_but_other_parts_may_play_beside_a_part() {
    let how = GENETIC.replace("games = 3", "games = 100");
    let lab = lab_with_pauses(&study("s", &how, SKILL), 2000);
    let part = lab.start(&["study", "--shard", "1/2", "--jobs", "1"]);
    let journal = lab.path("results/studies/p/s.part-1-of-2.journal");
    wait_until("the part plays", || journal.exists());
    lab.run(&["study"]).assert_fails(4, &["another run is using this folder"]);
    let twice = lab.run(&["study", "--shard", "1/2"]);
    twice.assert_fails(4, &["s.part-1-of-2.journal", "another process writes to it"]);
    kill(part);
}

#[test]
fn the_winners_wait_for_their_study_and_are_then_played_on_new_games() {
    let lab = genetic_lab();
    let waiting = "2 experiments wait for study p/s; run `pipeline study p/s`.\n";
    for command in ["run", "plan"] {
        let told = lab.succeed(&[command]).stdout;
        assert!(told.ends_with(waiting), "{told}");
    }
    assert_eq!(lab.digest("p/s-default").len(), 64, "the default needs no study");
    let told = lab.succeed(&["study"]).stdout;
    for word in ["s-best-1", "s-best-2", "s-default", "skill=", "n = 3)", "n = 5)"] {
        assert!(told.contains(word), "no `{word}` in {told}");
    }
    let planned = lab.succeed(&["plan", "--json"]).json();
    let states: Vec<&str> =
        planned.as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["complete"; 4]);
    // The best of the study is what is played again.
    let best = stored(&lab, "s").rows.iter().map(mean).fold(f64::NEG_INFINITY, f64::max);
    let report = lab.succeed(&["study", "--json"]).json();
    let winners = &report["winners"][0]["winners"];
    assert_eq!(winners[0]["in_study"]["point"], best);
    let summary = records::store::RecordsSummary::read(&ConfinedPath::file(&lab.records_file("p/s-best-1")))
        .unwrap()
        .unwrap();
    assert_eq!(summary.header.identity.params["skill"], winners[0]["params"]["skill"]);
    assert!(lab.succeed(&["run", "p/s"]).stdout.contains("All 3 experiments are complete"));
}

fn mean(row: &TrialRow) -> f64 {
    row.score().map_or(f64::NEG_INFINITY, |score| score.point)
}

#[test]
fn equal_parameters_on_equal_games_are_played_once() {
    let how = GENETIC.replace("fresh", "common");
    let lab = lab(&study("s", &how, "skill = { from = 0, to = 1, digits = 0 }"));
    let report = lab.succeed(&["study", "--no-winners", "--json"]).json();
    let done = &report["studies"][0];
    assert_eq!((&done["trials"], &done["played"], &done["copied"]), (&18.into(), &2.into(), &16.into()));
    let rows = stored(&lab, "s").rows;
    let digests: std::collections::BTreeSet<String> =
        rows.iter().map(|row| format!("{:?}", row.came)).collect();
    assert_eq!(digests.len(), 2);
}

#[test]
fn a_fault_costs_its_trial_and_the_study_goes_on() {
    let how = format!("{GENETIC}\nparams = {{ fails_from = 0.8 }}\nfault_share = \"1/2\"");
    let run = |jobs: &str| {
        let lab = lab(&study("s", &how, SKILL));
        let report = lab.succeed(&["study", "--jobs", jobs, "--no-winners", "--json"]).json();
        let rows = stored(&lab, "s").rows;
        for row in &rows {
            if let Came::Faulted { game, reason, .. } = &row.came {
                assert!(row.games.contains(game) && row.point.values()[0] >= 0.8, "{row:?}");
                assert!(reason.contains("I have no idea"), "{reason}");
            }
        }
        let faulted = rows.iter().filter(|row| row.scores().is_none()).count();
        assert!(faulted > 0 && report["studies"][0]["faults"].as_array().unwrap().len() == faulted);
        digest(&lab)
    };
    assert_eq!(run("1"), run("4"));
}

#[test]
fn too_many_faults_end_the_study_and_all_trials_are_kept() {
    let how = format!("{GENETIC}\nparams = {{ refuses_from = 0.6 }}");
    let lab = lab(&study("s", &how, SKILL));
    let words =
        ["more than its `fault_share` allows", "the agent cannot be made: ", "too skilled to be made"];
    lab.run(&["study", "--jobs", "1"]).assert_fails(3, &words);
    let kept = fs::read(journal(&lab)).unwrap();
    assert!(!lab.path("results/studies/p/s.parquet").exists());
    lab.run(&["study"]).assert_fails(3, &words[..1]);
    assert_eq!(fs::read(journal(&lab)).unwrap(), kept, "nothing is played again");
    lab.paper("p", &study("s", &format!("{how}\nfault_share = \"1/1\""), SKILL));
    let report = lab.succeed(&["study", "--no-winners", "--json"]).json();
    let trials = stored(&lab, "s").rows.len() as u64;
    assert!(report["studies"][0]["played"].as_u64().unwrap() < trials, "{report:#}");
}

#[test]
fn a_space_in_which_no_agent_can_be_made_is_refused_at_once() {
    let how = format!("{GENETIC}\nparams = {{ refuses_from = 0.0 }}");
    let lab = lab(&study("s", &how, SKILL));
    let ran = lab.run(&["study"]);
    ran.assert_fails(3, &["paper-configs/p.toml: study `s`: ", "too skilled to be made"]);
    assert!(!journal(&lab).exists());
}

/// The agent that is built to drift plays otherwise in long games only, which no signature sees.
#[test]
fn trials_of_another_agent_are_not_added_to() {
    let paper = study("s", GENETIC, SKILL);
    let lab = lab_with_pauses(&paper, 200);
    let run = lab.start(&["study", "--jobs", "1", "--no-winners"]);
    wait_until("trials are played", || fs::metadata(journal(&lab)).is_ok_and(|journal| journal.len() > 900));
    kill(run);
    let kept = fs::read(journal(&lab)).unwrap();
    let replace = |flags: &[&str], name: &str| {
        fs::remove_dir_all(lab.path("plugins")).unwrap();
        fs::create_dir(lab.path("plugins")).unwrap();
        lab.add_plugin(&compile_plugin(TUNED, name, flags));
    };
    replace(&["-DDRIFTS"], "tuned-drifts");
    lab.run(&["study"]).assert_fails(3, &["p/s: its agent is not the one that played the journalled trials"]);
    assert!(fs::read(journal(&lab)).unwrap().starts_with(&kept), "nothing is lost");
    replace(&["-O2"], "tuned-again");
    let report = lab.succeed(&["study", "--no-winners", "--json"]).json();
    assert!(report["studies"][0]["proven_by_trial"].is_u64(), "{report:#}");
    assert_eq!(digest(&lab), expected_digest());
}

#[test]
fn an_interrupted_study_ends_in_order_and_goes_on() {
    let lab = lab_with_pauses(&study("s", GENETIC, SKILL), 300);
    let run = lab.start(&["study", "--jobs", "2", "--no-winners"]);
    wait_until("a trial is played", || fs::metadata(journal(&lab)).is_ok_and(|journal| journal.len() > 900));
    signal("INT", run.id().into());
    let ran = finish(run);
    ran.assert_fails(1, &["stopped before the end"]);
    assert!(ran.stdout.contains("Run the same command again to continue."), "{ran:?}");
    lab.succeed(&["study", "--no-winners"]);
    assert_eq!(digest(&lab), expected_digest());
}

#[test]
fn an_unknown_study_is_refused_with_those_that_there_are() {
    let lab = genetic_lab();
    lab.run(&["study", "p/t"]).assert_fails(2, &["no paper or study is called `p/t`", "known studies: p/s"]);
    lab.run(&["study", "p/s-best-1"]).assert_fails(2, &["no paper or study is called"]);
}

#[test]
fn a_stale_study_is_explained_and_run_again() {
    let lab = genetic_lab();
    lab.succeed(&["study", "--no-winners"]);
    let told = lab.succeed(&["explain", "p/s"]).stdout;
    assert!(told.contains("18 trials of this identity") && !told.contains("s-best-1"), "{told}");
    let before = digest(&lab);
    let other = study("s", GENETIC, SKILL).replace("seed = 7", "seed = 8");
    lab.paper("p", &other.replace("to = 1,", "to = 0.5,"));
    let told = lab.succeed(&["explain", "p/s"]).stdout;
    assert!(told.contains("stale, trials of another identity:\n  seed: stored "), "{told}");
    assert!(told.contains("  space.skill: stored "), "{told}");
    let planned = lab.succeed(&["plan"]).stdout;
    assert!(planned.contains("stale: seed, signature, space.skill changed"), "{planned}");
    assert!(planned.contains("wait for study p/s"), "winners of another study are none: {planned}");
    let report = lab.succeed(&["explain", "p/s", "--json"]).json();
    assert_eq!((&report[0]["study"], &report[0]["state"]), (&"p/s".into(), &"stale".into()));
    assert_eq!(report[0]["differences"][0]["component"], "seed");
    lab.succeed(&["study"]);
    assert_ne!(digest(&lab), before);
}

#[test]
fn a_journal_of_another_study_is_kept_aside() {
    let lab = lab_with_pauses(&study("s", GENETIC, SKILL), 200);
    let run = lab.start(&["study", "--jobs", "1", "--no-winners"]);
    wait_until("trials are played", || fs::metadata(journal(&lab)).is_ok_and(|journal| journal.len() > 1500));
    kill(run);
    let kept = fs::read(journal(&lab)).unwrap();
    lab.paper("p", &study("s", GENETIC, SKILL).replace("seed = 7", "seed = 8"));
    let ran = lab.succeed(&["study", "--no-winners"]);
    assert!(ran.stderr.contains("belongs to another identity and is kept as"), "{}", ran.stderr);
    let aside = lab.path("results/studies/p/s.journal.stale-1");
    assert!(fs::read(aside).unwrap().starts_with(&kept[..1000]));
}

#[test]
fn a_reproduction_runs_studies_first_and_then_their_winners() {
    let lab = genetic_lab();
    let report = lab.succeed(&["reproduce", "--json", "--quiet"]).json();
    assert_eq!(report["studies"]["studies"][0]["study"], "p/s");
    assert_eq!(report["waiting"].as_array().unwrap().len(), 0);
    let played = report["run"]["experiments"].as_array().unwrap();
    assert_eq!(played.len(), 3);
    assert_eq!(digest(&lab), expected_digest());
    let again = lab.succeed(&["reproduce"]).stdout;
    assert!(again.starts_with("The study is complete; nothing was played.\nAll 3 experiments"), "{again}");
}

#[test]
fn the_command_that_the_report_offers_for_a_winner_plays_its_held_out_games() {
    let lab = genetic_lab();
    lab.succeed(&["reproduce", "--quiet"]);
    let page = fs::read_to_string(lab.path("results/report/index.html")).unwrap();
    let (_, offered) = page.split_once("pipeline eval tuned,skill=").expect("the parameters follow the name");
    let (settings, _) = offered.split_once('<').unwrap();
    let command = format!("eval tuned,skill={settings} --json --quiet --out again");
    assert!(command.contains(" --games 5 --seed 9 "), "{command}");
    let told = lab.succeed(&command.split(' ').collect::<Vec<_>>()).json();
    let again = common::lab::records(&lab.path(told["records"].as_str().unwrap()));
    assert_eq!(again, lab.records("p/s-best-1"));
}

#[test]
fn a_smoke_reproduction_goes_through_every_method_in_a_few_trials() {
    let lab = lab(&all_methods());
    let report = lab.succeed(&["reproduce", "--smoke", "--json", "--quiet"]).json();
    let studies = report["studies"]["studies"].as_array().unwrap();
    assert_eq!(studies.len(), 8);
    for done in studies {
        assert!(done["trials"].as_u64().is_some_and(|trials| (4..=8).contains(&trials)), "{done:#}");
        assert!(done["batches"].as_u64().is_some_and(|batches| batches <= 2), "{done:#}");
    }
}
