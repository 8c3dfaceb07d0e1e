//! What can be set about a search, the same for all three, and how a budget of plies becomes a depth.

use engine::prelude::*;

use crate::final_heuristics::FinalWeights;
use crate::initial_heuristics::InitialWeights;

/// The parameters of every agent of this paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    /// The heuristics at the leaves.
    pub heuristics: HeuristicSet,
    /// What a ply of the budget is.
    pub depth_counts: DepthCounts,
    /// The weights of the initial heuristics; without effect on the final ones.
    #[serde(flatten)]
    pub initial: InitialWeights,
    /// The weights of the final heuristics; without effect on the initial ones.
    #[serde(flatten)]
    pub final_: FinalWeights,
}

/// The paper's two sets of heuristics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HeuristicSet {
    /// Section "Initial Heuristics".
    Initial,
    /// Section "Final Heuristics".
    #[default]
    Final,
    /// The final ones with smoothness as section "Better Heuristics" describes it, weighted by
    /// `final_merges`.
    Described,
    /// The game's score alone, which section "Initial Heuristics" advises against.
    Score,
}

/// What the paper's depth of 3 or 5 counts. It does not say (D-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DepthCounts {
    /// Layers of the tree, the player's and the opponent's alike.
    #[default]
    Layers,
    /// The player's moves, with a layer of the opponent between each two.
    Moves,
}

/// The deepest search that is accepted, in plies of the budget: far beyond what anyone could wait for.
const MOST_PLIES: u64 = 100;

impl DepthCounts {
    /// The layers of the tree for a budget.
    pub(crate) fn layers(self, budget: Budget) -> Result<u32, Failure> {
        let plies = match budget {
            Budget::Plies(plies @ 1..=MOST_PLIES) => plies as u32,
            other => return Err(format!("the budget is {other}: it must be 1 to {MOST_PLIES} plies").into()),
        };
        Ok(match self {
            Self::Layers => plies,
            Self::Moves => 2 * plies - 1,
        })
    }
}

impl Params {
    /// Checks that every weight is a number that a search can compare, and every power one that a rank can
    /// have.
    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        check_numbers(self, |name| if name.ends_with("_power") { 0.0..=10.0 } else { -1e9..=1e9 })
    }
}
