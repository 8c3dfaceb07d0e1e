//! The arguments of the commands for what is stored: checking it, judging and drawing it, and looking at its games.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use manifest::Ruling;

use super::Places;
use crate::recompute::Count;

/// Reads a verdict by its word.
fn ruling() -> impl TypedValueParser<Value = Ruling> {
    let named = |name: String| Ruling::ALL.into_iter().find(|ruling| ruling.name() == name);
    PossibleValuesParser::new(Ruling::ALL.map(Ruling::name))
        .map(move |name| named(name).unwrap_or(Ruling::Untestable))
}

fn seed(text: &str) -> Result<u64, &'static str> {
    u64::from_str_radix(text, 16).map_err(|_| "write up to 16 hexadecimal digits")
}

#[derive(Debug, Args)]
pub struct Verify {
    /// Files of records or studies, folders with them, or a bundle [default: the whole results folder]
    pub paths: Vec<PathBuf>,
    /// Also play N games of each experiment and N trials of each study again, or `all`, including faulty ones, and conduct trainings of a
    /// few minutes once more
    #[arg(long, value_name = "N", default_value_t = Count::Some(0))]
    pub recompute: Count,
    /// Choose the games and trials of --recompute with this seed, as printed by an earlier run [default: at random]
    #[arg(long, value_name = "HEX", requires = "recompute", value_parser = seed)]
    pub seed: Option<u64>,
    /// Also require that records and studies match the current manifests and agents, and that none are missing
    #[arg(long)]
    pub current: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct Claims {
    /// Papers, a manifest's file, or claims as PAPER/CLAIM, each of which is shown whole [default: all papers]
    pub names: Vec<String>,
    /// Only this paper
    #[arg(long = "paper", value_name = "PAPER")]
    pub papers: Vec<String>,
    /// Only claims with this verdict
    #[arg(long = "verdict", value_name = "VERDICT", value_parser = ruling(), conflicts_with = "gate")]
    pub verdicts: Vec<Ruling>,
    /// Compare with the verdicts in this file, and fail if one differs; verdicts that depend on measured time are skipped
    #[arg(long, value_name = "FILE")]
    pub gate: Option<PathBuf>,
    /// Print them as JSON, in the form of results/claims.json
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct Render {
    /// Your own manifests, to draw in addition to the others
    pub names: Vec<String>,
    /// Print the files as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct Games {
    /// The experiment, as PAPER/EXPERIMENT, or a records file
    pub experiment: String,
    /// What to sort by
    #[arg(long, value_enum, default_value_t = GamesOrder::Game)]
    pub sort: GamesOrder,
    /// Show at most N games
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
pub struct Replay {
    /// The experiment, as PAPER/EXPERIMENT, or a records file
    pub experiment: String,
    /// The game's number
    pub game: u64,
    /// Print only the board after N moves
    #[arg(long = "move", value_name = "N")]
    pub at_move: Option<u32>,
    #[command(flatten)]
    pub places: Places,
}
