//! A small search that nobody played, stored and then told in tables, figures and the report.

use jobs::Canonical as _;
use project::Project;
use records::{Identity, Layout};
use serde_json::{Map, Value, json};
use studies::{Effort, GameFigures, Player, StudyHeader, StudyIdentity, TrialOutcome, store};

use super::*;
use crate::tables::{ReportInput, table, tables};

/// A paper with two studies that differ in name and seed.
fn config() -> String {
    let study = |id: &str, name: &str, seed: u32| {
        format!(
            r#"
            [[study]]
            id = "{id}"
            name = "Weights, {name}"
            agent = "random"
            games = 4
            seed = {seed}
            params = {{ kind = "it's" }}
            method = {{ kind = "sobol", points = 16, batch = 8 }}
            winners = {{ best = 2, games = 50, seed = 4096 }}
            [study.space]
            order = {{ choices = ["URDL", "LRUD"] }}
            weight = {{ from = 0, to = 8, digits = 1 }}
            "#
        )
    };
    let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n";
    [citation, &study("find-a", "first", 1), &study("find-b", "second", 2)].concat()
}

/// What a game comes to: better with a larger weight, with luck that depends on the game.
fn figures(point: &Point, game: u64) -> GameFigures {
    let luck = (game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as u32;
    GameFigures {
        score: 1000 + (point.values()[1] * 10.0) as u32 + luck,
        effort: Effort { moves: 10, nodes: 20 },
    }
}

fn rows(study: &Study) -> Vec<TrialRow> {
    let searched = study.to_search();
    let mut proposer = study.method.proposer(&searched);
    let (mut rows, mut finished) = (Vec::new(), Vec::new());
    loop {
        let proposals = proposer.next(&finished);
        if proposals.is_empty() {
            return rows;
        }
        let first = rows.len();
        for proposal in proposals {
            let games: Vec<GameFigures> =
                proposal.games.clone().map(|game| figures(&proposal.point, game)).collect();
            let outcome = TrialOutcome::of_games(study, &games, "0123456789abcdef");
            rows.push(TrialRow::of(rows.len() as u64, finished.len() as u32, proposal, outcome));
        }
        finished.push(rows[first..].iter().map(|row| row.to_trial(&study.objectives)).collect());
    }
}

fn games(study: &Study, params: Map<String, Value>, score: u32) -> Games {
    let (rules, seed) = (study.rules.clone(), study.winners.seed);
    let identity = Identity::new(rules, ("random", "1"), params, study.budget, seed, None);
    fixtures::games(identity, (0..50).map(|game| score + game % 7))
}

/// The paper, with both studies stored; the winners of the first one were played again, and score 1,010 where
/// its default scores 1,000.
fn told(test: impl FnOnce(ReportInput<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    std::fs::write(&file, config()).unwrap();
    let layout = Layout::new(folder.path().join("results"));
    let papers = vec![manifest::load(&file).unwrap()];
    for study in &papers[0].studies {
        let key = Key::new("p", &study.id);
        let player = Player {
            version: "1".to_owned(),
            params: study.params.clone(),
            files: [].into(),
            signatures: vec!["s".to_owned()],
        };
        let header = StudyHeader {
            study: key.to_string(),
            identity: StudyIdentity::new(study, player).stored(),
            manifest: json!({}),
            provenance: Vec::new(),
        };
        store::write(&layout.study(&key), study, &header, &rows(study)).unwrap();
    }
    let Project { papers, studies: stored, .. } = Project::resolve(papers, &layout, |_| None);
    let study = &papers[0].studies[0];
    let played = papers[0].experiments.iter().filter(|experiment| experiment.id.starts_with("find-a"));
    let evidence: Evidence = played
        .map(|experiment| {
            let mut params = experiment.params.clone();
            let is_default = experiment.winner.is_none();
            if is_default {
                params.extend([("order".to_owned(), json!("URDL")), ("weight".to_owned(), json!(0.5))]);
            }
            let key = Key::new("p", &experiment.id);
            (key, games(study, params, if is_default { 1000 } else { 1010 }))
        })
        .collect();
    let evidence = evidence.with_studies(stored, &layout).unwrap();
    let views = StudyView::all(&papers, &evidence);
    test(ReportInput {
        papers: &papers,
        evidence: &evidence,
        verdicts: &[],
        studies: &views,
        trainings: &[],
    });
}

#[test]
fn optimism_is_what_the_study_thought_less_what_its_best_is_worth() {
    told(|input| {
        let view = &input.studies[0];
        let (seen, worth) = (view.winners[0].score.unwrap().point, view.held_out(1).unwrap().score.point);
        assert!(seen > worth, "{seen} {worth}");
        assert_eq!(view.optimism(1).unwrap().point, seen - worth);
        let gain = view.gain(1).unwrap();
        assert_eq!((gain.point, gain.low, gain.n), (10.0, 10.0, 50), "pairs differ by ten points each");
        let table = table(input, "p-studies");
        let cell = |row: usize, heading: &str| {
            let column = table.header.iter().position(|other| other == heading).unwrap();
            table.rows[row][column].text()
        };
        assert_eq!((cell(0, "Trials"), cell(0, "Games")), ("16".to_owned(), "64".to_owned()));
        assert!(cell(0, "Best less default").starts_with("10 [10, 10]"), "{}", cell(0, "Best less default"));
        assert_eq!(cell(1, "Held out"), "", "the second study's winners were not played");
    });
}

#[test]
fn studies_of_one_kind_share_figures_that_are_named_by_what_they_have_in_common() {
    told(|input| {
        let groups = StudyGroup::of_paper(input.studies, "p");
        assert_eq!((groups.len(), groups[0].id.as_str(), groups[0].title.as_str()), (1, "find", "Weights"));
        assert_eq!(groups[0].label(groups[0].studies[1]), "second");
        let drawn = crate::illustrations::draw(input).unwrap();
        let ids: Vec<&str> = drawn.iter().map(|drawn| drawn.figure.id.as_str()).collect();
        let kinds = ["convergence", "slices", "parallel", "importance"];
        assert_eq!(ids, kinds.map(|kind| format!("p-find-{kind}")));
        assert!(drawn.iter().all(|drawn| drawn.group.as_deref() == Some("find")));
        assert!(drawn[0].svg.contains("experiment=\"p/find-b\""), "a figure names its studies");
    });
}

#[test]
fn the_report_tells_what_a_winner_is_worth_and_offers_its_parameters() {
    told(|input| {
        let tables = tables(input);
        let drawn = crate::illustrations::draw(input).unwrap();
        let page =
            crate::report::compose::PageInput { input, concluded: &[], tables: &tables, drawn: &drawn };
        let paper = page.paper(&input.papers[0], &verdict::Summary::of(&[]));
        let section = &paper.studies[0];
        assert_eq!((section.jobs.len(), section.figures.len()), (2, 4));
        assert!(paper.figures.is_empty(), "figures of studies stand with the studies");
        let [first, second] = section.jobs.as_slice() else { panic!("two studies") };
        assert!(
            first.text.contains("On 50 games that the study never saw, it scores 1,013"),
            "{}",
            first.text
        );
        assert!(first.text.contains("it is better than the default, by 10"), "{}", first.text);
        assert!(second.text.ends_with("It has not been played on held-out games yet."), "{}", second.text);
        let offer = &first.offers[0];
        assert_eq!(offer.experiment.as_deref(), Some("p/find-a-best-1"));
        assert!(offer.command.starts_with("pipeline eval 'random,kind=it'\\''s,order="), "{}", offer.command);
        assert!(offer.command.ends_with(" --games 50 --seed 4096"), "{}", offer.command);
    });
}
