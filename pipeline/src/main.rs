//! The `pipeline` program.

use std::process::ExitCode;

use clap::Parser as _;
use pipeline::cli::Cli;
use pipeline::commands::dispatch;

fn main() -> ExitCode {
    match dispatch(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
