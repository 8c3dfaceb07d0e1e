//! Stored studies: what `verify`, `diff`, `bundle` and `merge` notice in them.

use crate::common::prelude::*;

use crate::common::stored::mend_checksums;
use crate::studies::{digest, lab, manifest_of};
use manifest::Study;
use studies::{Scores, StoredStudy, TrialOutcome, TrialRow, store};

/// A laboratory with a study that was run, and its winners played.
fn reproduced(how: &str) -> Lab {
    let lab = lab(&study("s", how));
    lab.succeed("reproduce --quiet");
    lab
}

fn genetic() -> Lab {
    copy_of("genetic", || reproduced(GENETIC))
}

fn sobol() -> Lab {
    copy_of("sobol", || reproduced(SOBOL))
}

/// Changes the trials of a stored study, and makes seal, digest and means fit.
fn forge(file: &Path, study: &Study, change: impl FnOnce(&mut Vec<TrialRow>)) {
    let StoredStudy { header, mut rows, .. } = store::read(&confined(file), study).unwrap().unwrap();
    change(&mut rows);
    store::write(&confined(file), study, &header, &rows).unwrap();
}

fn raise(rows: &mut [TrialRow], trial: usize) {
    let TrialOutcome::Played { scores, .. } = &mut rows[trial].outcome else { panic!("it faulted") };
    match scores {
        Scores::Each(scores) => scores.iter_mut().for_each(|score| *score += 4000),
        Scores::Together { games, sum, squares } => {
            *squares += 8000 * *sum + 16_000_000 * *games;
            *sum += 4000 * *games;
        }
    }
}

#[test]
fn verification_checks_every_trial_and_finds_tampering() {
    let lab = genetic();
    let (file, study_of) = (lab.path("results/studies/p/s.parquet"), manifest_of(&lab, "s"));
    let untouched = fs::read(&file).unwrap();
    lab.succeed("verify --current")
        .assert_prints(&["Verified 18 trials (54 games) of 1 study.", "All as stored."]);
    assert_eq!(lab.json_of("verify")["studies"]["checked"][0]["trials"], 18);
    lab.succeed("verify results/studies/p/s.parquet");

    let tampered = |change: fn(&mut Vec<TrialRow>), words: &[&str]| {
        fs::write(&file, &untouched).unwrap();
        forge(&file, &study_of, change);
        lab.succeed("render --json");
        lab.run("verify").assert_finds(&[words, &["s.parquet", "run `pipeline study`"]].concat());
    };
    let not_proposed = "is not what the method proposes after the trials before it";
    tampered(|rows| raise(rows, 2), &["trial ", not_proposed]);
    tampered(|rows| rows[9].point = rows[0].point.clone(), &["trial 9: its point", not_proposed]);
    tampered(|rows| drop(rows.pop()), &["it ends after 17 trials, where the method goes on"]);
    // The list of hashes, the seal, and the program that would go on with it all notice a flipped bit.
    fs::write(&file, flip(&untouched, 300)).unwrap();
    lab.run("verify").assert_finds(&["s.parquet: its bytes do not match SHA256SUMS"]);
    lab.run("study").assert_fails(1, &["s.parquet"]);
    fs::write(&file, &untouched).unwrap();
    lab.succeed("render --json");
    lab.succeed("verify");
}

#[test]
fn a_stored_study_without_its_manifest_entry_is_stale_or_only_sealed() {
    let lab = sobol();
    lab.build_plugin(TUNED, "tuned-0", &["-DVERSION=\"2.0.0\""]);
    lab.succeed("verify").assert_prints(&["Verified 8 trials"]);
    let stale = "p/s: the study is stale: agent_version changed; `pipeline study p/s` runs what is needed";
    lab.run("verify --current").assert_finds(&[stale]);
    lab.run("verify --recompute 1").assert_finds(&[stale]);
    lab.paper("p", &study("s", SOBOL).replace("seed = 7", "seed = 8"));
    lab.run("verify").assert_finds(&["p/s: the study is stale: seed changed"]);
    lab.paper("p", "");
    lab.succeed("verify").assert_prints(&["no manifest has study p/s, so only its seal is checked"]);
    lab.remove("paper-configs");
    lab.succeed("verify").assert_prints(&["only the seals of 1 study are checked"]);
    // A study of today that has not been run.
    lab.make_folder("paper-configs");
    lab.paper("q", &study("s", SOBOL));
    lab.run("verify --current").assert_finds(&["q/s: the study has not run"]);
}

#[test]
fn trials_that_are_played_again_show_a_forged_one_in_reproductions_too() {
    let lab = sobol();
    let (file, study_of) = (lab.path("results/studies/p/s.parquet"), manifest_of(&lab, "s"));
    let untouched = fs::read(&file).unwrap();
    let all = lab.succeed("verify --recompute all");
    all.assert_prints(&["Played 8 of 8 stored trials of 1 study again (24 games)."]);
    let drawn = |more: &str| lab.run(&format!("verify --recompute 2 --json {more}")).json();
    let first = drawn("");
    let again = drawn(&format!("--seed {}", first["seed"].as_str().unwrap()));
    let trials = |outcome: &Value| outcome["studies"]["recomputed"][0][1]["trials"].clone();
    assert_eq!(trials(&first).as_array().unwrap().len(), 2);
    assert_eq!(trials(&first), trials(&again));

    let forged = |change: fn(&mut Vec<TrialRow>), words: &[&str]| {
        fs::write(&file, &untouched).unwrap();
        forge(&file, &study_of, change);
        lab.succeed("render --json");
        lab.succeed("verify");
        lab.run("verify --recompute all").assert_finds(words);
    };
    forged(|rows| raise(rows, 5), &["p/s: played again: trial 5 (skill=", "the score of game 15 is "]);
    let other_digest = |rows: &mut Vec<TrialRow>| {
        let TrialOutcome::Played { digest, .. } = &mut rows[6].outcome else { panic!("it faulted") };
        "01234567".clone_into(digest);
    };
    forged(other_digest, &["trial 6 (skill=", "the digest of its games is 01234567, and "]);
    let faulted = |rows: &mut Vec<TrialRow>| {
        let (game, ending) = (rows[3].games.start, Ending::AgentError);
        rows[3].outcome = TrialOutcome::Faulted { game, ending, reason: "forged".to_owned() };
    };
    forged(faulted, &["trial 3 (skill=", "ended by agent-error, and without a fault when played again"]);
    fs::write(&file, &untouched).unwrap();
    lab.succeed("render --json");
    let outcome = lab.json_of("reproduce --quiet");
    let studies = &outcome["verified"]["studies"];
    assert_eq!(studies["checked"][0]["trials"], 8, "{outcome:#}");
    assert_eq!(studies["recomputed"][0][1]["games"], 1);
    forge(&file, &study_of, |rows| {
        (0..rows.len()).for_each(|trial| raise(rows, trial));
    });
    lab.run("reproduce --quiet").assert_finds(&["p/s: played again: trial ", "the score of game "]);
}

#[test]
fn trials_that_faulted_fault_again_when_they_are_played_again() {
    let faulty = format!("{SOBOL}\nparams = {{ fails_from = 0.5 }}\nfault_share = \"1/1\"");
    let lab = lab(&study("s", &faulty));
    lab.succeed("study --no-winners --quiet");
    let faults = lab.json_of("verify")["studies"]["checked"][0]["faults"].clone();
    assert!(faults.as_u64().unwrap() > 0, "{faults}");
    lab.succeed("verify --recompute all");
    let study_of = manifest_of(&lab, "s");
    forge(&lab.path("results/studies/p/s.parquet"), &study_of, |rows| {
        let faulted = rows.iter_mut().find(|row| row.scores().is_none()).unwrap();
        let TrialOutcome::Faulted { game, .. } = &mut faulted.outcome else { unreachable!() };
        *game = if *game == faulted.games.start { faulted.games.end - 1 } else { faulted.games.start };
    });
    lab.run("verify --recompute all").assert_finds(&["but when played again game "]);
}

#[test]
fn a_diff_compares_studies() {
    let lab = genetic();
    let copy = |from: &str, to: &str| {
        for part in ["results", "paper-configs"] {
            fs::create_dir_all(lab.path(to)).unwrap();
            let _ = fs::remove_dir_all(lab.path(to).join(part));
            copy_folder(&lab.path(from).join(part), &lab.path(to).join(part));
        }
    };
    copy(".", "before");
    let same = lab.succeed("diff before .");
    same.assert_prints(&["1 study: 1 identical."]);
    lab.paper("p", &study("s", GENETIC).replace("population = 6", "population = 8"));
    lab.succeed("reproduce --quiet");
    copy(".", "after");
    let ran = lab.run("diff before after");
    ran.assert_finds(&[
        "1 study: 1 changed.",
        "p/s: changed",
        "method.population: 6 → 8",
        "first difference: trial ",
    ]);
    let json = lab.run("diff before after --json").json();
    let changed = &json["studies"][0];
    assert_eq!((&changed["state"], &changed["study"]), (&"changed".into(), &"p/s".into()));
    assert!(changed["before"]["best"]["point"].is_number() && changed["after"]["best"]["n"] == 3, "{json:#}");
    lab.run("diff before after --markdown").assert_prints(&["<details><summary>p/s: changed</summary>"]);
    // Other trials under the same identity should never be.
    let study_of = manifest::load(&lab.path("before/paper-configs/p.toml")).unwrap().studies.remove(0);
    copy("before", "after");
    forge(&lab.path("after/results/studies/p/s.parquet"), &study_of, |rows| raise(rows, 17));
    let ran = lab.run("diff before after");
    let words =
        ["ALARM: same identity, different trials", "trial 17: the same parameters give another result"];
    ran.assert_finds(&words);
}

#[test]
fn a_bundle_has_its_studies_and_notices_when_they_are_forged() {
    let lab = genetic();
    track(&lab);
    let elsewhere = Lab::new();
    elsewhere.build_plugin(TUNED, "tuned-0", &[]);
    fs::copy(bundle(&lab, "bundles", ""), elsewhere.path("b.tar.zst")).unwrap();
    elsewhere
        .succeed("verify b.tar.zst")
        .assert_prints(&["Verified 18 trials (54 games) of 1 study.", "All as stored."]);
    elsewhere.succeed("unbundle b.tar.zst open");
    let metadata = elsewhere.json("open/ro-crate-metadata.json");
    let graph = list(&metadata["@graph"]);
    let action = graph.iter().find(|entity| entity["name"] == "p/s: 18 trials of tuned").unwrap();
    assert_eq!(action["@type"], "CreateAction");
    assert_eq!(action["result"][0]["@id"], "results/studies/p/s.parquet");
    assert_eq!(action["object"]["@id"], "paper-configs/p.toml");
    let is_there = |id: &Value| graph.iter().any(|entity| entity["@id"] == *id);
    assert!(is_there(&action["instrument"]["@id"]) && is_there(&action["result"][0]["@id"]));

    // Winners have the parameters of the bundle's study, which is run only if it is named.
    let played = elsewhere.json_of("reproduce --from b.tar.zst");
    assert_eq!(list(&played["experiments"]).len(), 3, "{played:#}");
    assert_eq!(list(&played["studies"]).len(), 0);
    let named = elsewhere.json_of("reproduce --from open p/s");
    let searched = &named["studies"][0];
    assert_eq!((&searched["trials"], &searched["difference"]), (&18.into(), &Value::Null));
    assert_eq!(searched["stored_digest"], searched["played_digest"]);

    let name = "results/studies/p/s.parquet";
    forge(&elsewhere.path("open").join(name), &manifest_of(&lab, "s"), |rows| raise(rows, 2));
    elsewhere.run("verify open").assert_finds(&[name]);
    for folder in ["open/results", "open"] {
        mend_checksums(&elsewhere.path(folder));
    }
    let words = ["results/studies/p/s.parquet: trial ", "is not what the method proposes"];
    elsewhere.run("verify open").assert_finds(&words);
    elsewhere.run("reproduce --from open").assert_fails(1, &["the bundle is damaged", words[1]]);
    // Nor is such a study bundled.
    forge(&lab.path(name), &manifest_of(&lab, "s"), |rows| raise(rows, 2));
    lab.run("bundle --allow-dirty --allow-stale").assert_fails(1, &["damaged", words[1]]);
}

#[test]
fn parts_that_were_played_elsewhere_are_merged_into_one_study() {
    let (expected, here) = (genetic(), lab(&study("s", GENETIC)));
    let part = |part: &str, name: &str| {
        let there = lab(&study("s", GENETIC));
        there.succeed(&format!("study --shard {part} --quiet"));
        fs::copy(there.path("results/studies/p").join(name), here.path(name)).unwrap();
    };
    let names = ["s.part-1-of-2.journal", "s.part-2-of-2.journal"];
    part("1/2", names[0]);
    part("2/2", names[1]);
    here.succeed(&format!("merge {} {}", names[0], names[1])).assert_prints(&[
        "p/s: 3 trials of part 1/2 in results/studies/p/s.part-1-of-2.journal; `pipeline study p/s`",
    ]);
    let report = here.json_of("study --no-winners");
    assert_eq!(report["studies"][0]["played"], 12, "the first batch was there");
    assert_eq!(digest(&here), digest(&expected));
    here.succeed("merge results/studies/p/s.parquet")
        .assert_prints(&["p/s: 18 trials of a whole study, there already; digest "]);
    here.write(names[0], "no journal");
    here.run(&format!("merge {}", names[0])).assert_fails(2, &["not the journal of a part of a study"]);
}

#[test]
fn merging_copies_a_complete_study_and_never_over_another() {
    let (there, here) = (genetic(), Lab::new());
    let (from, to) = (there.path("results/studies/p/s.parquet"), here.path("results/studies/p/s.parquet"));
    let whole = fs::read(&from).unwrap();
    let part = lab(&study("s", GENETIC));
    part.succeed("study --shard 1/2 --quiet");
    let journal = "results/studies/p/s.part-1-of-2.journal";
    fs::copy(part.path(journal), there.path(journal)).unwrap();
    for late in ["results/records/p/late.journal", "results/studies/p/later.journal"] {
        fs::write(there.path(late), "").unwrap();
    }
    let folder = there.path("results").display().to_string();
    let merge = || here.run(&format!("merge {folder}"));
    let taken = ["p/s: 18 trials of a whole study; digest ", "p/s: 3 trials of part 1/2 in "];
    merge().assert_prints(&taken);
    assert!(fs::read(&to).unwrap() == whole, "to the byte");
    let late = ["late.journal", "later.journal"]
        .map(|file| format!("{file}: passed over, since its run is not finished"));
    merge().assert_prints(&["p/s: 18 trials of a whole study, there already", &late[0], &late[1]]);
    fs::write(&to, "another").unwrap();
    merge()
        .assert_fails(1, &["there is already another result of this study", "results/studies/p/s.parquet"]);
    assert_eq!(fs::read(&to).unwrap(), b"another", "neither is lost");
    fs::remove_file(&to).unwrap();
    fs::write(&from, &whole[..whole.len() / 2]).unwrap();
    merge().assert_fails(1, &["results/studies/p/s.parquet", "copy it again from the machine"]);
    assert!(!to.exists());
}
