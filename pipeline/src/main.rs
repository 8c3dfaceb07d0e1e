//! The `pipeline` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    pipeline::cli::main()
}
