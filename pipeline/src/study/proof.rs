//! Whether the agent is still the one that played the journalled trials, where its plugin's file is another: a trial is played again.

use std::collections::BTreeMap;

use engine::agent::Budget;

use super::RunStudyError;
use super::batch::Batch;
use super::journal::FinishedTrial;
use super::plan::PlannedStudy;
use super::player::Player;
use super::trial_under_way::{AllGames, TrialUnderWay};
use manifest::{Objective, Study};
use studies::Came;

/// A trial that was played again.
pub(super) struct Proof {
    pub(super) trial: u64,
    pub(super) is_same: bool,
}

/// Plays the longest trial of a batch again that is in a journal, and did not fault; none where there is none, or the clock limits the
/// agent, so that none repeats.
pub(super) fn prove(
    planned: &PlannedStudy,
    batch: &Batch,
    there: &BTreeMap<u64, FinishedTrial>,
    player: &mut Player<'_>,
) -> Result<Option<Proof>, RunStudyError> {
    let moves = |came: &Came| match came {
        Came::Played { efforts, .. } => Some(efforts.iter().map(|effort| effort.moves).sum::<u64>()),
        Came::Faulted { .. } => None,
    };
    let played = there.range(batch.trials());
    let longest = played.filter_map(|(&trial, finished)| Some((moves(&finished.came)?, trial))).max();
    let Some((_, trial)) = longest.filter(|_| !matches!(planned.study.budget, Budget::TimeNs(_))) else {
        return Ok(None);
    };
    let proposal = batch.proposal(trial);
    let pieced = player.play(trial, proposal, proposal.games.clone())?;
    let ended = TrialUnderWay::new(proposal.games.clone()).take(pieced.played, pieced.fault);
    let again = ended.and_then(|ended| ended.came.ok());
    let is_same = again.is_some_and(|again| is_same(&planned.study, &there[&trial].came, &again));
    Ok(Some(Proof { trial, is_same }))
}

/// Whether games came out as before: in every move, and where nodes decide in every node.
fn is_same(study: &Study, before: &Came, again: &AllGames) -> bool {
    let again = Came::of_games(study, &again.games, &again.digest);
    match (before, &again) {
        (Came::Played { digest, efforts, .. }, Came::Played { digest: now, efforts: counted, .. }) => {
            digest == now && (efforts == counted || !study.objectives.contains(&Objective::Cost))
        }
        _ => false,
    }
}
