//! `pipeline new-agent`: the beginning of an agent.

use super::Failure;
use crate::cli;

pub(crate) fn new_agent(_: &cli::NewAgent) -> Result<(), Failure> {
    Err(Failure::usage("not yet"))
}
