//! What came out, and under which interpretation: findings, accounts and readings, as the page shows them.

use crate::report::finding::{Fares, Finding, Interpretation, Need};
use platform::plain::unwrapped;
use verdict::{JudgedConclusion, Part, Summary};

/// A paper's account, and its findings.
pub(super) fn of_paper(
    paper: &manifest::Paper,
    concluded: &[JudgedConclusion<'_>],
) -> (Option<Finding>, Vec<Finding>) {
    let (accounts, findings): (Vec<_>, Vec<_>) = concluded
        .iter()
        .filter(|concluded| concluded.paper.id == paper.id)
        .partition(|concluded| concluded.part == Part::Account);
    (accounts.into_iter().map(finding).next(), findings.into_iter().map(finding).collect())
}

fn finding(concluded: &JudgedConclusion<'_>) -> Finding {
    let need = |need: &verdict::NeededVerdict<'_>| Need {
        claim: need.claim.to_owned(),
        needed: need.needed,
        verdict: need.verdict,
    };
    Finding {
        text: unwrapped(concluded.text),
        standing: concluded.standing,
        needs: concluded.needs.iter().map(need).collect(),
    }
}

/// A paper's interpretations, and how it fares under each.
pub(super) fn interpretations(paper: &manifest::Paper, summary: &Summary) -> Vec<Interpretation> {
    let readings = summary.readings.get(&paper.id);
    let fares = |id: &str| {
        let readings = readings?;
        let reading = readings.interpretations.iter().find(|reading| reading.id == id)?;
        Some(Fares {
            is_best: readings.best().id == id,
            covered: reading.covered,
            missed: reading.missed,
            undecided: reading.undecided,
            untested: reading.untested,
            not_covered: reading.not_covered,
            expected: format!("{:.1}", reading.expected),
        })
    };
    let interpretation = |each: &manifest::Interpretation| Interpretation {
        id: each.id.clone(),
        name: each.name.clone(),
        text: unwrapped(&each.text),
        conditional_on: each.conditional_on.clone(),
        fares: fares(&each.id),
    };
    paper.interpretations.iter().map(interpretation).collect()
}
