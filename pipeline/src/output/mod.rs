//! What commands print: text and tables for people, JSON for scripts, files, and whole screens.

pub(crate) mod export;
pub(crate) mod screen;
pub(crate) mod style;

use serde::Serialize;

use crate::failure::Failure;
use platform::{console, plain};
use rendering::tables::Table;

/// The most lines of a list in a message.
const MOST_LINES: usize = 20;

/// Prints a value as JSON, for scripts.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_text(&plain::json(&json_text(value)?))
}

/// Prints a result: as JSON for scripts, or as text for people.
pub(crate) fn print_result(
    is_json: bool,
    json: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if is_json { print_json(json) } else { print_text(&text()) }
}

/// A value as JSON, with a line break at the end.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value).map_err(Failure::io)? + "\n")
}

/// Prints a text to standard output. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    console::print(text).map_err(Failure::io)
}

/// Lays rows out under a header, for the terminal; columns of whole numbers are aligned to the right.
pub(crate) fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    Table::of_texts(header, rows).terminal()
}

/// Lines, each with a margin before it.
pub(crate) fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// Fails if there are problems, and lists the first of them between what they mean and the remedy.
pub(crate) fn require_none(what: &str, problems: &[String], remedy: &str) -> Result<(), Failure> {
    if problems.is_empty() {
        return Ok(());
    }
    let more = problems.len().saturating_sub(MOST_LINES);
    let rest = (more > 0).then(|| format!("\n  and {more} more"));
    let lines = problems.iter().take(MOST_LINES).map(|line| format!("\n  {}", plain::line(line)));
    Err(Failure::check(format!("{what}:{}{remedy}", lines.chain(rest).collect::<String>())))
}
