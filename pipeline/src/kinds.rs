//! The kinds of jobs. A kind is one implementation of [`Kind`] and one line in the list below.

use std::sync::{PoisonError, RwLock};

use jobs::StoredKind;
use manifest::{Experiment, Paper, Study, Training};
use records::{Experiments, Layout};
use serde_json::Value;
use studies::Studies;
use trainings::{Artefacts, Trainings};

use crate::job::Job;
use crate::plan::{
    Listed, Plan, PlanError, PlannedExperiment, PlannedStudy, PlannedTraining, Planner, Selection, listed,
};
use crate::progress::Progress;
use crate::recompute::{Recomputation, Sampling, recompute_experiments};
use crate::run::{self, Options, RunError, RunReport};
use crate::study::{self, recompute_studies};
use crate::training::{self, recompute_trainings};

/// A kind of job: how its jobs are planned, run and recomputed. [`StoredKind`] says how their files are read
/// and checked.
pub trait Kind: StoredKind {
    /// The jobs of this kind that a manifest lists.
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>>;

    /// Plans the selected jobs.
    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError>;

    /// Runs jobs that this kind has planned, as far as they lack rows. All that is finished is kept.
    fn run(&self, jobs: &[&dyn Job], context: &RunContext<'_>) -> Result<RunReport, RunError>;

    /// Plays a sample of stored rows again with today's agents, and compares.
    fn recompute(
        &self,
        jobs: &[&dyn Job],
        context: &RunContext<'_>,
        sampling: Sampling,
    ) -> Result<Recomputation, RunError>;
}

/// Plans the selected jobs of a kind.
pub type PlanFn<K> = fn(&Planner<'_>, &Selection) -> Result<Plan<<K as TypedKind>::Planned>, PlanError>;
/// Runs planned jobs of a kind.
pub type RunFn<K> = fn(&[&<K as TypedKind>::Planned], &RunContext<'_>) -> Result<RunReport, RunError>;
/// Recomputes planned jobs of a kind.
pub type RecomputeFn<K> =
    fn(&[&<K as TypedKind>::Planned], &RunContext<'_>, Sampling) -> Result<Recomputation, RunError>;

/// A kind whose entries in manifests and whose planned jobs have types of their own. It is a [`Kind`].
pub trait TypedKind: StoredKind {
    /// A planned job.
    type Planned: Job;
    /// See [`Kind::listed`].
    const LISTED: fn(&Paper) -> Vec<Listed<'_>>;
    /// See [`Kind::plan`].
    const PLAN: PlanFn<Self>;
    /// See [`Kind::run`].
    const RUN: RunFn<Self>;
    /// See [`Kind::recompute`].
    const RECOMPUTE: RecomputeFn<Self>;
}

impl<K: TypedKind> Kind for K {
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        K::LISTED(paper)
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        Ok(K::PLAN(planner, selection)?.into())
    }

    fn run(&self, jobs: &[&dyn Job], context: &RunContext<'_>) -> Result<RunReport, RunError> {
        K::RUN(&<dyn Job>::all_of(jobs), context)
    }

    fn recompute(
        &self,
        jobs: &[&dyn Job],
        context: &RunContext<'_>,
        sampling: Sampling,
    ) -> Result<Recomputation, RunError> {
        K::RECOMPUTE(&<dyn Job>::all_of(jobs), context, sampling)
    }
}

impl TypedKind for Experiments {
    type Planned = PlannedExperiment;
    const LISTED: fn(&Paper) -> Vec<Listed<'_>> = listed::<Experiment>;
    const PLAN: PlanFn<Self> = |planner, selection| planner.plan(selection);
    const RUN: RunFn<Self> = run::run;
    const RECOMPUTE: RecomputeFn<Self> = recompute_experiments;
}

impl TypedKind for Studies {
    type Planned = PlannedStudy;
    const LISTED: fn(&Paper) -> Vec<Listed<'_>> = listed::<Study>;
    const PLAN: PlanFn<Self> = |planner, selection| planner.plan_studies(selection);
    const RUN: RunFn<Self> = study::run;
    const RECOMPUTE: RecomputeFn<Self> = recompute_studies;
}

impl TypedKind for Trainings {
    type Planned = PlannedTraining;
    const LISTED: fn(&Paper) -> Vec<Listed<'_>> = listed::<Training>;
    const PLAN: PlanFn<Self> = |planner, selection| planner.plan_trainings(selection);
    const RUN: RunFn<Self> = training::run;
    const RECOMPUTE: RecomputeFn<Self> = recompute_trainings;
}

/// What running jobs needs.
pub struct RunContext<'a> {
    /// The results folder.
    pub layout: &'a Layout,
    /// The store of agents' files.
    pub artefacts: &'a Artefacts,
    /// How rows are played.
    pub options: &'a Options<'a>,
    /// Where progress is shown.
    pub progress: &'a Progress,
}

/// The selected jobs of one kind or of all kinds.
pub type JobPlan = Plan<Box<dyn Job>>;

impl<J: Job> From<Plan<J>> for JobPlan {
    fn from(plan: Plan<J>) -> Self {
        let jobs = plan.jobs.into_iter().map(|job| Box::new(job) as Box<dyn Job>).collect();
        Self { jobs, blocked: plan.blocked }
    }
}

static BUILT_IN: [&dyn Kind; 3] = [&Experiments, &Studies, &Trainings];
static REGISTERED: RwLock<Vec<&'static dyn Kind>> = RwLock::new(Vec::new());

/// Adds a kind of jobs, with the schema of its entries in manifests.
pub fn register(kind: &'static dyn Kind, schema: &'static Value) {
    manifest::register_kind(kind.words().kind, schema);
    project::register(kind);
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(kind);
}

/// All kinds of jobs.
pub fn all() -> Vec<&'static dyn Kind> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// The names of the jobs of a kind that papers list.
pub fn names(kind: &dyn Kind, papers: &[Paper]) -> Vec<String> {
    let of_paper = |paper: &Paper| -> Vec<String> {
        kind.listed(paper).into_iter().map(|job| format!("{}/{}", paper.id, job.id)).collect()
    };
    papers.iter().flat_map(of_paper).collect()
}

/// The names of the jobs of all kinds that papers list.
pub fn all_names(papers: &[Paper]) -> Vec<String> {
    all().into_iter().flat_map(|kind| names(kind, papers)).collect()
}
