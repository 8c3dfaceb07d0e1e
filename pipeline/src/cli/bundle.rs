//! The arguments of `bundle` and `unbundle`.

use std::path::PathBuf;

use clap::Args;

use super::Places;

#[derive(Debug, Args)]
pub struct Bundle {
    /// The folder to write the bundle to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub to: PathBuf,
    /// Bundle files that differ from the commit; the bundle says so
    #[arg(long)]
    pub allow_dirty: bool,
    /// Bundle even if records are missing, stale, or cannot be compared with their agents; the bundle says so
    #[arg(long)]
    pub allow_stale: bool,
    /// Take the files along that agents need, those of up to 32 MB each; this is the default
    #[arg(long, overrides_with = "without_artefacts")]
    pub with_artefacts: bool,
    /// Leave the files out that agents need; the bundle names them
    #[arg(long, overrides_with = "with_artefacts")]
    pub without_artefacts: bool,
    /// Print what was done as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct Unbundle {
    /// The bundle
    pub bundle: PathBuf,
    /// The folder to unpack into, which must not exist [default: the bundle's name]
    pub into: Option<PathBuf>,
}
