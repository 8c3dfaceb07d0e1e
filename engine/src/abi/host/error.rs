//! What can be wrong with a plugin or an agent.

use thiserror::Error;

use crate::abi::raw;
use crate::game::Ending;

/// Why this host cannot use a table of functions as a plugin or a descriptor as an agent's, and what to do
/// about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PluginError(String);

impl<T: Into<String>> From<T> for PluginError {
    fn from(problem: T) -> Self {
        Self(problem.into())
    }
}

/// Why an agent was not made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CreateError {
    /// A parameter is wrong.
    #[error("the agent refuses its parameters: {0}")]
    BadParams(String),
    /// The agent cannot model the rules.
    #[error("the agent cannot play by these rules: {0}")]
    BadRules(String),
    /// The agent needs a file that the host does not provide.
    #[error("the agent needs a file in the role `{role}`, and none was given")]
    NoFile {
        /// Its role.
        role: String,
    },
    /// The agent failed otherwise.
    #[error("the agent could not be created: {0}")]
    Failed(String),
    /// The plugin broke the contract.
    #[error("the plugin broke the contract of agent2048.h: {0}")]
    Broken(String),
}

impl CreateError {
    /// What a status other than OK means.
    pub(super) fn of_status(status: i32, text: String) -> Self {
        match status {
            raw::status::BAD_PARAMS => Self::BadParams(text),
            raw::status::BAD_RULES => Self::BadRules(text),
            raw::status::FAILED | raw::status::PANICKED => Self::Failed(text),
            other => Self::Broken(format!("create returned the unknown status {other}")),
        }
    }
}

/// Why an agent did not give a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// It said so itself.
    #[error("{0}")]
    Failed(String),
    /// It takes no budget of this kind.
    #[error("{0}")]
    BadBudget(String),
    /// It panicked, now or in an earlier call.
    #[error("{0}")]
    Panicked(String),
    /// It named a direction that does not exist.
    #[error("the agent chose direction {0}, which does not exist")]
    NoSuchDirection(u32),
    /// It placed a tile that no game knows, or in a cell that no board has.
    #[error("the agent placed rank {rank} in cell {cell}: a tile has rank 1 or 2, a cell is 0 to 15")]
    NoSuchTile {
        /// The cell.
        cell: u32,
        /// The tile's rank.
        rank: u32,
    },
    /// It returned a status that the contract does not know.
    #[error("the agent returned status {0}, which agent2048.h does not give to this call")]
    UnknownStatus(i32),
    /// The process that it lives in is gone.
    #[error("{reason}")]
    Gone {
        /// The ending that it means for the current game.
        ending: Ending,
        /// What happened, for people.
        reason: String,
    },
}

impl PlayError {
    /// What a status other than OK means.
    pub(super) fn of_status(status: i32, text: String) -> Self {
        match status {
            raw::status::FAILED => Self::Failed(text),
            raw::status::BAD_BUDGET => Self::BadBudget(text),
            raw::status::PANICKED => Self::Panicked(text),
            other => Self::UnknownStatus(other),
        }
    }

    /// The ending that it brings to a game.
    pub const fn ending(&self) -> Ending {
        match self {
            Self::NoSuchDirection(_) | Self::NoSuchTile { .. } => Ending::IllegalMove,
            Self::Gone { ending, .. } => *ending,
            _ => Ending::AgentError,
        }
    }
}
