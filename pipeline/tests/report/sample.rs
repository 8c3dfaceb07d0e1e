//! A page that has everything a page can have, with texts that would break out of careless markup.

use std::collections::BTreeMap;

use engine::conformance::rule_sets;
use manifest::{Citation, Note, NoteId, Set, Variant};
use records::provenance::Provenance;
use rendering::report::{
    Cell, Claim, Column, Experiment, Fares, Finding, Interpretation, Kind, Need, Origin, Page, PageFigure,
    PageTable, Paper, Pick, Replay, RuleSet, Totals,
};
use verdict::{Ruling, Standing};

use crate::games::play;

/// A text that would run if it were not escaped.
pub(crate) const HOSTILE: &str = "</script><script>alert('1')</script> \"quoted\" & <b>bold</b>";

const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\" viewBox=\"0 0 40 20\">\
    <defs>\n</defs><rect width=\"40\" height=\"20\" fill=\"#ffffff\"/><use href=\"#r-1\" stroke=\"#3b6ea5\"/></svg>";

/// What the drawings refer to: a text, which refers to a glyph.
fn definitions() -> BTreeMap<String, String> {
    let elements = [
        ("r1", "<path id=\"r1\" d=\"M2 18l36-16\"/>"),
        ("r-1", "<g id=\"r-1\"><use href=\"#r1\"/></g>"),
        ("r-2", "<g id=\"r-2\"><use href=\"#r1\" x=\"2\"/></g>"),
    ];
    elements.map(|(id, element)| (id.to_owned(), element.to_owned())).into()
}

/// A whole page: an experiment and three games for each rule set, and a claim for each verdict.
pub(crate) fn page() -> Page {
    let keys: Vec<String> = (1..=rule_sets().len()).map(|number| format!("sample/rules-{number}")).collect();
    Page {
        title: "A sample".to_owned(),
        lead: HOSTILE.to_owned(),
        version: "0.1.0".to_owned(),
        totals: Totals { games: 1234, experiments: keys.len(), remarks: Some(HOSTILE.to_owned()) },
        papers: vec![paper(&keys), empty_paper()],
        cross: table("cross", &keys),
        leaders: Some(HOSTILE.to_owned()),
        provenance: vec![origin(&keys)],
        replays: replays(&keys),
        featured: Some("sample/rules-2".to_owned()),
        dark: [("#ffffff", "#101010"), ("#3b6ea5", "#abcdef")]
            .map(|(light, dark)| (light.to_owned(), dark.to_owned()))
            .into(),
        definitions: definitions(),
    }
}

/// A page with nothing in it.
pub(crate) fn bare() -> Page {
    Page {
        totals: Totals { games: 0, experiments: 0, remarks: None },
        papers: vec![],
        cross: table("cross", &[]),
        leaders: None,
        provenance: vec![],
        replays: vec![],
        featured: None,
        definitions: BTreeMap::new(),
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
        comparison: false,
        account: Some(finding(Standing::Fallen)),
        findings: [Standing::Carried, Standing::Open, Standing::Fallen].map(finding).to_vec(),
        interpretations: vec![interpretation("one", true), interpretation("two", false)],
        summary: HOSTILE.to_owned(),
        rules: vec![
            RuleSet { experiments: keys[..1].to_vec(), text: HOSTILE.to_owned() },
            RuleSet { experiments: keys[1..].to_vec(), text: "Others.".to_owned() },
        ],
        notes: vec![Note { id: note_id("D-1"), text: HOSTILE.to_owned() }],
        tables: vec![table("scores", keys)],
        figures: vec![figure("one"), figure("two")],
        study_tables: vec![],
        studies: vec![],
        trainings: None,
        claims: Ruling::ALL
            .into_iter()
            .enumerate()
            .map(|(index, verdict)| claim(index, verdict, keys))
            .collect(),
        experiments: keys.iter().map(|key| experiment(key)).collect(),
    }
}

/// A paper of which only the citation is known.
fn empty_paper() -> Paper {
    Paper {
        id: "empty".to_owned(),
        citation: Citation {
            title: "Nothing yet".to_owned(),
            authors: vec!["C. D.".to_owned()],
            year: None,
            venue: None,
            url: None,
            doi: None,
            unpublished_sha256: None,
        },
        comparison: true,
        account: None,
        findings: vec![],
        interpretations: vec![],
        summary: "None.".to_owned(),
        rules: vec![],
        notes: vec![],
        tables: vec![],
        figures: vec![],
        study_tables: vec![],
        studies: vec![],
        trainings: None,
        claims: vec![],
        experiments: vec![],
    }
}

fn finding(standing: Standing) -> Finding {
    let (claim, needed, verdict) = ("claim-1".to_owned(), Ruling::Consistent, Ruling::Lower);
    Finding { text: HOSTILE.to_owned(), standing, needs: vec![Need { claim, needed, verdict }] }
}

fn interpretation(id: &str, is_best: bool) -> Interpretation {
    let fares = Fares {
        is_best,
        covered: 9,
        missed: 3,
        undecided: 2,
        untested: 1,
        not_covered: 4,
        expected: "0.4".to_owned(),
    };
    Interpretation {
        id: id.to_owned(),
        name: HOSTILE.to_owned(),
        text: HOSTILE.to_owned(),
        conditional_on: vec![note_id("D-1")],
        fares: is_best.then_some(fares),
    }
}

fn claim(index: usize, verdict: Ruling, keys: &[String]) -> Claim {
    let some = |text: &str| (index != 0).then(|| text.to_owned());
    Claim {
        id: format!("claim-{index}"),
        kind: Kind::ALL[index % 4],
        text: HOSTILE.to_owned(),
        place: "Table <1>".to_owned(),
        verdict,
        published: some("1 < 2"),
        reproduced: some("3 & 4"),
        expected: some("[1, 2]"),
        n: some("1,000"),
        effect: some("+1 %"),
        smallest_visible: some("0.5"),
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
fn table(id: &str, keys: &[String]) -> PageTable {
    let row = |(index, key): (usize, &String)| {
        let number = (keys.len() - index) as f64 * 100.5;
        let (value, sort) =
            if index == 1 { ("none".to_owned(), None) } else { (number.to_string(), Some(number)) };
        let cell = |text: &str, sort| Cell { text: text.to_owned(), sort, ..Cell::default() };
        let first = Cell {
            experiment: Some(key.clone()),
            detail: Some("agent: a=<b>".to_owned()),
            command: Some(format!("pipeline eval {key}")),
            ..cell(key, None)
        };
        vec![first, cell(&value, sort), cell("w&<w>", None), cell("more", None)]
    };
    PageTable {
        id: id.to_owned(),
        title: "A \"table\"".to_owned(),
        columns: vec![
            Column::text("Experiment"),
            Column::number("Value"),
            Column::text(HOSTILE),
            Column::text("Rest").behind(),
        ],
        rows: keys.iter().enumerate().map(row).collect(),
        caption: HOSTILE.to_owned(),
    }
}

fn figure(id: &str) -> PageFigure {
    PageFigure {
        id: id.to_owned(),
        title: HOSTILE.to_owned(),
        alt: HOSTILE.to_owned(),
        width: 40,
        height: 20,
        svg: DRAWING.to_owned(),
        files: vec!["../figures/sample/one.svg".to_owned(), "../figures/sample/one.png".to_owned()],
    }
}

fn note_id(text: &str) -> NoteId {
    NoteId::new(text).expect("an id")
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

fn replays(keys: &[String]) -> Vec<Replay> {
    let sets = keys.iter().zip(rule_sets());
    let games = sets.flat_map(|(key, (_, rules))| {
        Pick::ALL.into_iter().zip(0..).map(move |(pick, number)| {
            // The last of the three is a game that a fault cut short.
            let limit = if pick == Pick::Worst { 20 } else { u32::MAX };
            Replay { experiment: key.clone(), pick, ..play(&rules, number, limit) }
        })
    });
    games.collect()
}
