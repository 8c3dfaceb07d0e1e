//! What can be set about the agent.

use engine::prelude::*;

use crate::final_choice::FinalChoice;
use crate::measure::Measure;
use crate::rollout::RolloutPolicy;
use crate::search::{Model, Settings};

// The defaults are the paper's own measure in the released program.
engine::params! {
    /// The parameters.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct Params {
        /// What a rollout is worth.
        pub measure: Measure = Measure::default(),
        /// How far the tree grows.
        pub tree: TreeKind = TreeKind::default(),
        /// Whether the part of the tree below the move played is searched on at the next move; as written
        /// only.
        pub keep_tree: bool = false,
        /// Which move is played in the end.
        pub final_choice: FinalChoice = FinalChoice::default(),
        /// How a rollout chooses its moves.
        pub rollouts: RolloutPolicy = RolloutPolicy::default(),
        /// The constant C in front of the exploration term.
        pub exploration: f64 = 1.0,
    }
}

/// How far the tree grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeKind {
    /// Not beyond the moves of the root: what the released program does.
    #[default]
    AsReleased,
    /// By one board with every rollout: what the paper describes.
    AsWritten,
}

impl Params {
    /// The largest exploration constant, so that no bound overflows.
    const MOST_EXPLORATION: f64 = 1e6;

    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        Refusal::out_of_range("exploration", self.exploration, 0.0..=Self::MOST_EXPLORATION)?;
        if self.keep_tree && self.tree == TreeKind::AsReleased {
            return Err(Refusal::Params(
                "parameter `keep_tree` is true, but as released there is no tree to keep: set `tree` to \"as-written\""
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// The search that they describe, for games under these rules.
    pub fn settings(&self, rules: &Rules) -> Settings {
        Settings {
            model: Model::new(rules, self.measure),
            exploration: self.exploration,
            final_choice: self.final_choice,
        }
    }
}
