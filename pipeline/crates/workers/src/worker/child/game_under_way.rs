//! A game under way between the engine and the agent.

use std::io;
use std::sync::atomic::Ordering;

use engine::abi::host::{LoadedAgent, PlayError};
use engine::agent::{Budget, Position};
use engine::{Direction, Ending, Game, Placement, Rules, Slide, TurnError};

use super::{Pulse, Replies};
use crate::worker::protocol::Reply;
use records::record::{Course, Seeds};

/// A game under way.
pub(super) struct GameUnderWay<'a> {
    rules: &'a Rules,
    seeds: Seeds,
    pub(super) game: Game,
    pub(super) course: Course,
    /// Where each move is reported, in careful mode.
    report: Option<Replies>,
}

/// A move that was played.
struct Turn {
    direction: Direction,
    tile: Option<Placement>,
    nodes: u64,
}

/// The ending that an agent's fault brings, and what there is to say of it.
pub(super) type Fault = (Ending, String);

fn fault(error: &PlayError) -> Fault {
    (error.ending(), error.to_string())
}

impl<'a> GameUnderWay<'a> {
    pub(super) fn new(rules: &'a Rules, seeds: Seeds, report: Option<Replies>) -> Self {
        let game = Game::new(rules, seeds.tiles);
        Self { rules, seeds, game, course: Course::new(rules), report }
    }

    /// Plays until the game ends, so many moves are made, or the agent commits a fault.
    pub(super) fn play(
        &mut self,
        agent: &mut LoadedAgent,
        budget: Budget,
        move_limit: u32,
        pulse: &Pulse,
    ) -> io::Result<Option<Fault>> {
        if let Err(error) = agent.new_game(self.seeds.agent) {
            return Ok(Some(fault(&error)));
        }
        while self.game.ending().is_none() && self.game.moves() < move_limit {
            let Turn { direction, tile, nodes } = match self.turn(agent, budget) {
                Ok(turn) => turn,
                Err(fault) => return Ok(Some(fault)),
            };
            if self.game.ending().is_some()
                && let Err(error) = agent.end_game()
            {
                self.take_back();
                return Ok(Some(fault(&error)));
            }
            self.course.push(direction, tile, nodes);
            pulse.moves.store(self.game.moves(), Ordering::Relaxed);
            if let Some(replies) = &self.report {
                replies.send(&Reply::Moved { direction: direction.letter(), tile, nodes })?;
            }
        }
        let is_cut_short = self.game.ending().is_none();
        Ok(if is_cut_short { agent.end_game().err().map(|error| fault(&error)) } else { None })
    }

    /// Has the agent play one move, and place a tile where the rules leave that to it.
    fn turn(&mut self, agent: &mut LoadedAgent, budget: Budget) -> Result<Turn, Fault> {
        let position = Position::of_game(&self.game, budget);
        let decision = agent.choose_move(&position).map_err(|error| fault(&error))?;
        let mut nodes = decision.nodes;
        let place = |slide: &Slide| {
            let placed = agent.place_tile(&position.slid(slide))?;
            nodes = nodes.saturating_add(placed.nodes);
            Ok(placed.tile)
        };
        let tile = self.game.play_with(decision.direction, place).map_err(|error| match error {
            TurnError::Unplaced(error) => fault(&error),
            TurnError::Move(illegal) => (Ending::IllegalMove, illegal.to_string()),
            TurnError::Tile(illegal) => (Ending::IllegalMove, illegal.to_string()),
        })?;
        Ok(Turn { direction: decision.direction, tile, nodes })
    }

    /// Takes the last move back. A game that is over has no fault, so one that turns up with its last move is that move's.
    fn take_back(&mut self) {
        self.game = Game::new(self.rules, self.seeds.tiles);
        let mut tiles = self.course.placed_tiles();
        for direction in self.course.directions.chars().filter_map(Direction::from_letter) {
            let replayed = self.game.play_with(direction, |_| tiles.pop());
            debug_assert!(replayed.is_ok(), "the move was legal before");
        }
    }
}
