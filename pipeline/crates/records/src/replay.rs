//! Replaying one game: its directions are played on the tiles of its seed, and all that follows from them is
//! compared.

use std::fmt;

use engine::board::tile;
use engine::game::Replay;
use engine::{Direction, Ending, Rules, TileSeed, TurnError};
use platform::plain;

use crate::{GameRecord, PlacedTiles, Seeds};

/// Why a record is not what its seed and directions make.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}: {mismatch}")]
pub struct ReplayError {
    /// The game's number.
    pub game: u64,
    /// What differs.
    pub mismatch: Mismatch,
}

/// In what a record and its replay differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Mismatch {
    /// A seed is not the one that the master seed gives.
    #[error("{stream} is {stored:016x}, but the master seed gives {derived:016x}")]
    Seed { stream: &'static str, stored: u64, derived: u64 },
    /// A letter is no direction, or the direction is illegal there, or after the end. Moves count from 1.
    #[error("move {number}: {problem}")]
    Direction { number: usize, problem: String },
    /// The rules and the record differ on who places tiles, or there are more tiles than moves.
    #[error("{0}")]
    Tiles(&'static str),
    /// A field differs from what the replay gives.
    #[error("{field} is {stored}, but the replay gives {replayed}")]
    Field { field: &'static str, stored: String, replayed: String },
}

impl GameRecord {
    /// Plays the record's directions on the tiles of its seed, or those that it has, and compares all that
    /// follows from them.
    pub fn replay(&self, rules: &Rules, master_seed: u64) -> Result<(), ReplayError> {
        self.compare(rules, master_seed, |tiles| Replay::among_many(rules, tiles))
    }

    /// The same, in the way that is quicker for a game between which and the last one much else was done.
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
    let stored = plain::line(&stored.to_string());
    Err(Mismatch::Field { field, stored, replayed: replayed.to_string() })
}

#[cfg(test)]
mod tests {
    use engine::{Game, Placement, Slide, Spawning};

    use super::*;
    use crate::{Course, DivergenceKind};

    const MASTER_SEED: u64 = 2048;

    /// A whole game by a player who prefers left, down, right, up; an adversary takes the last empty cell,
    /// mostly with a 2.
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
        assert_eq!(part(&with_tile(6, "zz")), DivergenceKind::Tile { number: 4 });
        let mut both = with_tile(6, "zz");
        both.directions.replace_range(3..4, "X");
        assert!(matches!(part(&both), DivergenceKind::Move { number: 4, .. }));
        both.directions.replace_range(3..4, &good.directions[3..4]);
        both.directions.replace_range(4..5, "X");
        assert_eq!(part(&both), DivergenceKind::Tile { number: 4 });
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
}
