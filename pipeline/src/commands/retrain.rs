//! `pipeline verify --recompute` on trainings: short ones are re-run.

use super::Failure;
use crate::context::{Context, processors};
use crate::plan::{PlannedTraining, Selection};
use crate::progress::{Display, Progress};
use crate::run::Options;
pub(super) use crate::training::Retrained;
use crate::training::{is_short, recompute};
use platform::interrupt;

/// Re-runs all stored trainings that did not take long, and names the others.
pub(super) fn retrain(context: &Context) -> Result<(Vec<Retrained>, Vec<String>), Failure> {
    let plan = context.plan_trainings(&Selection { with_extra: true, ..Selection::default() })?;
    let stored = plan.jobs.iter().filter(|planned| planned.status.is_complete());
    let (short, long): (Vec<&PlannedTraining>, Vec<_>) = stored.partition(|planned| is_short(planned));
    let interrupted = interrupt::Playing::begin().map_err(Failure::io)?;
    let options = Options::new(processors(), &context.launcher, context.origin(), interrupted.stop());
    let progress = Progress::new(Display::fitting(false));
    let retrained = recompute(&short, &context.layout, &options, &progress)?;
    Ok((retrained, long.into_iter().map(|planned| planned.key.to_string()).collect()))
}
