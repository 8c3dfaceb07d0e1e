//! The arguments of `pipeline study`.

use clap::Args;

use super::experiments::parse_shard;
use super::{Places, Playing};
use records::store::Shard;

#[derive(Debug, Args)]
pub struct Study {
    /// Papers or studies, as PAPER or PAPER/STUDY, or a manifest's file [default: all papers]
    pub names: Vec<String>,
    /// Include the studies of the extra sets
    #[arg(long)]
    pub extra: bool,
    /// Run everything again and compare it with the stored trials
    #[arg(long)]
    pub fresh: bool,
    /// Play only part M of N of every batch, counting from 1; all parts share the results folder
    #[arg(long, value_name = "M/N", value_parser = parse_shard)]
    pub shard: Option<Shard>,
    /// Do not play the winners again on games that the study never saw
    #[arg(long)]
    pub no_winners: bool,
    #[command(flatten)]
    pub playing: Playing,
    #[command(flatten)]
    pub places: Places,
}
