//! The resolved project: the manifests of all papers, with what depends on the results of other jobs filled
//! in.
//!
//! No manifest file is changed. [`Project::resolve`] gives the experiments that play a study's winners their
//! parameters, and names every job that waits for a study or a training. Running, rendering, claims, diffs
//! and bundles all start from one project. Nothing here starts a worker.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use engine::abi::host::TrainingInfo;
use jobs::{Blocked, Key, StoredKind};
use manifest::{Experiment, Paper};
use records::{Experiments, Layout};
use studies::{StoredStudies, Studies, winners};
use trainings::{StoredTrainings, Trainings};

static BUILT_IN: [&dyn StoredKind; 3] = [&Experiments, &Studies, &Trainings];
static REGISTERED: RwLock<Vec<&'static dyn StoredKind>> = RwLock::new(Vec::new());

/// The kinds of jobs, as far as their stored files are concerned. Experiments are first.
pub fn kinds() -> Vec<&'static dyn StoredKind> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// Adds a kind of jobs.
pub fn register(kind: &'static dyn StoredKind) {
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(kind);
}

/// The papers of all manifests, resolved. They can be resolved again, once other results are stored.
#[derive(Debug, Default)]
pub struct Project {
    /// The papers, with the winners' parameters filled in.
    pub papers: Vec<Paper>,
    /// Their studies, as stored.
    pub studies: StoredStudies,
    /// Their trainings, as stored.
    pub trainings: StoredTrainings,
    blocked: BTreeMap<Key, Blocked>,
}

impl Project {
    /// Resolves papers with the results that are stored. `training` describes how an agent learns, if the
    /// agent is at hand.
    pub fn resolve<'a>(
        papers: Vec<Paper>,
        layout: &Layout,
        training: impl Fn(&str) -> Option<&'a TrainingInfo>,
    ) -> Self {
        let studies = StoredStudies::read(&papers, layout);
        let trainings = StoredTrainings::read(&papers, layout);
        let mut project = Self { papers, studies, trainings, ..Self::default() };
        for paper in &mut project.papers {
            let waiting_for_studies = winners::resolve(paper, &project.studies);
            let untrained = trainings::blocked(paper, &project.trainings, &training);
            let blocked = untrained.into_iter().chain(waiting_for_studies);
            let blocked = blocked.map(|blocked| (blocked.job.clone(), blocked));
            project.blocked.extend(blocked);
        }
        project
    }

    /// What a job waits for, if it cannot run yet.
    pub fn blocked(&self, job: &Key) -> Option<&Blocked> {
        self.blocked.get(job)
    }

    /// An experiment of the resolved papers.
    pub fn experiment(&self, key: &Key) -> Option<(&Paper, &Experiment)> {
        let paper = self.papers.iter().find(|paper| paper.id == key.paper)?;
        Some((paper, paper.experiment(&key.id)?))
    }
}
