//! Iterations 4 and 6 with weights of one's own. A weight of 0 leaves a term out of the heuristic, which is
//! how the document's statements about each term are tested. With the printed weights they are `devdoc-4` and
//! `devdoc-6`.
//!
//! They are agents of their own: parameters are part of an experiment's identity, and the printed programs
//! have none.

use engine::Rules;
use engine::agent::{About, Agent, Decision, Failure, Host, Params, Position, Refusal, check_numbers};

use crate::LARGEST_WEIGHT;

/// An iteration whose heuristic has weights.
pub trait Weighted: Agent {
    /// The weights; the default is as printed.
    type Weights: Params;

    /// The agent that takes them as parameters.
    const WEIGHTED: About;

    /// The iteration with these weights.
    fn with_weights(rules: &Rules, weights: Self::Weights) -> Self;
}

/// An iteration with weights of one's own.
pub struct WithWeights<A>(A);

impl<A: Weighted> Agent for WithWeights<A> {
    type Params = A::Weights;

    const ABOUT: About = A::WEIGHTED;

    fn create(rules: &Rules, weights: A::Weights, _host: Host) -> Result<Self, Refusal> {
        check_numbers(&weights, |_| 0.0..=LARGEST_WEIGHT.into())?;
        Ok(Self(A::with_weights(rules, weights)))
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position)
    }
}
