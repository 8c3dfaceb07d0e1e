//! Records: what is kept of a game, so that anyone can replay it without the agent.

use std::fmt;

use engine::board::tile;
use engine::game::Replay;
use engine::{AgentSeed, Direction, Ending, Game, Rules, TileSeed};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use surroundings::hash::hex;

/// One game. All but `nodes` follows from the rules, the tile seed and the directions.
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
    pub fn of(game: &Game, seeds: Seeds, directions: String, nodes: u64, cut_short: Ending) -> Self {
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
        }
    }

    /// Where another record of this game parts from this one, `nodes` left out; none where it does not.
    #[must_use]
    pub fn divergence(&self, other: &Self) -> Option<Divergence> {
        let comparable = Self { nodes: self.nodes, ..other.clone() };
        if *self == comparable {
            return None;
        }
        let mut moves = (1..).zip(self.directions.chars().zip(other.directions.chars()));
        let parting = match moves.find(|(_, (one, other))| one != other) {
            Some((number, (one, other))) => Parting::Move { number, one, other },
            None if self.moves != other.moves => Parting::Length { one: self.moves, other: other.moves },
            None => Parting::Outcome { one: (self.score, self.ending), other: (other.score, other.ending) },
        };
        Some(Divergence { game: self.game, parting })
    }

    /// Plays the record's directions on the tiles of its seed, and compares all that follows from them.
    ///
    /// # Errors
    /// The first difference.
    pub fn replay(&self, rules: &Rules, master_seed: u64) -> Result<(), ReplayError> {
        self.compare(master_seed, |tiles| Replay::among_many(rules, tiles))
    }

    /// The same, in the way that is quicker for a game between which and the last one much else was done.
    ///
    /// # Errors
    /// The first difference.
    pub fn replay_alone(&self, rules: &Rules, master_seed: u64) -> Result<(), ReplayError> {
        self.compare(master_seed, |tiles| Replay::alone(rules, tiles))
    }

    fn compare(&self, master_seed: u64, begin: impl FnOnce(TileSeed) -> Replay) -> Result<(), ReplayError> {
        self.find_mismatch(master_seed, begin).map_err(|mismatch| ReplayError { game: self.game, mismatch })
    }

    fn find_mismatch(
        &self,
        master_seed: u64,
        begin: impl FnOnce(TileSeed) -> Replay,
    ) -> Result<(), Mismatch> {
        let seeds = Seeds::derive(master_seed, self.game);
        same_seed("tile_seed", self.tile_seed, seeds.tiles.0)?;
        same_seed("agent_seed", self.agent_seed, seeds.agent.0)?;
        let mut game = begin(seeds.tiles);
        for (number, letter) in (1..).zip(self.directions.chars()) {
            let wrong = |problem: String| Mismatch::Direction { number, problem };
            let direction = Direction::from_letter(letter)
                .ok_or_else(|| wrong(format!("`{letter}` is not one of the letters U R D L")))?;
            game.play(direction).map_err(|error| wrong(error.to_string()))?;
        }
        same_field("score", self.score, game.score())?;
        same_field("moves", self.moves, game.moves())?;
        same_field("max_tile", self.max_tile, tile(game.max_rank()))?;
        if self.final_board != game.ranks().to_string() {
            same_field("final_board", &self.final_board, &game.ranks().to_string())?;
        }
        self.check_ending(game.ending())
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
/// ending, with tabs between them and a new line at its end.
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
        } = record;
        writeln!(
            self.line,
            "{game}\t{tile_seed:016x}\t{agent_seed:016x}\t{score}\t{max_tile}\t{moves}\t{directions}\t{final_board}\t{ending}"
        )
        .expect("a string takes all");
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
    use super::*;

    const MASTER_SEED: u64 = 2048;

    /// A whole game by a player who prefers left, down, right, up.
    fn record() -> GameRecord {
        let seeds = Seeds::derive(MASTER_SEED, 3);
        let mut game = Game::new(&Rules::default(), seeds.tiles);
        let mut directions = String::new();
        let preference = [Direction::Left, Direction::Down, Direction::Right, Direction::Up];
        while let Some(&direction) =
            preference.iter().find(|&&direction| game.legal_moves().contains(direction))
        {
            game.play(direction).unwrap();
            directions.push(direction.letter());
        }
        GameRecord::of(&game, seeds, directions, 0, Ending::AgentCrash)
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
        let mut cut = GameRecord::of(&game, seeds, String::new(), 0, Ending::AgentCrash);
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
    }
}
