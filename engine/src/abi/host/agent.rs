//! An agent behind the boundary, as the host plays with it.

use std::ffi::c_void;

use super::Functions;
use super::callbacks::HostContext;
use super::error::PlayError;
use super::remote::RemoteAgent;
use crate::abi::memory::{read_field, zeroed};
use crate::abi::raw;
use crate::agent::{Decision, MoveValues, Position, SlidPosition, TileDecision};
use crate::direction::{Direction, Directions};
use crate::placement::Placement;
use crate::seed::AgentSeed;

/// The room for an agent's error message.
const ERROR_CAPACITY: usize = 1024;

/// An agent that lives behind the boundary.
pub struct LoadedAgent(Behind);

enum Behind {
    Table(TableAgent),
    Remote(Box<dyn RemoteAgent>),
}

impl LoadedAgent {
    /// Begins a new game.
    ///
    /// # Errors
    /// Where the agent fails.
    pub fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError> {
        match &mut self.0 {
            Behind::Table(agent) => agent.new_game(seed),
            Behind::Remote(agent) => agent.new_game(seed),
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// Where the agent fails, or names no direction. Whether the direction is legal is the caller's to see.
    pub fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError> {
        match &mut self.0 {
            Behind::Table(agent) => agent.choose_move(position),
            Behind::Remote(agent) => agent.choose_move(position),
        }
    }

    /// Asks for the tile after the slide that the agent chose last, under rules that leave the tiles to it.
    ///
    /// # Errors
    /// Where the agent fails, or names no tile. Whether the tile is legal is the caller's to see.
    pub fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError> {
        match &mut self.0 {
            Behind::Table(agent) => agent.place_tile(slid),
            Behind::Remote(agent) => agent.place_tile(slid),
        }
    }

    /// Ends a game, so that what the agent did in it is that game's. A table of functions has no more to say when a call is over.
    ///
    /// # Errors
    /// Where the agent has said something that nobody asked for, or fails.
    pub fn end_game(&mut self) -> Result<(), PlayError> {
        match &mut self.0 {
            Behind::Table(_) => Ok(()),
            Behind::Remote(agent) => agent.end_game(),
        }
    }

    /// What the agent thinks of each move of its last decision, where it offers that.
    pub fn move_values(&mut self) -> Option<MoveValues> {
        match &mut self.0 {
            Behind::Table(agent) => agent.move_values(),
            Behind::Remote(agent) => agent.move_values(),
        }
    }
}

impl From<TableAgent> for LoadedAgent {
    fn from(agent: TableAgent) -> Self {
        Self(Behind::Table(agent))
    }
}

impl From<Box<dyn RemoteAgent>> for LoadedAgent {
    fn from(agent: Box<dyn RemoteAgent>) -> Self {
        Self(Behind::Remote(agent))
    }
}

/// What a plugin offers beyond the functions that all have.
#[derive(Clone, Copy)]
pub(super) struct Extensions {
    pub(super) move_values: Option<raw::MoveValuesFn>,
    pub(super) place_tile: Option<raw::PlaceTileFn>,
}

/// An agent behind a table of functions.
pub(super) struct TableAgent {
    functions: Functions,
    extensions: Extensions,
    handle: *mut c_void,
    error: ErrorText,
    /// What the agent's host pointer leads to. It outlives the agent, which `drop` ends before any field is dropped.
    _context: HostContext,
}

impl TableAgent {
    /// # Safety
    /// `handle` must be a live agent that these functions are for, made in this thread with this context.
    pub(super) unsafe fn new(
        functions: Functions,
        extensions: Extensions,
        handle: *mut c_void,
        context: HostContext,
    ) -> Self {
        Self { functions, extensions, handle, error: ErrorText::new(), _context: context }
    }

    #[inline]
    fn new_game(&mut self, seed: AgentSeed) -> Result<(), PlayError> {
        // SAFETY: the table's function on a live handle, in the thread that made it: `TableAgent` is not `Send`.
        let status = unsafe { (self.functions.new_game)(self.handle, seed.0, self.error.reset()) };
        self.check(status)
    }

    #[inline]
    fn choose_move(&mut self, position: &Position) -> Result<Decision, PlayError> {
        let cells = position.board.ranks();
        let (budget_kind, budget) = position.budget.code();
        let raw_position = raw::Position {
            struct_size: size_of::<raw::Position>() as u32,
            rows: 4,
            cols: 4,
            legal: u32::from(position.legal.mask()),
            board: position.board.packed(),
            score: position.score,
            move_number: position.move_number,
            cells: cells.as_ptr(),
            budget_kind,
            reserved: 0,
            budget,
        };
        let mut decision = raw::Decision { struct_size: size_of::<raw::Decision>() as u32, ..zeroed() };
        let error = self.error.reset();
        // SAFETY: as in `new_game`; position and decision live through the call.
        let status = unsafe {
            (self.functions.choose_move)(self.handle, &raw const raw_position, &raw mut decision, error)
        };
        self.check(status)?;
        let direction =
            u8::try_from(decision.direction).ok().and_then(|number| Direction::try_from(number).ok());
        Ok(Decision {
            direction: direction.ok_or(PlayError::NoSuchDirection(decision.direction))?,
            nodes: read_field(&decision.nodes),
            spent: read_field(&decision.spent),
            depth: decision.depth,
            value: (decision.has_value != 0).then_some(decision.value),
        })
    }

    fn place_tile(&mut self, slid: &SlidPosition) -> Result<TileDecision, PlayError> {
        let Some(place) = self.extensions.place_tile else {
            return Err(PlayError::Failed(format!("the plugin does not offer {}", raw::EXT_SPAWNER)));
        };
        let cells = slid.afterstate.ranks();
        let (budget_kind, budget) = slid.budget.code();
        let afterstate = raw::Afterstate {
            struct_size: size_of::<raw::Afterstate>() as u32,
            rows: 4,
            cols: 4,
            budget_kind,
            board: slid.afterstate.packed(),
            score: slid.score,
            move_number: slid.move_number,
            cells: cells.as_ptr(),
            budget,
        };
        let mut tile = raw::Tile { struct_size: size_of::<raw::Tile>() as u32, ..zeroed() };
        let error = self.error.reset();
        // SAFETY: the extension's function on a live handle; afterstate and tile live through the call.
        let status = unsafe { place(self.handle, &raw const afterstate, &raw mut tile, error) };
        self.check(status)?;
        let placed = Placement::new(tile.cell, tile.rank);
        Ok(TileDecision {
            tile: placed.ok_or(PlayError::NoSuchTile { cell: tile.cell, rank: tile.rank })?,
            nodes: tile.nodes,
            spent: tile.spent,
        })
    }

    fn move_values(&mut self) -> Option<MoveValues> {
        let ask = self.extensions.move_values?;
        let mut raw = raw::MoveValues { struct_size: size_of::<raw::MoveValues>() as u32, ..zeroed() };
        // SAFETY: the extension's function on a live handle; the struct lives through the call.
        let status = unsafe { ask(self.handle, &raw mut raw) };
        let known = Directions::from_mask(raw.known as u8);
        let value = |direction: Direction| known.contains(direction).then_some(raw.value[direction as usize]);
        (status == raw::status::OK && !known.is_empty())
            .then(|| MoveValues { value: Direction::ALL.map(value), nodes: raw.nodes })
    }

    fn check(&self, status: i32) -> Result<(), PlayError> {
        if status == raw::status::OK { Ok(()) } else { Err(self.fault(status)) }
    }

    #[cold]
    fn fault(&self, status: i32) -> PlayError {
        PlayError::of_status(status, self.error.text())
    }
}

impl Drop for TableAgent {
    fn drop(&mut self) {
        // SAFETY: the handle is live, and this is the only place that ends it.
        unsafe { (self.functions.destroy)(self.handle) };
    }
}

/// Room for the agent's error messages, kept between calls so that none is allocated for a move.
pub(super) struct ErrorText {
    bytes: Box<[u8; ERROR_CAPACITY]>,
    text: raw::Text,
}

impl ErrorText {
    pub(super) fn new() -> Self {
        let text = raw::Text { data: std::ptr::null_mut(), capacity: 0, len: 0 };
        Self { bytes: Box::new([0; ERROR_CAPACITY]), text }
    }

    /// Empties the text and lends it to the agent for one call.
    pub(super) fn reset(&mut self) -> *mut raw::Text {
        self.text = raw::Text { data: self.bytes.as_mut_ptr(), capacity: ERROR_CAPACITY as u64, len: 0 };
        &raw mut self.text
    }

    pub(super) fn text(&self) -> String {
        let len = usize::try_from(self.text.len).unwrap_or(usize::MAX).min(ERROR_CAPACITY);
        let text = String::from_utf8_lossy(&self.bytes[..len]).into_owned();
        if text.is_empty() { "without a message".to_owned() } else { text }
    }
}
