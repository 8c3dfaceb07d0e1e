//! Claims that rest on studies.

use super::*;
use crate::EvidenceError;
use jobs::{Canonical as _, Key};
use manifest::Study;
use records::Layout;
use studies::{
    Effort, GameFigures, Player, StoredStudies, StudyHeader, StudyIdentity, TrialOutcome, TrialRow, store,
};

/// Two ways to search, with two studies each, and a claim that the first is better.
fn searches() -> String {
    let study = |id: &str, kind: &str| {
        format!(
            "[[study]]\nid = \"{id}\"\nagent = \"random\"\ngames = 1\nseed = 1\nobjectives = [\"score\", \"cost\"]\n\
             method = {{ kind = \"{kind}\", points = 4, batch = 2 }}\nwinners = {{ best = 1, games = 10, seed = 2 }}\n\
             space = {{ x = {{ from = 0, to = 9, integer = true }} }}\n"
        )
    };
    let studies = [("a-1", "sobol"), ("a-2", "sobol"), ("b-1", "latin"), ("b-2", "latin")];
    let claim = "[[claim]]\nid = \"c\"\nkind = \"ordinal\"\ntext = \"t\"\nplace = \"p\"\nmetric = \"hypervolume\"\n\
         better_studies = [\"a-1\", \"a-2\"]\nworse_studies = [\"b-1\", \"b-2\"]\n";
    studies.map(|(id, kind)| study(id, kind)).concat() + claim
}

#[test]
fn a_claim_on_studies_that_were_not_run_waits_for_them() {
    let papers = [paper(&searches())];
    let evidence = usual();
    let verdicts = judge(&papers, &evidence);
    assert_eq!(verdicts[0].ruling, Ruling::Untestable);
    assert!(verdicts[0].lacks_games && !verdicts[0].rests_on_timing);
    assert_eq!(
        verdicts[0].sentence(),
        "Cannot be tested: study p/a-1 was not run; `pipeline study p/a-1` runs it."
    );
}

/// Stores a study whose trials come to so many points, each at a lower cost than the one before it.
fn store(layout: &Layout, study: &Study, score: u32) {
    let figures = |trial: u64| {
        let effort = Effort { moves: 10, nodes: 100 - 10 * trial };
        [GameFigures { score, effort }]
    };
    let mut rows: Vec<TrialRow> = Vec::new();
    for batch in 0..2 {
        let finished = studies::verify::batches(study, &rows);
        for proposal in study.method.propose(&study.to_search(), &finished) {
            let trial = rows.len() as u64;
            let outcome = TrialOutcome::of_games(study, &figures(trial), "0123456789abcdef");
            rows.push(TrialRow::of(trial, batch, proposal, outcome));
        }
    }
    let (version, signatures) = ("1".to_owned(), Vec::new());
    let player = Player { version, params: study.params.clone(), files: [].into(), signatures };
    let header = StudyHeader {
        study: format!("p/{}", study.id),
        identity: StudyIdentity::new(study, player).stored(),
        manifest: serde_json::Value::Null,
        provenance: Vec::new(),
    };
    let key = Key::new("p", &study.id);
    store::write(&layout.study(&key), study, &header, &rows).unwrap();
}

/// The usual games, and the studies of a folder.
fn read(papers: &[Paper], layout: &Layout) -> Result<Evidence, EvidenceError> {
    usual().with_studies(StoredStudies::read(papers, layout), layout)
}

/// The evidence of a folder in which these studies are stored, each with its points.
fn searched(papers: &[Paper], points: &[(&str, u32)]) -> Evidence {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path());
    for (id, score) in points {
        store(&layout, papers[0].study(id).unwrap(), *score);
    }
    read(papers, &layout).unwrap()
}

#[test]
fn studies_that_reach_more_in_every_pair_confirm_the_order_and_their_opposite_contradicts_it() {
    let papers = [paper(&searches())];
    let told = |a: [u32; 2], b: [u32; 2]| {
        let points = [("a-1", a[0]), ("a-2", a[1]), ("b-1", b[0]), ("b-2", b[1])];
        let evidence = searched(&papers, &points);
        let verdict = judge(&papers, &evidence).remove(0);
        let texts = verdict.texts.clone();
        (verdict.ruling, verdict.sentence(), texts)
    };
    let (ruling, sentence, texts) = told([1000, 1000], [400, 400]);
    assert_eq!(ruling, Ruling::Confirmed, "{sentence}");
    assert!(sentence.ends_with("2 pairs of studies bear it out."), "{sentence}");
    assert!(sentence.starts_with("On the average of the games spent, the front of the first"), "{sentence}");
    assert_eq!(texts.games, "2 / 2 studies");
    assert!(texts.expected.starts_with("lead ") && texts.expected.ends_with(" percentage points"));
    let (ruling, sentence, _) = told([400, 400], [1000, 1000]);
    assert_eq!(ruling, Ruling::Contradicted);
    assert!(sentence.ends_with("2 pairs of studies show the opposite."), "{sentence}");
    let (ruling, sentence, _) = told([1000, 400], [400, 1000]);
    assert_eq!(ruling, Ruling::Undecided);
    assert!(sentence.ends_with("2 pairs of studies do not tell the two apart."), "{sentence}");
    let (ruling, sentence, _) = told([0, 0], [0, 0]);
    assert_eq!(ruling, Ruling::Untestable, "there is no share of nothing: {sentence}");
}

#[test]
fn only_studies_that_were_run_as_the_manifest_has_them_are_evidence() {
    let papers = [paper(&searches())];
    let evidence = searched(&papers, &[("a-1", 100), ("b-2", 200)]);
    let found: Vec<(String, usize)> =
        evidence.studies().map(|(key, searched)| (key.to_string(), searched.rows.len())).collect();
    assert_eq!(found, [("p/a-1".to_owned(), 4), ("p/b-2".to_owned(), 4)]);
    let other = [paper(&searches().replace("seed = 1\n", "seed = 9\n"))];
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path());
    store(&layout, papers[0].study("a-1").unwrap(), 100);
    assert_eq!(read(&other, &layout).unwrap().studies().count(), 0, "another seed");
    let file = layout.study(&"p/a-1".parse().unwrap());
    std::fs::write(file.path(), "no study").unwrap();
    assert!(read(&papers, &layout).is_err(), "a broken one is told");
}
