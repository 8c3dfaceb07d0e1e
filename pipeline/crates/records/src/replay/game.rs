//! Replaying one game: its directions are played on the tiles of its seed, and all that follows from them is compared.

use std::fmt;

use engine::board::tile;
use engine::game::Replay;
use engine::{Direction, Ending, Rules, TileSeed};

use crate::record::{GameRecord, Seeds};

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

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Game;

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
}
