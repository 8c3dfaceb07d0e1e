//! The arguments of the commands for what is stored: checking it, judging and drawing it, and looking at its games.

use std::path::PathBuf;

use clap::Args;

use super::Places;

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Verify {
    /// Records files, folders with them, or a bundle; by default the records of the results folder
    pub paths: Vec<PathBuf>,
    /// Also play so many games of each experiment again
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub recompute: u64,
    /// Also require that the records are those of today's manifests and agents, and that none is missing
    #[arg(long)]
    pub current: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Claims {
    /// Papers, or a manifest's file; by default all papers
    pub names: Vec<String>,
    /// Compare with the verdicts of this file, and fail where one differs; those that rest on measured time are left out
    #[arg(long, value_name = "FILE")]
    pub gate: Option<PathBuf>,
    /// Print them as JSON, in the form of results/claims.json
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Render {
    /// Manifests of one's own to draw beside the others
    pub names: Vec<String>,
    /// Print the files as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Games {
    /// The experiment, as PAPER/EXPERIMENT, or a records file
    pub experiment: String,
    /// What to sort by
    #[arg(long, value_enum, default_value_t = GamesOrder::Game)]
    pub sort: GamesOrder,
    /// Show no more than so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

/// What games are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum GamesOrder {
    /// The game's number.
    Game,
    /// The score, the highest first.
    Score,
    /// The moves, the longest game first.
    Moves,
    /// The largest tile, the highest first.
    MaxTile,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Replay {
    /// The experiment, as PAPER/EXPERIMENT, or a records file
    pub experiment: String,
    /// The game's number
    pub game: u64,
    /// Print only the board after so many moves
    #[arg(long = "move", value_name = "N")]
    pub at_move: Option<u32>,
    #[command(flatten)]
    pub places: Places,
}
