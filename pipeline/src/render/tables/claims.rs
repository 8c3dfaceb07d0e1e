//! What came of every claim.

use super::{Cell, Material, Table};
use crate::manifest::{ClaimKind, Paper};
use crate::verdict::{Finding, Summary, Verdict, grounds_texts};

/// The claims of a paper; none where it makes none.
pub(super) fn table(material: Material<'_>, paper: &Paper) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = material.of_paper(paper).map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let header =
        ["Claim", "Kind", "Place", "What it says", "Published", "Reproduced", "Expected", "Verdict", "Why"];
    Some(Table {
        id: format!("{}-claims", paper.id),
        title: format!("{}: verdicts", paper.citation.title),
        caption: "Expected: where the published number would lie, with 95 % probability, if the paper's games were like ours.".to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
    })
}

fn row(verdict: &Verdict<'_>) -> Vec<Cell> {
    let claim = verdict.claim;
    let kind = match claim.kind {
        ClaimKind::Numeric { .. } => "numeric",
        ClaimKind::Ordinal { .. } => "ordinal",
        ClaimKind::Arithmetic { .. } => "arithmetic",
    };
    let texts = grounds_texts(verdict);
    vec![
        Cell::Text(claim.id.clone()),
        Cell::Text(kind.to_owned()),
        Cell::Text(claim.place.clone()),
        Cell::Text(one_line(&claim.text)),
        Cell::Text(texts.published),
        Cell::Text(texts.reproduced),
        Cell::Text(texts.expected),
        Cell::Finding(verdict.finding),
        Cell::Text(verdict.sentence.clone()),
    ]
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many claims of each paper came to what.
pub(super) fn overview(material: Material<'_>) -> Option<Table> {
    let summary = Summary::of(material.verdicts);
    if summary.counts.total() == 0 {
        return None;
    }
    let mut header = vec!["Paper".to_owned()];
    header.extend(Finding::ALL.map(|finding| finding.to_string()));
    header.push("all".to_owned());
    let counts = |name: &str, counts: &crate::verdict::Counts| {
        let mut row = vec![Cell::Text(name.to_owned())];
        row.extend(Finding::ALL.map(|finding| Cell::Count(counts.of(finding))));
        row.push(Cell::Count(counts.total()));
        row
    };
    let mut rows: Vec<Vec<Cell>> = summary.papers.iter().map(|(paper, each)| counts(paper, each)).collect();
    rows.push(counts("all", &summary.counts));
    Some(Table {
        id: "verdicts".to_owned(),
        title: "Verdicts".to_owned(),
        caption: summary.chance_sentence(),
        header,
        rows,
    })
}
