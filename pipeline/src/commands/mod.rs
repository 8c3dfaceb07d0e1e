//! What is done about a command line, one command per file: each reads its arguments, has the stages do the
//! work, and prints the result.

pub mod agents;
mod artefacts;
pub mod ask;
pub mod bundle;
pub mod check;
mod claims;
pub mod cluster;
pub mod compare;
mod completions;
pub mod diff;
pub mod eval;
pub mod explain;
pub mod games;
pub mod merge;
pub mod new_agent;
pub mod plan;
pub mod play;
pub mod render;
pub mod replay;
pub mod reproduce;
mod reproduce_from;
mod run;
pub mod shrink;
pub mod study;
mod train;
pub mod unbundle;
pub mod verify;

pub use crate::failure::Failure;

use crate::cli::{self, Cli, Command};
use crate::output::{json_text, print_json, print_result, print_text, table};
use crate::{checksums, context, failure};
use workers::Limits;
use workers::worker::child;

/// Does what a command line asks.
pub fn dispatch(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Reproduce(arguments) => reproduce::reproduce(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Plan(arguments) => plan::plan(&arguments),
        Command::Study(arguments) => study::study(&arguments),
        Command::Train(arguments) => train::train(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Claims(arguments) => claims::claims(&arguments),
        Command::Render(arguments) => render::render(&arguments),
        Command::Diff(arguments) => diff::diff(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Bundle(arguments) => bundle::bundle(&arguments),
        Command::Unbundle(arguments) => unbundle::unbundle(&arguments),
        Command::Merge(arguments) => merge::merge(&arguments),
        Command::Cluster(arguments) => cluster::cluster(&arguments),
        Command::Shrink(arguments) => shrink::shrink(&arguments),
        Command::Agents(arguments) => agents::agents(&arguments),
        Command::Artefacts(arguments) => artefacts::artefacts(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Games(arguments) => games::games(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Schema => schema(),
        Command::Completions(arguments) => completions::completions(&arguments),
        Command::Worker(arguments) => worker(&arguments),
        Command::Ask(arguments) => ask::ask(&arguments),
        Command::Eval(arguments) => eval::eval(&arguments),
        Command::Play(arguments) => play::play(&arguments),
        Command::NewAgent(arguments) => new_agent::new_agent(&arguments),
    }
}

/// Prints the JSON schema of manifests.
fn schema() -> Result<(), Failure> {
    print_json(&manifest::schema())
}

/// Runs as a worker, until the run that started it has no more to ask.
fn worker(arguments: &cli::WorkerArgs) -> Result<(), Failure> {
    let limits = Limits { memory: arguments.memory_bytes, stdout_to: arguments.stdout_to.clone() };
    child::run(&limits).map_err(Failure::io)
}
