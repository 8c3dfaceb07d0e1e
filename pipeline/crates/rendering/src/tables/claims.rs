//! The verdicts on claims.

use super::{Cell, ReportInput, Table};
use crate::report::kind_name;
use manifest::{Claim, Paper};
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

/// The claims of a paper; none if it makes none.
pub(super) fn table(input: ReportInput<'_>, paper: &Paper) -> Option<Table> {
    let table = Table::of(
        input.of_paper(paper),
        &[
            ("Claim", &|verdict| Cell::words(&verdict.claim.id)),
            ("Kind", &|verdict| Cell::words(kind(verdict.claim))),
            ("Place", &|verdict| Cell::words(&verdict.claim.place)),
            ("Under", &|verdict| Cell::words(under(verdict))),
            ("What it says", &|verdict| Cell::words(unwrapped(&verdict.claim.text))),
            ("Published", &|verdict| Cell::words(&verdict.texts.published)),
            ("Reproduced", &|verdict| Cell::words(&verdict.texts.reproduced)),
            ("Expected", &|verdict| Cell::words(&verdict.texts.expected)),
            ("Games", &|verdict| Cell::words(&verdict.texts.games)),
            ("Effect", &|verdict| Cell::words(&verdict.texts.effect)),
            ("Smallest visible difference", &|verdict| Cell::words(&verdict.texts.visible)),
            ("Verdict", &|verdict| Cell::Ruling(verdict.ruling)),
            ("Why", &|verdict| Cell::words(verdict.sentence())),
        ],
    );
    table.of_paper(paper, "claims", "verdicts", CAPTION)
}

fn kind(claim: &Claim) -> &'static str {
    if claim.audit { "check of ours" } else { kind_name(&claim.kind) }
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
    Table { header, rows, ..Table::default() }.named(OVERVIEW, "Verdicts", summary.remarks())
}
