//! Ripstein, "2048 AI: Monte Carlo-Powered Markov Decision Process": moves valued by random games, from the
//! boards after the move ([`pure_mcts`]) or from every board that a spawn can make of them ([`mdp`]).
//!
//! The MDP in the paper's order: how many random games a state gets ([`theta`]), their value ([`value`],
//! Algorithm 3), the states and the policies over them ([`lookahead`], Algorithm 2 and equations 2 to 4), by
//! the odds of [`spawns`]. All random games of a decision go to the engine in one stream, so that its lanes
//! stay full.

pub mod lookahead;
pub mod mdp;
pub mod pure_mcts;
pub mod spawns;
pub mod theta;
pub mod value;

pub use mdp::{Mdp, Params};
pub use pure_mcts::{PureMcts, PureMctsParams, PureMctsTop, PureMctsTopParams, Spawn};

use engine::prelude::*;

/// The paper, as the descriptors cite it.
const PAPER: &str = "N. Ripstein: 2048 AI: Monte Carlo-Powered Markov Decision Process, 12 June 2023";

/// The source of all chance in a decision: by the game's seed and the move's number alone, whatever was
/// decided before.
fn chance(seed: AgentSeed, position: &Position) -> Rng {
    Rng::from_seed(seed.0.wrapping_add(position.move_number))
}

/// The order in which the released code looks at the directions; only a larger value replaces the best so
/// far.
///
/// DEVIATION: the released classes also value illegal directions: at the current score, at 0, and in the
/// trial of Bellman's equation with a V of 0. No legal move is ever worth less than that, so an illegal
/// direction wins nothing but a draw with moves after which nothing more is scored. There the released code
/// tries directions until one is legal; here the first legal one is taken (D-8, D-16).
pub const MOVE_ORDER: [Direction; 4] = [Direction::Right, Direction::Left, Direction::Up, Direction::Down];

engine::export_agents![PureMcts, Mdp, PureMctsTop];
