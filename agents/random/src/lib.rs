//! The baseline of every paper: a uniformly random legal move. It is also the smallest agent, and the one to
//! copy.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, Position, Refusal};
use engine::{AgentSeed, Rng, Rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The agent's state: nothing but its source of chance.
pub struct Random {
    rng: Rng,
}

/// There is nothing to set. An agent with parameters has its fields here, and their defaults in `Default`.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {}

impl Agent for Random {
    type Params = Params;

    const ABOUT: About = About {
        id: "random",
        name: "Random",
        version: "1.0.0",
        paper: "",
        licence: "MIT",
        capabilities: Capabilities::NO_BUDGET,
    };

    fn create(_rules: &Rules, Params {}: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { rng: Rng::from_seed(0) })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.rng = seed.rng();
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let nth = self.rng.below(position.legal.len());
        let direction = position.legal.iter().nth(nth as usize);
        direction.map(Decision::new).ok_or_else(|| "the position has no legal move".into())
    }
}

engine::export_agents![Random];
