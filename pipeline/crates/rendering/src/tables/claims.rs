//! What came of every claim.

use super::{Cell, ReportInput, Table};
use manifest::{ClaimKind, Paper};
use platform::plain::unwrapped;
use verdict::{Ruling, Summary, Verdict};

const CAPTION: &str = "Expected: where the published number would lie, with 95 % probability, if the paper's games were like ours; \
                       for an order, the lead of the one called better. Games: ours / the paper's, or those of the two. Effect: how far our \
                       number is from the published one, as a difference in standard deviations (SD) of our games or in percentage points, or \
                       as a ratio (×); for a published range, from its nearest end; for an order, the probability P that a game of the one \
                       called better beats a game of the other. Smallest visible difference: what would have been seen with 80 % power, where \
                       ours is lower and where it is higher; where none would have been, the verdict is undecided. Under: the interpretations \
                       in which the claim is how the paper's statement is tested. A check of ours is about what the paper prints; the paper \
                       does not claim it.";

/// What the table of all papers' verdicts is called.
pub const OVERVIEW: &str = "verdicts";

/// The claims of a paper; none where it makes none.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = input.of_paper(paper).map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let header = [
        "Claim",
        "Kind",
        "Place",
        "Under",
        "What it says",
        "Published",
        "Reproduced",
        "Expected",
        "Games",
        "Effect",
        "Smallest visible difference",
        "Verdict",
        "Why",
    ];
    Some(Table {
        id: format!("{}-claims", paper.id),
        title: format!("{}: verdicts", paper.citation.title),
        caption: CAPTION.to_owned(),
        header: header.map(str::to_owned).to_vec(),
        rows,
    })
}

fn row(verdict: &Verdict<'_>) -> Vec<Cell> {
    let claim = verdict.claim;
    let kind = match claim.kind {
        _ if claim.audit => "check of ours",
        ClaimKind::Numeric { .. } => "numeric",
        ClaimKind::Ordinal { .. } | ClaimKind::OrdinalOfStudies { .. } => "ordinal",
        ClaimKind::Arithmetic { .. } => "arithmetic",
        ClaimKind::Untestable { .. } => "untestable",
    };
    let texts = verdict.texts.clone();
    vec![
        Cell::Text(claim.id.clone()),
        Cell::Text(kind.to_owned()),
        Cell::Text(claim.place.clone()),
        Cell::Text(under(verdict)),
        Cell::Text(unwrapped(&claim.text)),
        Cell::Text(texts.published),
        Cell::Text(texts.reproduced),
        Cell::Text(texts.expected),
        Cell::Text(texts.games),
        Cell::Text(texts.effect),
        Cell::Text(texts.visible),
        Cell::Ruling(verdict.ruling),
        Cell::Text(verdict.sentence()),
    ]
}

/// The interpretations that a claim belongs to, by name.
fn under(verdict: &Verdict<'_>) -> String {
    let interpretations = &verdict.paper.interpretations;
    let names: Vec<&str> = interpretations
        .iter()
        .filter(|interpretation| verdict.claim.is_under(&interpretation.id))
        .map(|interpretation| interpretation.name.as_str())
        .collect();
    match names.len() {
        count if count == interpretations.len() => "all".to_owned(),
        _ => names.join("; "),
    }
}

/// How many claims of each paper came to what.
pub(super) fn overview(input: ReportInput<'_>) -> Option<Table> {
    let summary = Summary::of(input.verdicts);
    if summary.counts.total() == 0 {
        return None;
    }
    let mut header = vec!["Paper".to_owned()];
    header.extend(Ruling::ALL.map(|ruling| ruling.to_string()));
    header.push("all".to_owned());
    let counts = |name: &str, counts: &verdict::Counts| {
        let mut row = vec![Cell::Text(name.to_owned())];
        row.extend(Ruling::ALL.map(|ruling| Cell::Count(counts.of(ruling))));
        row.push(Cell::Count(counts.total()));
        row
    };
    let mut rows: Vec<Vec<Cell>> = summary.papers.iter().map(|(paper, each)| counts(paper, each)).collect();
    rows.push(counts("all", &summary.counts));
    Some(Table {
        id: OVERVIEW.to_owned(),
        title: "Verdicts".to_owned(),
        caption: summary.remarks(),
        header,
        rows,
    })
}
