//! A planned job, whatever its kind: what `plan`, `explain`, `verify` and the others need to know of it.

use std::any::Any;
use std::time::Duration;

use engine::agent::Budget;
pub use jobs::Words;
use jobs::{Canonical as _, Key, Status, StoredIdentity};
use manifest::Set;
use platform::ConfinedPath;
pub use records::EXPERIMENT;
use serde_json::{Map, Value, json};
pub use studies::STUDY;
pub use trainings::TRAINING;
use workers::PluginEntry;

use crate::plan::{PlannedExperiment, PlannedStudy, PlannedTraining};

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
    pub fn seconds_left(&self) -> Option<f64> {
        Some(self.time_per_row?.as_secs_f64() * self.to_play? as f64)
    }
}

/// What every planned job has.
pub struct Outline<'a> {
    /// The words for its kind.
    pub words: &'static Words,
    /// Its paper and name.
    pub key: &'a Key,
    /// Its set.
    pub set: Set,
    /// The plugin of its agent, if it has one.
    pub plugin: Option<&'a PluginEntry>,
    /// Its file, whether it exists or not.
    pub path: &'a ConfinedPath,
    /// What is stored.
    pub status: &'a Status,
}

/// A planned job of any kind.
pub trait Job: Any + Send + Sync {
    /// What every job has.
    fn outline(&self) -> Outline<'_>;
    /// Other jobs of the same identity, which its result serves as well.
    fn also_for(&self) -> &[Key] {
        &[]
    }
    /// All that determines its result.
    fn identity(&self) -> StoredIdentity;
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

/// A job, or a box with one.
pub trait AsJob {
    /// The job.
    fn as_job(&self) -> &dyn Job;
}

impl<J: Job> AsJob for J {
    fn as_job(&self) -> &dyn Job {
        self
    }
}

impl AsJob for Box<dyn Job> {
    fn as_job(&self) -> &dyn Job {
        self.as_ref()
    }
}

impl AsJob for &dyn Job {
    fn as_job(&self) -> &dyn Job {
        *self
    }
}

impl dyn Job {
    /// The jobs among these that a kind has planned.
    pub fn all_of<'a, J: Job>(jobs: &[&'a dyn Job]) -> Vec<&'a J> {
        jobs.iter().filter_map(|&job| (job as &dyn Any).downcast_ref()).collect()
    }

    /// The words for its kind.
    pub fn words(&self) -> &'static Words {
        self.outline().words
    }

    /// Its paper and name.
    pub fn key(&self) -> &Key {
        self.outline().key
    }

    /// The plugin of its agent, if it has one.
    pub fn plugin(&self) -> Option<&PluginEntry> {
        self.outline().plugin
    }

    /// Its file, whether it exists or not.
    pub fn path(&self) -> &ConfinedPath {
        self.outline().path
    }

    /// What is stored.
    pub fn status(&self) -> &Status {
        self.outline().status
    }

    /// The status in a few words.
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

    /// Why the stored result is not the one of today's manifest and agent, with the remedy; nothing if it is,
    /// or if it belongs to the extra set and was never run.
    pub fn not_current(&self) -> Option<String> {
        let Words { kind, command, row, .. } = self.words();
        let problem = match self.status() {
            Status::Complete { .. } => return None,
            Status::Missing if self.outline().set == Set::Extra => return None,
            Status::Missing => format!("the {kind} has not run"),
            Status::Partial { done, of } => format!("{done} of {} are stored", text::counted(*of, row)),
            Status::Stale { .. } => format!("the {kind} is stale: {} changed", self.status().changed()),
            Status::Blocked { by } => by.clone(),
        };
        let key = self.key();
        Some(format!("{key}: {problem}; `pipeline {command} {key}` runs what is needed"))
    }
}

/// Fields for scripts, by name.
pub(crate) fn fields<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect()
}

impl Job for PlannedExperiment {
    fn outline(&self) -> Outline<'_> {
        let Self { key, plugin, path, status, .. } = self;
        Outline { words: &EXPERIMENT, key, set: self.experiment.set, plugin: Some(plugin), path, status }
    }

    fn also_for(&self) -> &[Key] {
        &self.also_for
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
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
        let path = self.path.display();
        let signature =
            self.second_signature.as_ref().map(|signature| format!("second signature {signature}"));
        let marked = self.is_marked().then(|| {
            format!("{path}: marked as nondeterministic: it has no signature, and no run repeats its games")
        });
        let lacking = self.lacks_second_signature.then(|| {
            format!(
                "{path}: signed on the first set of positions only; `pipeline run` adds the second signature"
            )
        });
        signature.into_iter().chain(marked).chain(lacking).collect()
    }

    fn fields(&self) -> Map<String, Value> {
        fields([
            ("records", json!(self.path)),
            ("second_signature", json!(self.second_signature)),
            ("lacks_second_signature", json!(self.lacks_second_signature)),
        ])
    }
}

impl Job for PlannedStudy {
    fn outline(&self) -> Outline<'_> {
        let Self { key, plugin, path, status, .. } = self;
        Outline { words: &STUDY, key, set: self.study.set, plugin: Some(plugin), path, status }
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
    }

    fn amount(&self) -> Amount {
        // The trials of a fresh run are in a journal of their own.
        let stored = if self.is_fresh { 0 } else { self.status.rows() };
        let (wanted, done) = (self.trials(), stored + self.journalled);
        let to_play = wanted.map(|wanted| wanted.saturating_sub(done));
        Amount { wanted, done, journalled: self.journalled, to_play, time_per_row: self.time_per_trial }
    }

    fn repeats(&self) -> bool {
        !matches!(self.study.budget, Budget::TimeNs(_))
    }

    fn notes(&self) -> Vec<String> {
        let trials = text::counted(self.journalled, "trial");
        let note = format!("{trials} of this identity in the journal; `pipeline study {}` goes on", self.key);
        (self.journalled > 0).then_some(note).into_iter().collect()
    }
}

impl Job for PlannedTraining {
    fn outline(&self) -> Outline<'_> {
        let Self { key, plugin, path, status, .. } = self;
        Outline { words: &TRAINING, key, set: self.training.set, plugin: Some(plugin), path, status }
    }

    fn identity(&self) -> StoredIdentity {
        self.identity.stored()
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
        fields([("artefact", json!(self.sha256)), ("lacks_artefact", json!(self.lacks_artefact))])
    }
}
