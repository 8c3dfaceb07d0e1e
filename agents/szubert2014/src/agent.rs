//! The agent: the move with the greatest sum of reward and value of its afterstate.

use engine::Merging;
use engine::prelude::*;
use tuples::weights::{self, WEIGHTS, Weights};

use crate::networks;

/// The agent: its weights. There is no chance in the method, and nothing is kept from one decision to the
/// next.
pub struct Szubert {
    weights: Weights<&'static [u8]>,
    model: Model,
}

/// There is nothing to set: the file says which of the paper's networks it is.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {}

impl Szubert {
    /// The agent with the weights of a file.
    ///
    /// # Errors
    /// Returns a refusal if the bytes are not weights of one of the paper's networks, or the rules are not
    /// the paper's.
    pub fn with_weights(rules: &Rules, weights: &'static [u8]) -> Result<Self, Refusal> {
        if rules.merging != Merging::Once {
            return Err(Refusal::Rules(
                "the networks are of the game in which a tile merges once a move".into(),
            ));
        }
        let weights = Weights::parse(weights)?;
        let papers = [networks::straight_and_square(), networks::rows_and_rectangles()];
        if !papers.contains(weights.network()) {
            let network = weights.network();
            return Err(Refusal::Failed(format!(
                "file `{WEIGHTS}`: a network of {network} is none of the paper's"
            )));
        }
        Ok(Self { weights, model: Model::new(rules) })
    }
}

impl Agent for Szubert {
    type Params = Params;

    const ABOUT: About = About::new(
        "szubert-ntuple",
        "N-tuple network by TD(0)",
        "M. Szubert and W. Jaskowski, Temporal Difference Learning of N-Tuple Networks for the Game 2048, IEEE CIG 2014",
        Capabilities::NO_BUDGET,
    );

    const FILES: &'static [&'static str] = &[WEIGHTS];

    fn create(rules: &Rules, Params {}: Params, host: Host) -> Result<Self, Refusal> {
        Self::with_weights(rules, weights::load(&host)?)
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let values = self.model.value_moves(position.board, Direction::ALL, |_, slide| {
            let later = if slide.makes_cap { 0.0 } else { self.weights.value(*slide.afterstate) };
            (f64::from(slide.reward) + later, 1)
        });
        values.decide(Direction::ALL, 1, 0)
    }
}
