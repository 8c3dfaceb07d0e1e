//! The search that the report rules out: section "Approach", "we cannot apply minimax search on this game,
//! because the other player doesn't play optimally".
//!
//! The agent `er-minimax` is `er-expectimax` with the smallest value over all spawns in the place of their
//! mean. Depths, features, weights, utilities and the order of actions are the same, so their games differ by
//! the other player alone.

use engine::prelude::*;

use crate::search::Opponent;
use crate::{ErExpectimax, PAPER, Params};

/// The agent `er-minimax`.
pub struct ErMinimax(ErExpectimax);

impl Agent for ErMinimax {
    type Params = Params;

    const ABOUT: About = About::new(
        "er-minimax",
        "Minimax with three features",
        PAPER,
        Capabilities::NO_BUDGET.with(Capabilities::PLIES),
    );

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self(ErExpectimax(params.search(rules)?.against(Opponent::Optimal))))
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.0.choose_move(position)
    }
}
