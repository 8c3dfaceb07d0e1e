//! The arguments of the commands for agents: listing, checking, asking, playing, evaluating, comparing and
//! making them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ContestOptions, Places, PlayOptions, param_text};
use crate::naming::{BudgetText, RuleText};
use manifest::limits::MOST_GAMES;

/// How an agent is named, for the help of every command that takes one.
pub(super) const AGENT: &str =
    "The agent: an id, a file, FILE:ID or PAPER/EXPERIMENT, and settings behind commas: NAME,KEY=VALUE";

/// How an agent plays, or how all agents of a comparison do.
#[derive(Clone, Debug, Args)]
pub struct Setting {
    /// A parameter of the agent, as NAME=VALUE, like a setting behind its name
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param_text)]
    pub params: Vec<(String, String)>,
    /// What the agent may use for a move: plies=N, nodes=N, playouts=N, milliseconds=N or none [default: if
    /// it needs one, that of the first experiment with this agent]
    #[arg(long, value_name = "KIND=N")]
    pub budget: Option<BudgetText>,
    /// A rule as NAME=VALUE: four, merging, start, stop_at or spawn, as in a config; or all rules of a PAPER
    /// or PAPER/EXPERIMENT [default: those of the experiment that is named, or else the standard game]
    #[arg(long = "rules", value_name = "NAME=VALUE|EXPERIMENT")]
    pub rules: Vec<RuleText>,
    /// The master seed [default: the experiment's, or 2048]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

#[derive(Debug, Args)]
pub struct AgentsArgs {
    /// Show all of this one: an id, a file, FILE:ID or PAPER/EXPERIMENT
    pub name: Option<String>,
    /// Print them as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A file with all of its agents: a shared library, a program, or a .agent file that says how to start
    /// one; or one agent: an id, FILE:ID or PAPER/EXPERIMENT; with settings behind commas: NAME,KEY=VALUE
    #[arg(value_name = "AGENT")]
    pub name: String,
    /// Check only this agent of a file
    #[arg(long, value_name = "ID")]
    pub agent: Option<String>,
    /// The maximum number of moves in each game
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub moves: u32,
    /// What the agent may use for a move: plies=N, nodes=N, playouts=N or none [default: the experiment's, or
    /// a small one of each kind that the agent takes]
    #[arg(long, value_name = "KIND=N")]
    pub budget: Option<BudgetText>,
    /// How many seconds a step may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub limit: u64,
    /// A parameter of the agent, as NAME=VALUE, like a setting behind its name
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param_text)]
    pub params: Vec<(String, String)>,
    /// Print the steps as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct AskArgs {
    #[arg(help = AGENT)]
    pub agent: String,
    /// The board: tiles row by row, . for an empty cell, / between rows; or - to read it from standard input
    #[arg(allow_hyphen_values = true, required_unless_present = "starts")]
    pub board: Option<String>,
    /// Ask about every board of this file: one a line, as NAME: 2 . . . / . . . . / . . . . / . . . 4
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    pub starts: Option<PathBuf>,
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
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct EvalArgs {
    #[arg(help = AGENT)]
    pub agent: String,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: u64,
    /// Agents to compare with, each with its own settings behind commas. They play as many games; a stored
    /// experiment, as PAPER/EXPERIMENT, is taken from its records
    #[arg(long, value_name = "AGENT", num_args = 1..)]
    pub against: Vec<String>,
    /// Keep the records in this folder
    #[arg(long = "out", value_name = "DIR")]
    pub keep_in: Option<PathBuf>,
    #[command(flatten)]
    pub options: ContestOptions,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

#[derive(Debug, Args)]
pub struct PlayArgs {
    /// The agent that plays or advises: an id, a file, FILE:ID or PAPER/EXPERIMENT, and settings behind
    /// commas; without one, you play alone
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
    pub places: Places,
}

/// The language of a new agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    Rust,
    C,
    Cpp,
    Python,
}

#[derive(Debug, Args)]
pub struct NewAgentArgs {
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

#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Two agents or more: each an id, a file, FILE:ID or PAPER/EXPERIMENT, and settings behind commas:
    /// NAME,KEY=VALUE
    #[arg(value_name = "AGENT", required = true, num_args = 2..)]
    pub agents: Vec<String>,
    /// The smallest difference in Elo that matters
    #[arg(long, value_name = "ELO", default_value_t = 20.0, conflicts_with_all = ["elo0", "elo1"])]
    pub worth: f64,
    /// One-sided, for two agents: an Elo difference, B over A, too small to matter [default: 0, if --elo1 is
    /// given]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// One-sided, for two agents: the smallest Elo difference worth detecting [default: 20, if --elo0 is
    /// given]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// The probability of finding a difference that is not there; one-sided: of accepting elo1 although elo0
    /// is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// The probability of missing a difference that matters; one-sided: of accepting elo0 although elo1 is
    /// true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// The maximum number of seeds [default: 20000 for two agents, 1000 for more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub limit: Option<u64>,
    /// Keep the games as records in this folder; the next comparison there continues from them
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub options: ContestOptions,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub playing: PlayOptions,
    #[command(flatten)]
    pub places: Places,
}

impl CompareArgs {
    /// The differences of a one-sided test, if one is asked for.
    pub fn one_sided(&self) -> Option<(f64, f64)> {
        let is_asked_for = self.elo0.is_some() || self.elo1.is_some();
        is_asked_for.then(|| (self.elo0.unwrap_or(0.0), self.elo1.unwrap_or(20.0)))
    }
}
