//! `pipeline plan`: what would run, and how long it may take.

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::context::{Context, jobs, require_all, selection};
use super::table::table;
use super::{Failure, plan_studies, print_json, print_text};
use crate::cli;
use crate::plan::{Plan, Planned, Selection, StoredState};
use records::identity::Difference;
use records::key::Key;
use verdict::format::counted;

/// One experiment, for scripts.
#[derive(Serialize)]
struct Row {
    experiment: String,
    also_for: Vec<String>,
    games: u64,
    journalled: u64,
    to_play: u64,
    state: String,
    seconds_per_game: Option<f64>,
    identity: String,
}

pub(crate) fn plan(arguments: &cli::Plan) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.chosen.names)?;
    let selection = Selection { is_fresh: arguments.fresh, ..selection(&arguments.chosen) };
    let plan = context.plan(&selection)?;
    let studies = context.plan_studies(&selection)?;
    if arguments.playing.json {
        let experiments = plan.experiments.iter().map(|planned| json!(row(planned)));
        let unplanned = plan.unplanned.iter().map(
            |unplanned| json!({ "experiment": unplanned.key, "state": unplanned.state(), "failure": unplanned.reason }),
        );
        let studies = plan_studies::rows(&studies, arguments.fresh);
        print_json(&experiments.chain(unplanned).chain(studies).collect::<Vec<_>>())?;
    } else {
        let jobs = jobs(&arguments.playing);
        let is_empty = plan.experiments.is_empty() && plan.unplanned.is_empty();
        let mut told = if is_empty { String::new() } else { text(&plan, jobs) };
        told.push_str(&plan_studies::text(&studies, jobs, arguments.fresh));
        told.extend(context.waiting(&selection).iter().map(|waiting| format!("{waiting}.\n")));
        if told.is_empty() {
            told.push_str(&text(&plan, jobs));
        }
        print_text(&told)?;
    }
    require_all(&[plan.unplanned, studies.unplanned].concat())
}

/// The plan as a table, and how long it may take.
pub(super) fn text(plan: &Plan, jobs: usize) -> String {
    let unplanned = plan.unplanned.iter().map(|unplanned| blank_row(&unplanned.key, &unplanned.state()));
    let rows: Vec<Vec<String>> = plan.experiments.iter().map(row).map(cells).chain(unplanned).collect();
    let mut text = table(&["experiment", "games", "to play", "time", "state"], &rows);
    text.push_str(&estimate(plan, jobs));
    text
}

/// The row of what cannot be planned.
pub(super) fn blank_row(key: &Key, state: &str) -> Vec<String> {
    let blank = String::new;
    vec![key.to_string(), blank(), blank(), blank(), state.to_owned()]
}

fn row(planned: &Planned) -> Row {
    let state = match &planned.state {
        StoredState::Missing => "missing".to_owned(),
        StoredState::Complete { .. } if planned.to_play > 0 => "complete, to be played again".to_owned(),
        StoredState::Complete { .. } => "complete".to_owned(),
        StoredState::Partial { games } => format!("{} stored", counted(*games, "game")),
        StoredState::Stale { differences } => stale(differences),
    };
    Row {
        experiment: planned.key.to_string(),
        also_for: planned.also_for.iter().map(ToString::to_string).collect(),
        games: planned.games,
        journalled: planned.journalled,
        to_play: planned.to_play,
        state,
        seconds_per_game: planned.time_per_game.map(|time| time.as_secs_f64()),
        identity: planned.identity.hash(),
    }
}

/// What makes something stale.
pub(super) fn stale(differences: &[Difference]) -> String {
    let parts: Vec<&str> = differences.iter().map(|difference| difference.component.as_str()).collect();
    format!("stale: {} changed", parts.join(", "))
}

fn cells(row: Row) -> Vec<String> {
    let time = match row.seconds_per_game {
        Some(_) if row.to_play == 0 => String::new(),
        Some(seconds) => duration(seconds * row.to_play as f64),
        None if row.to_play == 0 => String::new(),
        None => "?".to_owned(),
    };
    let also =
        if row.also_for.is_empty() { String::new() } else { format!(", also {}", row.also_for.join(", ")) };
    let journalled = match row.journalled {
        0 => String::new(),
        games => format!(", {} in the journal", counted(games, "game")),
    };
    vec![
        row.experiment,
        row.games.to_string(),
        row.to_play.to_string(),
        time,
        row.state + &journalled + &also,
    ]
}

fn estimate(plan: &Plan, jobs: usize) -> String {
    let to_play: u64 = plan.experiments.iter().map(|planned| planned.to_play).sum();
    if to_play == 0 {
        return "Nothing to play.\n".to_owned();
    }
    let known = plan
        .experiments
        .iter()
        .filter_map(|planned| Some(planned.time_per_game?.as_secs_f64() * planned.to_play as f64));
    let total: f64 = known.sum();
    let untimed =
        plan.experiments.iter().filter(|planned| planned.to_play > 0 && planned.time_per_game.is_none());
    let timed = format!(
        "about {} with {}, judging by the CPU time of earlier games",
        duration(total / jobs as f64),
        counted(jobs as u64, "job")
    );
    let time = match untimed.count() {
        0 => timed,
        1 if total > 0.0 => format!("{timed}; 1 of the experiments was never timed"),
        count if total > 0.0 => format!("{timed}; {count} of the experiments were never timed"),
        _ => "how long that will take is not known yet".to_owned(),
    };
    format!("{} to play: {time}.\n", counted(to_play, "game"))
}

pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "0s".to_owned(),
        s => humantime::format_duration(Duration::from_secs(s.round() as u64)).to_string(),
    }
}
