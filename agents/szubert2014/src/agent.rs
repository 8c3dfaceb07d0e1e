//! The agent: the move with the greatest sum of reward and value of its afterstate, with weights that the host lends.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::{AgentSeed, Direction, Merging, Rules, Slides};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tuples::Weights;

use crate::networks;

/// The role of the file that the agent needs.
pub const WEIGHTS: &str = "weights";

/// The agent: its weights, and what it thought of the last moves.
pub struct Szubert {
    weights: Weights<&'static [u8]>,
    slides: &'static Slides,
    last: Option<MoveValues>,
}

/// There is nothing to set: the file says which of the paper's networks it is.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {}

impl Szubert {
    /// The agent with the weights of a file.
    ///
    /// # Errors
    /// Where the bytes are no file of weights of one of the paper's networks, or the rules are not the paper's.
    pub fn with_weights(rules: &Rules, weights: &'static [u8]) -> Result<Self, Refusal> {
        if rules.merging != Merging::Once {
            return Err(Refusal::Rules(
                "the networks are of the game in which a tile merges once a move".into(),
            ));
        }
        let failed = |reason: String| Refusal::Failed(format!("file `{WEIGHTS}`: {reason}"));
        let weights = Weights::parse(weights).map_err(|error| failed(error.to_string()))?;
        let papers = [networks::straight_and_square(), networks::rows_and_rectangles()];
        if !papers.contains(weights.network()) {
            return Err(failed(format!("a network of {} is none of the paper's", weights.network())));
        }
        Ok(Self { weights, slides: Slides::of(rules.merging), last: None })
    }

    fn values(&self, position: &Position) -> MoveValues {
        let mut values = MoveValues::default();
        for direction in Direction::ALL {
            if let Some(slide) = self.slides.slide(position.board, direction) {
                let later = if slide.makes_cap { 0.0 } else { self.weights.value(*slide.afterstate) };
                values.value[direction as usize] = Some(f64::from(slide.reward) + later);
                values.nodes[direction as usize] = 1;
            }
        }
        values
    }
}

impl Agent for Szubert {
    type Params = Params;

    const ABOUT: About = About {
        id: "szubert-ntuple",
        name: "N-tuple network by TD(0)",
        version: "1.0.0",
        paper: "M. Szubert and W. Jaskowski, Temporal Difference Learning of N-Tuple Networks for the Game 2048, IEEE CIG 2014",
        licence: "MIT",
        capabilities: Capabilities::NO_BUDGET,
    };

    const FILES: &'static [&'static str] = &[WEIGHTS];

    fn create(rules: &Rules, Params {}: Params, host: Host) -> Result<Self, Refusal> {
        Self::with_weights(rules, lent(&host)?)
    }

    /// There is no chance in the method, and nothing is kept from one decision to the next.
    fn new_game(&mut self, _seed: AgentSeed) {
        self.last = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let values = self.values(position);
        self.last = Some(values);
        let (direction, value) = values.first_best(Direction::ALL).ok_or("the position has no legal move")?;
        let nodes = values.nodes.iter().sum();
        Ok(Decision { direction, nodes, spent: 0, depth: 1, value: Some(value) })
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.last
    }
}

/// The file of weights, for as long as the process lives.
fn lent(host: &Host) -> Result<&'static [u8], Refusal> {
    host.file(WEIGHTS).ok_or_else(|| {
        Refusal::Failed(format!("the agent needs a file in the role `{WEIGHTS}`, and this host lends none"))
    })
}
