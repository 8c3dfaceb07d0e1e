//! A game in progress between the engine and the agent.

use std::io;
use std::sync::atomic::Ordering;

use engine::abi::host::{LoadedAgent, PlayError};
use engine::agent::{Budget, Position};
use engine::{Direction, Ending, Game, Placement, Rules, Slide, TurnError};

use super::{Heartbeat, Replies};
use crate::fault::Fault;
use crate::worker::protocol::{GameEvent, Reply};
use records::{Course, Seeds};

/// A game in progress.
pub(super) struct GameInProgress<'a> {
    rules: &'a Rules,
    seeds: Seeds,
    pub(super) game: Game,
    pub(super) course: Course,
    /// Receives each move in careful mode.
    report: Option<Replies>,
}

/// A move that was played, the tile that the agent placed after it, and the nodes of both.
type Turn = (Direction, Option<Placement>, u64);

impl From<PlayError> for Fault {
    fn from(error: PlayError) -> Self {
        Self { ending: error.ending(), reason: error.to_string() }
    }
}

impl<'a> GameInProgress<'a> {
    pub(super) fn new(rules: &'a Rules, seeds: Seeds, report: Option<Replies>) -> Self {
        let game = Game::new(rules, seeds.tiles);
        Self { rules, seeds, game, course: Course::new(rules), report }
    }

    /// Plays until the game ends, the move limit is reached, or the agent faults.
    pub(super) fn play(
        &mut self,
        agent: &mut LoadedAgent,
        budget: Budget,
        move_limit: u32,
        heartbeat: &Heartbeat,
    ) -> io::Result<Option<Fault>> {
        if let Err(error) = agent.new_game(self.seeds.agent) {
            return Ok(Some(error.into()));
        }
        while self.game.ending().is_none() && self.game.moves() < move_limit {
            let (direction, tile, nodes) = match self.turn(agent, budget) {
                Ok(turn) => turn,
                Err(fault) => return Ok(Some(fault)),
            };
            if self.game.ending().is_some()
                && let Err(error) = agent.end_game()
            {
                self.take_back();
                return Ok(Some(error.into()));
            }
            self.course.push(direction, tile, nodes);
            heartbeat.moves.store(self.game.moves(), Ordering::Relaxed);
            if let Some(replies) = &self.report {
                let moved = GameEvent::Moved { direction: direction.letter(), tile, nodes };
                replies.send(&Reply::Game(moved))?;
            }
        }
        let is_cut_short = self.game.ending().is_none();
        Ok(if is_cut_short { agent.end_game().err().map(Fault::from) } else { None })
    }

    /// Plays one move of the agent, and places its tile if the rules leave that to it.
    fn turn(&mut self, agent: &mut LoadedAgent, budget: Budget) -> Result<Turn, Fault> {
        let position = Position::of_game(&self.game, budget);
        let decision = agent.choose_move(&position)?;
        let mut nodes = decision.nodes;
        let place = |slide: &Slide| {
            let placed = agent.place_tile(&position.slid(slide))?;
            nodes = nodes.saturating_add(placed.nodes);
            Ok(placed.tile)
        };
        let illegal = |reason: String| Fault { ending: Ending::IllegalMove, reason };
        let tile = self.game.play_with(decision.direction, place).map_err(
            |error: TurnError<PlayError>| match error {
                TurnError::Unplaced(error) => Fault::from(error),
                TurnError::Move(error) => illegal(error.to_string()),
                TurnError::Tile(error) => illegal(error.to_string()),
            },
        )?;
        Ok((decision.direction, tile, nodes))
    }

    /// Takes the last move back: a game that is over has no fault, so a fault found after it belongs to that
    /// move.
    fn take_back(&mut self) {
        self.game = Game::new(self.rules, self.seeds.tiles);
        let mut tiles = self.course.placed_tiles();
        for direction in self.course.directions.chars().filter_map(Direction::from_letter) {
            let replayed = self.game.play_with(direction, |_| tiles.pop());
            debug_assert!(replayed.is_ok(), "the move was legal before");
        }
    }
}
