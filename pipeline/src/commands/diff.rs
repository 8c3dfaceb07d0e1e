//! `pipeline diff`: what changed between two sets of results.

use super::{Failure, print_json, print_text};
use crate::cli::{self, DiffForm, FailOn};
use diff::{self, Diff, ExperimentDiff, Side, State, WorkTree};
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
    if let Some(overview) = diff::overview(diff) {
        text.push_str(&format!("\n{}", overview.terminal()));
    }
    for experiment in &diff.experiments {
        text.push_str(&section(experiment, &paint));
    }
    if let Some(overview) = diff::study_overview(&diff.studies) {
        text.push_str(&format!("\n{}", overview.terminal()));
    }
    for study in &diff.studies {
        let title = format!("{}: {}", study.study, diff::study_state(study.state));
        let is_bad = study.state == State::Alarm;
        text.push_str(&described(&title, is_bad, None, &diff::study_notes(study), &paint));
    }
    let verdicts = diff::verdict_lines(diff);
    if !verdicts.is_empty() {
        text.push_str(&format!("\n{}\n", paint.bold("verdicts")));
        verdicts.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text
}

/// All about one experiment; empty where there is nothing to say.
fn section(experiment: &ExperimentDiff, paint: &Paint) -> String {
    let title = format!("{}: {}", experiment.experiment, experiment.state.name());
    let is_bad = experiment.state == State::Alarm || experiment.is_loss();
    described(&title, is_bad, diff::details(experiment), &diff::notes(experiment), paint)
}

fn described(title: &str, is_bad: bool, details: Option<Table>, notes: &[String], paint: &Paint) -> String {
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
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
