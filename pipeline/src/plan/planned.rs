//! One experiment of a plan: what is stored of it, and what is left to play.

use jobs::{Canonical as _, Difference, Key, Status};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{PlanError, Selection};
use crate::journal::{Journal, Leftovers, Title};
use manifest::Experiment;
use platform::ConfinedPath;
use records::store::read_timing;
use records::{
    GameTiming, Header, Identity, IndexEntry, Layout, Provenance, RecordsSummary, Shard, StoreError,
};
use workers::{Files, PluginEntry};

/// One experiment with its identity, and what is stored of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlannedExperiment {
    /// Its paper and name: those of the first experiment in all manifests that has this identity.
    pub key: Key,
    /// The experiment as the manifest has it.
    pub experiment: Experiment,
    /// Experiments of the same identity, which these records serve as well.
    pub also_for: Vec<Key>,
    /// All that determines its records.
    pub identity: Identity,
    /// The agent's decisions on the second set of frozen positions; absent if the games are not repeatable.
    pub second_signature: Option<String>,
    /// All of its parameters.
    pub params: Map<String, Value>,
    /// The files that its agent loads.
    pub files: Files,
    /// The plugin that its agent is in.
    #[serde(skip)]
    pub plugin: Arc<PluginEntry>,
    /// How many games are wanted: the most that an experiment of this identity asks for.
    pub games: u64,
    /// The first game that is wanted. Where it is not 0, those before it are stored where this plan does not
    /// look.
    pub first: u64,
    /// The part of the games that is planned, if not all.
    #[serde(skip)]
    pub shard: Option<Shard>,
    /// Where its records are or will be.
    #[serde(skip)]
    pub path: ConfinedPath,
    /// What is stored.
    #[serde(skip)]
    pub status: Status,
    /// Whether none of the stored games is said to come from the plugin's very file.
    #[serde(skip)]
    pub is_of_other_plugin: bool,
    /// Whether the stored records are from before there was a second set of frozen positions.
    #[serde(skip)]
    pub lacks_second_signature: bool,
    /// Games that an interrupted run has left in its journal, beside those in the records.
    #[serde(skip)]
    pub journalled: u64,
    /// How many games are left to play.
    #[serde(skip)]
    pub to_play: u64,
    /// The CPU time that a game took before, if any was timed. Its wall time would also tell how busy the
    /// machine was.
    #[serde(skip)]
    pub time_per_game: Option<Duration>,
}

impl PlannedExperiment {
    pub(super) fn share_with(&mut self, other: Self) {
        self.games = self.games.max(other.games);
        self.also_for.extend(other.also_for);
    }

    /// Looks at what is stored.
    pub(crate) fn look_up(
        &mut self,
        layout: &Layout,
        selection: &Selection,
        leftovers: &Leftovers,
    ) -> Result<(), PlanError> {
        let shard = self.shard;
        self.path = layout.records(&self.key, shard);
        let wanted = self.wanted_games().count() as u64;
        let stored = RecordsSummary::read(&self.path)?;
        self.status = stored.as_ref().map_or(Status::Missing, |stored| {
            Status::of(stored.games, wanted, self.differences(&stored.header))
        });
        if let Some(RecordsSummary { header, .. }) = stored.as_ref().filter(|_| !self.status.is_stale()) {
            let is_from = |origin: &Provenance| origin.plugin_sha256 == self.plugin.sha256;
            self.is_of_other_plugin = !header.provenance.iter().any(is_from);
            self.lacks_second_signature =
                header.second_signature.is_none() && self.second_signature.is_some();
        }
        let journal = layout.journal(&self.key, shard, selection.is_fresh);
        let journal = match leftovers.contains(&journal) {
            true => Journal::peek(&journal, &self.title(None))?,
            false => Vec::new(),
        };
        self.count(&journal, wanted, selection);
        let mut timings = read_timing(&layout.timing(&self.key, shard))?;
        timings.extend(journal);
        self.time_per_game = mean_time(&timings, timings.len() as u64);
        Ok(())
    }

    /// In what stored records differ from those that this experiment gives now.
    pub fn differences(&self, stored: &Header) -> Vec<Difference> {
        stored.differences(&self.identity, self.second_signature.as_deref())
    }

    /// Whether earlier games can show that the agent is unchanged. They cannot under a wall-clock budget, or
    /// if the agent is marked as nondeterministic.
    pub const fn repeats(&self) -> bool {
        self.identity.signature.is_some()
    }

    /// Whether the stored games belong to this exact experiment and are marked as nondeterministic.
    pub(super) fn is_only_unsigned_in_store(&self) -> bool {
        matches!(self.status.differences(), [only] if only.component == "signature" && only.one == "null")
    }

    /// Marks the games as nondeterministic. No run repeats them, so there are no decisions to sign.
    pub(super) fn unsign(&mut self) {
        self.identity.signature = None;
        self.second_signature = None;
        self.is_of_other_plugin = false;
        self.lacks_second_signature = false;
    }

    /// The entry of its records in an index, with all of its names; `None` if the records are another
    /// experiment's.
    pub fn indexed(&self) -> Result<Option<(Vec<Key>, IndexEntry)>, StoreError> {
        let Some(stored) = RecordsSummary::read(&self.path)? else { return Ok(None) };
        if !self.differences(&stored.header).is_empty() {
            return Ok(None);
        }
        let RecordsSummary { identity, digest, games, .. } = stored;
        let entry = IndexEntry { records: self.key.clone(), identity, digest, games };
        Ok(Some((self.also_for.iter().chain([&self.key]).cloned().collect(), entry)))
    }

    /// Counts the games in the journal, and those that are left to play. Records hold the first games that
    /// are wanted: what a journal holds of those is there already.
    fn count(&mut self, journal: &[GameTiming], wanted: u64, selection: &Selection) {
        let stored = if selection.is_fresh { 0 } else { self.status.rows().min(wanted) };
        let is_journalled = |game: &u64| journal.binary_search_by_key(game, |timing| timing.game).is_ok();
        let not_stored = self.wanted_games().skip(stored as usize);
        self.journalled = not_stored.filter(is_journalled).count() as u64;
        self.to_play = wanted - stored - self.journalled;
    }

    /// What stands at the head of its journals and spools.
    pub fn title(&self, origin: Option<Provenance>) -> Title {
        Title::new(self.identity.hash(), self.second_signature.clone(), origin)
    }

    /// The numbers of the games that are wanted.
    pub fn wanted_games(&self) -> impl Iterator<Item = u64> + use<> {
        let shard = self.shard;
        (self.first..self.games).filter(move |&game| shard.is_none_or(|shard| shard.contains(game)))
    }
}

/// The time of a row on average, by the times of all rows, one by one or together: CPU time, or wall time
/// where that is not known.
pub(super) fn mean_time(timings: &[GameTiming], rows: u64) -> Option<Duration> {
    let total: u64 = timings.iter().map(|timing| timing.known_cpu_ns().unwrap_or(timing.wall_ns)).sum();
    total.checked_div(rows).map(Duration::from_nanos).filter(|_| !timings.is_empty())
}
