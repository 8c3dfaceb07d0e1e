//! Sections "Speed" and "Expectimax vs minimax": what memoising and pruning save a search.
//!
//! The agent `ms-speedups` plays as `ms-minimax-antagonistic` does, with either of the two left out. Neither
//! changes a decision, so that experiments which differ in them alone play the same games, and their nodes
//! and times can be compared.

use engine::prelude::*;

use crate::PAPER;
use crate::minimax_antagonistic::{Aids, Bounds};
use crate::params::Params;
use crate::search::Setup;

/// The agent `ms-speedups`.
pub struct Speedups {
    setup: Setup<Bounds>,
    aids: Aids,
}

engine::params! {
    /// What saves time. The heuristics are the final ones, and a ply is a layer.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    pub struct SpeedupsParams {
        /// Whether positions that come up again in a search are remembered.
        pub memo: bool = true,
        /// Whether moves and spawns that cannot matter are left out, by alpha-beta.
        pub pruning: bool = true,
    }
}

impl Agent for Speedups {
    type Params = SpeedupsParams;

    const ABOUT: About = About::new(
        "ms-speedups",
        "Minimax without memory or pruning, measured (Middleton and Schmidt)",
        PAPER,
        Capabilities::PLIES,
    );

    fn create(
        rules: &Rules,
        SpeedupsParams { memo, pruning }: SpeedupsParams,
        _host: Host,
    ) -> Result<Self, Refusal> {
        let aids = Aids { memo, pruning, ..Aids::default() };
        Ok(Self { setup: Setup::new(rules, &Params::default())?, aids })
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        self.setup.minimax(position, self.aids)
    }
}
