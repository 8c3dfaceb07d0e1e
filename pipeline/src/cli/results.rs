//! The arguments of the commands for stored results: verifying, judging, drawing, comparing and bundling
//! them, and listing games and artefacts.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use manifest::Ruling;

use super::{ARTEFACTS, Places};
use crate::recompute::row_count;

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
pub struct VerifyArgs {
    /// Files of records or studies, folders with them, or a bundle [default: the whole results folder]
    pub paths: Vec<PathBuf>,
    /// Also play N games of each experiment and N trials of each study again, or `all`, including faulty
    /// ones, and re-run trainings of a few minutes
    #[arg(long, value_name = "N", default_value = "0", value_parser = row_count)]
    pub recompute: u64,
    /// Choose the games and trials of --recompute with this seed, as printed by an earlier run [default: at
    /// random]
    #[arg(long, value_name = "HEX", requires = "recompute", value_parser = seed)]
    pub seed: Option<u64>,
    /// Also require that records and studies match the current manifests and agents, and that none are
    /// missing
    #[arg(long)]
    pub current: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct ClaimsArgs {
    /// Papers, a manifest's file, or claims as PAPER/CLAIM, each of which is shown whole [default: all
    /// papers]
    pub names: Vec<String>,
    /// Only claims with this verdict
    #[arg(long = "verdict", value_name = "VERDICT", value_parser = ruling(), conflicts_with = "gate")]
    pub verdicts: Vec<Ruling>,
    /// Compare with the verdicts in this file, and fail if one differs; verdicts that depend on measured time
    /// are skipped
    #[arg(long, value_name = "FILE")]
    pub gate: Option<PathBuf>,
    /// Print them as JSON, in the form of results/claims.json
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct RenderArgs {
    /// Your own manifests, to draw in addition to the others
    pub names: Vec<String>,
    /// Print the files as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct GamesArgs {
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
pub struct ReplayArgs {
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

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The earlier results: a revision, a folder or a bundle [default: HEAD]
    #[arg(value_name = "A")]
    pub before: Option<String>,
    /// The later results: a revision, a folder or a bundle [default: the work tree]
    #[arg(value_name = "B")]
    pub after: Option<String>,
    /// When to exit with 1
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = FailOn::Change)]
    pub fail_on: FailOn,
    /// Also draw the scores of changed experiments, before and after, into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
    /// Print it as Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: ResultsPlaces,
}

/// Where results and manifests are.
#[derive(Clone, Debug, Args)]
pub struct ResultsPlaces {
    /// The folder with the papers' manifests
    #[arg(long, value_name = "DIR", default_value = "paper-configs")]
    pub configs: PathBuf,
    /// The results folder
    #[arg(long = "results", alias = "out", value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
}

/// When a diff is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FailOn {
    /// An experiment or a verdict changed.
    Change,
    /// A mean score is worse beyond its interval.
    Loss,
}

#[derive(Debug, Args)]
pub struct BundleArgs {
    /// The folder to write the bundle to
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub to: PathBuf,
    /// Bundle files that differ from the commit; the bundle says so
    #[arg(long)]
    pub allow_dirty: bool,
    /// Bundle even if records are missing, stale, or cannot be compared with their agents; the bundle says so
    #[arg(long)]
    pub allow_stale: bool,
    /// Leave out the files that agents need, which are bundled up to 32 MB each; the bundle names them
    #[arg(long)]
    pub without_artefacts: bool,
    /// Print what was done as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct UnbundleArgs {
    /// The bundle
    pub bundle: PathBuf,
    /// The folder to unpack into, which must not exist [default: the bundle's name]
    pub into: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ArtefactsArgs {
    /// Fail if an artefact is damaged, or if an experiment needs one that is missing
    #[arg(long)]
    pub check: bool,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    /// The folder with the files that agents load, each under the SHA-256 of its content
    #[arg(long, value_name = "DIR", default_value = ARTEFACTS)]
    pub artefacts: PathBuf,
    #[command(flatten)]
    pub places: ResultsPlaces,
}
