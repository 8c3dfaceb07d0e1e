//! `pipeline plan`: what would run, and how long it may take.

use std::time::Duration;

use jobs::{Canonical as _, Key};
use serde_json::{Map, Value, json};

use super::context::{Context, jobs, require_all, selection};
use super::table;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::{Amount, AsJob, Job, Words};
use crate::kinds::Kind;
use crate::plan::{BlockedJob, Plan, Selection};
use text::counted;

pub(crate) fn plan(arguments: &cli::PlanArgs) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.jobs.names)?;
    let selection = Selection { games: arguments.games, ..selection(&arguments.jobs) };
    let mut plans = context.plan_each(&selection)?;
    if arguments.playing.json {
        let rows = plans.iter().flat_map(|(kind, plan)| {
            let planned = plan.jobs.iter().map(|job| as_json(job.as_ref()));
            planned.chain(plan.blocked.iter().map(|job| blocked_json(*kind, job)))
        });
        print_json(&rows.collect::<Vec<_>>())?;
    } else {
        let jobs = jobs(&arguments.playing);
        let mut text: String = plans.iter().map(|(kind, plan)| table_of(kind.words(), plan, jobs)).collect();
        text.extend(context.waiting(&selection).iter().map(|waiting| format!("{waiting}.\n")));
        print_text(if text.is_empty() { "Nothing to play.\n" } else { &text })?;
    }
    let blocked: Vec<BlockedJob> =
        plans.iter_mut().flat_map(|(_, plan)| std::mem::take(&mut plan.blocked)).collect();
    require_all(&blocked)
}

/// The jobs of a kind as a table, and how long they may take; nothing if there are none.
pub(super) fn table_of<J: AsJob>(words: &Words, plan: &Plan<J>, jobs: usize) -> String {
    if plan.is_empty() {
        return String::new();
    }
    let planned: Vec<&dyn Job> = plan.jobs.iter().map(AsJob::as_job).collect();
    let blank = |job: &BlockedJob| {
        let empty = String::new;
        vec![job.key.to_string(), empty(), empty(), empty(), job.state()]
    };
    let rows = planned.iter().map(|job| cells(*job)).chain(plan.blocked.iter().map(blank));
    let wanted = format!("{}s", words.row);
    table(&[words.kind, &wanted, "to play", "time", "status"], rows) + &estimate(words, &planned, jobs)
}

fn cells(job: &dyn Job) -> Vec<String> {
    let amount = job.amount();
    let time = match (amount.to_play, amount.seconds_left()) {
        (Some(0), _) => String::new(),
        (_, Some(seconds)) => duration(seconds),
        (_, None) => "?".to_owned(),
    };
    let count = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    let journalled = match amount.journalled {
        0 => String::new(),
        rows => format!(", {} in the journal", counted(rows, job.words().row)),
    };
    let also: Vec<String> = job.also_for().iter().map(Key::to_string).collect();
    let also = if also.is_empty() { String::new() } else { format!(", also {}", also.join(", ")) };
    let status = job.status_text() + &journalled + &also;
    vec![job.key().to_string(), count(amount.wanted), count(amount.to_play), time, status]
}

fn as_json(job: &dyn Job) -> Value {
    let (amount, row) = (job.amount(), job.words().row);
    let seconds = amount.time_per_row.map(|time| time.as_secs_f64());
    Value::Object(Map::from_iter([
        (job.words().kind.to_owned(), json!(job.key())),
        ("also_for".to_owned(), json!(job.also_for())),
        (format!("{row}s"), json!(amount.wanted)),
        ("done".to_owned(), json!(amount.done)),
        ("journalled".to_owned(), json!(amount.journalled)),
        ("to_play".to_owned(), json!(amount.to_play)),
        ("state".to_owned(), json!(job.status_text())),
        (format!("seconds_per_{row}"), json!(seconds)),
        ("identity".to_owned(), json!(job.identity().hash())),
    ]))
}

fn blocked_json(kind: &dyn Kind, job: &BlockedJob) -> Value {
    json!({ kind.words().kind: job.key, "state": job.state(), "failure": job.reason })
}

/// How long the rest may take.
fn estimate(words: &Words, planned: &[&dyn Job], jobs: usize) -> String {
    let Words { kinds, row, .. } = words;
    let open: Vec<Amount> =
        planned.iter().map(|job| job.amount()).filter(|amount| amount.to_play != Some(0)).collect();
    if open.is_empty() {
        return format!("No {row} to play.\n");
    }
    let rows: Option<u64> = open.iter().map(|amount| amount.to_play).sum();
    let rows = rows.map_or_else(|| text::capitalised(&format!("{row}s")), |rows| counted(rows, row));
    let total: f64 = open.iter().filter_map(Amount::seconds_left).sum();
    let untimed = open.iter().filter(|amount| amount.seconds_left().is_none()).count() as u64;
    let timed = format!(
        "about {} with {}, judging by the CPU time of earlier {row}s",
        duration(total / jobs as f64),
        counted(jobs as u64, "job")
    );
    let time = match untimed {
        0 => timed,
        _ if total == 0.0 => "how long that will take is not known yet".to_owned(),
        1 => format!("{timed}; 1 of the {kinds} was never timed"),
        count => format!("{timed}; {count} of the {kinds} were never timed"),
    };
    format!("{rows} to play: {time}.\n")
}

pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "0s".to_owned(),
        s => humantime::format_duration(Duration::from_secs(s.round() as u64)).to_string(),
    }
}
