//! A diff as Markdown, ready for a pull request: what matters first, the rest folded away.

use std::fmt::Write as _;

use super::words::{details, notes, overview, summary, verdict_lines};
use super::{Diff, ExperimentDiff};
use surroundings::plain::{line, markdown as escape};

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
    let verdicts = verdict_lines(diff);
    if !verdicts.is_empty() {
        text.push_str("\n**Verdicts**\n\n");
        verdicts.iter().for_each(|line| text.push_str(&format!("- {}\n", escape(line))));
    }
    text
}

/// All about one experiment, folded; empty where there is nothing to say.
fn section(experiment: &ExperimentDiff) -> String {
    let (details, notes) = (details(experiment), notes(experiment));
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n<details><summary>{}: {}</summary>\n\n",
        escape(&experiment.experiment.to_string()),
        experiment.state.name()
    );
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
