//! A game that a fault cut short, rebuilt from the moves that its worker reported.

use std::time::Instant;

use engine::{Direction, Game, Placement};

use super::GameSetup;
use records::{Course, GameRecord, GameTiming, Seeds};
use workers::{Fault, Played};

/// The moves of a game so far.
pub(crate) struct Prefix {
    seeds: Seeds,
    game: Game,
    course: Course,
    /// Whether every reported move was legal so far.
    is_legal: bool,
    start: Instant,
}

impl Prefix {
    pub(super) fn new(setup: &GameSetup<'_>, number: u64) -> Self {
        let seeds = Seeds::derive(setup.seed, number);
        let game = Game::new(setup.agent.rules, seeds.tiles);
        let course = Course::new(setup.agent.rules);
        Self { seeds, game, course, is_legal: true, start: Instant::now() }
    }

    /// Adds a reported move. An illegal one ends the prefix.
    pub(super) fn extend(&mut self, letter: char, tile: Option<Placement>, nodes: u64) {
        let played = Direction::from_letter(letter).filter(|_| self.is_legal).filter(|&direction| {
            let placed = self.game.play_with(direction, |_| tile.ok_or("no tile is reported"));
            placed.is_ok_and(|placed| placed == tile)
        });
        match played {
            Some(direction) => self.course.push(direction, tile, nodes),
            None => self.is_legal = false,
        }
    }

    pub(super) fn end(self, fault: &Fault) -> Played {
        let record = GameRecord::of(&self.game, self.seeds, self.course, fault.ending);
        // The CPU time of the thread is lost with its process.
        let wall_ns = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let timing = GameTiming { game: record.game, cpu_ns: 0, wall_ns };
        Played { record, timing, complaint: Some(fault.reason.clone()) }
    }
}
