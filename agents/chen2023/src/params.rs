//! What can be set about the agent.

use engine::Rules;
use engine::agent::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::final_choice::FinalChoice;
use crate::measure::Measure;
use crate::rollout::RolloutPolicy;
use crate::search::{Model, Settings};

/// The parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    /// What a rollout is worth.
    pub measure: Measure,
    /// How far the tree grows.
    pub tree: TreeKind,
    /// Whether the part of the tree below the move played is searched on at the next move; as written only.
    pub keep_tree: bool,
    /// Which move is played in the end.
    pub final_choice: FinalChoice,
    /// How a rollout chooses its moves.
    pub rollouts: RolloutPolicy,
    /// The constant C in front of the exploration term.
    pub exploration: f64,
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

impl Default for Params {
    /// The paper's own measure in the released program.
    fn default() -> Self {
        Self {
            measure: Measure::default(),
            tree: TreeKind::default(),
            keep_tree: false,
            final_choice: FinalChoice::default(),
            rollouts: RolloutPolicy::default(),
            exploration: 1.0,
        }
    }
}

impl Params {
    /// The largest exploration constant, so that no bound overflows.
    const MOST_EXPLORATION: f64 = 1e6;

    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        if !(0.0..=Self::MOST_EXPLORATION).contains(&self.exploration) {
            return Err(Refusal::Params(format!(
                "parameter `exploration` is {}: it must be from 0 to {:e}",
                self.exploration,
                Self::MOST_EXPLORATION
            )));
        }
        if self.keep_tree && self.tree == TreeKind::AsReleased {
            return Err(Refusal::Params(
                "parameter `keep_tree` is true, but as released there is no tree to keep: set `tree` to \"as-written\""
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// The search that they describe, for games under these rules.
    #[must_use]
    pub fn settings(&self, rules: &Rules) -> Settings {
        Settings {
            model: Model::new(rules, self.measure),
            exploration: self.exploration,
            final_choice: self.final_choice,
        }
    }
}
