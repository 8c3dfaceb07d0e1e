//! Iteration 6 in a framework that replays: where a program sets no move in time, the course framework plays the one that it set
//! last.
//!
//! The time is a budget of nodes, which is the same on every machine, and as printed it is looked at before every move of the root
//! and at the end of a depth. An answer is late where not even depth 1 is done within the budget. That takes at most 124 nodes
//! (four moves, each with two tiles in at most 15 cells), so that with more the agent is `devdoc-6`.

use engine::agent::{About, Agent, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::{AgentSeed, Direction, Rules};

use crate::course::actions;
use crate::deepening::TooLate;
use crate::iteration_6::{Answer, DeepeningExpectimax};
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

    fn new_game(&mut self, seed: AgentSeed) {
        self.player.new_game(seed);
        self.last_set = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        match self.player.find_move(position)? {
            Answer::InTime(decision) => {
                self.last_set = Some(decision.direction);
                Ok(decision)
            }
            Answer::TooLate(TooLate { nodes, spent }) => {
                let stale = self.last_set.filter(|&direction| position.legal.contains(direction));
                let direction =
                    stale.or_else(|| actions(position).next()).ok_or("the position has no legal move")?;
                Ok(Decision { nodes, spent, ..Decision::new(direction) })
            }
        }
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.player.move_values()
    }
}
