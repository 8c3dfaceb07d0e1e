//! Records: what is kept of a game, so that anyone can replay it without the agent.

use engine::board::tile;
use engine::{AgentSeed, Ending, Game, TileSeed};
use serde::{Deserialize, Serialize};
use text::counted;

pub use crate::course::{Course, PlacedTiles};

/// More points than a game can have: as if every cell held a tile that ends the game, built from the smallest
/// tiles.
pub const MOST_POINTS: u64 = 16 * 15 * 65_536;

/// One game. All but `nodes` follows from the rules, the tile seed, the directions and, where they were
/// placed, the tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The game's number in its experiment.
    pub game: u64,
    /// The seed of its tiles.
    pub tile_seed: u64,
    /// The seed that the agent got.
    pub agent_seed: u64,
    /// The points at the end.
    pub score: u32,
    /// The largest tile at the end; 0 on a board without tiles.
    pub max_tile: u32,
    /// The moves played.
    pub moves: u32,
    /// Their directions, as letters U R D L.
    pub directions: String,
    /// The last board, as tiles.
    pub final_board: String,
    /// Positions that the agent says it expanded, in all.
    pub nodes: u64,
    /// How the game ended.
    pub ending: Ending,
    /// Under rules that leave the tiles to an adversary, those that were placed: two characters each, see
    /// [`engine::Placement`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawns: Option<String>,
}

/// The outcome of a game: its record without the seeds and the directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The game's number in its experiment.
    pub game: u64,
    /// The points at the end.
    pub score: u32,
    /// The largest tile at the end; 0 on a board without tiles.
    pub max_tile: u32,
    /// The moves played.
    pub moves: u32,
    /// The last board, as tiles.
    pub final_board: String,
    /// Positions that the agent says it expanded, in all.
    pub nodes: u64,
    /// How the game ended.
    pub ending: Ending,
}

/// A game's number, and the seeds that it and the master seed give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The game's number in its experiment.
    pub game: u64,
    /// The seed of its tiles.
    pub tiles: TileSeed,
    /// The seed that the agent gets.
    pub agent: AgentSeed,
}

impl Seeds {
    /// The seeds of a game.
    pub fn derive(master_seed: u64, game: u64) -> Self {
        let (tiles, agent) = (TileSeed::derive(master_seed, game), AgentSeed::derive(master_seed, game));
        Self { game, tiles, agent }
    }
}

/// What a game cost. Times are not reproducible and stay out of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTiming {
    /// The game's number in its experiment.
    pub game: u64,
    /// CPU time of the thread that played, in nanoseconds; 0 where it is not known, having died with its
    /// worker.
    pub cpu_ns: u64,
    /// Wall time, in nanoseconds.
    pub wall_ns: u64,
}

impl GameTiming {
    /// CPU time of the thread that played, in nanoseconds, where it is known.
    pub fn known_cpu_ns(&self) -> Option<u64> {
        (self.cpu_ns > 0).then_some(self.cpu_ns)
    }
}

/// Where two records of one game part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Divergence {
    /// The game's number.
    pub game: u64,
    /// How they part.
    pub parting: DivergenceKind,
}

/// How two records of one game part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DivergenceKind {
    /// Another direction.
    Move {
        /// The move's number, from 1.
        number: usize,
        /// The letter in the one.
        one: char,
        /// The letter in the other.
        other: char,
    },
    /// Another tile after the same direction.
    Tile {
        /// The move's number, from 1.
        number: usize,
    },
    /// One goes on where the other ends.
    Length {
        /// The moves of the one.
        one: u32,
        /// The moves of the other.
        other: u32,
    },
    /// The same directions, and something else behind them.
    Outcome {
        /// Score and ending of the one.
        one: (u32, Ending),
        /// Score and ending of the other.
        other: (u32, Ending),
    },
}

impl Divergence {
    /// The divergence between a record before and one after, in words.
    pub fn text(&self) -> String {
        let game = self.game;
        match self.parting {
            DivergenceKind::Move { number, one, other } => {
                format!("game {game}, move {number}: {one} before, {other} after")
            }
            DivergenceKind::Tile { number } => {
                format!("game {game}, move {number}: the same direction, then another tile before and after")
            }
            DivergenceKind::Length { one, other } => {
                let one = counted(one.into(), "move");
                format!("game {game}: {one} before, {other} after, identical up to there")
            }
            DivergenceKind::Outcome { one: (score, ending), other: (new_score, new_ending) } => {
                format!("game {game}: score {score}, {ending} before, score {new_score}, {new_ending} after")
            }
        }
    }
}

impl GameRecord {
    /// The record of a game as it stands. What `cut_short` it counts where the game had not come to its own
    /// end.
    pub fn of(game: &Game, seeds: Seeds, course: Course, cut_short: Ending) -> Self {
        let Course { directions, spawns, nodes } = course;
        Self {
            game: seeds.game,
            tile_seed: seeds.tiles.0,
            agent_seed: seeds.agent.0,
            score: game.score(),
            max_tile: tile(game.max_rank()),
            moves: game.moves(),
            directions,
            final_board: game.ranks().to_string(),
            nodes,
            ending: game.ending().unwrap_or(cut_short),
            spawns,
        }
    }

    /// Whether the moves of another record are the first ones of this.
    pub fn begins_with(&self, other: &Self) -> bool {
        let tiles = |record: &'_ Self| record.spawns.clone().unwrap_or_default();
        self.directions.starts_with(&other.directions) && tiles(self).starts_with(&tiles(other))
    }

    /// Where another record of this game parts from this one, `nodes` left out; `None` if it does not.
    pub fn divergence(&self, other: &Self) -> Option<Divergence> {
        let comparable = Self { nodes: self.nodes, ..other.clone() };
        if *self == comparable {
            return None;
        }
        let mut moves = (1..).zip(self.directions.chars().zip(other.directions.chars()));
        let other_move = moves.find(|(_, (one, other))| one != other);
        let parting = match (other_move, self.other_tile(other)) {
            (Some((number, (one, other))), tile) if tile.is_none_or(|tile| number <= tile) => {
                DivergenceKind::Move { number, one, other }
            }
            (_, Some(number)) => DivergenceKind::Tile { number },
            _ if self.moves != other.moves => DivergenceKind::Length { one: self.moves, other: other.moves },
            _ => {
                DivergenceKind::Outcome { one: (self.score, self.ending), other: (other.score, other.ending) }
            }
        };
        Some(Divergence { game: self.game, parting })
    }

    /// The number of the first move after which another tile was placed.
    fn other_tile(&self, other: &Self) -> Option<usize> {
        let (one, other) = (self.spawns.as_deref()?.as_bytes(), other.spawns.as_deref()?.as_bytes());
        let differs = one.iter().zip(other).position(|(one, other)| one != other)?;
        Some(differs / engine::placement::TEXT_LENGTH + 1)
    }
}
