//! What came out, and under which interpretation: findings, accounts and readings, as the page shows them.

use crate::report::finding::{Finding, Interpretation, Need};
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
    let reading = |id: &str| readings?.interpretations.iter().find(|reading| reading.id == id).cloned();
    let interpretation = |each: &manifest::Interpretation| Interpretation {
        id: each.id.clone(),
        name: each.name.clone(),
        text: unwrapped(&each.text),
        conditional_on: each.conditional_on.clone(),
        is_best: readings.is_some_and(|readings| readings.best().id == each.id),
        reading: reading(&each.id),
    };
    paper.interpretations.iter().map(interpretation).collect()
}
