//! Planned trainings: the identity of each, and what is stored of it.

use jobs::{Canonical as _, Key, Status};
use platform::ConfinedPath;
use platform::errors::chain;
use std::sync::Arc;

use manifest::Training;
use records::Layout;
use serde::{Deserialize, Serialize};
use trainings::{Cost, TrainingIdentity, store};
use workers::{PluginEntry, TrainingSetup};

use super::entry::{EntryContext, PlannedEntry as _};
use super::{Plan, PlanError, Planner, Selection};
use crate::signatures::Signatures;
use crate::training::TrainingJob;

/// A training with its identity, and what is stored of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlannedTraining {
    /// Its paper and name.
    pub key: Key,
    /// The training as the manifest has it.
    pub training: Training,
    /// All that determines what is learned.
    pub identity: TrainingIdentity,
    /// The role of the file that it gives.
    pub role: String,
    /// The plugin that its agent is in.
    #[serde(skip)]
    pub plugin: Arc<PluginEntry>,
    /// Where its learning curve is or will be.
    #[serde(skip)]
    pub path: ConfinedPath,
    /// What is stored.
    #[serde(skip)]
    pub status: Status,
    /// Whether the weights that it gave are not among the artefacts.
    #[serde(skip)]
    pub lacks_artefact: bool,
    /// The SHA-256 of the weights that it gave, if it ever ran.
    #[serde(skip)]
    pub sha256: Option<String>,
    /// What it cost before, if it was ever done, whatever has changed since.
    #[serde(skip)]
    pub cost: Option<Cost>,
    /// Whether it is to run again, whatever is stored.
    #[serde(skip)]
    pub(crate) is_fresh: bool,
}

impl Planner<'_> {
    /// Plans the selected trainings.
    pub fn plan_trainings(&self, selection: &Selection) -> Result<Plan<PlannedTraining>, PlanError> {
        let signatures = Signatures::load(&self.layout.signatures());
        self.plan_entries(selection, |entry| self.plan_training(entry, selection, &signatures))
    }

    fn plan_training(
        &self,
        context: &EntryContext<'_, Training>,
        selection: &Selection,
        signatures: &Signatures,
    ) -> Result<PlannedTraining, PlanError> {
        let EntryContext { paper, entry: training, plugin, agent } = *context;
        let Some(info) = &agent.training else {
            unreachable!("the manifest has been checked against the agents");
        };
        let unsigned = TrainingIdentity::new(training, info, None);
        let setup = setup(&unsigned, training);
        let signature = signatures.of_training(self.launcher, plugin, &setup);
        let signature = signature.map_err(context.agent_error())?;
        let key = training.key(paper);
        let path = self.layout.training(&key);
        let identity = TrainingIdentity { signature: Some(signature), ..unsigned };
        let (stored, damage) = match store::read(&path) {
            Ok(stored) => (stored, None),
            // A damaged file costs this training alone.
            Err(error) => (None, Some(chain(&error))),
        };
        let status = match (&stored, damage) {
            (_, Some(by)) => Status::Blocked { by },
            (None, None) => Status::Missing,
            (Some(stored), None) => {
                let differences = stored.header.identity.differences(&identity);
                Status::of(stored.curve.games(), training.games, differences)
            }
        };
        let is_there = |sha256: &str| self.artefacts.packed_bytes(sha256).is_ok();
        let lacks_artefact = stored.as_ref().is_some_and(|stored| !is_there(&stored.header.artefact.sha256));
        Ok(PlannedTraining {
            key,
            training: training.clone(),
            identity,
            role: info.role.clone(),
            plugin: Arc::clone(plugin),
            path,
            status,
            lacks_artefact,
            sha256: stored.as_ref().map(|stored| stored.header.artefact.sha256.clone()),
            is_fresh: selection.is_fresh,
            cost: stored.map(|stored| stored.header.cost),
        })
    }
}

impl PlannedTraining {
    /// Whether its learning curve and its weights are stored.
    pub const fn is_complete(&self) -> bool {
        self.status.is_complete() && !self.lacks_artefact
    }

    /// The training to run.
    pub(crate) fn to_run(&self, layout: &Layout) -> TrainingJob<'_> {
        let folder = layout.training_under_way(&self.identity.hash());
        TrainingJob { planned: self, curve_every: self.training.curve_every, folder }
    }

    /// All that determines what is learned, except the number of games.
    pub(crate) fn setup(&self) -> TrainingSetup {
        setup(&self.identity, &self.training)
    }
}

fn setup(identity: &TrainingIdentity, training: &Training) -> TrainingSetup {
    TrainingSetup {
        agent: training.agent.clone(),
        rules: training.rules.clone(),
        params: identity.params.clone(),
        seed: training.seed,
    }
}
