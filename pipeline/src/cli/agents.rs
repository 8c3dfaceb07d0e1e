//! The arguments of the commands for agents: listing and checking them; asking, playing, measuring and making one.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use engine::agent::Budget;
use serde_json::Value;

use super::{Loading, Places, Playing, parse_budget, parse_param, plugin_file};

/// How an agent plays.
#[derive(Clone, Debug, Args)]
pub struct Setting {
    /// A parameter of the agent, as NAME=VALUE; the value is JSON, or else text
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, Value)>,
    /// What the agent may use for a move: plies=N, nodes=N, playouts=N, time-ns=N or none
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget: Option<Budget>,
    /// A rule that differs from the standard game, as NAME=VALUE: four, merging, start, stop_at or spawn, as in a config
    #[arg(long = "rules", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub rules: Vec<(String, Value)>,
    /// The master seed
    #[arg(long, value_name = "N", default_value_t = manifest::DEFAULT_SEED)]
    pub seed: u64,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Agents {
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Check {
    /// The file: a shared library, a program, or a .agent file that says how to start one
    #[arg(value_parser = plugin_file())]
    pub plugin: PathBuf,
    /// Check only this agent
    #[arg(long, value_name = "ID")]
    pub agent: Option<String>,
    /// The maximum number of moves in each game
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub moves: u32,
    /// What the agent may use for a move: plies=N, nodes=N, playouts=N or none [default: a small one of each kind that it takes]
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget: Option<Budget>,
    /// How many seconds a step may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub limit: u64,
    /// A parameter to play with, as NAME=VALUE; the value is JSON, or else text
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, Value)>,
    /// Print the steps as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Ask {
    /// The agent: its id, or a plugin's file, followed by :ID if it offers several
    pub agent: String,
    /// The board: tiles row by row, . for an empty cell, / between rows; or - to read it from standard input
    #[arg(allow_hyphen_values = true)]
    pub board: String,
    /// The score so far, for agents that use it
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub score: u64,
    /// The number of moves so far, for agents that use it
    #[arg(long = "moves", value_name = "N", default_value_t = 0)]
    pub move_number: u64,
    /// Print the answer as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub loading: Loading,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Eval {
    /// The agent: its id, or a plugin's file, followed by :ID if it offers several
    pub agent: String,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=manifest::limits::MOST_GAMES))]
    pub games: u64,
    /// An agent to compare with, which plays the same number of games, or a stored experiment, as PAPER/EXPERIMENT
    #[arg(long, value_name = "AGENT", num_args = 1..)]
    pub against: Vec<String>,
    /// Keep the records in this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The results folder, in which the agent is ranked
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub playing: Playing,
    #[command(flatten)]
    pub loading: Loading,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Play {
    /// The agent that plays or advises: its id, or a plugin's file; without one, you play alone
    pub agent: Option<String>,
    /// Play yourself from the start; the agent advises
    #[arg(long, requires = "agent")]
    pub advise: bool,
    /// The number of the game to play, for this seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub game: u64,
    /// How many moves the agent makes per second
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub speed: u16,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub loading: Loading,
}

/// The language of a new agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)]
pub enum Language {
    Rust,
    C,
    Cpp,
    Python,
}

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct NewAgent {
    /// The agent's name: lower-case letters, digits, - and _
    pub name: String,
    /// The language to write it in
    #[arg(long, value_enum, default_value_t = Language::Rust)]
    pub lang: Language,
    /// The folder to create [default: NAME here, or for Rust agents/NAME in a Retile work tree]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Rust: where the engine crate is, a folder or a git URL [default: the source tree of this program]
    #[arg(long, value_name = "PATH|URL")]
    pub engine: Option<String>,
}
