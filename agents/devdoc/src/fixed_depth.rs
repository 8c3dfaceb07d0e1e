//! `findMove` of iterations 2, 3 and 4: every move searched to the same depth, and the best one played.

use engine::prelude::*;

use crate::Params;
use crate::course::{ACTIONS, actions};
use crate::node_value::{NodeValue, score_of};

/// The search of an iteration.
pub trait Iteration: Sized + 'static {
    /// Who the agent is.
    const ABOUT: About;
    /// How many plies the search looks ahead.
    const PLIES: u32;

    /// The search as printed, for games under these rules.
    fn new(rules: &Rules) -> Self;

    /// Forgets what was searched before.
    fn forget(&mut self) {}

    /// The value of a legal move.
    fn of_move(&mut self, board: Board, score: u32, direction: Direction) -> NodeValue;
}

/// An iteration as an agent.
pub struct FixedDepth<I>(pub(crate) I);

impl<I: Iteration> Agent for FixedDepth<I> {
    type Params = Params;

    const ABOUT: About = I::ABOUT;

    fn create(rules: &Rules, Params {}: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self(I::new(rules)))
    }

    /// The printed programs take another move only if it is better: of equals the first of `ACTIONS` stays.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let score = score_of(position)?;
        self.0.forget();
        let mut values = MoveValues::default();
        for direction in actions(position) {
            self.0.of_move(position.board, score, direction).set(&mut values, direction);
        }
        values.decide(ACTIONS, I::PLIES, 0)
    }
}
