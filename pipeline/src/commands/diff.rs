//! `pipeline diff`: what changed between two sets of results.

use super::{Failure, print_json, print_text};
use crate::cli::{self, FailOn};
use crate::output::indented;
use crate::output::style::Style;
use diff::{self, Diff, DiffState, JobDiff, Side, WorkTree};
use platform::console::note;
use rendering::tables::Table;
use text::{counted, plain};

pub(crate) fn diff(arguments: &cli::DiffArgs) -> Result<(), Failure> {
    let places = &arguments.places;
    let tree = WorkTree { results: &places.out, configs: &places.configs };
    let before = Side::named(arguments.before.as_deref().unwrap_or("HEAD"), tree, None)?;
    let after = match &arguments.after {
        Some(name) => Side::named(name, tree, Some(&before))?,
        None => Side::work_tree(tree, Some(&before))?,
    };
    for side in [&before, &after].into_iter().filter(|side| side.lacks_index) {
        note(format_args!(
            "{}: there is no index.json; experiments are known by their records files, and those that share the records of another are left out",
            side.label
        ));
    }
    let diff = diff::diff(&before, &after).map_err(|error| Failure::incomparable(&error))?;
    match (arguments.json, arguments.markdown) {
        (true, _) => print_json(&plain(&diff))?,
        (_, true) => print_text(&diff::markdown(&diff))?,
        _ => print_text(&text(&diff, Style::of_stdout()))?,
    }
    if let Some(folder) = &arguments.figures {
        let files = diff::draw(&diff, &before, &after, folder)?;
        note(format_args!("{} in {}", counted(files.len() as u64, "file"), folder.display()));
    }
    let fails = match arguments.fail_on {
        FailOn::Change => diff.changed,
        FailOn::Loss => diff.lost,
    };
    // The changes are printed already.
    if fails { Err(Failure::check("")) } else { Ok(()) }
}

fn text(diff: &Diff, style: Style) -> String {
    let Style { bold, plain, .. } = style;
    let mut text = format!("{} → {}\n{}\n", diff.before.label, diff.after.label, diff::summary(diff));
    for jobs in diff.jobs.values() {
        if let Some(overview) = diff::overview(jobs) {
            text += &format!("\n{}", overview.terminal());
        }
        text.extend(jobs.iter().map(|job| section(job, style)));
    }
    let verdicts = diff::verdict_lines(diff);
    if !verdicts.is_empty() {
        text += &format!("\n{bold}verdicts{plain}\n{}", indented(&verdicts.join("\n")));
    }
    text
}

/// All about one job; empty if there is nothing to tell.
fn section(job: &JobDiff, Style { bold, red, plain, .. }: Style) -> String {
    let (details, notes) = (diff::details(job), diff::notes(job));
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
    let on = if job.state == DiffState::Alarm || job.is_loss() { red } else { bold };
    let rows = details.as_ref().map(Table::terminal).unwrap_or_default();
    let (key, state, notes) = (&job.key, job.state.text(job.words), indented(&notes.join("\n")));
    format!("\n{on}{key}: {state}{plain}\n{notes}{}", indented(&rows))
}
