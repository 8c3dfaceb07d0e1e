//! Ordinal claims on ways to search: that studies of one kind find what is good in fewer games than those of another.
//!
//! Studies are compared in pairs, each up to as many games as both have spent. What a study had reached is the area between its front
//! and a reference of no points at the largest cost that either of the two has met, as a share of what lies below the best score of either: so
//! that pairs with other luck can be compared.

use jobs::Key;
use manifest::ClaimKind;
use metrics::MetricError;
use stats::{Estimate, Lead, Measured, Sample, Statistic, paired};
use studies::TrialRow;
use studies::outcome::{largest_cost, mean_reached, reached};

use super::ordinal::verdict;
use super::{Court, Grounds, Ruling, Untestable};
use crate::evidence::Searched;

pub(super) fn judge(court: &Court<'_>, claim: &ClaimKind) -> Result<(Ruling, Grounds), Untestable> {
    let ClaimKind::OrdinalOfStudies { better, worse, .. } = claim else {
        unreachable!("only claims on studies are asked for")
    };
    let pairs = better.iter().zip(worse).map(|(one, other)| {
        pair(court.searched(one)?, court.searched(other)?).ok_or(MetricError::NoGame.into())
    });
    let pairs = pairs.collect::<Result<Vec<[f64; 2]>, Untestable>>()?;
    let side = |side: usize| metrics::sample(pairs.iter().map(|pair| pair[side]).collect());
    let (one, other) = (side(0)?, side(1)?);
    let lead = paired(&one, &other).map_err(|_| Untestable::DifferentStatistics)?;
    Ok(verdict(Lead::of(lead), [mean(&one), mean(&other)], None))
}

fn mean(sample: &Sample) -> Estimate {
    Measured::Summary(Statistic::Mean, sample).estimate()
}

/// What both studies of a pair had reached on the average of the games that both have spent, as shares of the same area.
fn pair(one: &Searched, other: &Searched) -> Option<[f64; 2]> {
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

impl Court<'_> {
    /// The trials of a study, if it was run as the manifest has it.
    fn searched(&self, study: &str) -> Result<&Searched, Untestable> {
        let key = Key::new(&self.paper.id, study);
        self.evidence.searched(&key).ok_or(Untestable::NotSearched { key })
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
        // Both areas are shares of what the best of the two had reached, and the long one's later batches are left out.
        assert_eq!(one, other);
    }

    #[test]
    fn studies_that_found_nothing_but_games_without_a_point_are_not_compared() {
        let mut nothing = searched(&[0, 0]);
        let effort = studies::Effort { moves: 10, nodes: 200 };
        for row in &mut nothing.rows {
            row.came =
                studies::Came::of_games(&nothing.study, &[studies::GameFigures { score: 0, effort }], "d");
        }
        assert_eq!(pair(&nothing, &nothing), None, "there is no area of which to reach a share");
        assert!(pair(&nothing, &searched(&[0, 0])).is_some_and(|[one, other]| one < other));
    }

    /// A study of which every batch has one trial, with `found` hundreds of points at a cost of 10, beside one of 100 points at 5.
    fn searched(found: &[u32]) -> Searched {
        use search::Origin;
        use studies::Came;
        let study = study();
        let rows = found.iter().enumerate().map(|(batch, &hundreds)| {
            let point = study.space.point(&[(batch as f64 + 0.5) / 8.0]);
            let effort = studies::Effort { moves: 10, nodes: 100 - 10 * u64::from(hundreds) };
            let figures = studies::GameFigures { score: 100 * (hundreds + 1), effort };
            let proposal =
                search::Proposal { point, origin: Origin::Sample, games: batch as u64..batch as u64 + 1 };
            TrialRow::of(batch as u64, batch as u32, proposal, Came::of_games(&study, &[figures], "d"))
        });
        let rows = rows.collect();
        let (identity, digest) = (String::new(), String::new());
        let (provenance, timings) = (Vec::new(), Vec::new());
        Searched { study, identity, rows, digest, provenance, timings }
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
