//! Whether the agent is still the one that played the journalled trials, where its plugin's file is another: a trial is played again.

use std::collections::BTreeMap;

use super::RunStudyError;
use super::batch::Batch;
use super::compared::Compared;
use super::journal::FinishedTrial;
use super::player::Player;
use crate::plan::PlannedStudy;
use studies::{TrialOutcome, TrialRow};

/// A trial that was played again.
pub(super) struct Proof {
    pub(super) trial: u64,
    pub(super) is_same: bool,
}

/// Plays the longest trial of a batch again that is in a journal, and did not fault; none where there is none.
pub(super) fn prove(
    planned: &PlannedStudy,
    batch: &Batch,
    there: &BTreeMap<u64, FinishedTrial>,
    player: &mut Player<'_>,
) -> Result<Option<Proof>, RunStudyError> {
    let moves = |came: &TrialOutcome| match came {
        TrialOutcome::Played { efforts, .. } => Some(efforts.iter().map(|effort| effort.moves).sum::<u64>()),
        TrialOutcome::Faulted { .. } => None,
    };
    let played = there.range(batch.trials());
    let longest = played.filter_map(|(&trial, finished)| Some((moves(&finished.came)?, trial))).max();
    let Some((_, trial)) = longest else { return Ok(None) };
    let proposal = batch.proposal(trial);
    let pieced = player.play(trial, proposal, proposal.games.clone())?;
    let row = TrialRow::of(trial, batch.number, proposal.clone(), there[&trial].came.clone());
    let differences = Compared { study: &planned.study, row: &row }.with_trial(pieced);
    Ok(Some(Proof { trial, is_same: differences.is_empty() }))
}
