//! Ordinal claims on ways to search: that studies of one kind find what is good in fewer games than those of
//! another.
//!
//! Studies are compared in pairs, each up to as many games as both have spent. What a study had reached is
//! the area between its front and a reference of no points at the largest cost that either of the two has
//! met, as a share of what lies below the best score of either: so that pairs with other luck can be
//! compared.

use jobs::Key;
use metrics::MetricError;
use stats::{Estimate, Lead, Measured, Sample, Statistic, paired};
use studies::TrialRow;
use studies::outcome::{largest_cost, mean_reached, reached};

use super::ordinal::Found;
use super::{ClaimContext, GroundsTexts, Judgement, NO_DIFFERENCE, Ruling, Untestable, order_verb};
use crate::StudyEvidence;
use text::percent;

pub(super) fn judge(
    context: &ClaimContext<'_>,
    better: &[String],
    worse: &[String],
) -> Result<Judgement, Untestable> {
    let pairs = better.iter().zip(worse).map(|(one, other)| {
        pair(context.study(one)?, context.study(other)?).ok_or(MetricError::NoGame.into())
    });
    let pairs = pairs.collect::<Result<Vec<[f64; 2]>, Untestable>>()?;
    let side = |side: usize| metrics::sample(pairs.iter().map(|pair| pair[side]).collect());
    let (one, other) = (side(0)?, side(1)?);
    let lead = paired(&one, &other).map_err(|_| Untestable::DifferentStatistics)?;
    Ok(judgement(&Found::of(Lead::of(lead), [mean(&one), mean(&other)])))
}

fn judgement(found: &Found) -> Judgement {
    let Found { ruling, better, worse, lead, visible, .. } = found;
    let points = |value: f64| format!("{} percentage points", percent(value));
    let texts = GroundsTexts {
        reproduced: format!("{} % against {} %", percent(better.point), percent(worse.point)),
        expected: format!("lead {} to {} percentage points", percent(lead.low), percent(lead.high)),
        games: format!("{} / {} studies", better.n, worse.n),
        visible: visible.map_or_else(|| NO_DIFFERENCE.to_owned(), points),
        ..GroundsTexts::default()
    };
    let reason = sentence(*ruling, [better, worse, lead]);
    Judgement { ruling: *ruling, grounds: found.grounds(), reason, texts }
}

/// What ways to search had reached, as shares.
fn sentence(ruling: Ruling, [better, worse, lead]: [&Estimate; 3]) -> String {
    let verb = order_verb(ruling);
    format!(
        "On the average of the games spent, the front of the first had reached {} % of the area below the best score and the largest cost, and that of \
         the second {} %, a lead of {} percentage points ({} to {}): {} pairs of studies {verb}.",
        percent(better.point),
        percent(worse.point),
        percent(lead.point),
        percent(lead.low),
        percent(lead.high),
        lead.n,
    )
}

fn mean(sample: &Sample) -> Estimate {
    Measured::Summary(Statistic::Mean, sample).estimate()
}

/// What both studies of a pair had reached on the average of the games that both have spent, as shares of the
/// same area.
fn pair(one: &StudyEvidence, other: &StudyEvidence) -> Option<[f64; 2]> {
    let cost = largest_cost(one.rows.iter().chain(&other.rows));
    let curves = [one, other].map(|searched| reached(&searched.study, &searched.rows, cost));
    let spent = curves.iter().filter_map(|curve| curve.last().map(|(games, _)| *games)).min()?;
    let whole = cost * best_score(one.rows.iter().chain(&other.rows));
    let share =
        |curve: &[(u64, f64)]| mean_reached(curve, spent).filter(|_| whole > 0.0).map(|area| area / whole);
    Some([share(&curves[0])?, share(&curves[1])?])
}

fn best_score<'a>(rows: impl Iterator<Item = &'a TrialRow>) -> f64 {
    rows.filter_map(TrialRow::mean_score).fold(0.0, f64::max)
}

impl ClaimContext<'_> {
    /// The trials of a study, if it was run as the manifest has it.
    fn study(&self, study: &str) -> Result<&StudyEvidence, Untestable> {
        let key = Key::new(&self.paper.id, study);
        self.evidence.study(&key).ok_or(Untestable::NotSearched { key })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_that_finds_the_front_sooner_has_reached_more() {
        let (early, late) = (searched(&[3, 3, 3]), searched(&[0, 0, 3]));
        let [one, other] = pair(&early, &late).unwrap();
        assert!(one > other && one <= 1.0, "{one} {other}");
        let [one, other] = pair(&early, &early).unwrap();
        assert_eq!(one, other);
    }

    #[test]
    fn games_that_only_one_has_spent_count_for_neither() {
        let (short, long) = (searched(&[1, 2]), searched(&[1, 2, 3, 3, 3]));
        let [one, other] = pair(&short, &long).unwrap();
        // Both areas are shares of what the best of the two had reached, and the long one's later batches are
        // left out.
        assert_eq!(one, other);
    }

    #[test]
    fn studies_that_found_nothing_but_games_without_a_point_are_not_compared() {
        let mut nothing = searched(&[0, 0]);
        let effort = studies::Effort { moves: 10, nodes: 200 };
        for row in &mut nothing.rows {
            row.outcome = studies::TrialOutcome::of_games(
                &nothing.study,
                &[studies::GameFigures { score: 0, effort }],
                "d",
            );
        }
        assert_eq!(pair(&nothing, &nothing), None, "there is no area of which to reach a share");
        assert!(pair(&nothing, &searched(&[0, 0])).is_some_and(|[one, other]| one < other));
    }

    /// A study of which every batch has one trial, with `found` hundreds of points at a cost of 10, beside
    /// one of 100 points at 5.
    fn searched(found: &[u32]) -> StudyEvidence {
        use search::Origin;
        use studies::TrialOutcome;
        let study = study();
        let rows = found.iter().enumerate().map(|(batch, &hundreds)| {
            let point = study.space.point(&[(batch as f64 + 0.5) / 8.0]);
            let effort = studies::Effort { moves: 10, nodes: 100 - 10 * u64::from(hundreds) };
            let figures = studies::GameFigures { score: 100 * (hundreds + 1), effort };
            let proposal =
                search::Proposal { point, origin: Origin::Sample, games: batch as u64..batch as u64 + 1 };
            TrialRow::of(
                batch as u64,
                batch as u32,
                proposal,
                TrialOutcome::of_games(&study, &[figures], "d"),
            )
        });
        let rows = rows.collect();
        let (identity, digest) = (String::new(), String::new());
        let (provenance, timings) = (Vec::new(), Vec::new());
        StudyEvidence { study, identity, rows, digest, provenance, timings }
    }

    fn study() -> manifest::Study {
        let text = r#"
            [citation]
            title = "T"
            authors = ["A"]
            [[study]]
            id = "s"
            agent = "a"
            seed = 1
            objectives = ["score", "cost"]
            games = 1
            method = { kind = "sobol", points = 8, batch = 1 }
            winners = { best = 1, games = 10, seed = 2 }
            [study.space]
            x = { from = 0, to = 1, digits = 3 }
        "#;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, text).unwrap();
        manifest::load(&file).unwrap().studies.remove(0)
    }
}
