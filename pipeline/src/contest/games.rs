//! The games of one contestant from one start: those that are stored, those in the journal, and those that are added.

use platform::confined::ConfinedPath;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ContestError;
use crate::journal::Journal;
use crate::plan::Planned;
use crate::run::{Target, finish};
use records::layout::Layout;
use records::provenance::Provenance;
use records::store::RecordsReader;
use workers::worker::protocol::Played;

/// Games of one identity, in a folder of records.
pub struct Games<'a> {
    planned: &'a Planned,
    layout: &'a Layout,
    origin: Provenance,
    /// The scores of the games in the records, by number.
    stored: BTreeMap<u64, u32>,
    journal: Mutex<Journal>,
}

impl<'a> Games<'a> {
    /// Takes up what is stored and journalled.
    ///
    /// # Errors
    /// Where it cannot be read, or another process writes to it.
    pub fn open(planned: &'a Planned, layout: &'a Layout, origin: &Provenance) -> Result<Self, ContestError> {
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

    /// What is played.
    #[must_use]
    pub const fn planned(&self) -> &'a Planned {
        self.planned
    }

    /// How many games were there before the contest began.
    #[must_use]
    pub fn known(&self) -> u64 {
        let journal = self.journal();
        let only_journalled = journal.games().filter(|game| !self.stored.contains_key(game)).count();
        (self.stored.len() + only_journalled) as u64
    }

    /// The score of a game that has been played. One of the journal that does not follow from its moves is played again.
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

    /// Writes a game down.
    pub(super) fn keep(&self, played: &Played) -> Result<(), ContestError> {
        Ok(self.journal().append(played)?)
    }

    /// Puts the first games into the records, and removes the journal. What was played beyond them when the contest ended is dropped: it
    /// depends on the number of threads.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn finish(self, games: u64) -> Result<ConfinedPath, ContestError> {
        let Self { planned, layout, origin, stored, journal } = self;
        let mut journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
        journal.forget_from(games);
        if journal.games().all(|game| stored.contains_key(&game)) {
            journal.remove()?;
        } else {
            finish(&Target { planned, layout, is_fresh: false }, journal, &origin)?;
        }
        Ok(planned.path.clone())
    }

    /// Removes the journal: the contest is decided, and nobody asked for the games.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn discard(self) -> Result<(), ContestError> {
        let journal = self.journal.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(journal.remove()?)
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
