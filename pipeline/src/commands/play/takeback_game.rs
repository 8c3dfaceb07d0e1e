//! The game on the table: its turns so far, each with what the agent said of it.

use engine::agent::Decision;
use engine::{Direction, Game, Rules, TileSeed};

use super::advisor::AgentReply;
use workers::Question;

/// A game that can be taken back move by move.
pub(super) struct TakebackGame {
    /// At least one: the last is the position that awaits a move.
    turns: Vec<Turn>,
    complaint: Option<String>,
}

struct Turn {
    game: Game,
    /// The move that led here.
    by: Option<Direction>,
    advice: Advice,
}

enum Advice {
    /// The agent has not been asked.
    Unasked,
    /// It thinks.
    Awaited,
    /// It has answered.
    Given(Decision),
    /// It cannot.
    Failed,
}

impl TakebackGame {
    pub(super) fn new(rules: &Rules, seed: TileSeed) -> Self {
        let first = Turn { game: Game::new(rules, seed), by: None, advice: Advice::Unasked };
        Self { turns: vec![first], complaint: None }
    }

    fn turn(&self) -> &Turn {
        self.turns.last().expect("there is always a position")
    }

    fn turn_mut(&mut self) -> &mut Turn {
        self.turns.last_mut().expect("there is always a position")
    }

    pub(super) fn game(&self) -> &Game {
        &self.turn().game
    }

    /// The move that led here.
    pub(super) fn last_move(&self) -> Option<Direction> {
        self.turn().by
    }

    /// What there is to say about the agent.
    pub(super) fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    pub(super) fn complain(&mut self, complaint: String) {
        self.complaint = Some(complaint);
        self.turn_mut().advice = Advice::Failed;
    }

    /// Whether the agent should be asked, and marks it as asked.
    pub(super) fn wants_advice(&mut self) -> bool {
        let turn = self.turn_mut();
        let wants = matches!(turn.advice, Advice::Unasked) && turn.game.ending().is_none();
        if wants {
            turn.advice = Advice::Awaited;
        }
        wants
    }

    pub(super) fn question(&self) -> Question {
        let game = self.game();
        Question {
            board: game.board().packed(),
            score: u64::from(game.score()),
            move_number: u64::from(game.moves()),
        }
    }

    /// Hears the agent. Where the person was faster, the answer is about a position that is past.
    pub(super) fn advise(&mut self, question: Question, reply: AgentReply) {
        if question != self.question() {
            return;
        }
        match reply {
            Ok(answer) => self.turn_mut().advice = Advice::Given(answer),
            Err(fault) => self.complain(fault.to_string()),
        }
    }

    /// The agent's answer about this position, if it has come.
    pub(super) fn advice(&self) -> Option<&Decision> {
        match &self.turn().advice {
            Advice::Given(answer) => Some(answer),
            _ => None,
        }
    }

    /// Whether the agent thinks about this position.
    pub(super) fn is_awaited(&self) -> bool {
        matches!(self.turn().advice, Advice::Awaited)
    }

    /// Plays a move, and returns whether it is legal.
    pub(super) fn play(&mut self, direction: Direction) -> bool {
        let mut game = self.game().clone();
        let is_legal = game.play(direction).is_ok();
        if is_legal {
            self.turns.push(Turn { game, by: Some(direction), advice: Advice::Unasked });
        }
        is_legal
    }

    /// Takes the last move back, if there is one. What the agent said before still stands.
    pub(super) fn take_back(&mut self) {
        if self.turns.len() > 1 {
            self.turns.pop();
            let turn = self.turn_mut();
            if matches!(turn.advice, Advice::Awaited) {
                turn.advice = Advice::Unasked;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_taken_back_is_as_if_it_had_not_been_played() {
        let mut table = TakebackGame::new(&Rules::default(), TileSeed(1));
        assert!(table.wants_advice() && !table.wants_advice(), "it asks once");
        let asked = table.question();
        let direction = table.game().legal_moves().iter().next().unwrap();
        table.advise(asked, Ok(Decision::new(direction)));
        assert!(table.play(direction));
        let board = table.game().board();
        table.advise(asked, Ok(Decision::new(direction)));
        assert!(table.advice().is_none(), "an answer about the past is not heard");
        table.take_back();
        assert_eq!(table.question(), asked);
        assert_eq!(table.advice().map(|answer| answer.direction), Some(direction));
        table.take_back();
        assert!(table.play(direction));
        assert_eq!(table.game().board(), board, "the same tile comes again");
    }
}
