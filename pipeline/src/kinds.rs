//! The kinds of jobs. A kind is one implementation of [`Kind`] and one line in the list below.

use std::sync::{PoisonError, RwLock};

use jobs::Key;
use jobs::StoredKind;
use manifest::Paper;
use records::Experiments;
use records::layout::Layout;
use studies::Studies;
use trainings::{Artefacts, Trainings};

use crate::job::Job;
use crate::plan::{
    Listed, Plan, PlanError, Planned, PlannedStudy, PlannedTraining, Planner, Selection, listed,
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
        sample: Sampling,
    ) -> Result<Recomputation, RunError>;
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

/// Adds a kind of jobs.
pub fn register(kind: &'static dyn Kind) {
    project::register(kind);
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(kind);
}

/// All kinds of jobs.
pub fn all() -> Vec<&'static dyn Kind> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(registered.iter()).copied().collect()
}

/// The jobs of all kinds that a paper lists.
pub fn all_listed(paper: &Paper) -> Vec<Key> {
    let listed = all().into_iter().flat_map(|kind| kind.listed(paper));
    listed.map(|job| Key::new(&paper.id, job.id)).collect()
}

impl Kind for Experiments {
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        paper.experiments.iter().map(|one| listed(paper, one)).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        Ok(planner.plan(selection)?.into())
    }

    fn run(&self, jobs: &[&dyn Job], context: &RunContext<'_>) -> Result<RunReport, RunError> {
        run::run(&<dyn Job>::all_of::<Planned>(jobs), context.layout, context.options, context.progress)
    }

    fn recompute(
        &self,
        jobs: &[&dyn Job],
        context: &RunContext<'_>,
        sample: Sampling,
    ) -> Result<Recomputation, RunError> {
        recompute_experiments(&<dyn Job>::all_of::<Planned>(jobs), context.options.launcher, sample)
    }
}

impl Kind for Studies {
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        paper.studies.iter().map(|one| Listed { id: &one.id, set: one.set, with: None }).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        Ok(planner.plan_studies(selection)?.into())
    }

    fn run(&self, jobs: &[&dyn Job], context: &RunContext<'_>) -> Result<RunReport, RunError> {
        let studies = <dyn Job>::all_of::<PlannedStudy>(jobs);
        study::run(&studies, context.layout, context.options, context.progress)
    }

    fn recompute(
        &self,
        jobs: &[&dyn Job],
        context: &RunContext<'_>,
        sample: Sampling,
    ) -> Result<Recomputation, RunError> {
        recompute_studies(&<dyn Job>::all_of::<PlannedStudy>(jobs), context.options.launcher, sample)
    }
}

impl Kind for Trainings {
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        paper.trainings.iter().map(|one| Listed { id: &one.id, set: one.set, with: None }).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        Ok(planner.plan_trainings(selection)?.into())
    }

    fn run(&self, jobs: &[&dyn Job], context: &RunContext<'_>) -> Result<RunReport, RunError> {
        let RunContext { layout, artefacts, options, progress } = context;
        let trainings = <dyn Job>::all_of::<PlannedTraining>(jobs);
        Ok(training::run(&trainings, layout, artefacts, options, progress))
    }

    fn recompute(
        &self,
        jobs: &[&dyn Job],
        context: &RunContext<'_>,
        _sample: Sampling,
    ) -> Result<Recomputation, RunError> {
        recompute_trainings(&<dyn Job>::all_of::<PlannedTraining>(jobs), context)
    }
}
