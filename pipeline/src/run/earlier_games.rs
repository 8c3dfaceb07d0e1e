//! The games that earlier runs of an experiment have played: which there are, how many a fault ended, and
//! which of them shows best whether the agent is still the same.

use super::RunError;
use super::report::FaultNote;
use crate::journal::Journal;
use crate::plan::PlannedExperiment;
use crate::recompute::is_by_machine;
use records::{GameRecord, RecordsReader};

/// The game that shows best whether the agent is still the one that played: the longest, which sees the most.
/// `None` if no game is of another plugin file, or none repeats.
pub(super) fn proof(
    planned: &PlannedExperiment,
    stored: &StoredGames,
    journal: Option<&Journal>,
) -> Result<Option<GameRecord>, RunError> {
    if !planned.repeats() {
        return Ok(None);
    }
    if planned.is_of_other_plugin
        && let Some(longest) = &stored.longest
    {
        return Ok(Some(longest.clone()));
    }
    let is_other = |journal: &&Journal| journal.is_of_other_plugin(&planned.plugin.sha256);
    let Some(journal) = journal.filter(is_other) else { return Ok(None) };
    let mut longest = None;
    for game in journal.games() {
        keep_longest(&mut longest, journal.read(game)?.record);
    }
    Ok(longest)
}

/// Keeps the longer of two games, if it must come out the same when it is played again: a game that the
/// machine ended need not.
fn keep_longest(longest: &mut Option<GameRecord>, record: GameRecord) {
    let is_longer = longest.as_ref().is_none_or(|longest| record.moves > longest.moves);
    if is_longer && !is_by_machine(record.ending) {
        *longest = Some(record);
    }
}

/// The games that an experiment's records hold.
#[derive(Default)]
pub(super) struct StoredGames {
    /// Their numbers, in order.
    games: Vec<u64>,
    /// The longest that the machine did not end.
    longest: Option<GameRecord>,
    /// How many of them a fault ended.
    pub(super) faults: usize,
}

impl StoredGames {
    pub(super) fn read(planned: &PlannedExperiment) -> Result<Self, RunError> {
        let mut stored = Self::default();
        for record in RecordsReader::open(&planned.path)?.games() {
            let record = record?;
            stored.games.push(record.game);
            stored.faults += usize::from(record.ending.is_fault());
            keep_longest(&mut stored.longest, record);
        }
        Ok(stored)
    }

    pub(super) fn contains(&self, game: u64) -> bool {
        self.games.binary_search(&game).is_ok()
    }
}

/// The faults of a run that was stopped or killed: its games are kept, and count as if they were played now.
pub(super) fn journalled_faults(journal: &Journal, stored: &StoredGames) -> Result<Vec<FaultNote>, RunError> {
    let mut faults = Vec::new();
    for game in journal.games().filter(|&game| !stored.contains(game)) {
        let played = journal.read(game)?;
        if played.record.ending.is_fault() {
            faults.push(FaultNote::of(&played));
        }
    }
    Ok(faults)
}
