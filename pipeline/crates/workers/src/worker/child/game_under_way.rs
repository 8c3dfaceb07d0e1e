//! A game under way between the engine and the agent.

use std::io;
use std::sync::atomic::Ordering;

use engine::abi::host::{LoadedAgent, PlayError};
use engine::agent::{Budget, Position};
use engine::{Direction, Ending, Game, Rules};

use super::{Pulse, Replies};
use crate::worker::protocol::Reply;
use records::record::Seeds;

/// A game under way.
pub(super) struct GameUnderWay<'a> {
    rules: &'a Rules,
    seeds: Seeds,
    pub(super) game: Game,
    pub(super) directions: String,
    pub(super) nodes: u64,
    /// Where each move is reported, in careful mode.
    report: Option<Replies>,
}

/// The ending that an agent's fault brings, and what there is to say of it.
pub(super) type Fault = (Ending, String);

fn fault(error: &PlayError) -> Fault {
    (error.ending(), error.to_string())
}

impl<'a> GameUnderWay<'a> {
    pub(super) fn new(rules: &'a Rules, seeds: Seeds, report: Option<Replies>) -> Self {
        let game = Game::new(rules, seeds.tiles);
        Self { rules, seeds, game, directions: String::new(), nodes: 0, report }
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
            let decision = match agent.choose_move(&Position::of_game(&self.game, budget)) {
                Ok(decision) => decision,
                Err(error) => return Ok(Some(fault(&error))),
            };
            if let Err(illegal) = self.game.play(decision.direction) {
                return Ok(Some((Ending::IllegalMove, illegal.to_string())));
            }
            if self.game.ending().is_some()
                && let Err(error) = agent.end_game()
            {
                self.take_back();
                return Ok(Some(fault(&error)));
            }
            self.directions.push(decision.direction.letter());
            self.nodes = self.nodes.saturating_add(decision.nodes);
            pulse.moves.store(self.game.moves(), Ordering::Relaxed);
            if let Some(replies) = &self.report {
                replies
                    .send(&Reply::Moved { direction: decision.direction.letter(), nodes: decision.nodes })?;
            }
        }
        let is_cut_short = self.game.ending().is_none();
        Ok(if is_cut_short { agent.end_game().err().map(|error| fault(&error)) } else { None })
    }

    /// Takes the last move back. A game that is over has no fault, so one that turns up with its last move is that move's.
    fn take_back(&mut self) {
        self.game = Game::new(self.rules, self.seeds.tiles);
        for direction in self.directions.chars().filter_map(Direction::from_letter) {
            let replayed = self.game.play(direction);
            debug_assert!(replayed.is_ok(), "the move was legal before");
        }
    }
}
