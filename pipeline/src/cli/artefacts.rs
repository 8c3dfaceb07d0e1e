//! The arguments of `pipeline artefacts`.

use std::path::PathBuf;

use clap::Args;

use super::{ARTEFACTS, ResultsPlaces};

#[derive(Debug, Args)]
pub struct Artefacts {
    /// Fail if an artefact is damaged, or if an experiment needs one that is missing
    #[arg(long)]
    pub check: bool,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    /// The folder with the files that agents are lent, each under the SHA-256 of its content
    #[arg(long, value_name = "DIR", default_value = ARTEFACTS)]
    pub artefacts: PathBuf,
    #[command(flatten)]
    pub places: ResultsPlaces,
}
