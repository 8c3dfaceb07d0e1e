//! Iterations 4 and 6 with weights of one's own: a weight of 0 leaves a term out of the heuristic, which is how what the document says
//! of each term is tested. With the printed weights they are `devdoc-4` and `devdoc-6`.
//!
//! They are agents of their own, since parameters are part of an experiment's identity and the printed programs have none.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::{AgentSeed, Rules};

use crate::iteration_4::{self, Expectimax};
use crate::iteration_6::{self, DeepeningExpectimax};
use crate::{DEEPENING, LARGEST_WEIGHT, about};

/// Iteration 4 with weights of one's own.
pub struct WeighedExpectimax(Expectimax);

impl Agent for WeighedExpectimax {
    type Params = iteration_4::Weights;

    const ABOUT: About =
        about("devdoc-4-weighed", "Iteration 4 with weights of one's own", Capabilities::NO_BUDGET);

    fn create(rules: &Rules, weights: iteration_4::Weights, _host: Host) -> Result<Self, Refusal> {
        let iteration_4::Weights { empty, max_tile, monotonicity, corner } = weights;
        check([
            ("empty", empty),
            ("max_tile", max_tile),
            ("monotonicity", monotonicity),
            ("corner", corner),
        ])?;
        Ok(Self(Expectimax::new(rules, weights)))
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.0.new_game(seed);
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.0.move_values()
    }
}

/// Iteration 6 with weights of one's own.
pub struct WeighedDeepening(DeepeningExpectimax);

impl Agent for WeighedDeepening {
    type Params = iteration_6::Weights;

    const ABOUT: About = about("devdoc-6-weighed", "Iteration 6 with weights of one's own", DEEPENING);

    fn create(rules: &Rules, weights: iteration_6::Weights, _host: Host) -> Result<Self, Refusal> {
        let iteration_6::Weights { smoothness, monotone_line, empty, max_tile, corner } = weights;
        check([
            ("smoothness", smoothness),
            ("monotone_line", monotone_line),
            ("empty", empty),
            ("max_tile", max_tile),
            ("corner", corner),
        ])?;
        Ok(Self(DeepeningExpectimax::new(rules, weights)))
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.0.new_game(seed);
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.0.move_values()
    }
}

fn check<const N: usize>(weights: [(&str, u32); N]) -> Result<(), Refusal> {
    match weights.into_iter().find(|&(_, weight)| weight > LARGEST_WEIGHT) {
        None => Ok(()),
        Some((name, weight)) => Err(Refusal::Params(format!(
            "parameter `{name}` is {weight}: it must be a whole number from 0 to {LARGEST_WEIGHT}"
        ))),
    }
}
