//! `pipeline explain`: the identity of a job, and whether the stored result matches it; without a name, a
//! table of all jobs.

use std::fmt::Write as _;

use jobs::{Canonical as _, Difference, Status};
use serde_json::{Value, json};

use super::context::{Context, paper_names, require_all};
use super::table;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::job::{Job, Words};
use crate::kinds::JobPlan;
use crate::plan::Selection;
use text::counted;

pub(crate) fn explain(arguments: &cli::ExplainArgs) -> Result<(), Failure> {
    let context = Context::load(&arguments.places, &arguments.names)?;
    let names = paper_names(&arguments.names);
    let selection = Selection { names, with_extra: true, ..Selection::default() };
    let mut plan = context.plan_jobs(&selection)?;
    // The name of a study alone asks for the study, not for its winners.
    let is_asked = |job: &dyn Job| {
        let keys = job.also_for().iter().chain([job.key()]);
        let is_named = |name: &String| keys.clone().any(|key| *name == key.to_string() || *name == key.paper);
        selection.names.is_empty() || selection.names.iter().any(is_named)
    };
    plan.jobs.retain(|job| is_asked(job.as_ref()));
    let waiting = context.waiting(&selection);
    if arguments.json {
        print_json(&plan.jobs.iter().map(|job| as_json(job.as_ref())).collect::<Vec<_>>())?;
    } else if selection.names.is_empty() {
        print_text(&overview(&plan, &waiting))?;
    } else {
        let waiting = waiting.iter().map(|waiting| format!("{waiting}.\n"));
        let texts: Vec<String> = plan.jobs.iter().map(|job| text(job.as_ref())).chain(waiting).collect();
        print_text(&texts.join("\n"))?;
    }
    require_all(&plan.blocked)
}

/// A row for each job: its status, and the parts of its identity that changed.
fn overview(plan: &JobPlan, waiting: &[String]) -> String {
    let planned = plan.jobs.iter().map(|job| {
        let status = match job.status() {
            Status::Missing if job.amount().journalled > 0 => "in progress",
            status => status.word(),
        };
        vec![job.words().kind.to_owned(), job.key().to_string(), status.to_owned(), job.status().changed()]
    });
    let blocked = plan.blocked.iter();
    let blocked = blocked.map(|one| vec![String::new(), one.key.to_string(), one.state(), String::new()]);
    if plan.is_empty() && waiting.is_empty() {
        return "There are no jobs.\n".to_owned();
    }
    let table = table(&["kind", "job", "status", "changed since"], planned.chain(blocked));
    let waiting: String = waiting.iter().map(|waiting| format!("{waiting}.\n")).collect();
    format!("{table}{waiting}`pipeline explain PAPER/NAME` prints the full identity.\n")
}

fn as_json(job: &dyn Job) -> Value {
    let identity = job.identity();
    let mut fields = job.fields();
    fields.insert(job.words().kind.to_owned(), json!(job.key()));
    fields.insert("hash".to_owned(), json!(identity.hash()));
    fields.insert("identity".to_owned(), json!(identity));
    fields.insert("file".to_owned(), json!(job.path()));
    fields.insert("state".to_owned(), json!(job.status().word()));
    fields.insert("journalled".to_owned(), json!(job.amount().journalled));
    fields.insert("differences".to_owned(), json!(job.status().differences()));
    let plugin = job.plugin().map(|plugin| json!({ "file": plugin.file, "sha256": plugin.sha256 }));
    fields.insert("plugin".to_owned(), json!(plugin));
    Value::Object(fields)
}

fn text(job: &dyn Job) -> String {
    let identity = job.identity();
    let parts = serde_json::to_string_pretty(&identity).unwrap_or_default();
    let mut text = format!("{}\n{parts}\nidentity {}\n", job.key(), identity.hash());
    if let Some(plugin) = job.plugin() {
        let _ = writeln!(text, "plugin {} (SHA-256 {})", plugin.file.display(), plugin.sha256);
    }
    let Words { row, stored, .. } = job.words();
    let path = job.path().display();
    let _ = match job.status() {
        Status::Missing => writeln!(text, "{path}: no {} yet", stored.trim_start_matches("a ")),
        Status::Complete { rows } => writeln!(text, "{path}: {} of this identity", counted(*rows, row)),
        Status::Partial { done, of } => {
            writeln!(text, "{path}: {} of this identity, {of} wanted", counted(*done, row))
        }
        Status::Stale { differences } => {
            let lines: Vec<String> = differences.iter().map(line).collect();
            writeln!(text, "{path}: stale, {stored} of another identity:\n{}", lines.join("\n"))
        }
        Status::Blocked { by } => writeln!(text, "blocked: {by}"),
    };
    for note in job.notes() {
        let _ = writeln!(text, "{note}");
    }
    text
}

fn line(difference: &Difference) -> String {
    let Difference { component, one, other } = difference;
    format!("  {component}: stored {one}, now {other}")
}
