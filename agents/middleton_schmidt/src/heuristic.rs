//! What a search asks of heuristics, and the choice between the paper's two sets.

use engine::Grid;

use crate::final_heuristics::FinalHeuristics;
use crate::initial_heuristics::InitialHeuristics;
use crate::params::{HeuristicSet, Params};
use crate::score_heuristic::ScoreHeuristic;

/// Values for the leaves of a search.
pub trait Heuristic {
    /// The value of the tiles where they stand.
    ///
    /// It is exactly the same for a grid and its mirror image at the main diagonal: the searches save a
    /// mirroring by that.
    fn value(&self, grid: Grid) -> f64;

    /// The value of a board without a legal move.
    fn lost(&self, grid: Grid) -> f64;
}

/// One of the paper's sets of heuristics, with its row table.
pub enum Heuristics {
    /// Section "Initial Heuristics".
    Initial(InitialHeuristics),
    /// Section "Final Heuristics", or those as described.
    Final(FinalHeuristics),
    /// The game's score.
    Score(ScoreHeuristic),
}

/// Evaluates an expression with whichever set of heuristics there is, in code of its own for each.
macro_rules! with_heuristic {
    ($heuristics:expr, $heuristic:ident => $body:expr) => {
        match $heuristics {
            $crate::heuristic::Heuristics::Initial($heuristic) => $body,
            $crate::heuristic::Heuristics::Final($heuristic) => $body,
            $crate::heuristic::Heuristics::Score($heuristic) => $body,
        }
    };
}
pub(crate) use with_heuristic;

impl Heuristics {
    /// The set that the parameters name, with their weights.
    pub fn new(params: &Params) -> Self {
        match params.heuristics {
            HeuristicSet::Initial => Self::Initial(InitialHeuristics::new(params.initial)),
            HeuristicSet::Final => Self::Final(FinalHeuristics::new(params.final_)),
            HeuristicSet::Described => Self::Final(FinalHeuristics::as_described(params.final_)),
            HeuristicSet::Score => Self::Score(ScoreHeuristic::default()),
        }
    }
}
