//! A planned job, whatever its kind: what `plan`, `explain`, `verify` and the others need to know of it.

use std::time::Duration;

pub use jobs::Words;
use jobs::identity::{Canonical as _, StoredIdentity};
use jobs::{Key, Status};
use manifest::Set;
use platform::confined::ConfinedPath;
pub use records::EXPERIMENT;
use serde_json::{Map, Value, json};
pub use studies::STUDY;
pub use trainings::TRAINING;
use workers::catalogue::PluginEntry;

use crate::plan::{Planned, PlannedStudy, PlannedTraining};

/// How much of a job there is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amount {
    /// How many rows are wanted, or at most; absent if that is not known yet.
    pub wanted: Option<u64>,
    /// How many are stored or journalled.
    pub done: u64,
    /// How many are in journals, and in no file yet.
    pub journalled: u64,
    /// How many are left, or at most.
    pub to_play: Option<u64>,
    /// The time of a row, judging by earlier ones.
    pub time_per_row: Option<Duration>,
}

impl Amount {
    /// The time that the rest takes on one processor, in seconds.
    #[must_use]
    pub fn seconds_left(&self) -> Option<f64> {
        Some(self.time_per_row?.as_secs_f64() * self.to_play? as f64)
    }
}

/// A planned job of any kind.
pub trait Job: Send + Sync {
    /// The words for its kind.
    fn words(&self) -> &'static Words;
    /// Its paper and name.
    fn key(&self) -> &Key;
    /// Its set.
    fn set(&self) -> Set;
    /// Other jobs of the same identity, which its result serves as well.
    fn also_for(&self) -> &[Key] {
        &[]
    }
    /// All that determines its result.
    fn identity(&self) -> StoredIdentity;
    /// The plugin of its agent.
    fn plugin(&self) -> &PluginEntry;
    /// Its file, whether it exists or not.
    fn path(&self) -> &ConfinedPath;
    /// What is stored.
    fn status(&self) -> &Status;
    /// How much is done, and how much is left.
    fn amount(&self) -> Amount;
    /// Whether another run gives the same result.
    fn repeats(&self) -> bool {
        true
    }
    /// More to know about it, a line each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// More to know about it, for scripts.
    fn fields(&self) -> Map<String, Value> {
        Map::new()
    }
}

impl dyn Job + '_ {
    /// The status in a few words.
    #[must_use]
    pub fn status_text(&self) -> String {
        let Amount { to_play, journalled, .. } = self.amount();
        match self.status() {
            Status::Complete { .. } if to_play != Some(0) => "complete, to be run again".to_owned(),
            Status::Partial { done, .. } => format!("{} stored", text::counted(*done, self.words().row)),
            Status::Stale { .. } => format!("stale: {} changed", self.status().changed()),
            Status::Missing if journalled > 0 => "in progress".to_owned(),
            Status::Blocked { by } => format!("blocked: {by}"),
            status => status.word().to_owned(),
        }
    }

    /// Why the stored result is not the one of today's manifest and agent, with the remedy; nothing if it is, or
    /// if it belongs to the extra set and was never run.
    #[must_use]
    pub fn not_current(&self) -> Option<String> {
        let Words { kind, command, row, .. } = self.words();
        let problem = match self.status() {
            Status::Complete { .. } => return None,
            Status::Missing if self.set() == Set::Extra => return None,
            Status::Missing => format!("the {kind} has not run"),
            Status::Partial { done, of } => format!("{done} of {} are stored", text::counted(*of, row)),
            Status::Stale { .. } => format!("the {kind} is stale: {} changed", self.status().changed()),
            Status::Blocked { by } => by.clone(),
        };
        let key = self.key();
        Some(format!("{key}: {problem}; `pipeline {command} {key}` runs what is needed"))
    }
}

impl Job for Planned {
    fn words(&self) -> &'static Words {
        &EXPERIMENT
    }

    fn key(&self) -> &Key {
        &self.key
    }

    fn set(&self) -> Set {
        self.experiment.set
    }

    fn also_for(&self) -> &[Key] {
        &self.also_for
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
    }

    fn plugin(&self) -> &PluginEntry {
        &self.plugin
    }

    fn path(&self) -> &ConfinedPath {
        &self.path
    }

    fn status(&self) -> &Status {
        &self.status
    }

    fn amount(&self) -> Amount {
        Amount {
            wanted: Some(self.games),
            done: self.wanted_games().count() as u64 - self.to_play,
            journalled: self.journalled,
            to_play: Some(self.to_play),
            time_per_row: self.time_per_game,
        }
    }

    fn repeats(&self) -> bool {
        self.identity.signature.is_some()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(signature) = &self.second_signature {
            notes.push(format!("second signature {signature}"));
        }
        let path = self.path.display();
        if self.is_marked() {
            notes.push(format!(
                "{path}: marked as nondeterministic: it has no signature, and no run repeats its games"
            ));
        }
        if self.lacks_second_signature {
            notes.push(format!(
                "{path}: signed on the first set of positions only; `pipeline run` adds the second signature"
            ));
        }
        notes
    }

    fn fields(&self) -> Map<String, Value> {
        Map::from_iter([
            ("records".to_owned(), json!(self.path)),
            ("second_signature".to_owned(), json!(self.second_signature)),
        ])
    }
}

impl Job for PlannedStudy {
    fn words(&self) -> &'static Words {
        &STUDY
    }

    fn key(&self) -> &Key {
        &self.key
    }

    fn set(&self) -> Set {
        self.study.set
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
    }

    fn plugin(&self) -> &PluginEntry {
        &self.plugin
    }

    fn path(&self) -> &ConfinedPath {
        &self.path
    }

    fn status(&self) -> &Status {
        &self.status
    }

    fn amount(&self) -> Amount {
        // The trials of a fresh run are in a journal of their own.
        let stored = if self.is_fresh { 0 } else { self.status.rows() };
        let (wanted, done) = (self.trials(), stored + self.journalled);
        let to_play = wanted.map(|wanted| wanted.saturating_sub(done));
        Amount { wanted, done, journalled: self.journalled, to_play, time_per_row: self.time_per_trial }
    }

    fn notes(&self) -> Vec<String> {
        let trials = text::counted(self.journalled, "trial");
        let note = format!("{trials} of this identity in the journal; `pipeline study {}` goes on", self.key);
        (self.journalled > 0).then_some(note).into_iter().collect()
    }
}

impl Job for PlannedTraining {
    fn words(&self) -> &'static Words {
        &TRAINING
    }

    fn key(&self) -> &Key {
        &self.key
    }

    fn set(&self) -> Set {
        self.training.set
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
    }

    fn plugin(&self) -> &PluginEntry {
        &self.plugin
    }

    fn path(&self) -> &ConfinedPath {
        &self.path
    }

    fn status(&self) -> &Status {
        &self.status
    }

    fn amount(&self) -> Amount {
        let games = self.training.games;
        let done = if self.is_fresh || self.lacks_artefact { 0 } else { self.status.rows() };
        let time = self.cost.and_then(|cost| cost.cpu_ns.checked_div(cost.games)).map(Duration::from_nanos);
        let to_play = Some(games.saturating_sub(done));
        Amount { wanted: Some(games), done, journalled: 0, to_play, time_per_row: time }
    }

    fn notes(&self) -> Vec<String> {
        let Some(sha256) = &self.sha256 else { return Vec::new() };
        let there =
            if self.lacks_artefact { "which is not among the artefacts" } else { "among the artefacts" };
        vec![format!("gave `{}` with the SHA-256 {sha256}, {there}", self.role)]
    }

    fn fields(&self) -> Map<String, Value> {
        Map::from_iter([
            ("artefact".to_owned(), json!(self.sha256)),
            ("lacks_artefact".to_owned(), json!(self.lacks_artefact)),
        ])
    }
}
