//! Records: what is kept of a game, so that anyone can replay it without the agent.

use std::fmt;

use engine::board::tile;
use engine::game::Replay;
use engine::{AgentSeed, Direction, Ending, Game, Rules, TileSeed, TurnError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use surroundings::hash::hex;

pub use crate::course::{Course, PlacedTiles};

/// One game. All but `nodes` follows from the rules, the tile seed, the directions and, where they were placed, the tiles.
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
    /// Under rules that leave the tiles to an adversary, those that were placed: two characters each, see [`engine::Placement`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawns: Option<String>,
}

/// What came of a game: its record without the seeds and the directions.
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
    #[must_use]
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
    /// CPU time of the thread that played, in nanoseconds; 0 where it is not known, having died with its worker.
    pub cpu_ns: u64,
    /// Wall time, in nanoseconds.
    pub wall_ns: u64,
}

impl GameTiming {
    /// CPU time of the thread that played, in nanoseconds, where it is known.
    #[must_use]
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
    pub parting: Parting,
}

/// How two records of one game part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Parting {
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

/// Why a record is not what its seed and directions make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The game's number.
    pub game: u64,
    /// What differs.
    pub mismatch: Mismatch,
}

/// In what a record and its replay differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// A seed is not the one that the master seed gives.
    Seed {
        /// Which of the two.
        stream: &'static str,
        /// The seed in the record.
        stored: u64,
        /// The seed that it should be.
        derived: u64,
    },
    /// A letter is no direction, or the direction is illegal there, or comes after the end.
    Direction {
        /// The move's number, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Tiles are recorded where the rules leave them to chance, or are not where the rules leave them to an adversary; or there are
    /// more than moves that they could follow.
    Tiles(&'static str),
    /// A field differs from what the replay gives.
    Field {
        /// The field's name.
        field: &'static str,
        /// What the record says.
        stored: String,
        /// What the replay gives.
        replayed: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: ", self.game)?;
        match &self.mismatch {
            Mismatch::Seed { stream, stored, derived } => {
                write!(f, "{stream} is {stored:016x}, but the master seed gives {derived:016x}")
            }
            Mismatch::Direction { number, problem } => write!(f, "move {number}: {problem}"),
            Mismatch::Tiles(problem) => f.write_str(problem),
            Mismatch::Field { field, stored, replayed } => {
                write!(f, "{field} is {stored}, but the replay gives {replayed}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl GameRecord {
    /// The record of a game as it stands. What `cut_short` it counts where the game had not come to its own end.
    #[must_use]
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
    #[must_use]
    pub fn begins_with(&self, other: &Self) -> bool {
        let tiles = |record: &'_ Self| record.spawns.clone().unwrap_or_default();
        self.directions.starts_with(&other.directions) && tiles(self).starts_with(&tiles(other))
    }

    /// Where another record of this game parts from this one, `nodes` left out; none where it does not.
    #[must_use]
    pub fn divergence(&self, other: &Self) -> Option<Divergence> {
        let comparable = Self { nodes: self.nodes, ..other.clone() };
        if *self == comparable {
            return None;
        }
        let mut moves = (1..).zip(self.directions.chars().zip(other.directions.chars()));
        let other_move = moves.find(|(_, (one, other))| one != other);
        let parting = match (other_move, self.other_tile(other)) {
            (Some((number, (one, other))), tile) if tile.is_none_or(|tile| number <= tile) => {
                Parting::Move { number, one, other }
            }
            (_, Some(number)) => Parting::Tile { number },
            _ if self.moves != other.moves => Parting::Length { one: self.moves, other: other.moves },
            _ => Parting::Outcome { one: (self.score, self.ending), other: (other.score, other.ending) },
        };
        Some(Divergence { game: self.game, parting })
    }

    /// The number of the first move after which another tile was placed.
    fn other_tile(&self, other: &Self) -> Option<usize> {
        let (one, other) = (self.spawns.as_deref()?.as_bytes(), other.spawns.as_deref()?.as_bytes());
        let differs = one.iter().zip(other).position(|(one, other)| one != other)?;
        Some(differs / engine::placement::TEXT_LENGTH + 1)
    }

    /// Plays the record's directions on the tiles of its seed, or those that it has, and compares all that follows from them.
    ///
    /// # Errors
    /// The first difference.
    pub fn replay(&self, rules: &Rules, master_seed: u64) -> Result<(), ReplayError> {
        self.compare(rules, master_seed, |tiles| Replay::among_many(rules, tiles))
    }

    /// The same, in the way that is quicker for a game between which and the last one much else was done.
    ///
    /// # Errors
    /// The first difference.
    pub fn replay_alone(&self, rules: &Rules, master_seed: u64) -> Result<(), ReplayError> {
        self.compare(rules, master_seed, |tiles| Replay::alone(rules, tiles))
    }

    fn compare(
        &self,
        rules: &Rules,
        master_seed: u64,
        begin: impl FnOnce(TileSeed) -> Replay,
    ) -> Result<(), ReplayError> {
        self.find_mismatch(rules, master_seed, begin)
            .map_err(|mismatch| ReplayError { game: self.game, mismatch })
    }

    fn find_mismatch(
        &self,
        rules: &Rules,
        master_seed: u64,
        begin: impl FnOnce(TileSeed) -> Replay,
    ) -> Result<(), Mismatch> {
        let seeds = Seeds::derive(master_seed, self.game);
        same_seed("tile_seed", self.tile_seed, seeds.tiles.0)?;
        same_seed("agent_seed", self.agent_seed, seeds.agent.0)?;
        let mut game = begin(seeds.tiles);
        let mut tiles = self.placed_tiles(rules)?;
        for (number, letter) in (1..).zip(self.directions.chars()) {
            let wrong = |problem: String| Mismatch::Direction { number, problem };
            let direction = Direction::from_letter(letter)
                .ok_or_else(|| wrong(format!("`{letter}` is not one of the letters U R D L")))?;
            game.play_with(direction, || tiles.pop())
                .map_err(|error: TurnError<_>| wrong(error.to_string()))?;
        }
        if !tiles.is_used_up() {
            return Err(Mismatch::Tiles("spawns has more tiles than were placed"));
        }
        same_field("score", self.score, game.score())?;
        same_field("moves", self.moves, game.moves())?;
        same_field("max_tile", self.max_tile, tile(game.max_rank()))?;
        if self.final_board != game.ranks().to_string() {
            same_field("final_board", &self.final_board, &game.ranks().to_string())?;
        }
        self.check_ending(game.ending())
    }

    /// The tiles that were placed, which a record has where the rules say so, and only there.
    fn placed_tiles(&self, rules: &Rules) -> Result<PlacedTiles<'_>, Mismatch> {
        match (rules.spawn.is_random(), &self.spawns) {
            (true, Some(_)) => {
                Err(Mismatch::Tiles("spawns is there, but by the rules chance spawns the tiles"))
            }
            (false, None) => {
                Err(Mismatch::Tiles("spawns is absent, but by the rules the agent places the tiles"))
            }
            (_, spawns) => Ok(PlacedTiles::of(spawns.as_deref())),
        }
    }

    /// A game that the agent cut short is one that was not over yet.
    fn check_ending(&self, replayed: Option<Ending>) -> Result<(), Mismatch> {
        match replayed {
            Some(ending) => same_field("ending", self.ending, ending),
            None if self.ending.is_fault() => Ok(()),
            None => Err(Mismatch::Field {
                field: "ending",
                stored: self.ending.to_string(),
                replayed: "a game that is not over".to_owned(),
            }),
        }
    }
}

fn same_seed(stream: &'static str, stored: u64, derived: u64) -> Result<(), Mismatch> {
    if stored == derived { Ok(()) } else { Err(Mismatch::Seed { stream, stored, derived }) }
}

fn same_field<T: PartialEq + fmt::Display>(
    field: &'static str,
    stored: T,
    replayed: T,
) -> Result<(), Mismatch> {
    if stored == replayed {
        return Ok(());
    }
    Err(Mismatch::Field { field, stored: stored.to_string(), replayed: replayed.to_string() })
}

/// The logical digest of an experiment's records: SHA-256 over their replayable columns, one line a game, by game number.
///
/// It does not depend on the file format, and not on `nodes`: a better pruning changes those, and no decision. A line is the
/// fields game, tile seed, agent seed (both as 16 hexadecimal digits), score, max tile, moves, directions, final board and
/// ending, and where tiles were placed these as well, with tabs between them and a new line at its end.
#[derive(Clone, Default)]
pub struct RecordDigest {
    hasher: Sha256,
    line: String,
}

impl RecordDigest {
    /// Adds the next game; games must come by number.
    pub fn add(&mut self, record: &GameRecord) {
        use fmt::Write as _;
        self.line.clear();
        let GameRecord {
            game,
            tile_seed,
            agent_seed,
            score,
            max_tile,
            moves,
            directions,
            final_board,
            nodes: _,
            ending,
            spawns,
        } = record;
        write!(
            self.line,
            "{game}\t{tile_seed:016x}\t{agent_seed:016x}\t{score}\t{max_tile}\t{moves}\t{directions}\t{final_board}\t{ending}"
        )
        .expect("a string takes all");
        if let Some(spawns) = spawns {
            self.line.push('\t');
            self.line.push_str(spawns);
        }
        self.line.push('\n');
        self.hasher.update(&self.line);
    }

    /// The digest in hexadecimal.
    #[must_use]
    pub fn finish(self) -> String {
        hex(&self.hasher.finalize())
    }
}

#[cfg(test)]
mod tests {
    use engine::{Placement, Slide, Spawning};

    use super::*;

    const MASTER_SEED: u64 = 2048;

    /// A whole game by a player who prefers left, down, right, up; an adversary takes the last empty cell, mostly with a 2.
    fn record_under(rules: &Rules) -> GameRecord {
        let seeds = Seeds::derive(MASTER_SEED, 3);
        let mut game = Game::new(rules, seeds.tiles);
        let mut course = Course::new(rules);
        let preference = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
        while let Some(&direction) =
            preference.iter().find(|&&direction| game.legal_moves().contains(direction))
        {
            let rank = if game.moves().is_multiple_of(10) { 2 } else { 1 };
            let place = |slide: &Slide| {
                let cell = slide.afterstate.empty_cells().last().and_then(|cell| u32::try_from(cell).ok());
                cell.and_then(|cell| Placement::new(cell, rank)).ok_or("there is an empty cell")
            };
            let tile = game.play_with(direction, place).unwrap();
            course.push(direction, tile, 0);
        }
        GameRecord::of(&game, seeds, course, Ending::AgentCrash)
    }

    fn record() -> GameRecord {
        record_under(&Rules::default())
    }

    fn adversarial() -> Rules {
        Rules { spawn: Spawning::Adversarial, ..Rules::default() }
    }

    #[test]
    fn placed_tiles_replay_and_every_tampered_one_is_noticed() {
        let rules = adversarial();
        let good = record_under(&rules);
        assert_eq!(good.replay(&rules, MASTER_SEED), Ok(()));
        assert_eq!(good.replay_alone(&rules, MASTER_SEED), Ok(()));
        assert_eq!(good.spawns.as_ref().map(String::len), Some(2 * good.moves as usize));
        let message = |tamper: fn(&mut String)| {
            let mut bad = good.clone();
            tamper(bad.spawns.as_mut().unwrap());
            bad.replay(&rules, MASTER_SEED).expect_err("found").to_string()
        };
        assert!(message(|tiles| tiles.push_str("02")).contains("more tiles than were placed"));
        assert!(message(|tiles| tiles.truncate(10)).contains("move 6"));
        assert!(message(|tiles| tiles.truncate(11)).contains("move 6"));
        assert!(message(|tiles| tiles.replace_range(4..6, "x2")).contains("move 3: `x2`"));
        assert!(message(|tiles| tiles.replace_range(4..6, "é")).contains("move 3"));
        assert!(message(|tiles| tiles.replace_range(5..6, "8")).contains("move 3"));
        let absent = GameRecord { spawns: None, ..good.clone() };
        assert!(absent.replay(&rules, MASTER_SEED).unwrap_err().to_string().contains("absent"));
        assert!(good.replay(&Rules::default(), MASTER_SEED).unwrap_err().to_string().contains("is there"));
    }

    #[test]
    fn records_part_at_the_first_other_tile() {
        let good = record_under(&adversarial());
        let with_tile = |at: usize, tile: &str| {
            let mut other = good.clone();
            other.spawns.as_mut().unwrap().replace_range(at..at + 2, tile);
            other
        };
        let part = |other: &GameRecord| good.divergence(other).unwrap().parting;
        assert_eq!(part(&with_tile(6, "zz")), Parting::Tile { number: 4 });
        let mut both = with_tile(6, "zz");
        both.directions.replace_range(3..4, "X");
        assert!(matches!(part(&both), Parting::Move { number: 4, .. }));
        both.directions.replace_range(3..4, &good.directions[3..4]);
        both.directions.replace_range(4..5, "X");
        assert_eq!(part(&both), Parting::Tile { number: 4 });
    }

    #[test]
    fn every_tampered_field_is_named() {
        let rules = Rules::default();
        let good = record();
        assert_eq!(good.replay(&rules, MASTER_SEED), Ok(()));
        let message = |tamper: fn(&mut GameRecord)| {
            let mut bad = good.clone();
            tamper(&mut bad);
            bad.replay(&rules, MASTER_SEED).expect_err("found").to_string()
        };
        assert!(message(|record| record.score += 4).contains("score"));
        assert!(message(|record| record.max_tile *= 2).contains("max_tile"));
        assert!(message(|record| record.moves -= 1).contains("moves"));
        assert!(message(|record| record.tile_seed ^= 1).contains("tile_seed"));
        assert!(message(|record| record.agent_seed ^= 1).contains("agent_seed"));
        assert!(message(|record| record.game += 1).contains("tile_seed"));
        assert!(message(|record| record.ending = Ending::TileCap).contains("ending"));
        assert!(message(|record| record.ending = Ending::AgentCrash).contains("ending"));
        assert!(message(|record| record.final_board.push(' ')).contains("final_board"));
        assert!(message(|record| record.directions.push('U')).contains("move "));
        assert!(message(|record| record.directions.replace_range(5..6, "X")).contains("move 6: `X`"));
        assert!(message(|record| record.directions.truncate(9)).contains("game 3"));
    }

    #[test]
    fn a_game_cut_short_by_a_fault_replays_too() {
        let seeds = Seeds::derive(MASTER_SEED, 3);
        let game = Game::new(&Rules::default(), seeds.tiles);
        let mut cut = GameRecord::of(&game, seeds, Course::new(&Rules::default()), Ending::AgentCrash);
        assert_eq!((cut.moves, cut.ending), (0, Ending::AgentCrash));
        assert_eq!(cut.replay(&Rules::default(), MASTER_SEED), Ok(()));
        cut.ending = Ending::NoMoves;
        assert!(cut.replay(&Rules::default(), MASTER_SEED).is_err());
    }

    #[test]
    fn the_digest_covers_all_but_nodes() {
        let digest = |record: &GameRecord| {
            let mut digest = RecordDigest::default();
            digest.add(record);
            digest.finish()
        };
        let good = record();
        let more_nodes = GameRecord { nodes: 99, ..good.clone() };
        assert_eq!(digest(&good), digest(&more_nodes));
        assert_ne!(digest(&good), digest(&GameRecord { score: 0, ..good.clone() }));
        assert_ne!(digest(&good), digest(&GameRecord { agent_seed: 0, ..good.clone() }));
        assert_ne!(digest(&good), digest(&GameRecord { spawns: Some(String::new()), ..good.clone() }));
    }
}
