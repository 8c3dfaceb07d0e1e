//! Studies that were stored: what verifying, comparing, bundling and merging notice in them, with the real program.

#[path = "bundle/repository.rs"]
#[allow(dead_code, reason = "only how to commit and to bundle is used here")]
mod bundles;
mod common;

use std::fs;
use std::path::Path;
use surroundings::confined::ConfinedPath;

use bundles::{CITATION, bundle, commit};
use common::lab::{Lab, Ran};
use common::{compile_plugin, git};
use manifest::Study;
use studies::store::{self, StoredStudy};
use studies::{Came, Scores, TrialRow};
use surroundings::hash::file_sha256;

const TUNED: &str = "pipeline/tests/plugins/tuned.c";
const GENETIC: &str = "games = 3\nseeds = \"fresh\"\nmethod = { kind = \"genetic\", population = 6, iterations = 3, mutation_probability = 0.1, \
     crossover_probability = 0.5 }";
/// Nothing is learned from its trials, so that a forged one leaves the others as they are.
const SOBOL: &str = "games = 3\nseeds = \"fresh\"\nmethod = { kind = \"sobol\", points = 8, batch = 4 }";

fn study(how: &str) -> String {
    format!(
        "[[study]]\nid = \"s\"\nagent = \"tuned\"\nseed = 7\nwinners = {{ best = 2, games = 4, seed = 9 }}\n{how}\n[study.space]\n\
         skill = {{ from = 0, to = 1, digits = 2 }}\n"
    )
}

/// A laboratory with a study that was run, and its winners played.
fn lab(how: &str) -> Lab {
    let lab = Lab::with(&study(how));
    lab.add_plugin(&compile_plugin(TUNED, "tuned-checked", &[]));
    lab.succeed(&["reproduce", "--quiet"]);
    lab
}

fn manifest_of(lab: &Lab) -> Study {
    manifest::load(&lab.path("paper-configs/p.toml")).unwrap().studies.remove(0)
}

/// Changes the trials of a stored study, and makes seal, digest and means fit.
fn forge(file: &Path, study: &Study, change: impl FnOnce(&mut Vec<TrialRow>)) {
    let StoredStudy { header, mut rows, .. } =
        store::read(&ConfinedPath::file(file), study).unwrap().unwrap();
    change(&mut rows);
    store::write(&ConfinedPath::file(file), study, &header, &rows).unwrap();
}

fn raise(rows: &mut [TrialRow], trial: usize) {
    let Came::Played { scores, .. } = &mut rows[trial].came else { panic!("it faulted") };
    match scores {
        Scores::Each(scores) => scores.iter_mut().for_each(|score| *score += 4000),
        Scores::Together { games, sum, squares } => {
            *squares += 8000 * *sum + 16_000_000 * *games;
            *sum += 4000 * *games;
        }
    }
}

fn assert_told(ran: &Ran, code: i32, words: &[&str]) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    for word in words {
        assert!(ran.stdout.contains(word), "no `{word}` in {ran:?}");
    }
}

#[test]
fn verification_follows_every_trial_and_finds_what_was_tampered_with() {
    let lab = lab(GENETIC);
    let (file, study_of) = (lab.path("results/studies/p/s.parquet"), manifest_of(&lab));
    let untouched = fs::read(&file).unwrap();
    let ran = lab.succeed(&["verify", "--current"]);
    assert_told(&ran, 0, &["Followed 18 trials (54 games) of 1 study again.", "All as stored."]);
    assert_eq!(lab.succeed(&["verify", "--json"]).json()["studies"]["checked"][0]["trials"], 18);
    lab.succeed(&["verify", "results/studies/p/s.parquet"]);

    let tampered = |change: fn(&mut Vec<TrialRow>), words: &[&str]| {
        fs::write(&file, &untouched).unwrap();
        forge(&file, &study_of, change);
        lab.succeed(&["render", "--json"]);
        assert_told(&lab.run(&["verify"]), 1, &[words, &["s.parquet", "run `pipeline study`"]].concat());
    };
    let not_proposed = "is not what the method proposes after the trials before it";
    tampered(|rows| raise(rows, 2), &["trial ", not_proposed]);
    tampered(|rows| rows[9].point = rows[0].point.clone(), &["trial 9: its point", not_proposed]);
    tampered(|rows| drop(rows.pop()), &["it ends after 17 trials, where the method goes on"]);
    // The list of hashes, the seal, and the program that would go on with it all notice a flipped bit.
    let mut flipped = untouched.clone();
    flipped[300] ^= 1;
    fs::write(&file, flipped).unwrap();
    assert_told(&lab.run(&["verify"]), 1, &["s.parquet: its bytes do not match SHA256SUMS"]);
    lab.run(&["study"]).assert_fails(1, &["s.parquet"]);
    fs::write(&file, &untouched).unwrap();
    lab.succeed(&["render", "--json"]);
    lab.succeed(&["verify"]);
}

#[test]
fn a_study_that_nobody_asks_for_is_stale_or_nobodys() {
    let lab = lab(SOBOL);
    lab.add_plugin(&compile_plugin(TUNED, "tuned-checked", &["-DVERSION=\"2.0.0\""]));
    assert_told(&lab.succeed(&["verify"]), 0, &["Followed 8 trials"]);
    let stale = "p/s: the study is stale: agent_version changed; `pipeline study p/s` runs it again";
    assert_told(&lab.run(&["verify", "--current"]), 1, &[stale]);
    assert_told(&lab.run(&["verify", "--recompute", "1"]), 1, &[stale]);
    lab.paper("p", &study(SOBOL).replace("seed = 7", "seed = 8"));
    assert_told(&lab.run(&["verify"]), 1, &["p/s: the study is stale: seed changed"]);
    lab.paper("p", "");
    assert_told(&lab.succeed(&["verify"]), 0, &["no manifest has study p/s, so only its seal is checked"]);
    fs::remove_dir_all(lab.path("paper-configs")).unwrap();
    assert_told(&lab.succeed(&["verify"]), 0, &["only the seals of 1 study are checked"]);
    // A study of today that has not been run.
    fs::create_dir(lab.path("paper-configs")).unwrap();
    lab.paper("q", &study(SOBOL));
    assert_told(&lab.run(&["verify", "--current"]), 1, &["q/s: the study has not been run"]);
}

#[test]
fn trials_that_are_played_again_show_a_forged_one() {
    let lab = lab(SOBOL);
    let (file, study_of) = (lab.path("results/studies/p/s.parquet"), manifest_of(&lab));
    let untouched = fs::read(&file).unwrap();
    let all = lab.succeed(&["verify", "--recompute", "all"]);
    assert_told(&all, 0, &["Played 8 of 8 stored trials of 1 study again (24 games)."]);
    let drawn = |more: &[&str]| lab.run(&[&["verify", "--recompute", "2", "--json"], more].concat()).json();
    let first = drawn(&[]);
    let again = drawn(&["--seed", first["seed"].as_str().unwrap()]);
    let trials = |outcome: &serde_json::Value| outcome["studies"]["recomputed"][0][1]["trials"].clone();
    assert_eq!(trials(&first).as_array().unwrap().len(), 2);
    assert_eq!(trials(&first), trials(&again));

    let forged = |change: fn(&mut Vec<TrialRow>), words: &[&str]| {
        fs::write(&file, &untouched).unwrap();
        forge(&file, &study_of, change);
        lab.succeed(&["render", "--json"]);
        lab.succeed(&["verify"]);
        assert_told(&lab.run(&["verify", "--recompute", "all"]), 1, words);
    };
    forged(|rows| raise(rows, 5), &["p/s: played again: trial 5 (skill=", "the score of game 15 is "]);
    let other_digest = |rows: &mut Vec<TrialRow>| {
        let Came::Played { digest, .. } = &mut rows[6].came else { panic!("it faulted") };
        "01234567".clone_into(digest);
    };
    forged(other_digest, &["trial 6 (skill=", "the digest of its games is 01234567, and "]);
    let faulted = |rows: &mut Vec<TrialRow>| {
        let (game, ending) = (rows[3].games.start, engine::Ending::AgentError);
        rows[3].came = Came::Faulted { game, ending, reason: "forged".to_owned() };
    };
    forged(faulted, &["trial 3 (skill=", "ended by agent-error, and without a fault when played again"]);
}

#[test]
fn trials_that_faulted_fault_again_when_they_are_played_again() {
    let lab = Lab::with(&study(&format!("{SOBOL}\nparams = {{ fails_from = 0.5 }}\nfault_share = \"1/1\"")));
    lab.add_plugin(&compile_plugin(TUNED, "tuned-checked", &[]));
    lab.succeed(&["study", "--no-winners", "--quiet"]);
    let faults = lab.succeed(&["verify", "--json"]).json()["studies"]["checked"][0]["faults"].clone();
    assert!(faults.as_u64().unwrap() > 0, "{faults}");
    lab.succeed(&["verify", "--recompute", "all"]);
    let study_of = manifest_of(&lab);
    forge(&lab.path("results/studies/p/s.parquet"), &study_of, |rows| {
        let faulted = rows.iter_mut().find(|row| row.scores().is_none()).unwrap();
        let Came::Faulted { game, .. } = &mut faulted.came else { unreachable!() };
        *game = if *game == faulted.games.start { faulted.games.end - 1 } else { faulted.games.start };
    });
    assert_told(&lab.run(&["verify", "--recompute", "all"]), 1, &["but when played again game "]);
}

#[test]
fn a_reproduction_follows_its_studies_and_plays_a_game_of_each_again() {
    let lab = lab(SOBOL);
    let outcome = lab.succeed(&["reproduce", "--quiet", "--json"]).json();
    let studies = &outcome["verified"]["studies"];
    assert_eq!(studies["checked"][0]["trials"], 8, "{outcome:#}");
    assert_eq!(studies["recomputed"][0][1]["games"], 1);
    forge(&lab.path("results/studies/p/s.parquet"), &manifest_of(&lab), |rows| {
        (0..rows.len()).for_each(|trial| raise(rows, trial));
    });
    let ran = lab.run(&["reproduce", "--quiet"]);
    assert_told(&ran, 1, &["p/s: played again: trial ", "the score of game "]);
}

#[test]
fn a_diff_says_what_became_of_studies() {
    let lab = lab(GENETIC);
    let copy = |from: &str, to: &str| {
        let script = format!("rm -rf {to} && mkdir {to} && cp -r {from}/results {from}/paper-configs {to}");
        let copied =
            std::process::Command::new("sh").args(["-c", &script]).current_dir(lab.path("")).status();
        assert!(copied.unwrap().success());
    };
    copy(".", "before");
    let same = lab.succeed(&["diff", "before", "."]);
    assert!(same.stdout.contains("1 study: 1 identical."), "{same:?}");
    lab.paper("p", &study(GENETIC).replace("population = 6", "population = 8"));
    lab.succeed(&["reproduce", "--quiet"]);
    copy(".", "after");
    let ran = lab.run(&["diff", "before", "after"]);
    assert_told(
        &ran,
        1,
        &["1 study: 1 changed.", "p/s: changed", "method.population: 6 → 8", "first difference: trial "],
    );
    let json = lab.run(&["diff", "before", "after", "--json"]).json();
    let changed = &json["studies"][0];
    assert_eq!((&changed["state"], &changed["study"]), (&"changed".into(), &"p/s".into()));
    assert!(changed["before"]["best"]["point"].is_number() && changed["after"]["best"]["n"] == 3, "{json:#}");
    let markdown = lab.run(&["diff", "before", "after", "--markdown"]);
    assert!(markdown.stdout.contains("<details><summary>p/s: changed</summary>"), "{markdown:?}");
    // Other trials under the same identity should never be.
    let study_of = manifest::load(&lab.path("before/paper-configs/p.toml")).unwrap().studies.remove(0);
    copy("before", "after");
    forge(&lab.path("after/results/studies/p/s.parquet"), &study_of, |rows| raise(rows, 17));
    let ran = lab.run(&["diff", "before", "after"]);
    let words =
        ["ALARM: same identity, different trials", "trial 17: the same parameters come to another result"];
    assert_told(&ran, 1, &words);
}

/// Makes the checksums of an unpacked bundle fit a file that was changed.
fn mend(folder: &Path, name: &str) {
    for (list, name) in [("SHA256SUMS", name), ("results/SHA256SUMS", name.strip_prefix("results/").unwrap())]
    {
        let root = folder.join(list).parent().unwrap().to_owned();
        let line = |line: &str| match line.ends_with(&format!("  {name}")) {
            true => format!("{}  {name}\n", file_sha256(&root.join(name)).unwrap()),
            false => format!("{line}\n"),
        };
        let text = fs::read_to_string(folder.join(list)).unwrap();
        fs::write(folder.join(list), text.lines().map(line).collect::<String>()).unwrap();
    }
    let (list, name) = (folder.join("SHA256SUMS"), "results/SHA256SUMS");
    let sum = file_sha256(&folder.join(name)).unwrap();
    let line = |line: &str| match line.ends_with(&format!("  {name}")) {
        true => format!("{sum}  {name}\n"),
        false => format!("{line}\n"),
    };
    let text = fs::read_to_string(&list).unwrap();
    fs::write(list, text.lines().map(line).collect::<String>()).unwrap();
}

#[test]
fn a_bundle_has_its_studies_and_notices_when_they_are_forged() {
    let lab = lab(GENETIC);
    fs::write(lab.path("CITATION.cff"), CITATION).unwrap();
    fs::write(lab.path(".gitignore"), "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n").unwrap();
    git(&lab.path(""), &["init", "--quiet"]);
    commit(&lab);
    let file = bundle(&lab, "bundles", &[]);
    let elsewhere = Lab::new();
    elsewhere.add_plugin(&compile_plugin(TUNED, "tuned-checked", &[]));
    fs::copy(&file, elsewhere.path("b.tar.zst")).unwrap();
    let ran = elsewhere.succeed(&["verify", "b.tar.zst"]);
    assert_told(&ran, 0, &["Followed 18 trials (54 games) of 1 study again.", "All as stored."]);
    elsewhere.succeed(&["unbundle", "b.tar.zst", "open"]);
    let metadata = fs::read_to_string(elsewhere.path("open/ro-crate-metadata.json")).unwrap();
    let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
    let graph = metadata["@graph"].as_array().unwrap();
    let action = graph.iter().find(|entity| entity["name"] == "p/s: 18 trials of tuned").unwrap();
    assert_eq!(action["@type"], "CreateAction");
    assert_eq!(action["result"][0]["@id"], "results/studies/p/s.parquet");
    assert_eq!(action["object"]["@id"], "paper-configs/p.toml");
    let is_there = |id: &serde_json::Value| graph.iter().any(|entity| entity["@id"] == *id);
    assert!(is_there(&action["instrument"]["@id"]) && is_there(&action["result"][0]["@id"]));

    // The winners have the parameters that the bundle's study found; the study itself is run where it is named.
    let played = elsewhere.succeed(&["reproduce", "--from", "b.tar.zst", "--json"]).json();
    assert_eq!(played["experiments"].as_array().unwrap().len(), 3, "{played:#}");
    assert_eq!(played["studies"].as_array().unwrap().len(), 0);
    let named = elsewhere.succeed(&["reproduce", "--from", "open", "p/s", "--json"]).json();
    let searched = &named["studies"][0];
    assert_eq!((&searched["trials"], &searched["difference"]), (&18.into(), &serde_json::Value::Null));
    assert_eq!(searched["stored_digest"], searched["played_digest"]);

    let name = "results/studies/p/s.parquet";
    forge(&elsewhere.path("open").join(name), &manifest_of(&lab), |rows| raise(rows, 2));
    assert_told(&elsewhere.run(&["verify", "open"]), 1, &[name]);
    mend(&elsewhere.path("open"), name);
    let words = ["results/studies/p/s.parquet: trial ", "is not what the method proposes"];
    assert_told(&elsewhere.run(&["verify", "open"]), 1, &words);
    elsewhere.run(&["reproduce", "--from", "open"]).assert_fails(1, &["the bundle is damaged", words[1]]);
    // Nor is such a study bundled.
    forge(&lab.path(name), &manifest_of(&lab), |rows| raise(rows, 2));
    lab.run(&["bundle", "--allow-dirty", "--allow-stale"]).assert_fails(1, &["damaged", words[1]]);
}

#[test]
fn parts_that_were_played_elsewhere_are_merged_into_one_study() {
    let expected = lab(GENETIC);
    let here = Lab::with(&study(GENETIC));
    here.add_plugin(&compile_plugin(TUNED, "tuned-checked", &[]));
    let part = |part: &str, name: &str| {
        let there = Lab::with(&study(GENETIC));
        there.add_plugin(&compile_plugin(TUNED, "tuned-checked", &[]));
        there.succeed(&["study", "--shard", part, "--quiet"]);
        fs::copy(there.path("results/studies/p").join(name), here.path(name)).unwrap();
    };
    let names = ["s.part-1-of-2.journal", "s.part-2-of-2.journal"];
    part("1/2", names[0]);
    part("2/2", names[1]);
    let ran = here.succeed(&["merge", names[0], names[1]]);
    assert_told(
        &ran,
        0,
        &["p/s: 3 trials of part 1/2 in results/studies/p/s.part-1-of-2.journal; `pipeline study p/s`"],
    );
    let report = here.succeed(&["study", "--json", "--no-winners"]).json();
    assert_eq!(report["studies"][0]["played"], 12, "the first batch was there");
    let digest = |lab: &Lab| {
        store::summary(&ConfinedPath::file(&lab.path("results/studies/p/s.parquet"))).unwrap().unwrap().digest
    };
    assert_eq!(digest(&here), digest(&expected));
    here.run(&["merge", "results/studies/p/s.parquet"])
        .assert_fails(2, &["this is a whole study", "copy it to"]);
    fs::write(here.path("s.part-1-of-2.journal"), "no journal").unwrap();
    here.run(&["merge", names[0]]).assert_fails(2, &["not the journal of a part of a study"]);
}

#[test]
fn a_whole_study_is_taken_over_with_its_folder_and_never_over_another() {
    let (there, here) = (lab(GENETIC), Lab::new());
    let (from, to) = (there.path("results/studies/p/s.parquet"), here.path("results/studies/p/s.parquet"));
    let whole = fs::read(&from).unwrap();
    let part = Lab::with(&study(GENETIC));
    part.add_plugin(&compile_plugin(TUNED, "tuned-checked", &[]));
    part.succeed(&["study", "--shard", "1/2", "--quiet"]);
    let journal = "results/studies/p/s.part-1-of-2.journal";
    fs::copy(part.path(journal), there.path(journal)).unwrap();
    for late in ["results/records/p/late.journal", "results/studies/p/later.journal"] {
        fs::write(there.path(late), "").unwrap();
    }
    let folder = there.path("results").display().to_string();
    let merge = || here.run(&["merge", &folder]);
    let taken = ["study p/s: taken over whole", "p/s: 3 trials of part 1/2 in "];
    assert_told(&merge(), 0, &taken);
    assert!(fs::read(&to).unwrap() == whole, "to the byte");
    let late = ["late.journal", "later.journal"]
        .map(|file| format!("{file}: passed over, since its run is not finished"));
    assert_told(&merge(), 0, &["study p/s: there already", &late[0], &late[1]]);
    fs::write(&to, "another").unwrap();
    merge().assert_fails(1, &["there is already another file of this study", "results/studies/p/s.parquet"]);
    assert_eq!(fs::read(&to).unwrap(), b"another", "neither is lost");
    fs::remove_file(&to).unwrap();
    fs::write(&from, &whole[..whole.len() / 2]).unwrap();
    merge().assert_fails(1, &["results/studies/p/s.parquet", "copy it once more from where it was run"]);
    assert!(!to.exists());
}
