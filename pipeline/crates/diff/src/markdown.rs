//! A diff as Markdown, ready for a pull request: what matters first, the rest folded away.

use std::fmt::Write as _;

use super::words::{details, notes, overview, state_text, summary, verdict_lines};
use super::{Diff, JobDiff};
use platform::plain::{line, markdown as escape};

/// The diff as Markdown.
pub fn markdown(diff: &Diff) -> String {
    let mut text = format!(
        "### Results: {} → {}\n\n{}\n",
        code(&diff.before.label),
        code(&diff.after.label),
        summary(diff)
    );
    for jobs in diff.jobs.values() {
        if let Some(table) = overview(jobs) {
            let _ = write!(text, "\n{}\nBrackets show 95 % intervals.\n", table.markdown());
        }
        jobs.iter().for_each(|job| text.push_str(&section(job)));
    }
    let verdicts = verdict_lines(diff);
    if !verdicts.is_empty() {
        text.push_str("\n**Verdicts**\n\n");
        verdicts.iter().for_each(|line| text.push_str(&format!("- {}\n", escape(line))));
    }
    text
}

/// All about one job, folded; empty if there is nothing to tell.
fn section(job: &JobDiff) -> String {
    let (details, notes) = (details(job), notes(job));
    if details.is_none() && notes.is_empty() {
        return String::new();
    }
    let (key, state) = (&job.key, state_text(job));
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
