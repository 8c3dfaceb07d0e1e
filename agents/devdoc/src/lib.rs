//! The five printed iterations of a student's development document for a course's 2048 framework, one agent
//! each.
//!
//! The iterations come first: [`iteration_1`] to [`iteration_6`], each with the printed `findMove` and
//! heuristic; [`stale`] is the last one with the framework's answer to a program that has none, and
//! [`weighted`] the last two with weights of one's own. Below them stands what several share: `findMove` to
//! one depth ([`fixed_depth`]), the game as the framework shows it (`course`), deepening under a budget
//! (`deepening`), the recursion of iterations 4 and 6 ([`expectimax`]) and its memory (`memo`).

pub mod iteration_1;
pub mod iteration_2;
pub mod iteration_3;
pub mod iteration_4;
pub mod iteration_6;
pub mod stale;
pub mod weighted;

mod course;
mod deepening;
pub mod expectimax;
pub mod fixed_depth;
mod memo;
pub mod node_value;

use engine::prelude::*;

pub use iteration_1::DeepeningMinimax;
pub use iteration_2::Greedy;
pub use iteration_3::MeanOfMoves;
pub use iteration_4::Expectimax;
pub use iteration_6::DeepeningExpectimax;
pub use stale::StaleExpectimax;

/// There is nothing to set: the document prints its programs with all their numbers.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {}

/// The largest weight of a heuristic's term: all that is added up stays far below what a 64-bit number holds
/// exactly.
const LARGEST_WEIGHT: u32 = 1_000_000;

/// What the descriptors of all iterations have in common.
const fn about(id: &'static str, name: &'static str, capabilities: Capabilities) -> About {
    About::new(id, name, "2048 Development Document, a student's course work, undated", capabilities)
}

/// The budgets of the two iterations that deepen until their time is up. Like the printed programs they look
/// at the clock between the moves of the root only, so they may spend more than they were given.
const DEEPENING: Capabilities = Capabilities::NODES.with(Capabilities::TIME).with(Capabilities::OVERRUNS);

engine::export_agents![
    DeepeningMinimax,
    Greedy,
    MeanOfMoves,
    Expectimax,
    DeepeningExpectimax,
    StaleExpectimax,
    weighted::WithWeights<Expectimax>,
    weighted::WithWeights<DeepeningExpectimax>
];
