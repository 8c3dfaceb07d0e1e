//! What a run tells of a game that an agent's fault ended.

use std::fmt;

use engine::Ending;
use serde::Serialize;

use platform::plain;
use text::counted;
use workers::worker::protocol::Played;

/// A game that an agent's fault ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultNote {
    /// The game's number.
    pub game: u64,
    /// The seed of its tiles, in hexadecimal.
    pub tile_seed: String,
    /// How it ended.
    pub ending: Ending,
    /// The moves before.
    pub moves: u32,
    /// What is known of it.
    pub reason: String,
}

impl FaultNote {
    pub(super) fn of(played: &Played) -> Self {
        let record = &played.record;
        Self {
            game: record.game,
            tile_seed: format!("{:016x}", record.tile_seed),
            ending: record.ending,
            moves: record.moves,
            reason: played.complaint.as_deref().map(plain::line).unwrap_or_default(),
        }
    }
}

impl fmt::Display for FaultNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, tile_seed, ending, moves, reason } = self;
        write!(
            f,
            "game {game} (tile seed {tile_seed}) ended by {ending} after {}: {reason}",
            counted((*moves).into(), "move")
        )
    }
}
