//! A page that has everything a page can have, with texts that would break out of careless markup.

use engine::conformance::rule_sets;
use manifest::{Citation, Note, NoteId, Set, Variant};
use records::Provenance;
use rendering::report::{
    CLAIM_KINDS, Claim, Experiment, Finding, Interpretation, Need, Origin, Page, PageFigure, PageReplay,
    Paper, Pick, RuleSet,
};
use rendering::tables::{Cell, Table};
use verdict::{ConclusionStatus, GroundsTexts, Reading, Ruling};

use crate::games::play;

/// A text that would run if it were not escaped.
pub(crate) const HOSTILE: &str = "</script><script>alert('1')</script> \"quoted\" & <b>bold</b>";

/// The figures of the page.
pub(crate) const FIGURES: [&str; 2] = ["one", "two"];

/// The file of every figure.
pub(crate) const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\" viewBox=\"0 0 40 20\">\
    <rect width=\"40\" height=\"20\" fill=\"#fff\"/><path d=\"M2 18l36-16\" stroke=\"#3b6ea5\"/></svg>";

/// A whole page: an experiment and three games for each rule set, and a claim for each verdict.
pub(crate) fn page() -> Page {
    let keys: Vec<String> = (1..=rule_sets().len()).map(|number| format!("sample/rules-{number}")).collect();
    Page {
        title: "A sample".to_owned(),
        lead: HOSTILE.to_owned(),
        version: "0.1.0".to_owned(),
        games: 1234,
        experiments: keys.len(),
        remarks: HOSTILE.to_owned(),
        papers: vec![paper(&keys), empty_paper()],
        cross: table("cross", &keys),
        cross_columns: 3,
        leaders: HOSTILE.to_owned(),
        provenance: vec![origin(&keys)],
        replays: replays(&keys),
        featured: Some("sample/rules-2".to_owned()),
    }
}

/// A page with nothing in it.
pub(crate) fn bare() -> Page {
    Page {
        games: 0,
        experiments: 0,
        remarks: String::new(),
        papers: vec![],
        cross: table("cross", &[]),
        leaders: String::new(),
        provenance: vec![],
        replays: vec![],
        featured: None,
        ..page()
    }
}

fn paper(keys: &[String]) -> Paper {
    Paper {
        id: "sample".to_owned(),
        citation: Citation {
            title: HOSTILE.to_owned(),
            authors: vec!["Ann O'Nym".to_owned(), "B. <i>".to_owned()],
            year: Some(2023),
            venue: Some("A & B".to_owned()),
            url: Some("https://example.org/?a=\"1\"&b=<2>".to_owned()),
            doi: Some("10.1000/182".to_owned()),
            unpublished_sha256: Some("ab".repeat(32)),
        },
        account: Some(finding(ConclusionStatus::Fallen)),
        findings: [ConclusionStatus::Carried, ConclusionStatus::Open, ConclusionStatus::Fallen]
            .map(finding)
            .to_vec(),
        interpretations: vec![interpretation("one", true), interpretation("two", false)],
        summary: HOSTILE.to_owned(),
        rules: vec![
            RuleSet { experiments: keys[..1].to_vec(), text: HOSTILE.to_owned() },
            RuleSet { experiments: keys[1..].to_vec(), text: "Others.".to_owned() },
        ],
        notes: vec![Note { id: note_id("D-1"), text: HOSTILE.to_owned() }],
        tables: vec![table("scores", keys)],
        figures: FIGURES.map(figure).to_vec(),
        claims: Ruling::ALL
            .into_iter()
            .enumerate()
            .map(|(index, verdict)| claim(index, verdict, keys))
            .collect(),
        experiments: keys.iter().map(|key| experiment(key)).collect(),
        ..Paper::default()
    }
}

/// A paper of which only the citation is known.
fn empty_paper() -> Paper {
    Paper {
        id: "empty".to_owned(),
        citation: Citation {
            title: "Nothing yet".to_owned(),
            authors: vec!["C. D.".to_owned()],
            ..Citation::default()
        },
        comparison: true,
        summary: "None.".to_owned(),
        ..Paper::default()
    }
}

fn finding(standing: ConclusionStatus) -> Finding {
    let (claim, needed, verdict) = ("claim-1".to_owned(), Ruling::Consistent, Ruling::Lower);
    Finding { text: HOSTILE.to_owned(), standing, needs: vec![Need { claim, needed, verdict }] }
}

fn interpretation(id: &str, is_best: bool) -> Interpretation {
    let reading = Reading {
        id: id.to_owned(),
        name: HOSTILE.to_owned(),
        covered: 9,
        missed: 3,
        undecided: 2,
        untested: 1,
        not_covered: 4,
        expected: 0.4,
    };
    Interpretation {
        id: id.to_owned(),
        name: HOSTILE.to_owned(),
        text: HOSTILE.to_owned(),
        conditional_on: vec![note_id("D-1")],
        is_best,
        reading: is_best.then_some(reading),
    }
}

fn texts() -> GroundsTexts {
    let [published, reproduced, expected] = ["1 < 2", "3 & 4", "[1, 2]"].map(str::to_owned);
    let [games, effect, visible] = ["1,000", "+1 %", "0.5"].map(str::to_owned);
    GroundsTexts { published, reproduced, expected, games, effect, visible }
}

fn claim(index: usize, verdict: Ruling, keys: &[String]) -> Claim {
    let some = |text: &str| (index != 0).then(|| text.to_owned());
    Claim {
        id: format!("claim-{index}"),
        kind: CLAIM_KINDS[index % 4],
        text: HOSTILE.to_owned(),
        place: "Table <1>".to_owned(),
        verdict,
        texts: if index == 0 { GroundsTexts::default() } else { texts() },
        sentence: HOSTILE.to_owned(),
        forms: [vec![], vec![Variant::AsWritten], vec![Variant::AsWritten, Variant::AsReleased]][index % 3]
            .clone(),
        weak: some(HOSTILE).filter(|_| index == 2),
        conditional_on: some("D-1").iter().map(|id| note_id(id)).collect(),
        reading_of: None,
        under: if index == 1 { vec!["one".to_owned()] } else { vec![] },
        audit: index % 2 == 1,
        experiments: keys[..index.min(keys.len())].to_vec(),
    }
}

fn experiment(key: &str) -> Experiment {
    let odd = key.ends_with(['1', '3', '5', '7']);
    let some = |text: &str| odd.then(|| text.to_owned());
    Experiment {
        key: key.to_owned(),
        agent: "agent".to_owned(),
        agent_version: "1.0.0".to_owned(),
        settings: some("a=<b>, plies=5").unwrap_or_default(),
        params: some("a = \"<b>\"").unwrap_or_default(),
        games: 1000,
        stale: some(HOSTILE),
        seed: "2048".to_owned(),
        variant: odd.then_some(Variant::AsWritten),
        set: Set::Default,
        note: some(HOSTILE),
        identity: some(&"ab".repeat(32)),
        digest: "cd".repeat(32),
        eval: format!("pipeline eval {key}"),
        records: format!("records/{key}.parquet"),
        mean_score: "1,000 [900, 1,100]".to_owned(),
        faults: u64::from(odd),
    }
}

/// One row an experiment: its key, a number that falls as the keys rise, with one missing, and a word.
fn table(id: &str, keys: &[String]) -> Table {
    let row = |(index, key): (usize, &String)| {
        let number = (keys.len() - index) as f64 * 100.5;
        let first = Cell::Experiment {
            name: key.clone(),
            key: key.clone(),
            detail: "agent: a=<b>".to_owned(),
            command: format!("pipeline eval {key}"),
        };
        let text = |text: &str| Cell::Text(text.to_owned());
        let value = if index == 1 { text("none") } else { Cell::Published(number.to_string(), number) };
        vec![first, value, text("w&<w>"), text("more")]
    };
    Table {
        id: id.to_owned(),
        title: "A \"table\"".to_owned(),
        caption: HOSTILE.to_owned(),
        header: ["Experiment", "Value", HOSTILE, "Rest"].map(str::to_owned).to_vec(),
        rows: keys.iter().enumerate().map(row).collect(),
    }
}

fn figure(id: &str) -> PageFigure {
    PageFigure {
        id: id.to_owned(),
        title: HOSTILE.to_owned(),
        alt: HOSTILE.to_owned(),
        width: 40,
        height: 20,
    }
}

pub(crate) fn note_id(id: &str) -> NoteId {
    NoteId::new(id).expect("an id")
}

fn origin(keys: &[String]) -> Origin {
    let provenance = Provenance {
        pipeline: "0.1.0".to_owned(),
        commit: Some("0123456789abcdef".to_owned()),
        dirty: Some(true),
        rustc: "rustc <1>".to_owned(),
        cpu: "a & b".to_owned(),
        platform: "x86_64-linux".to_owned(),
        date: "2026-01-01T00:00:00Z".to_owned(),
        plugin_sha256: "ef".repeat(32),
        kernel: Some("Linux 6.1 <2>".to_owned()),
        program_sha256: None,
    };
    Origin { experiments: keys.to_vec(), provenance }
}

fn replays(keys: &[String]) -> Vec<PageReplay> {
    let sets = keys.iter().zip(rule_sets());
    let games = sets.flat_map(|(key, (_, rules))| {
        Pick::ALL.into_iter().zip(0..).map(move |(pick, number)| {
            // The last of the three is a game that a fault cut short.
            let limit = if pick == Pick::Worst { 20 } else { u32::MAX };
            PageReplay { experiment: key.clone(), pick, ..play(&rules, number, limit) }
        })
    });
    games.collect()
}
