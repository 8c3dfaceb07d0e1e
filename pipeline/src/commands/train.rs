//! `pipeline train`: train agents and store their weights.

use std::time::Duration;

use jobs::{Canonical as _, Key};
use serde_json::json;

use super::context::{Context, require_all, require_kind, selection};
use super::run::outcome;
use super::{Failure, print_result};
use crate::cli;
use crate::plan::PlannedTraining;
use crate::training::cost_text;
use text::counted;
use trainings::{Cost, Trainings};

pub(crate) fn train(arguments: &cli::TrainArgs) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.jobs.names)?;
    let selection = selection(&arguments.jobs);
    require_kind(&context.project.papers, &selection.names, &Trainings)?;
    let _lock = if arguments.dry_run { None } else { Some(context.lock(false)?) };
    let plan = context.plan_of::<Trainings>(&selection)?;
    require_all(&plan.blocked)?;
    if arguments.dry_run {
        return show_left(arguments, &plan.jobs);
    }
    let report = context.run_jobs(&Trainings, &plan, &arguments.playing, |options| {
        options.is_fresh = arguments.jobs.fresh;
        options.checkpoint_interval = Duration::from_secs_f64(60.0 * arguments.checkpoint_minutes);
    })?;
    print_result(arguments.playing.json, &report, || report.text(plan.jobs.len()) + &report.advice())?;
    outcome(&report)
}

/// What would be trained, and what that took before.
fn show_left(arguments: &cli::TrainArgs, plan: &[PlannedTraining]) -> Result<(), Failure> {
    let is_left = |planned: &&PlannedTraining| arguments.jobs.fresh || !planned.is_complete();
    let left: Vec<&PlannedTraining> = plan.iter().filter(is_left).collect();
    let json = |planned: &&PlannedTraining| {
        let PlannedTraining { key, identity, training, cost, .. } = planned;
        json!({"training": key, "identity": identity.hash(), "games": training.games, "cost": cost})
    };
    let json = json!({"to_train": left.iter().map(json).collect::<Vec<_>>()});
    print_result(arguments.playing.json, &json, || {
        let line = |planned: &&PlannedTraining| {
            format!("  {}\n", would_take(&planned.key, planned.training.games, planned.cost.as_ref()))
        };
        let (left_text, done) = (counted(left.len() as u64, "training"), plan.len() - left.len());
        format!("{left_text} to train, {done} done.\n{}", left.iter().map(line).collect::<String>())
    })
}

/// A training that is not done, and what it would take.
pub(super) fn would_take(key: &Key, games: u64, cost: Option<&Cost>) -> String {
    let games = counted(games, "game");
    let before = match cost {
        Some(cost) => format!("{} when it was last trained", cost_text(cost)),
        None => "never trained here, so that nobody knows how long it takes".to_owned(),
    };
    format!("{key}: {games}; {before}")
}
