//! The studies of a plan: how far each is, and how long the rest may take.

use serde::Serialize;
use serde_json::{Value, json};

use super::plan::{blank_row, duration, stale};
use super::table::table;
use crate::study::{PlannedStudy, StudyPlan, StudyState};
use verdict::format::counted;

/// One study, for scripts.
#[derive(Serialize)]
struct Row {
    study: String,
    /// How many trials it has, or at most has, where that is known.
    trials: Option<u64>,
    /// Those that are stored or journalled.
    done: u64,
    /// At most so many are left, where that is known.
    to_play: Option<u64>,
    state: String,
    seconds_per_trial: Option<f64>,
    identity: String,
}

/// The studies of a plan, for scripts.
pub(super) fn rows(plan: &StudyPlan, is_fresh: bool) -> impl Iterator<Item = Value> {
    let planned = plan.studies.iter().map(move |planned| json!(row(planned, is_fresh)));
    let unplanned = plan.unplanned.iter().map(
        |unplanned| json!({ "study": unplanned.key, "state": unplanned.state(), "failure": unplanned.reason }),
    );
    planned.chain(unplanned)
}

/// The studies of a plan as a table, and how long they may take; nothing where there are none.
pub(super) fn text(plan: &StudyPlan, jobs: usize, is_fresh: bool) -> String {
    if plan.studies.is_empty() && plan.unplanned.is_empty() {
        return String::new();
    }
    let rows: Vec<Row> = plan.studies.iter().map(|planned| row(planned, is_fresh)).collect();
    let unplanned = plan.unplanned.iter().map(|unplanned| blank_row(&unplanned.key, &unplanned.state()));
    let cells: Vec<Vec<String>> = rows.iter().map(cells).chain(unplanned).collect();
    table(&["study", "trials", "done", "time", "state"], &cells) + &estimate(&rows, jobs)
}

fn row(planned: &PlannedStudy, is_fresh: bool) -> Row {
    let (done, state) = match &planned.state {
        // Those of the run that goes on afresh have a journal of their own.
        StudyState::Whole { .. } if is_fresh => (planned.journalled, "complete, to be run again".to_owned()),
        StudyState::Whole { trials } => (*trials, "complete".to_owned()),
        StudyState::Missing if planned.journalled > 0 => (planned.journalled, "in progress".to_owned()),
        StudyState::Missing => (0, "missing".to_owned()),
        StudyState::Stale { differences } => (planned.journalled, stale(differences)),
    };
    let trials = planned.trials();
    Row {
        study: planned.key.to_string(),
        trials,
        done,
        to_play: trials.map(|trials| trials.saturating_sub(done)),
        state,
        seconds_per_trial: planned.time_per_trial.map(|time| time.as_secs_f64()),
        identity: planned.identity.stored().hash(),
    }
}

/// How long the rest may take on one processor.
fn left(row: &Row) -> Option<f64> {
    Some(row.seconds_per_trial? * row.to_play? as f64)
}

fn cells(row: &Row) -> Vec<String> {
    let time = match (row.to_play, left(row)) {
        (Some(0), _) => String::new(),
        (_, Some(seconds)) => duration(seconds),
        (_, None) => "?".to_owned(),
    };
    let trials = row.trials.map_or_else(|| "?".to_owned(), |trials| trials.to_string());
    vec![row.study.clone(), trials, row.done.to_string(), time, row.state.clone()]
}

fn estimate(rows: &[Row], jobs: usize) -> String {
    let open: Vec<&Row> = rows.iter().filter(|row| row.to_play != Some(0)).collect();
    if open.is_empty() {
        return "No trial to play.\n".to_owned();
    }
    let trials: Option<u64> = open.iter().map(|row| row.to_play).sum();
    let trials = trials.map_or_else(|| "Trials".to_owned(), |trials| counted(trials, "trial"));
    let total: f64 = open.iter().filter_map(|row| left(row)).sum();
    let unknown = open.iter().filter(|row| left(row).is_none()).count();
    let timed = format!(
        "about {} with {}, judging by the CPU time of earlier trials",
        duration(total / jobs as f64),
        counted(jobs as u64, "job")
    );
    match unknown {
        0 => format!("{trials} to play: {timed}.\n"),
        _ if total == 0.0 => format!("{trials} to play: how long that will take is not known yet.\n"),
        1 => format!("{trials} to play: {timed}; one of the studies was never timed.\n"),
        count => format!("{trials} to play: {timed}; {count} of the studies were never timed.\n"),
    }
}
