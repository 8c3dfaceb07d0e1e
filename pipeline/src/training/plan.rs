//! Which trainings there are, and which of them are done.

use std::path::PathBuf;
use std::sync::Arc;
use surroundings::confined::ConfinedPath;

use manifest::{ManifestError, Paper, Set, Subject, Training, check_training_agents};
use records::identity::Difference;
use records::key::Key;
use records::layout::Layout;
use trainings::{Artefacts, Cost, TrainingError, TrainingIdentity, store};
use workers::catalogue::{Catalogue, PluginEntry};
use workers::worker::protocol::TrainingSetup;
use workers::worker::{Launcher, WorkerError};

use super::Conducted;
use crate::signatures::Signatures;

/// A training with its identity, and what is stored of it.
#[derive(Clone, Debug)]
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
    pub plugin: Arc<PluginEntry>,
    /// Where its learning curve is or will be.
    pub path: ConfinedPath,
    /// What is stored.
    pub state: TrainingState,
    /// What it cost before, if it was ever done, whatever has changed since.
    pub cost: Option<Cost>,
}

/// What is stored of a training.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrainingState {
    /// Nothing.
    Missing,
    /// A training of another identity.
    Stale {
        /// In what the identities differ: stored and now.
        differences: Vec<Difference>,
    },
    /// It is done, and the file that it gave is not there.
    WithoutArtefact {
        /// The SHA-256 of the file.
        sha256: String,
    },
    /// It is done, and the file that it gave is there.
    Done {
        /// The SHA-256 of the file.
        sha256: String,
    },
}

/// Why trainings cannot be planned.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainingPlanError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Stored(#[from] TrainingError),
    #[error("{}: {subject}: {source}", file.display())]
    Agent { file: PathBuf, subject: Subject, source: WorkerError },
}

/// What a plan of trainings is made from.
pub struct TrainingPlanner<'a> {
    /// The papers.
    pub papers: &'a [Paper],
    /// The agents.
    pub catalogue: &'a Catalogue,
    /// Starts workers.
    pub launcher: &'a Launcher,
    /// Where results are.
    pub layout: &'a Layout,
    /// Where artefacts are.
    pub artefacts: &'a Artefacts,
}

impl TrainingPlanner<'_> {
    /// The selected trainings, in the order of papers and their trainings. Without names, those of the default sets.
    ///
    /// # Errors
    /// Where an agent is missing, cannot be trained or fails, or what is stored cannot be read.
    pub fn plan(
        &self,
        names: &[String],
        with_extra: bool,
    ) -> Result<Vec<PlannedTraining>, TrainingPlanError> {
        let signatures = Signatures::load(&self.layout.signatures());
        let is_selected = |paper: &Paper, training: &Training| {
            let is_named = |name: &str| names.iter().any(|named| named == name);
            let is_all = names.is_empty() || is_named(&paper.id);
            let in_set = with_extra || training.set == Set::Default;
            is_all && in_set || is_named(&format!("{}/{}", paper.id, training.id))
        };
        let all = self.papers.iter().flat_map(|paper| paper.trainings.iter().map(move |one| (paper, one)));
        let selected: Vec<_> = all.filter(|(paper, training)| is_selected(paper, training)).collect();
        check_training_agents(selected.iter().copied(), &self.catalogue.agents())?;
        selected.into_iter().map(|(paper, training)| self.plan_one(paper, training, &signatures)).collect()
    }

    fn plan_one(
        &self,
        paper: &Paper,
        training: &Training,
        signatures: &Signatures,
    ) -> Result<PlannedTraining, TrainingPlanError> {
        let found = self.catalogue.find(&training.agent);
        let found = found.and_then(|(plugin, agent)| Some((plugin, agent.training.as_ref()?)));
        let Some((plugin, info)) = found else {
            unreachable!("the manifest has been checked against the agents");
        };
        let unsigned = TrainingIdentity::new(training, info, None);
        let setup = setup(&unsigned, training);
        let signature = signatures.of_training(self.launcher, plugin, &setup);
        let signature = signature.map_err(|source| TrainingPlanError::Agent {
            file: paper.file.clone(),
            subject: Subject::Training(training.id.clone()),
            source,
        })?;
        let key = Key { paper: paper.id.clone(), experiment: training.id.clone() };
        let path = self.layout.training(&key);
        let identity = TrainingIdentity { signature: Some(signature), ..unsigned };
        let stored = store::read(&path)?;
        let state = match &stored {
            None => TrainingState::Missing,
            Some(stored) => self.state(&identity, &stored.header.identity, &stored.header.artefact.sha256),
        };
        Ok(PlannedTraining {
            key,
            training: training.clone(),
            identity,
            role: info.role.clone(),
            plugin: Arc::clone(plugin),
            path,
            state,
            cost: stored.map(|stored| stored.header.cost),
        })
    }

    fn state(&self, wanted: &TrainingIdentity, stored: &TrainingIdentity, sha256: &str) -> TrainingState {
        let differences = stored.differences(wanted);
        match (differences.is_empty(), self.artefacts.packed_bytes(sha256).is_ok()) {
            (false, _) => TrainingState::Stale { differences },
            (true, true) => TrainingState::Done { sha256: sha256.to_owned() },
            (true, false) => TrainingState::WithoutArtefact { sha256: sha256.to_owned() },
        }
    }
}

impl PlannedTraining {
    /// Whether nothing is left to do.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        matches!(self.state, TrainingState::Done { .. })
    }

    /// What is to be conducted.
    #[must_use]
    pub fn conducted(&self, layout: &Layout) -> Conducted {
        Conducted {
            name: self.key.to_string(),
            identity: self.identity.hash(),
            plugin: self.plugin.file.clone(),
            setup: setup(&self.identity, &self.training),
            games: self.training.games,
            curve_every: self.training.curve_every,
            folder: layout.training_under_way(&self.identity.hash()),
        }
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
