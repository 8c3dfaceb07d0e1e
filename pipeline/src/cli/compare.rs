//! What `pipeline compare` can be asked.

use std::path::PathBuf;

use clap::Args;
use engine::agent::Budget;

use super::parse_param;

#[derive(Debug, Args)]
#[allow(missing_docs)]
pub struct Compare {
    /// The agent to beat: its id, or FILE:ID for the one in this plugin
    #[arg(value_name = "AGENT_A")]
    pub first: String,
    /// The agent that may be stronger, likewise
    #[arg(value_name = "AGENT_B")]
    pub second: String,
    /// The difference in Elo that is not worth having
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub elo0: f64,
    /// The difference in Elo that is
    #[arg(long, value_name = "ELO", default_value_t = 20.0, allow_negative_numbers = true)]
    pub elo1: f64,
    /// How often elo1 may be accepted where elo0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// How often elo0 may be accepted where elo1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// The most seeds
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,
    /// The master seed
    #[arg(long, value_name = "N", default_value_t = crate::manifest::DEFAULT_SEED)]
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
    /// What both may use for a move, such as playouts=100; or none
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget: Option<Budget>,
    /// What A may use for a move
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget_a: Option<Budget>,
    /// What B may use for a move
    #[arg(long, value_name = "KIND=N", value_parser = parse_budget)]
    pub budget_b: Option<Budget>,
    /// A plugin to use beside those that are found
    #[arg(long = "plugin", value_name = "FILE")]
    pub plugins: Vec<PathBuf>,
    /// The most memory of an agent's process, in MiB; 0 for no limit
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    pub memory: u64,
    /// How many seeds are played at once; by default as many as there are processors
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the outcome as JSON
    #[arg(long)]
    pub json: bool,
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    let wrong = || "a budget is none, plies=N, nodes=N, playouts=N or time-ns=N".to_owned();
    let Some((kind, amount)) = text.split_once('=') else {
        return if text == "none" { Ok(Budget::None) } else { Err(wrong()) };
    };
    let amount: u64 = amount.parse().map_err(|_| wrong())?;
    serde_json::from_value(serde_json::json!({ kind: amount })).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_strictly() {
        assert_eq!(parse_budget("playouts=100"), Ok(Budget::Playouts(100)));
        assert_eq!(parse_budget("none"), Ok(Budget::None));
        for wrong in ["playouts", "playouts=", "hours=1", "none=1", "plies=-1"] {
            assert!(parse_budget(wrong).is_err(), "{wrong}");
        }
    }
}
