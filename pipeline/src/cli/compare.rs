//! What `pipeline compare` can be asked.

use std::path::PathBuf;

use clap::Args;

use super::{ContestOptions, Places, Playing, param_text};
use crate::naming::{BudgetText, RuleText};
use manifest::limits::MOST_GAMES;

#[derive(Debug, Args)]
pub struct Compare {
    /// Two agents or more: each an id, a file, FILE:ID or PAPER/EXPERIMENT, and settings behind commas: NAME,KEY=VALUE
    #[arg(value_name = "AGENT", required = true, num_args = 2..)]
    pub agents: Vec<String>,
    /// The smallest difference in Elo that matters
    #[arg(long, value_name = "ELO", default_value_t = 20.0, conflicts_with_all = ["elo0", "elo1"])]
    pub worth: f64,
    /// One-sided, for two agents: an Elo difference, B over A, too small to matter [default: 0, if --elo1 is given]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// One-sided, for two agents: the smallest Elo difference worth detecting [default: 20, if --elo0 is given]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// The probability of finding a difference that is not there; one-sided: of accepting elo1 although elo0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// The probability of missing a difference that matters; one-sided: of accepting elo0 although elo1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// The maximum number of seeds [default: 20000 for two agents, 1000 for more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub limit: Option<u64>,
    /// The master seed
    #[arg(long, value_name = "N", default_value_t = manifest::DEFAULT_SEED)]
    pub seed: u64,
    /// A parameter of all, as NAME=VALUE
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param_text)]
    pub params: Vec<(String, String)>,
    /// A parameter of A, the first
    #[arg(long = "param-a", value_name = "NAME=VALUE", value_parser = param_text)]
    pub params_a: Vec<(String, String)>,
    /// A parameter of B, the second
    #[arg(long = "param-b", value_name = "NAME=VALUE", value_parser = param_text)]
    pub params_b: Vec<(String, String)>,
    /// What all may use for a move: plies=N, nodes=N, playouts=N, milliseconds=N or none [default: of each that needs one, that of the
    /// first experiment with it]
    #[arg(long, value_name = "KIND=N")]
    pub budget: Option<BudgetText>,
    /// What A may use for a move
    #[arg(long, value_name = "KIND=N")]
    pub budget_a: Option<BudgetText>,
    /// What B may use for a move
    #[arg(long, value_name = "KIND=N")]
    pub budget_b: Option<BudgetText>,
    /// A rule as NAME=VALUE, as in a config, or all rules of a PAPER or PAPER/EXPERIMENT [default: those of the experiments that are
    /// named, or else the standard game]
    #[arg(long = "rules", value_name = "NAME=VALUE|EXPERIMENT")]
    pub rules: Vec<RuleText>,
    /// Keep the games as records in this folder; the next comparison there continues from them
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub options: ContestOptions,
    #[command(flatten)]
    pub playing: Playing,
    #[command(flatten)]
    pub places: Places,
}

impl Compare {
    /// The differences of a one-sided test, where one is asked for.
    #[must_use]
    pub fn one_sided(&self) -> Option<(f64, f64)> {
        let is_asked_for = self.elo0.is_some() || self.elo1.is_some();
        is_asked_for.then(|| (self.elo0.unwrap_or(0.0), self.elo1.unwrap_or(20.0)))
    }
}
