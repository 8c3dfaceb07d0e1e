//! A training that nobody did, told in tables, figures and the report.

use std::collections::BTreeMap;

use ::trainings::{Curve, GamesOfARow, TrainingHeader, TrainingIdentity};
use engine::Rules;
use engine::agent::Budget;
use records::Identity;
use serde_json::{Map, Value, json};
use verdict::evidence::Evidence;

use super::*;
use crate::tables::{Table, table, tables};

const SHA256: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

const CONFIG: &str = r#"
    comparison = true
    [citation]
    title = "T"
    authors = ["A"]
    [[training]]
    id = "net"
    agent = "learner"
    params = { alpha = 0.5 }
    games = 2500
    points = [{ games = 4000, mean = 21000, label = "Table 2" }]
    [[experiment]]
    id = "learned"
    agent = "learner"
    files = { weights = "net" }
    games = 5
    [[experiment]]
    id = "not-learned"
    agent = "random"
    games = 5
    [[figure]]
    id = "pareto"
    title = "Score against time"
    kind = "pareto"
    experiments = ["learned", "not-learned"]
"#;

fn games(score: u32, files: BTreeMap<String, String>) -> Games {
    let identity = Identity::new(Rules::default(), ("learner", "1"), Map::new(), Budget::None, 2048, None);
    fixtures::games(identity.with_files(files), (0..5).map(|game| score + 4 * game))
}

fn stored(training: &Training) -> StoredTraining {
    let mut curve = Curve::default();
    for (games, score_sum, won) in [(1000, 4_000_000, 10), (1000, 12_000_000, 500), (500, 9_000_000, 400)] {
        curve.add(GamesOfARow { games, moves: 400 * games, score_sum, reached: [won, 0, 0, 0] });
    }
    let identity: Value = json!({
        "form": 1, "rules": Rules::default(), "agent": training.agent, "training_version": "1",
        "params": training.params, "games": training.games, "seed": format!("{:016x}", training.seed), "signature": null
    });
    let identity: TrainingIdentity = serde_json::from_value(identity).unwrap();
    let digest = curve.digest();
    let artefact = ArtefactOf {
        role: "weights".to_owned(),
        sha256: SHA256.to_owned(),
        raw_bytes: 8_388_672,
        packed_bytes: 1_915_241,
    };
    let cost = Cost { games: 2500, moves: 1_000_000, cpu_ns: 9_000_000_000_000 };
    let header = TrainingHeader {
        training: "p/net".to_owned(),
        identity,
        manifest: json!({}),
        artefact,
        cost,
        provenance: Vec::new(),
    };
    StoredTraining { header, curve, digest }
}

/// The paper with its training; one experiment plays with a file of this hash, the other with none.
fn told(played_with: &str, test: impl FnOnce(ReportInput<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    std::fs::write(&file, CONFIG).unwrap();
    let papers = [manifest::load(&file).unwrap()];
    let key = |id: &str| Key::new("p", id);
    let files = [("weights".to_owned(), played_with.to_owned())].into();
    let evidence: Evidence =
        [(key("learned"), games(20_000, files)), (key("not-learned"), games(1000, BTreeMap::new()))]
            .into_iter()
            .collect();
    let training = &papers[0].trainings[0];
    let views = [TrainingView { paper: &papers[0], training, stored: stored(training) }];
    test(ReportInput {
        papers: &papers,
        evidence: &evidence,
        verdicts: &[],
        studies: &[],
        trainings: &views,
    });
}

fn cells(table: &Table, heading: &str) -> Vec<String> {
    let column =
        table.header.iter().position(|other| other == heading).unwrap_or_else(|| panic!("no {heading}"));
    table.rows.iter().map(|row| row[column].text()).collect()
}

#[test]
fn the_comparison_says_what_learning_cost_beside_those_that_learned() {
    told(SHA256, |input| {
        let cross = table(input, "p");
        assert_eq!(cells(&cross, "Training games"), ["2,500", ""]);
        assert_eq!(cells(&cross, "Training moves"), ["1,000,000", ""]);
        assert_eq!(cells(&cross, "Training CPU time"), ["2.5 CPU hours", ""]);
        assert!(cross.caption.contains("empty where it learned nothing"), "{}", cross.caption);
    });
    told(&"0".repeat(64), |input| {
        let cross = table(input, "p");
        assert!(
            !cross.header.iter().any(|heading| heading.starts_with("Training")),
            "its file is another one"
        );
    });
}

#[test]
fn the_table_of_trainings_has_the_end_of_the_curve_and_the_artefact() {
    told(SHA256, |input| {
        let trainings = table(input, "trainings");
        let row = |heading: &str| cells(&trainings, heading).concat();
        assert_eq!(row("Training"), "p/net");
        // The last tenth are 250 games, which lie in the last row of 500.
        assert_eq!(
            (row("Mean score at the end"), row("Reaches 2048 at the end")),
            ("18,000".into(), "80 %".into())
        );
        assert_eq!((row("Artefact"), row("Bytes packed")), (SHA256[..16].to_owned(), "1,915,241".into()));
    });
}

#[test]
fn curves_have_a_figure_of_their_own_and_the_pareto_figure_tells_what_learning_cost() {
    told(SHA256, |input| {
        let drawn = crate::illustrations::draw(input).unwrap();
        let drawn = |id: &str| drawn.iter().find(|drawn| drawn.figure.id == id).unwrap();
        let learning = drawn("p-learning");
        assert_eq!(learning.figure.alt, "Mean scores while learning: net 18,000 after 2,500 games.");
        assert!(learning.svg.contains("experiment=\"p/net\""), "a figure names its trainings");
        let pareto = &drawn("p-pareto").figure.alt;
        let cost = "Trained beforehand: learned (2,500 games, 1,000,000 moves, 2.5 CPU hours).";
        assert!(pareto.ends_with(cost), "{pareto}");
    });
}

#[test]
fn the_report_tells_what_was_trained_and_how_to_do_it_again() {
    told(SHA256, |input| {
        let drawn = crate::illustrations::draw(input).unwrap();
        let page = crate::report::compose::PageInput {
            input,
            concluded: &[],
            tables: &tables(input),
            drawn: &drawn,
        };
        let paper = page.paper(&input.papers[0], &verdict::Summary::of(&[]));
        assert!(
            !paper.figures.iter().any(|figure| figure.id == "p-learning"),
            "curves stand with the trainings"
        );
        let section = paper.trainings.unwrap();
        assert_eq!(section.figures.len(), 1);
        let [training] = section.jobs.as_slice() else { panic!("one training") };
        assert_eq!(training.players, ["p/learned"]);
        assert_eq!(training.facts[0], ("Parameters", "alpha=0.5".to_owned()));
        let command = "cargo run --release -- train p/net --fresh".to_owned();
        assert_eq!(training.codes[1], ("Train it", command));
        assert_eq!(training.size, "8.4 MB, 1.9 MB packed");
        assert!(training.text.contains("In its last 500 games"), "{}", training.text);
    });
}

#[test]
fn times_and_sizes_are_told_in_the_unit_that_fits_them() {
    let cost = |cpu_ns| Cost { games: 1, moves: 2500, cpu_ns };
    assert_eq!(cost_text(&cost(12_340_000_000)), "1 game, 2,500 moves, 12.3 CPU seconds");
    assert_eq!(cpu_time(&cost(600_000_000_000)), "10.0 CPU minutes");
    assert_eq!(cpu_time(&cost(9_000_000_000_000)), "2.5 CPU hours");
    assert_eq!([1, 999, 1500, 22_800_000].map(size), ["1 byte", "999 bytes", "1.5 kB", "22.8 MB"]);
}

#[test]
fn rows_are_summed_by_their_games_and_none_give_nothing() {
    let mut curve = Curve::default();
    curve.add(GamesOfARow { games: 10, moves: 100, score_sum: 1000, reached: [1, 0, 0, 0] });
    curve.add(GamesOfARow { games: 30, moves: 100, score_sum: 9000, reached: [3, 0, 0, 0] });
    assert_eq!(Stretch::of(curve.rows()), Some(Stretch { games: 40, mean: 250.0, won: 0.1 }));
    assert_eq!(Stretch::of(&[]), None);
}
