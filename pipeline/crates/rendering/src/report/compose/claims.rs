//! Claims, findings and interpretations as the page shows them: beside a verdict which form of the method was
//! played, and whether it says much.

use manifest::{ClaimKind, PublishedN, Variant};
use platform::plain::unwrapped;
use stats::Sizes;
use text::counted;
use verdict::{Grounds, JudgedConclusion, Part, Ruling, Summary, Verdict};

use crate::report::{Finding, Interpretation, Need};

/// The forms that were played for a claim, each once.
pub(crate) fn forms(verdict: &Verdict<'_>) -> Vec<Variant> {
    let experiments = verdict.claim.experiments().into_iter().filter_map(|id| verdict.paper.experiment(id));
    let mut forms: Vec<Variant> = experiments.filter_map(|experiment| experiment.variant).collect();
    forms.dedup();
    forms
}

/// Why a verdict says little: it decides nothing, could have refused numbers on one side only, or rests on a
/// number of games that the paper does not name and that matters. None where it says what it seems to.
pub(super) fn weakness(verdict: &Verdict<'_>) -> Option<String> {
    if verdict.ruling == Ruling::Undecided {
        return Some("undecided: more games may tell".to_owned());
    }
    let Grounds::Numeric { prediction, sizes, .. } = &verdict.grounds else { return None };
    let mut reasons = Vec::new();
    let visible = &prediction.visible;
    if verdict.ruling == Ruling::Consistent && (visible.below.is_none() || visible.above.is_none()) {
        let side = if visible.below.is_none() { "above" } else { "below" };
        reasons.push(format!("little power: only numbers of the paper {side} ours could have been refused"));
    }
    if let ClaimKind::Numeric { n: PublishedN::Assumed(n), .. } = verdict.claim.kind
        && sizes.is_none_or(depends)
    {
        let games = counted(n, "game");
        reasons.push(format!("the paper does not say how many games it had; with others than the {games} assumed, the verdict may differ"));
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Whether the verdict depends on how many games the paper had; a number that one game at most could have
/// given is refused for certain.
const fn depends(sizes: Sizes) -> bool {
    !matches!(sizes, Sizes::Every | Sizes::None | Sizes::UpTo(0 | 1))
}

/// A paper's account, and its findings.
pub(super) fn findings(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_depends_on_the_assumed_games_only_where_others_would_change_it() {
        assert!([Sizes::UpTo(7), Sizes::From(3), Sizes::Between(2, 9)].into_iter().all(depends));
        assert!(![Sizes::Every, Sizes::None, Sizes::UpTo(1)].into_iter().any(depends));
    }
}
