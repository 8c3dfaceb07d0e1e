//! `pipeline train`: train agents and store their weights.

use std::time::Duration;

use jobs::Key;
use jobs::identity::Canonical as _;
use serde_json::json;

use super::context::{Context, paper_names, require_all, require_kind};
use super::run::outcome;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::TRAINING;
use crate::plan::{PlannedTraining, Selection};
use crate::training::cost_text;
use text::counted;
use trainings::{Cost, Trainings};

pub(crate) fn train(arguments: &cli::Train) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.names)?;
    let names = paper_names(&arguments.names);
    let selection = Selection { names, with_extra: arguments.extra, ..Selection::default() };
    require_kind(&context.project.papers, &selection.names, &TRAINING)?;
    let _lock = if arguments.dry_run { None } else { Some(context.lock(false)?) };
    let plan = context.plan_of::<Trainings>(&selection)?;
    require_all(&plan.blocked)?;
    if arguments.dry_run {
        return show_left(arguments, &plan.jobs);
    }
    let report = context.run_jobs(&Trainings, &plan, &arguments.playing, |options| {
        options.is_fresh = arguments.fresh;
        options.checkpoint_interval = Duration::from_secs_f64(60.0 * arguments.checkpoint_minutes);
    })?;
    if arguments.playing.json {
        print_json(&report)?;
    } else {
        print_text(&(report.text(plan.jobs.len()) + &report.advice()))?;
    }
    outcome(&report)
}

/// What would be trained, and what that took before.
fn show_left(arguments: &cli::Train, plan: &[PlannedTraining]) -> Result<(), Failure> {
    let is_left = |planned: &&PlannedTraining| arguments.fresh || !planned.is_complete();
    let left: Vec<&PlannedTraining> = plan.iter().filter(is_left).collect();
    if arguments.playing.json {
        let told = |planned: &&PlannedTraining| json!({"training": planned.key.to_string(), "identity": planned.identity.hash(), "games": planned.training.games, "cost": planned.cost});
        return print_json(&json!({"to_train": left.iter().map(told).collect::<Vec<_>>()}));
    }
    let done = plan.len() - left.len();
    let mut text = format!("{} to train, {done} done.\n", counted(left.len() as u64, "training"));
    text.extend(left.iter().map(|planned| {
        format!("  {}\n", would_take(&planned.key, planned.training.games, planned.cost.as_ref()))
    }));
    print_text(&text)
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
