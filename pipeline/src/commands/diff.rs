//! `pipeline diff`: what changed between two sets of results.

use super::{Failure, print_json, print_text};
use crate::cli::{self, DiffForm, FailOn};
use diff::{self, Diff, JobDiff, Side, State, WorkTree};
use platform::console::note;
use rendering::tables::Table;
use text::{counted, plain};

pub(crate) fn diff(arguments: &cli::Diff) -> Result<(), Failure> {
    let places = &arguments.places;
    let tree = WorkTree { results: &places.out, configs: &places.configs };
    let before = Side::named(arguments.before.as_deref().unwrap_or("HEAD"), tree, None)?;
    let after = match &arguments.after {
        Some(name) => Side::named(name, tree, Some(&before))?,
        None => Side::work_tree(tree, Some(&before))?,
    };
    [&before, &after].into_iter().filter(|side| side.lacks_index).for_each(tell_of_missing_index);
    let diff = diff::diff(&before, &after).map_err(|error| Failure::incomparable(&error))?;
    match arguments.form() {
        DiffForm::Json => print_json(&plain(&diff))?,
        DiffForm::Markdown => print_text(&diff::markdown(&diff))?,
        DiffForm::Text => print_text(&text(&diff))?,
    }
    if let Some(folder) = &arguments.figures {
        let files = diff::draw(&diff, &before, &after, folder)?;
        note(format_args!("{} in {}", counted(files.len() as u64, "file"), folder.display()));
    }
    let fails = match arguments.fail_on {
        FailOn::Change => diff.changed,
        FailOn::Loss => diff.lost,
    };
    // What changed has been said.
    if fails { Err(Failure::check("")) } else { Ok(()) }
}

/// Says what cannot be known of results that are older than the index.
fn tell_of_missing_index(side: &Side) {
    note(format_args!(
        "{}: there is no index.json; experiments are known by their records files, and those that share the records of another are left out",
        side.label
    ));
}

fn text(diff: &Diff) -> String {
    let paint = Paint { is_coloured: platform::console::is_coloured(&std::io::stdout()) };
    let mut text = format!("{} → {}\n{}\n", diff.before.label, diff.after.label, diff::summary(diff));
    for jobs in diff.jobs.values() {
        if let Some(overview) = diff::overview(jobs) {
            text.push_str(&format!("\n{}", overview.terminal()));
        }
        jobs.iter().for_each(|job| text.push_str(&section(job, &paint)));
    }
    let verdicts = diff::verdict_lines(diff);
    if !verdicts.is_empty() {
        text.push_str(&format!("\n{}\n", paint.bold("verdicts")));
        verdicts.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text
}

/// All about one job; empty if there is nothing to tell.
fn section(job: &JobDiff, paint: &Paint) -> String {
    let (details, notes) = (diff::details(job), diff::notes(job));
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
    let title = &format!("{}: {}", job.key, diff::state_text(job));
    let is_bad = job.state == State::Alarm || job.is_loss();
    let title = if is_bad { paint.red(title) } else { paint.bold(title) };
    let mut text = format!("\n{title}\n");
    notes.iter().for_each(|note| text.push_str(&format!("  {note}\n")));
    let rows = details.as_ref().map(Table::terminal).unwrap_or_default();
    rows.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
    text
}

/// Colour, on terminals only.
struct Paint {
    is_coloured: bool,
}

impl Paint {
    fn bold(&self, text: &str) -> String {
        self.with("\x1b[1m", text)
    }

    fn red(&self, text: &str) -> String {
        self.with("\x1b[1;31m", text)
    }

    fn with(&self, code: &str, text: &str) -> String {
        if self.is_coloured { format!("{code}{text}\x1b[0m") } else { text.to_owned() }
    }
}
