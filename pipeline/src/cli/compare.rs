//! What `pipeline compare` can be asked.

use clap::Args;
use engine::agent::Budget;

use super::{Loading, parse_budget, parse_param};

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Compare {
    /// The agent to beat: its id, or a plugin's file, followed by :ID if it offers several
    #[arg(value_name = "AGENT_A")]
    pub first: String,
    /// The agent that may be stronger, likewise
    #[arg(value_name = "AGENT_B")]
    pub second: String,
    /// An Elo difference too small to matter
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// The smallest Elo difference worth detecting
    #[arg(long, value_name = "ELO", default_value_t = 20.0, allow_negative_numbers = true)]
    pub elo1: f64,
    /// The probability of accepting elo1 although elo0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// The probability of accepting elo0 although elo1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// The maximum number of seeds
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=manifest::limits::MOST_GAMES))]
    pub limit: u64,
    /// The master seed
    #[arg(long, value_name = "N", default_value_t = manifest::DEFAULT_SEED)]
    pub seed: u64,
    /// A parameter of both, as NAME=VALUE; the value is JSON, or else text
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params: Vec<(String, serde_json::Value)>,
    /// A parameter of A
    #[arg(long = "param-a", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params_a: Vec<(String, serde_json::Value)>,
    /// A parameter of B
    #[arg(long = "param-b", value_name = "NAME=VALUE", value_parser = parse_param)]
    pub params_b: Vec<(String, serde_json::Value)>,
    /// What both may use for a move: plies=N, nodes=N, playouts=N, time-ns=N or none
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget: Option<Budget>,
    /// What A may use for a move
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget_a: Option<Budget>,
    /// What B may use for a move
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget_b: Option<Budget>,
    /// How many seeds to play at once [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Do not show progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub loading: Loading,
}
