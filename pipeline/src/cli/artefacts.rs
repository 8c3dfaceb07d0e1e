//! The arguments of `pipeline artefacts`.

use std::path::PathBuf;

use clap::Args;

use super::ARTEFACTS;

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Artefacts {
    /// Fail if one is damaged, or missing though an experiment needs it
    #[arg(long)]
    pub check: bool,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    /// The folder with the files that agents are lent, each under the SHA-256 of its content
    #[arg(long, value_name = "DIR", default_value = ARTEFACTS)]
    pub artefacts: PathBuf,
    /// The folder with the papers' manifests
    #[arg(long, value_name = "DIR", default_value = "paper-configs")]
    pub configs: PathBuf,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}
