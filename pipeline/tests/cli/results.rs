//! A results folder can be trusted: nothing is forgotten, and every change is found.

use crate::common::prelude::*;

/// A paper with an experiment and a claim on it.
fn paper(agent: &str) -> String {
    let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n";
    let games = experiment("e", agent, 12, "method = \"M\"");
    format!("{citation}{games}{}", mean_score("average", "e", 1100, "assumed_n = 50"))
}

/// A laboratory without a folder of manifests, and two manifests in it.
fn two_manifests() -> Lab {
    let lab = Lab::new();
    lab.remove("paper-configs");
    lab.write("one.toml", paper("random"));
    lab.write("other.toml", paper("fixed-cycle"));
    lab
}

/// The same with the first one reproduced.
fn reproduced() -> Lab {
    copy_of("results", || {
        let lab = two_manifests();
        lab.succeed("reproduce one.toml");
        lab
    })
}

#[test]
fn results_that_are_not_named_are_neither_forgotten_nor_deleted() {
    let lab = reproduced();
    let before = result_files(&lab);
    let verdict = lab.json("results/claims.json")["claims"][0].clone();
    lab.succeed("run other.toml");
    assert!(lab.json("results/index.json")["experiments"]["one/e"].is_object());
    lab.succeed("render other.toml")
        .assert_prints(&["1 paper with stored results was not named and is not in this report: one.\n"]);
    let after = result_files(&lab);
    for (name, bytes) in before.iter().filter(|(name, _)| name.contains("one")) {
        assert!(after.get(name) == Some(bytes), "{name} is gone, or another");
    }
    let claims = lab.json("results/claims.json");
    assert_eq!((claims["claims"][0]["paper"].as_str(), &claims["kept"][0]), (Some("other"), &verdict));
    assert_eq!(claims["summary"]["papers"].as_object().unwrap().len(), 1, "{claims}");
    let page = lab.read("results/report/index.html");
    assert!(!page.contains("one/e") && !page.contains("one&#x2f;e"), "the report is of what was named");
    lab.succeed("verify");

    // Named together, they are together.
    lab.succeed("render one.toml other.toml").assert_omits(&["not in this report"]);
    let claims = lab.json("results/claims.json");
    assert_eq!((claims["claims"].as_array().map(Vec::len), claims.get("kept")), (Some(2), None));
    lab.succeed("claims --gate results/claims.json other.toml");
}

#[test]
fn rendering_removes_its_earlier_files_of_the_same_papers_and_nothing_else() {
    let lab = two_manifests();
    lab.write("one-two.toml", paper("score-greedy"));
    lab.succeed("reproduce one-two.toml");
    lab.succeed("reproduce other.toml");
    let kept =
        ["figures/nobody-scores.svg", "figures/notes.txt", "figures/one.txt", "tables/oneself-results.md"];
    let gone = ["figures/one-gone.svg", "tables/one.csv"];
    for name in kept.iter().chain(&gone) {
        lab.write(&format!("results/{name}"), "made before");
    }
    lab.succeed("reproduce one.toml");
    let after = result_files(&lab);
    for name in kept.iter().chain(&["tables/one-two-experiments.md", "figures/other-scores.svg"]) {
        assert!(after.contains_key(*name), "{name}");
    }
    for name in gone {
        assert!(!after.contains_key(name), "{name}");
    }
}

#[test]
fn an_experiment_that_a_manifest_has_dropped_stays_in_the_index_until_its_records_go() {
    let lab = two_manifests();
    lab.write("one.toml", paper("random") + &experiment("f", "random", 2, "seed = 7"));
    lab.succeed("reproduce one.toml");
    lab.write("one.toml", paper("random"));
    lab.succeed("reproduce one.toml");
    assert!(lab.json("results/index.json")["experiments"]["one/f"].is_object());
    let table = lab.read("results/tables/one-experiments.md");
    assert_has(&table, &["| e "]);
    assert_lacks(&table, &["| f "]);
    lab.succeed("verify");
    fs::remove_file(lab.records_file("one/f")).unwrap();
    lab.run("verify")
        .assert_finds(&["one/f.parquet: it is missing", "`one/f`: results/records/one/f.parquet is missing"]);
    lab.remove("results/timing/one/f.parquet");
    lab.succeed("run one.toml");
    assert!(lab.json("results/index.json")["experiments"].get("one/f").is_none());
    lab.succeed("verify");
}

#[test]
fn every_file_that_is_changed_missing_new_or_without_a_seal_is_named() {
    let lab = reproduced();
    lab.succeed("verify").assert_prints(&["\nAll as stored. "]).assert_omits(&["SHA256SUMS"]);
    let whole = result_files(&lab);
    for (name, bytes) in &whole {
        let path = lab.path("results").join(name);
        fs::write(&path, flip(bytes, bytes.len() / 2)).unwrap();
        // A changed hash in the list is reported under the name of its file.
        let told = if name == "SHA256SUMS" { name.clone() } else { format!("results/{name}") };
        lab.run("verify").assert_finds(&[&told]);
        fs::write(&path, bytes).unwrap();
    }
    lab.remove("results/tables/one-claims.md");
    lab.write("results/tables/two-claims.csv", "new");
    lab.run("verify results").assert_finds(&[
        "results/tables/one-claims.md: it is missing",
        "results/tables/two-claims.csv: it is not in SHA256SUMS",
        "run `pipeline render` to write the list again",
    ]);
    lab.succeed("render one.toml");
    lab.succeed("verify");
    let timing = lab.path("results/timing/one/e.parquet");
    let older = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/records/src/store/older-timing.parquet");
    fs::copy(older, &timing).unwrap();
    lab.remove("results/SHA256SUMS");
    lab.run("verify").assert_finds(&["timing/one/e.parquet: it has no seal; `pipeline render` seals it"]);
    lab.succeed("render one.toml");
    lab.succeed("verify");
    assert_eq!(records::store::read_timing(&confined(&timing)).unwrap().len(), 3);
}

#[test]
fn an_index_that_was_swapped_is_noticed_without_the_list() {
    let lab = reproduced();
    lab.remove("results/SHA256SUMS");
    lab.succeed("verify")
        .assert_prints(&["results/SHA256SUMS: there is no list of hashes; `pipeline render`"]);
    let index = lab.read("results/index.json");
    for (from, to, words) in [
        ("\"games\": 12", "\"games\": 13", "has a different number of games"),
        ("\"digest\": \"", "\"digest\": \"0", "has another digest"),
        ("\"identity\": \"", "\"identity\": \"0", "has another identity"),
        ("\"records\": \"one/e\"", "\"records\": \"one/f\"", "one/f.parquet is missing"),
        ("\"records\": \"one/e\"", "\"records\": \"../../one/e\"", "does not name a job"),
    ] {
        lab.write("results/index.json", index.replace(from, to));
        lab.run("verify").assert_finds(&["results/index.json: ", words]);
    }
    lab.write("results/index.json", index);
    lab.write("results/claims.json", "{}");
    lab.run("verify").assert_finds(&["claims.json: not a file of verdicts"]);
    lab.run("render one.toml").assert_fails(1, &["claims.json: not a file of verdicts"]);
}

#[test]
fn links_pipes_and_loops_are_reported_and_no_game_counts_twice() {
    let lab = reproduced();
    lab.link(lab.path("results"), "results/records/circle");
    lab.link("e.parquet", "results/records/one/again.parquet");
    lab.link("/dev/zero", "results/figures/endless.svg");
    for pipe in ["results/records/one/pipe.parquet", "results/timing/one/pipe.parquet", "results/.cache/pipe"]
    {
        lab.named_pipe(pipe);
    }
    lab.run("verify").assert_finds(&[
        "results/records/circle: it is a link, which does not belong among results",
        "results/records/one/again.parquet: it is a link",
        "results/figures/endless.svg: it is a link",
        "results/records/one/pipe.parquet: it is a named pipe",
        "results/timing/one/pipe.parquet: it is a named pipe",
        "Replayed 12 games",
    ]);
    lab.remove("results/index.json");
    lab.named_pipe("results/index.json");
    lab.run("render one.toml").assert_fails(1, &["index.json", "it is a named pipe"]);
}

#[test]
fn links_that_came_with_a_folder_lead_nowhere_and_a_list_that_a_kill_left_behind_is_mended() {
    let lab = two_manifests();
    lab.write("precious", "kept");
    lab.make_folder("results/records/one");
    for name in ["results/.lock", "results/records/one/e.journal", "results/records/one/e.parquet.tmp"] {
        lab.link(lab.path("precious"), name);
        lab.run("run one.toml").assert_fails(1, &["it is a link, but must be a regular file"]);
        assert_eq!(lab.read("precious"), "kept", "{name}");
        let _ = fs::remove_file(lab.path(name));
    }
    lab.succeed("run one.toml");
    let list = lab.bytes("results/SHA256SUMS");
    lab.succeed("run other.toml");
    lab.write("results/SHA256SUMS", list);
    lab.run("verify").assert_finds(&[
        "results/records/other/e.parquet: it is not in SHA256SUMS",
        "If a run was killed since then, run it again",
    ]);
    lab.succeed("run other.toml");
    lab.succeed("verify");
}
