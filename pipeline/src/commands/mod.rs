//! One command per file: each reads its arguments, has the stages do the work, and prints what came of it.

pub mod agents;
pub mod ask;
pub mod bundle;
pub mod check;
pub mod claims;
pub mod compare;
mod context;
pub mod diff;
pub mod eval;
pub mod explain;
mod failure;
pub mod games;
pub mod merge;
pub mod new_agent;
pub mod plan;
pub mod play;
pub mod render;
pub mod replay;
pub mod reproduce;
mod reproduce_from;
pub mod run;
mod style;
mod subject;
mod table;
mod terminal;
pub mod unbundle;
pub mod verify;
mod verify_bundle;

use std::io::{self, Write as _};

use serde::Serialize;

pub use failure::Failure;

use crate::cli;
use crate::manifest;
use crate::worker::{Limits, child};

/// Prints the JSON schema of manifests.
pub(crate) fn schema() -> Result<(), Failure> {
    print_json(&manifest::schema())
}

/// Runs as a worker, until the run that started it has no more to ask.
pub(crate) fn worker(arguments: &cli::Worker) -> Result<(), Failure> {
    let limits = Limits { memory: arguments.memory_bytes, stdout_to: arguments.stdout_to.clone() };
    child::run(&limits).map_err(Failure::io)
}

/// Prints a value as JSON, for scripts.
fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_text(&json_text(value)?)
}

/// A value as JSON, with a line break at the end.
fn json_text(value: &impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value).map_err(Failure::io)? + "\n")
}

/// Prints a text to standard output. A reader that has seen enough, such as `head`, is no error.
fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::io(error)),
        _ => Ok(()),
    }
}
