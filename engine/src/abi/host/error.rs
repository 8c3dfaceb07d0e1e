//! What can be wrong with a plugin or an agent, each with what to do about it.

use std::fmt;

use super::info::DescriptorError;
use crate::abi::raw;
use crate::game::Ending;

/// The most agents that a plugin may offer.
pub(super) const MOST_AGENTS: u32 = 1024;

/// Why a table of functions is no plugin that this host can drive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPlugin {
    /// The entry function returned nothing.
    Null,
    /// The table does not begin with the magic number.
    Magic(u64),
    /// The table is of another major version.
    Major(u32),
    /// The table is shorter than version 1.0 of the ABI.
    Short(u32),
    /// The plugin needs features that this host does not have.
    MustUnderstand(u64),
    /// A function is missing.
    NoFunction(&'static str),
    /// The plugin offers no agent, or absurdly many.
    AgentCount(u32),
    /// Two agents have one id.
    SameId(String),
    /// An agent's description is wrong.
    Descriptor {
        /// The agent's index.
        index: u32,
        /// What is wrong with it.
        problem: DescriptorError,
    },
}

impl fmt::Display for BadPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = (raw::ABI_MAJOR, raw::ABI_MINOR);
        match self {
            Self::Null => {
                write!(
                    f,
                    "{} returned null: let it return the address of a static agent2048_plugin",
                    raw::SYMBOL
                )
            }
            Self::Magic(found) => write!(
                f,
                "the table begins with {found:#018x} instead of the magic number {:#018x}: the library exports {}, but \
                 was not built with agent2048.h",
                raw::MAGIC,
                raw::SYMBOL
            ),
            Self::Major(found) => write!(
                f,
                "the plugin speaks major version {found} of the ABI, this host version {major}.{minor}: rebuild it with \
                 this host's agent2048.h"
            ),
            Self::Short(found) => write!(
                f,
                "the table has {found} bytes, version 1.0 of the ABI has {}: set struct_size to sizeof(agent2048_plugin)",
                size_of::<raw::Plugin>()
            ),
            Self::MustUnderstand(bits) => write!(
                f,
                "the plugin needs features {bits:#x} that this host (ABI {major}.{minor}) does not have: use a newer host"
            ),
            Self::NoFunction(name) => write!(f, "the table has no {name} function: set that pointer"),
            Self::AgentCount(count) => {
                write!(f, "the plugin offers {count} agents; it must offer 1 to {MOST_AGENTS}")
            }
            Self::SameId(id) => write!(f, "two agents are called `{id}`: give each an id of its own"),
            Self::Descriptor { index, problem } => write!(f, "agent {index}: {problem}"),
        }
    }
}

impl std::error::Error for BadPlugin {}

/// Why an agent was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateError {
    /// A parameter is wrong.
    BadParams(String),
    /// The agent cannot model the rules.
    BadRules(String),
    /// The agent needs a file that the host does not lend.
    NoFile {
        /// Its role.
        role: String,
    },
    /// The agent failed otherwise.
    Failed(String),
    /// The plugin broke the contract.
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

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadParams(text) => write!(f, "the agent refuses its parameters: {text}"),
            Self::BadRules(text) => write!(f, "the agent cannot play by these rules: {text}"),
            Self::NoFile { role } => {
                write!(f, "the agent needs a file in the role `{role}`, and none was given")
            }
            Self::Failed(text) => write!(f, "the agent could not be created: {text}"),
            Self::Broken(text) => write!(f, "the plugin broke the contract of agent2048.h: {text}"),
        }
    }
}

impl std::error::Error for CreateError {}

/// Why an agent did not give a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// It said so itself.
    Failed(String),
    /// It takes no budget of this kind.
    BadBudget(String),
    /// It panicked, now or in an earlier call.
    Panicked(String),
    /// It named a direction that does not exist.
    NoSuchDirection(u32),
    /// It placed a tile that no game knows, or in a cell that no board has.
    NoSuchTile {
        /// The cell.
        cell: u32,
        /// The tile's rank.
        rank: u32,
    },
    /// It returned a status that the contract does not know.
    UnknownStatus(i32),
    /// The process that it lives in is gone.
    Gone {
        /// The ending that it means for the game under way.
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
    #[must_use]
    pub const fn ending(&self) -> Ending {
        match self {
            Self::NoSuchDirection(_) | Self::NoSuchTile { .. } => Ending::IllegalMove,
            Self::Gone { ending, .. } => *ending,
            _ => Ending::AgentError,
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(text) | Self::Panicked(text) | Self::BadBudget(text) => f.write_str(text),
            Self::Gone { reason, .. } => f.write_str(reason),
            Self::NoSuchDirection(number) => {
                write!(f, "the agent chose direction {number}, which does not exist")
            }
            Self::NoSuchTile { cell, rank } => {
                write!(
                    f,
                    "the agent placed rank {rank} in cell {cell}: a tile has rank 1 or 2, a cell is 0 to 15"
                )
            }
            Self::UnknownStatus(status) => {
                write!(f, "the agent returned status {status}, which agent2048.h does not give to this call")
            }
        }
    }
}

impl std::error::Error for PlayError {}
