//! Agents behind the boundary, as the host plays with them.

use super::Functions;
use super::callbacks::{Callbacks, HostFiles};
use super::error::{CreateError, PlayError};
use super::live::Live;
use crate::abi::memory::{read_field, sized};
use crate::abi::raw;
use crate::agent::{Decision, MoveValues, Position, SlidPosition, TileDecision};
use crate::direction::{Direction, Directions};
use crate::placement::Placement;
use crate::rules::Rules;
use crate::seed::AgentSeed;

/// An agent behind the boundary: a table of functions, or a program at the other end of a pipe.
pub type LoadedAgent = Box<dyn AgentHandle>;

/// What a host can ask of an agent. The promises of the C functions with these names hold here too.
pub trait AgentHandle {
    /// Starts a new game.
    fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError>;

    /// Asks for a move. The caller checks whether it is legal.
    fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError>;

    /// Asks for the tile after the slide that the agent chose last, if the rules leave the tiles to it. The
    /// caller checks whether the tile is legal.
    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError>;

    /// Ends a game, so that nothing left of it can be taken for a part of the next.
    fn end_game(&mut self) -> Result<(), PlayError> {
        Ok(())
    }

    /// The agent's value of each move of its last decision, if it knows.
    fn move_values(&mut self) -> Option<MoveValues>;
}

/// Makes agents that are not behind a table of functions.
pub trait RemoteAgents: Send + Sync {
    /// Makes an agent for games under these rules, with these files. `params` should be a JSON object.
    ///
    /// # Errors
    /// Returns an error if rules or parameters are refused, or the agent cannot be reached.
    fn create(
        &self,
        rules: &Rules,
        params: &str,
        files: &HostFiles,
        callbacks: Box<dyn Callbacks>,
    ) -> Result<LoadedAgent, CreateError>;
}

/// What a plugin offers beyond the functions that all have.
#[derive(Clone, Copy)]
pub(super) struct Extensions {
    pub(super) move_values: Option<raw::MoveValuesFn>,
    pub(super) place_tile: Option<raw::PlaceTileFn>,
}

/// An agent behind a table of functions, which made `live`.
pub(super) struct TableAgent {
    pub(super) functions: Functions,
    pub(super) extensions: Extensions,
    pub(super) live: Live,
}

impl AgentHandle for TableAgent {
    #[inline]
    fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError> {
        let new_game = self.functions.new_game;
        // SAFETY: the table's function on a live handle, in the thread that made it.
        self.live.call(|handle, error| unsafe { new_game(handle, seed.0, error) })
    }

    #[inline]
    fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError> {
        let cells = position.board.ranks();
        let (budget_kind, budget) = position.budget.code();
        let raw_position = raw::Position {
            rows: 4,
            cols: 4,
            legal: u32::from(position.legal.mask()),
            board: position.board.packed(),
            score: position.score,
            move_number: position.move_number,
            cells: cells.as_ptr(),
            budget_kind,
            budget,
            ..sized()
        };
        let mut decision: raw::Decision = sized();
        let choose = self.functions.choose_move;
        // SAFETY: as in `new_game`; position and decision live through the call.
        self.live.call(|handle, error| unsafe {
            choose(handle, &raw const raw_position, &raw mut decision, error)
        })?;
        let direction = Direction::ALL.get(decision.direction as usize).copied();
        Ok(Decision {
            direction: direction.ok_or(PlayError::NoSuchDirection(decision.direction))?,
            nodes: read_field(&decision.nodes),
            spent: read_field(&decision.spent),
            depth: decision.depth,
            value: (decision.has_value != 0).then_some(decision.value),
            values: None,
        })
    }

    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError> {
        let Some(place) = self.extensions.place_tile else {
            return Err(PlayError::Failed(format!("the plugin does not offer {}", raw::EXT_SPAWNER)));
        };
        let cells = slid.afterstate.ranks();
        let (budget_kind, budget) = slid.budget.code();
        let afterstate = raw::Afterstate {
            rows: 4,
            cols: 4,
            budget_kind,
            board: slid.afterstate.packed(),
            score: slid.score,
            move_number: slid.move_number,
            cells: cells.as_ptr(),
            budget,
            ..sized()
        };
        let mut tile: raw::Tile = sized();
        let (at, placed) = (&raw const afterstate, &raw mut tile);
        // SAFETY: the extension's function on a live handle; afterstate and tile live through the call.
        self.live.call(|handle, error| unsafe { place(handle, at, placed, error) })?;
        let placed = Placement::new(tile.cell, tile.rank);
        Ok(TileDecision {
            tile: placed.ok_or(PlayError::NoSuchTile { cell: tile.cell, rank: tile.rank })?,
            nodes: tile.nodes,
            spent: tile.spent,
        })
    }

    fn move_values(&mut self) -> Option<MoveValues> {
        let ask = self.extensions.move_values?;
        let mut raw: raw::MoveValues = sized();
        // SAFETY: the extension's function on a live handle; the struct lives through the call.
        self.live.call(|handle, _| unsafe { ask(handle, &raw mut raw) }).ok()?;
        let known = Directions::from_mask(raw.known as u8);
        let value = |direction: Direction| known.contains(direction).then_some(raw.value[direction as usize]);
        (!known.is_empty()).then(|| MoveValues { value: Direction::ALL.map(value), nodes: raw.nodes })
    }
}
