//! The games of one contestant from one start: stored, journalled, and newly played.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::journal::Journal;
use crate::plan::PlannedExperiment;
use crate::run::{RunError, finish};
use platform::ConfinedPath;
use records::{Layout, Provenance, RecordsReader};
use workers::Played;

/// Games of one identity, in a folder of records.
pub struct ContestantGames<'a> {
    pub(super) planned: &'a PlannedExperiment,
    layout: &'a Layout,
    origin: Provenance,
    /// The scores of the games in the records, by number.
    stored: BTreeMap<u64, u32>,
    journal: Mutex<Journal>,
}

impl<'a> ContestantGames<'a> {
    /// Loads the stored and the journalled games.
    pub fn open(
        planned: &'a PlannedExperiment,
        layout: &'a Layout,
        origin: &Provenance,
    ) -> Result<Self, RunError> {
        let origin = origin.by_plugin(&planned.plugin.sha256);
        let mut stored = BTreeMap::new();
        if planned.status.rows() > 0 {
            let outcomes = RecordsReader::open(&planned.path)?.outcomes()?;
            let whole = outcomes.into_iter().filter(|outcome| !outcome.ending.is_fault());
            stored = whole.map(|outcome| (outcome.game, outcome.score)).collect();
        }
        let path = layout.journal(&planned.key, None, false);
        let (journal, _) = Journal::open_alone(&path, &planned.title(Some(origin.clone())))?;
        Ok(Self { planned, layout, origin, stored, journal: Mutex::new(journal) })
    }

    /// How many games there are before the contest starts.
    pub fn known(&self) -> u64 {
        let journal = self.journal();
        let only_journalled = journal.games().filter(|game| !self.stored.contains_key(game)).count();
        (self.stored.len() + only_journalled) as u64
    }

    /// The score of a game that has been played. A journalled game that does not replay is forgotten.
    pub(super) fn score(&self, game: u64) -> Option<u32> {
        if let Some(score) = self.stored.get(&game) {
            return Some(*score);
        }
        let mut journal = self.journal();
        let record = journal.contains(game).then(|| journal.read(game).ok())??.record;
        let experiment = &self.planned.experiment;
        if record.replay(&experiment.rules, experiment.seed).is_err() {
            journal.forget(game);
            return None;
        }
        Some(record.score)
    }

    /// Journals a game.
    pub(super) fn keep(&self, played: &Played) -> Result<(), RunError> {
        Ok(self.journal().append(played)?)
    }

    /// Stores the first games as records, and removes the journal. Later games are dropped, since their
    /// number depends on the number of threads.
    pub fn finish(self, games: u64) -> Result<ConfinedPath, RunError> {
        let Self { planned, layout, origin, stored, journal } = self;
        let mut journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
        journal.forget_from(games);
        if journal.games().all(|game| stored.contains_key(&game)) {
            journal.remove()?;
        } else {
            finish(planned, layout, false, journal, &origin)?;
        }
        Ok(planned.path.clone())
    }

    /// Removes the journal of a decided contest whose games are not kept.
    pub fn discard(self) -> Result<(), RunError> {
        Ok(self.journal.into_inner().unwrap_or_else(PoisonError::into_inner).remove()?)
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
