//! The kinds of jobs. A kind is one implementation of [`Kind`] and one line in the list below.

use std::sync::OnceLock;

use manifest::Paper;

use crate::job::{EXPERIMENT, Job, STUDY, TRAINING, Words};
use crate::plan::{Listed, PlanError, Planner, Selection, Unplanned, listed};

/// A kind of job.
pub trait Kind: Sync {
    /// The words for it.
    fn words(&self) -> &'static Words;

    /// The jobs of this kind that a manifest lists.
    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>>;

    /// Plans the selected jobs.
    ///
    /// # Errors
    /// Returns an error if an agent refuses its job, or if what is stored cannot be read.
    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError>;
}

/// The selected jobs of one kind or of all kinds.
#[derive(Default)]
pub struct JobPlan {
    /// Those whose agents can be made.
    pub jobs: Vec<Box<dyn Job>>,
    /// The others.
    pub unplanned: Vec<Unplanned>,
}

impl JobPlan {
    fn of<J: Job + 'static>(jobs: Vec<J>, unplanned: Vec<Unplanned>) -> Self {
        Self { jobs: jobs.into_iter().map(|job| Box::new(job) as Box<dyn Job>).collect(), unplanned }
    }
}

static BUILT_IN: [&dyn Kind; 3] = [&Experiments, &Studies, &Trainings];
static ALL: OnceLock<Vec<&'static dyn Kind>> = OnceLock::new();

/// All kinds of jobs.
pub fn all() -> &'static [&'static dyn Kind] {
    ALL.get_or_init(|| BUILT_IN.to_vec())
}

struct Experiments;
struct Studies;
struct Trainings;

impl Kind for Experiments {
    fn words(&self) -> &'static Words {
        &EXPERIMENT
    }

    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        paper.experiments.iter().map(|one| listed(paper, one)).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        let plan = planner.plan(selection)?;
        Ok(JobPlan::of(plan.experiments, plan.unplanned))
    }
}

impl Kind for Studies {
    fn words(&self) -> &'static Words {
        &STUDY
    }

    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        paper.studies.iter().map(|one| Listed { id: &one.id, set: one.set, with: None }).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        let plan = planner.plan_studies(selection)?;
        Ok(JobPlan::of(plan.studies, plan.unplanned))
    }
}

impl Kind for Trainings {
    fn words(&self) -> &'static Words {
        &TRAINING
    }

    fn listed<'a>(&self, paper: &'a Paper) -> Vec<Listed<'a>> {
        paper.trainings.iter().map(|one| Listed { id: &one.id, set: one.set, with: None }).collect()
    }

    fn plan(&self, planner: &Planner<'_>, selection: &Selection) -> Result<JobPlan, PlanError> {
        let plan = planner.plan_trainings(selection)?;
        Ok(JobPlan::of(plan.trainings, plan.unplanned))
    }
}
