//! Middleton and Schmidt, "A Comparative Analysis of 2048 Tree Search Algorithms": expectimax and two forms
//! of minimax, each with the paper's initial and final heuristics.
//!
//! The three searches differ in what they take the opponent, who places the tiles, to do: [`expectimax`]
//! averages over all spawns, [`minimax_antagonistic`] expects the worst one, and [`minimax_random`] one that
//! is drawn. All else they share: the [`params`], the heuristics ([`initial_heuristics`],
//! [`final_heuristics`]) and the [`tree`] of moves and spawns that the rules of the game give. Three more
//! agents play only to be measured: [`boards`] does the paper's trials of the packed board, of the
//! [`integer`] one without tables and of the [`naive`] one, [`fullness`] searches boards of one filling, and
//! [`speedups`] leaves out memory or pruning. The crate's README says which section of the paper is where.

pub mod boards;
pub mod expectimax;
pub mod final_heuristics;
pub mod fullness;
pub mod heuristic;
pub mod initial_heuristics;
pub mod integer;
pub mod minimax_antagonistic;
pub mod minimax_random;
pub mod naive;
pub mod params;
pub mod score_heuristic;
mod search;
pub mod speedups;
pub mod tree;

pub use boards::Boards;
pub use expectimax::Expectimax;
pub use final_heuristics::{FinalHeuristics, FinalWeights};
pub use fullness::Fullness;
pub use heuristic::{Heuristic, Heuristics};
pub use initial_heuristics::{InitialHeuristics, InitialWeights};
pub use minimax_antagonistic::MinimaxAntagonistic;
pub use minimax_random::MinimaxRandom;
pub use params::{DepthCounts, HeuristicSet, Params};
pub use score_heuristic::ScoreHeuristic;
pub use speedups::Speedups;

/// Section "Speed": the memory of each search has two to the power of this many places. What is remembered
/// depends on the afterstate, on the layers still to search below it and, where spawns are drawn, on the seed
/// of the search. The first two are the key; for the third, and so that no game can reach into another, all
/// is forgotten when a search begins.
const MEMO_BITS: u32 = 16;

/// The paper, as the descriptors cite it. It bears no year and no venue.
const PAPER: &str = "H. Middleton, C. Schmidt: A Comparative Analysis of 2048 Tree Search Algorithms";

engine::export_agents![Expectimax, MinimaxAntagonistic, MinimaxRandom, Boards, Fullness, Speedups];
