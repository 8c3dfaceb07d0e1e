//! What was played in a game, move by move, as a record keeps it.

use engine::placement::TEXT_LENGTH;
use engine::{Direction, Placement, Rules};

/// The moves of a game so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The directions, as letters U R D L.
    pub directions: String,
    /// The tiles that were placed, where the rules leave them to an adversary.
    pub spawns: Option<String>,
    /// Positions that the agent says it expanded.
    pub nodes: u64,
}

impl Course {
    /// A game under these rules before its first move.
    pub fn new(rules: &Rules) -> Self {
        let spawns = (!rules.spawn.is_random()).then(String::new);
        Self { directions: String::new(), spawns, nodes: 0 }
    }

    /// Adds a move, with the tile that was placed after it, if one was.
    pub fn push(&mut self, direction: Direction, tile: Option<Placement>, nodes: u64) {
        self.directions.push(direction.letter());
        if let (Some(spawns), Some(tile)) = (&mut self.spawns, tile) {
            spawns.push_str(&tile.to_string());
        }
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// Its tiles, one after the other.
    pub fn placed_tiles(&self) -> PlacedTiles<'_> {
        PlacedTiles::of(self.spawns.as_deref())
    }
}

/// The tiles that were placed in a game, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct PlacedTiles<'a>(&'a str);

impl<'a> PlacedTiles<'a> {
    /// Those of a record's text.
    pub fn of(spawns: Option<&'a str>) -> Self {
        Self(spawns.unwrap_or(""))
    }

    /// The next tile.
    ///
    /// # Errors
    /// Returns an error if there is none, or what comes is none; the text says which.
    pub fn pop(&mut self) -> Result<Placement, String> {
        let Some((tile, rest)) = self.0.split_at_checked(TEXT_LENGTH) else {
            return Err(format!("spawns has no tile for it, but `{}`", self.0));
        };
        self.0 = rest;
        tile.parse().map_err(|error: engine::placement::PlacementError| error.to_string())
    }

    /// Whether there is no more.
    pub const fn is_used_up(&self) -> bool {
        self.0.is_empty()
    }
}
