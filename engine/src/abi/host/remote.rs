//! Agents that are reached by other means than a table of functions: a program at the other end of a pipe, say.
//!
//! A host drives them as it does all others, so that the conformance suite, signatures and games need not know.

use super::callbacks::Callbacks;
use super::error::{CreateError, PlayError};
use super::files::Files;
use crate::agent::{Decision, MoveValues, Position, SlidPosition, TileDecision};
use crate::rules::Rules;
use crate::seed::AgentSeed;

/// Makes agents of one kind.
pub trait RemoteAgents: Send + Sync {
    /// Makes an agent for games under these rules, with these files. `params` is meant to be a JSON object.
    ///
    /// # Errors
    /// Where rules or parameters are refused, or the agent cannot be reached.
    fn create(
        &self,
        rules: &Rules,
        params: &str,
        files: &Files,
        callbacks: Box<dyn Callbacks>,
    ) -> Result<Box<dyn RemoteAgent>, CreateError>;
}

/// An agent under way. What the C functions of the same names promise holds here too.
pub trait RemoteAgent {
    /// Begins a new game.
    ///
    /// # Errors
    /// Where the agent fails.
    fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError>;

    /// Chooses a move.
    ///
    /// # Errors
    /// Where the agent fails, or names no direction.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError>;

    /// Places a tile after the slide that the agent chose last. Only agents that say that they do are asked.
    ///
    /// # Errors
    /// Where the agent fails, or names no tile.
    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError>;

    /// Ends a game, with nothing left of it that could be taken for a part of the next.
    ///
    /// # Errors
    /// Where the agent has said something that nobody asked for, or fails.
    fn end_game(&mut self) -> Result<(), PlayError>;

    /// What the agent thinks of each move of its last decision, if it knows.
    fn move_values(&mut self) -> Option<MoveValues>;
}
