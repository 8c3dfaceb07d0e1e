//! Verifying a study: each of its proposals must be what its method makes of the trials before it.

use manifest::Study;
use search::Trial;

use crate::TrialRow;

/// A trial that does not follow from those before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ProposalError {
    #[error("trial {trial} stands in batch {found}, but belongs to batch {expected}")]
    Batch { trial: u64, found: u32, expected: u32 },
    #[error("trial {trial}: its {part} is not what the method proposes after the trials before it")]
    Proposal { trial: u64, part: &'static str },
    #[error("trial {trial} repeats trial {earlier} on the same games, and came out otherwise")]
    Repeat { trial: u64, earlier: u64 },
    #[error("it ends after {trials} trials, where the method goes on")]
    Unfinished { trials: u64 },
    #[error("it goes on after {trials} trials, where the method has ended")]
    TooLong { trials: u64 },
}

/// The trials of a study's batches, as its method sees them.
pub fn batches(study: &Study, rows: &[TrialRow]) -> Vec<Vec<Trial>> {
    let batches = rows.chunk_by(|one, next| one.batch == next.batch);
    batches.map(|batch| batch.iter().map(|row| row.to_trial(&study.objectives)).collect()).collect()
}

/// Verifies every proposal of a whole study, from its rows alone.
pub fn verify_proposals(study: &Study, rows: &[TrialRow]) -> Result<(), ProposalError> {
    let searched = study.to_search();
    let mut proposer = study.method.proposer(&searched);
    let mut finished: Vec<Vec<Trial>> = Vec::new();
    let mut left = rows;
    loop {
        let proposals = proposer.next(&finished);
        if proposals.is_empty() {
            break;
        }
        if left.len() < proposals.len() {
            return Err(ProposalError::Unfinished { trials: rows.len() as u64 });
        }
        let (batch, rest) = left.split_at(proposals.len());
        let expected = finished.len() as u32;
        for (row, proposal) in batch.iter().zip(&proposals) {
            if row.batch != expected {
                return Err(ProposalError::Batch { trial: row.trial, found: row.batch, expected });
            }
            let wrong = |part| ProposalError::Proposal { trial: row.trial, part };
            let parts = [
                ("point", row.point == proposal.point),
                ("origin", row.origin == proposal.origin),
                ("range of games", row.games == proposal.games),
            ];
            parts
                .into_iter()
                .try_for_each(|(part, is_right)| if is_right { Ok(()) } else { Err(wrong(part)) })?;
        }
        finished.push(batch.iter().map(|row| row.to_trial(&study.objectives)).collect());
        left = rest;
    }
    if !left.is_empty() {
        return Err(ProposalError::TooLong { trials: (rows.len() - left.len()) as u64 });
    }
    check_repeats(rows)
}

/// The same parameters on the same games are the same trial.
fn check_repeats(rows: &[TrialRow]) -> Result<(), ProposalError> {
    let mut known = std::collections::BTreeMap::new();
    for row in rows {
        let earlier: &TrialRow = known.entry((&row.point, row.games.start, row.games.end)).or_insert(row);
        if earlier.outcome != row.outcome {
            return Err(ProposalError::Repeat { trial: row.trial, earlier: earlier.trial });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use search::{Origin, Rating};

    use super::*;
    use crate::fixtures::{run, study};
    use crate::{Scores, TrialOutcome};

    #[test]
    fn a_study_follows_from_its_rows_and_a_changed_one_does_not() {
        for rating in [Rating::Once, Rating::AllGames] {
            let study = study(rating);
            let rows = run(&study);
            assert_eq!(verify_proposals(&study, &rows), Ok(()));
            assert_eq!(batches(&study, &rows).iter().map(Vec::len).sum::<usize>(), rows.len());
            let changed = |change: fn(&mut Vec<TrialRow>)| {
                let mut rows = rows.clone();
                change(&mut rows);
                verify_proposals(&study, &rows)
            };
            let wrong = |trial, part| Err(ProposalError::Proposal { trial, part });
            let other = |rows: &mut Vec<TrialRow>| {
                let others = rows.iter().map(|row| row.point.clone());
                rows[9].point = others.clone().find(|other| *other != rows[9].point).unwrap();
            };
            assert_eq!(changed(other), wrong(9, "point"));
            assert_eq!(changed(|rows| rows[9].origin = Origin::Sample), wrong(9, "origin"));
            assert_eq!(changed(|rows| rows[9].games.end += 1), wrong(9, "range of games"));
            let found = ProposalError::Batch { trial: 9, found: 3, expected: 1 };
            assert_eq!(changed(|rows| rows[9].batch = 3), Err(found));
            let trials = rows.len() as u64 - 1;
            assert_eq!(changed(|rows| drop(rows.pop())), Err(ProposalError::Unfinished { trials }));
            let extra = |rows: &mut Vec<TrialRow>| rows.push(rows[0].clone());
            assert_eq!(changed(extra), Err(ProposalError::TooLong { trials: trials + 1 }));
        }
    }

    #[test]
    fn other_results_lead_to_other_proposals() {
        let study = study(Rating::Once);
        let mut rows = run(&study);
        let worst = rows[..8]
            .iter()
            .enumerate()
            .min_by_key(|(_, row)| row.scores().map(|scores| scores.mean() as u64));
        let worst = worst.unwrap().0;
        if let TrialOutcome::Played { scores, .. } = &mut rows[worst].outcome {
            *scores = Scores::Together { games: 3, sum: 90_000, squares: 2_700_000_000 };
        }
        assert!(matches!(verify_proposals(&study, &rows), Err(ProposalError::Proposal { .. })));
    }

    #[test]
    fn the_same_trial_twice_comes_to_the_same() {
        let rows = run(&study(Rating::Once));
        let mut twice = vec![rows[0].clone(), TrialRow { trial: 1, ..rows[0].clone() }];
        assert_eq!(check_repeats(&twice), Ok(()));
        twice[1].outcome = rows[1].outcome.clone();
        assert_eq!(check_repeats(&twice), Err(ProposalError::Repeat { trial: 1, earlier: 0 }));
    }
}
