//! The agent: a search with weights that the host provides.

use engine::prelude::*;
use tuples::weights::{self, WEIGHTS, Weights};

use crate::search::NetworkSearch;

/// The most moves of its own that it looks ahead: one more takes a hundred times as long.
const MOST_MOVES: u32 = 3;

/// The agent `ntuple`. There is no chance in its method, and every search starts with an empty memo.
pub struct NTuple(NetworkSearch<&'static [u8]>);

/// There is nothing to set: all that matters is in the weights.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {}

impl NTuple {
    /// The agent with the weights of a file.
    pub fn with_weights(rules: &Rules, weights: &'static [u8]) -> Result<Self, Refusal> {
        Ok(Self(NetworkSearch::new(Weights::parse(weights)?, rules)))
    }
}

impl Agent for NTuple {
    type Params = Params;

    const ABOUT: About =
        About::new("ntuple", "N-tuple network", "", Capabilities::NO_BUDGET.with(Capabilities::PLIES));

    const FILES: &'static [&'static str] = &[WEIGHTS];

    fn create(rules: &Rules, Params {}: Params, host: Host) -> Result<Self, Refusal> {
        Self::with_weights(rules, weights::load(&host)?)
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let more = more_moves(position.budget)?;
        let values = self.0.move_values(position.board, more);
        let depth = 2 * more + 1;
        values.decide(Direction::ALL, depth, depth.into())
    }
}

/// How many moves of its own the agent looks ahead after the first. A budget counts the moves of either side,
/// so what papers on learning call 1, 2 and 3 plies are 1, 3 and 5.
fn more_moves(budget: Budget) -> Result<u32, Failure> {
    match budget {
        Budget::Plies(plies) if plies % 2 == 1 && plies / 2 < u64::from(MOST_MOVES) => Ok((plies / 2) as u32),
        Budget::Plies(plies) => Err(format!(
            "a search of {plies} plies is not to be had: give 1, 3 or 5, for 1, 2 or 3 moves of the player's own"
        )
        .into()),
        _ => Ok(0),
    }
}
