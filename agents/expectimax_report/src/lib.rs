//! Expectimax of variable depth with a weighted sum of three features, after a student's final project
//! report.
//!
//! [`search`] is the report's pseudo-code, [`features`] its evaluation function, [`measured`] an agent that
//! is played only to measure what its table of nodes calculates, and [`minimax`] the search that the report
//! rules out. The memo is ours and changes no value. Sections are named by their headings: the report numbers
//! none.

pub mod features;
pub mod measured;
pub mod minimax;
pub mod search;

pub use measured::ErNodes;
pub use minimax::ErMinimax;

use engine::prelude::*;
use features::{FeatureValues, FeatureWeights};
use search::{ACTIONS, Search, Utility, terminal_depth};

/// The report, as the descriptors cite it.
const PAPER: &str =
    "Report for final project: a game playing agent for 2048 by expectimax (no author, no year)";

/// The agent `er-expectimax`.
pub struct ErExpectimax(Search);

// The weights are those of section "Results"; the report gives no utilities and does not speak of a memo.
engine::params! {
    /// What can be set.
    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    pub struct Params {
        /// The weight of the corner feature.
        pub corner_weight: f64 = 1.0,
        /// The weight of the adjacency feature.
        pub adjacency_weight: f64 = 2.0,
        /// The weight of the number of empty cells.
        pub empty_weight: f64 = 3.0,
        /// What the corner and adjacency features take for a tile: its exponent or its value.
        pub feature_values: FeatureValues = FeatureValues::Exponents,
        /// The utility of a game that has reached its tile.
        pub won_value: f64 = 1e6,
        /// The utility of a board without a legal move.
        pub dead_value: f64 = -1e6,
        /// Whether positions that come up again within a search are looked up; the moves are the same either
        /// way.
        pub memo: bool = true,
    }
}

impl Params {
    /// The largest weight or utility, so that no value overflows.
    const LARGEST: f64 = 1e12;

    /// The search that they describe, for games under these rules.
    pub fn search(&self, rules: &Rules) -> Result<Search, Refusal> {
        check_numbers(self, |_| -Self::LARGEST..=Self::LARGEST)?;
        let weights = FeatureWeights {
            corner: self.corner_weight,
            adjacency: self.adjacency_weight,
            empty: self.empty_weight,
        };
        let utility = Utility { won: self.won_value, dead: self.dead_value };
        Ok(Search::new(rules, weights, self.feature_values, utility, self.memo))
    }
}

impl Agent for ErExpectimax {
    type Params = Params;

    const ABOUT: About = About::new(
        "er-expectimax",
        "Expectimax with three features",
        PAPER,
        Capabilities::NO_BUDGET.with(Capabilities::PLIES),
    );

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self(params.search(rules)?))
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let depth = depth_of(position)?;
        let found = self.0.expectimax_search(position.board, depth);
        let nodes = self.0.nodes().expanded;
        Ok(Decision { nodes, ..found.moves.decide(ACTIONS, depth, depth.into())? })
    }
}

/// The report's own depth, or the one that the budget gives: both count the moves of either side.
fn depth_of(position: &Position) -> Result<u32, Failure> {
    match position.budget {
        Budget::Plies(0) => Err("a search of 0 plies has no move: give at least 1".into()),
        Budget::Plies(plies) => {
            u32::try_from(plies).map_err(|_| format!("{plies} plies are more than any game has").into())
        }
        _ => Ok(terminal_depth(position.board.empty_count())),
    }
}

engine::export_agents![ErExpectimax, ErNodes, ErMinimax];
