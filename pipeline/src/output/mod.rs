//! What commands print: text and tables for people, JSON for scripts, files, and whole screens.

pub(crate) mod export;
pub(crate) mod screen;
pub(crate) mod style;
pub(crate) mod table;

use serde::Serialize;

use crate::failure::Failure;
use platform::{console, plain};

/// Prints a value as JSON, for scripts.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_text(&plain::json(&json_text(value)?))
}

/// A value as JSON, with a line break at the end.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value).map_err(Failure::io)? + "\n")
}

/// Prints a text to standard output. A reader that has seen enough, such as `head`, is no error.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    console::print(text).map_err(Failure::io)
}
