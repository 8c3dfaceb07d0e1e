//! Iteration 6 in a framework that replays: if a program sets no move in time, the course framework plays the
//! one that it set last.
//!
//! The time is a budget of nodes, which is the same on every machine. As printed, it is checked before every
//! move of the root and at the end of a depth. An answer is late if not even depth 1 is done within the
//! budget. That takes at most 124 nodes (four moves, each with two tiles in at most 15 cells), so that with
//! more the agent is `devdoc-6`.

use engine::prelude::*;

use crate::course::actions;
use crate::deepening::FirstDepth;
use crate::iteration_6::{DeepeningExpectimax, decide};
use crate::{DEEPENING, Params, about};

/// Iteration 6 whose late answers are replaced by stale ones.
pub struct StaleExpectimax {
    player: DeepeningExpectimax,
    /// The move of the last answer that was in time.
    last_set: Option<Direction>,
}

impl Agent for StaleExpectimax {
    type Params = Params;

    const ABOUT: About =
        about("devdoc-6-stale", "Iteration 6: deepening expectimax, stale moves replayed", DEEPENING);

    fn create(rules: &Rules, params: Params, host: Host) -> Result<Self, Refusal> {
        Ok(Self { player: DeepeningExpectimax::create(rules, params, host)?, last_set: None })
    }

    fn new_game(&mut self, _seed: AgentSeed) {
        self.last_set = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let deepened = self.player.find_move(position, FirstDepth::InTime);
        if deepened.depth > 0 {
            let decision = decide(&deepened)?;
            self.last_set = Some(decision.direction);
            return Ok(decision);
        }
        let stale = self.last_set.filter(|&direction| position.legal.contains(direction));
        let direction = stale.or_else(|| actions(position).next()).ok_or("the position has no legal move")?;
        Ok(Decision { nodes: deepened.nodes, spent: deepened.spent, ..Decision::new(direction) })
    }
}
