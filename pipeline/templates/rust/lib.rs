//! @NAME@: an agent that plays 2048. It keeps its tiles in a corner: the first legal direction of a fixed order.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, Position, Refusal};
use engine::{AgentSeed, Direction, Rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The agent's state. Whatever belongs to one game is cleared in `new_game`.
pub struct @TYPE@ {
    order: Vec<Direction>,
}

/// What can be set. Fields that a config leaves out have their default; unknown ones are rejected for you.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Params {
    /// The directions, the best first.
    pub order: String,
}

impl Default for Params {
    fn default() -> Self {
        Self { order: "DLRU".to_owned() }
    }
}

impl Agent for @TYPE@ {
    type Params = Params;

    const ABOUT: About = About {
        id: "@NAME@",
        name: "@NAME@",
        version: "1.0.0",
        paper: "",
        licence: "MIT",
        capabilities: Capabilities::NO_BUDGET,
    };

    fn create(_rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        let order: Option<Vec<Direction>> = params.order.chars().map(Direction::from_letter).collect();
        let is_whole = |order: &Vec<Direction>| {
            order.len() == 4 && Direction::ALL.iter().all(|direction| order.contains(direction))
        };
        match order.filter(is_whole) {
            Some(order) => Ok(Self { order }),
            None => Err(Refusal::Params("`order` must name each of D, L, R and U once".to_owned())),
        }
    }

    fn new_game(&mut self, _seed: AgentSeed) {}

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let mut best_first = self.order.iter().copied();
        let chosen = best_first.find(|&direction| position.legal.contains(direction));
        chosen.map(Decision::new).ok_or_else(|| "the position has no legal move".into())
    }
}

engine::export_agents![@TYPE@];
