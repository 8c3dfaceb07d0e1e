//! One batch of a study: which of its trials are journalled, and which are copies of others.

use std::collections::BTreeMap;
use std::ops::Range;

use engine::Odds;
use manifest::{Objective, Study};
use search::{Point, Proposal, Trial};

use super::journal::FinishedTrials;
use crate::run::exceeds;
use studies::{TrialOutcome, TrialRow};

/// The first trial of each point on the same games: later ones would only repeat it.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstTrials(BTreeMap<(Point, u64, u64), u64>);

impl FirstTrials {
    /// The first trial of what a proposal asks for: this one, if there was none before it.
    fn of(&mut self, proposal: &Proposal, trial: u64) -> u64 {
        let Range { start, end } = proposal.games;
        *self.0.entry((proposal.point.clone(), start, end)).or_insert(trial)
    }
}

/// The batches that are complete.
#[derive(Default)]
pub(super) struct CompleteBatches {
    pub(super) rows: Vec<TrialRow>,
    pub(super) trials: Vec<Vec<Trial>>,
    pub(super) first_trials: FirstTrials,
    pub(super) faults: u64,
    pub(super) copied: u64,
}

impl CompleteBatches {
    /// Adds a batch.
    pub(super) fn add(&mut self, rows: Vec<TrialRow>, objectives: &[Objective], copies: u64) {
        self.faults += rows.iter().filter(|row| row.scores().is_none()).count() as u64;
        self.copied += copies;
        self.trials.push(rows.iter().map(|row| row.to_trial(objectives)).collect());
        self.rows.extend(rows);
    }
}

/// A batch of proposals.
pub(super) struct TrialBatch {
    /// Its number in the study.
    pub(super) number: u32,
    /// The number of its first trial.
    pub(super) first_trial: u64,
    pub(super) proposals: Vec<Proposal>,
    /// For each trial the one that it repeats, or itself.
    originals: Vec<u64>,
}

impl TrialBatch {
    pub(super) fn new(
        number: u32,
        first_trial: u64,
        proposals: Vec<Proposal>,
        first_trials: &mut FirstTrials,
    ) -> Self {
        let originals =
            (first_trial..).zip(&proposals).map(|(trial, proposal)| first_trials.of(proposal, trial));
        Self { number, first_trial, originals: originals.collect(), proposals }
    }

    /// The trials, by their places.
    pub(super) fn trials(&self) -> Range<u64> {
        self.first_trial..self.first_trial + self.proposals.len() as u64
    }

    /// How many trials journalled are with it.
    pub(super) fn end(&self) -> u64 {
        self.trials().end
    }

    /// The trials that are neither copies nor journalled.
    pub(super) fn missing<'a>(&'a self, journalled: &'a FinishedTrials) -> impl Iterator<Item = u64> + 'a {
        let own = self.trials().zip(&self.originals).filter(|(trial, original)| trial == *original);
        own.map(|(trial, _)| trial).filter(|trial| !journalled.contains_key(trial))
    }

    /// The first journalled trial that is not the proposed one.
    pub(super) fn not_proposed(&self, journalled: &FinishedTrials) -> Option<u64> {
        let mut journalled = journalled.range(self.trials());
        journalled.find(|(_, trial)| !trial.is_of(self.proposal(trial.trial))).map(|(&trial, _)| trial)
    }

    pub(super) fn proposal(&self, trial: u64) -> &Proposal {
        &self.proposals[(trial - self.first_trial) as usize]
    }

    /// Whether too many of all trials up to its end have faulted, copies included, whatever its other trials
    /// do.
    pub(super) fn has_too_many_faults(
        &self,
        study: &Study,
        complete: &CompleteBatches,
        journalled: &FinishedTrials,
    ) -> bool {
        let outcomes = self.originals.iter().filter_map(|&trial| outcome(trial, &complete.rows, journalled));
        let faults = outcomes.filter(|outcome| matches!(outcome, TrialOutcome::Faulted { .. })).count();
        are_too_many(complete.faults + faults as u64, self.end(), study.fault_share)
    }

    /// Its rows, after those of earlier batches; nothing if a trial is missing.
    pub(super) fn rows(&self, before: &[TrialRow], journalled: &FinishedTrials) -> Option<Vec<TrialRow>> {
        let row = |((trial, proposal), &original): ((u64, &Proposal), &u64)| {
            let outcome = outcome(original, before, journalled)?.clone();
            Some(TrialRow::of(trial, self.number, proposal.clone(), outcome))
        };
        self.trials().zip(&self.proposals).zip(&self.originals).map(row).collect()
    }

    /// How many of its trials repeat others.
    pub(super) fn copies(&self) -> u64 {
        self.trials().zip(&self.originals).filter(|(trial, original)| trial != *original).count() as u64
    }
}

/// The outcome of a trial of an earlier batch, or of this one.
fn outcome<'a>(
    trial: u64,
    before: &'a [TrialRow],
    journalled: &'a FinishedTrials,
) -> Option<&'a TrialOutcome> {
    match before.get(trial as usize) {
        Some(row) => Some(&row.outcome),
        None => journalled.get(&trial).map(|trial| &trial.came),
    }
}

/// Whether too many trials ended by a fault. A single one never is too many.
fn are_too_many(faults: u64, trials: u64, share: Odds) -> bool {
    faults >= 2 && exceeds(share, faults, trials)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{played, proposal};
    use super::super::journal::FinishedTrial;
    use super::*;

    fn finished(batch: &TrialBatch, trial: u64, digest: &str) -> (u64, FinishedTrial) {
        let proposal = batch.proposal(trial);
        let scores: Vec<u32> = proposal.games.clone().map(|game| 4 * game as u32).collect();
        (trial, FinishedTrial::of(trial, proposal, played(&scores, 0, digest), 1, 2))
    }

    fn digests(rows: &[TrialRow]) -> Vec<(u64, u32, &str)> {
        let digest = |row: &'_ TrialRow| match &row.outcome {
            TrialOutcome::Played { digest, .. } => digest.clone(),
            TrialOutcome::Faulted { .. } => "fault".to_owned(),
        };
        rows.iter().map(|row| (row.trial, row.batch, &*digest(row).leak())).collect()
    }

    #[test]
    fn equal_parameters_on_equal_games_are_played_once() {
        let mut first_trials = FirstTrials::default();
        let proposals =
            vec![proposal(0.1, 0..3), proposal(0.2, 0..3), proposal(0.1, 0..3), proposal(0.1, 3..6)];
        let first = TrialBatch::new(0, 0, proposals, &mut first_trials);
        let mut there = BTreeMap::new();
        assert_eq!(first.missing(&there).collect::<Vec<_>>(), [0, 1, 3]);
        assert_eq!(first.copies(), 1);
        there.extend([0, 3].map(|trial| finished(&first, trial, &trial.to_string())));
        assert!(first.rows(&[], &there).is_none(), "trial 1 is missing");
        there.extend([finished(&first, 1, "1")]);
        let rows = first.rows(&[], &there).unwrap();
        assert_eq!(digests(&rows), [(0, 0, "0"), (1, 0, "1"), (2, 0, "0"), (3, 0, "3")]);
        let second = TrialBatch::new(1, 4, vec![proposal(0.2, 0..3), proposal(0.2, 3..6)], &mut first_trials);
        assert_eq!(second.missing(&there).collect::<Vec<_>>(), [5]);
        there.extend([finished(&second, 5, "5")]);
        assert_eq!(digests(&second.rows(&rows, &there).unwrap()), [(4, 1, "1"), (5, 1, "5")]);
    }

    #[test]
    fn a_trial_that_was_not_proposed_is_noticed() {
        let batch = |x: f64, games: Range<u64>| {
            TrialBatch::new(0, 0, vec![proposal(0.5, 0..3), proposal(x, games)], &mut FirstTrials::default())
        };
        let here = batch(0.1, 0..3);
        assert_eq!(here.not_proposed(&BTreeMap::from([finished(&here, 1, "")])), None);
        for other in [batch(0.2, 0..3), batch(0.1, 0..4)] {
            assert_eq!(here.not_proposed(&BTreeMap::from([finished(&other, 1, "")])), Some(1));
        }
    }

    #[test]
    fn a_share_of_the_trials_may_fault_and_a_single_one_always() {
        let share = Odds::new(1, 10).unwrap();
        assert!(!are_too_many(1, 4, share) && are_too_many(2, 4, share));
        assert!(!are_too_many(2, 20, share), "two of twenty, whenever they come");
        assert!(are_too_many(3, 20, share) && !are_too_many(4, 4, Odds::new(1, 1).unwrap()));
    }
}
