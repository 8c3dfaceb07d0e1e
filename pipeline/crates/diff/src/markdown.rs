//! A diff as Markdown, ready for a pull request: what matters first, the rest folded away.

use std::fmt::Write as _;

use super::searches::{study_notes, study_overview, study_state};
use super::words::{details, notes, overview, summary, verdict_lines};
use super::{Diff, ExperimentDiff};
use jobs::Key;
use platform::plain::{line, markdown as escape};
use rendering::tables::Table;

/// The diff as Markdown.
#[must_use]
pub fn markdown(diff: &Diff) -> String {
    let mut text = format!(
        "### Results: {} → {}\n\n{}\n",
        code(&diff.before.label),
        code(&diff.after.label),
        summary(diff)
    );
    if let Some(table) = overview(diff) {
        let _ = write!(text, "\n{}\nBrackets show 95 % intervals.\n", table.markdown());
    }
    for experiment in &diff.experiments {
        text.push_str(&section(experiment));
    }
    if let Some(table) = study_overview(&diff.studies) {
        let _ = write!(
            text,
            "\n{}\nThe best are those of the studies themselves, the luckiest among them.\n",
            table.markdown()
        );
    }
    for study in &diff.studies {
        text.push_str(&folded(&study.study, study_state(study.state), None, &study_notes(study)));
    }
    let verdicts = verdict_lines(diff);
    if !verdicts.is_empty() {
        text.push_str("\n**Verdicts**\n\n");
        verdicts.iter().for_each(|line| text.push_str(&format!("- {}\n", escape(line))));
    }
    text
}

/// All about one experiment, folded; empty where there is nothing to say.
fn section(experiment: &ExperimentDiff) -> String {
    folded(&experiment.experiment, experiment.state.name(), details(experiment), &notes(experiment))
}

fn folded(key: &Key, state: &str, details: Option<Table>, notes: &[String]) -> String {
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
    let mut text = format!("\n<details><summary>{}: {state}</summary>\n\n", escape(&key.to_string()));
    notes.iter().for_each(|note| text.push_str(&format!("- {}\n", escape(note))));
    if let Some(table) = details {
        let _ = write!(text, "\n{}", table.markdown());
    }
    text.push_str("\n</details>\n");
    text
}

fn code(label: &str) -> String {
    format!("`{}`", line(label).replace('`', "'"))
}
