//! Iteration 2: greedy on the score after the move.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::{AgentSeed, Rules};

use crate::choice::{Choice, Searched, score_of};
use crate::course::Course;
use crate::deepening::actions;
use crate::{Params, about};

/// Iteration 2, "Greedy Agent".
pub struct Greedy {
    course: Course,
    choice: Choice,
}

impl Agent for Greedy {
    type Params = Params;

    const ABOUT: About =
        about("devdoc-2", "Iteration 2: greedy on the score after the move", Capabilities::NO_BUDGET);

    fn create(rules: &Rules, Params {}: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { course: Course::new(rules), choice: Choice::default() })
    }

    fn new_game(&mut self, _seed: AgentSeed) {}

    /// `findMove`
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let score = score_of(position)?;
        self.choice = Choice::default();
        for direction in actions(position) {
            let reward = self.course.slide(position.board, direction).map_or(0, |slide| slide.reward);
            self.choice.consider(direction, Searched::leaf(f64::from(score + reward)));
        }
        self.choice.decide(1)
    }

    fn move_values(&self) -> Option<MoveValues> {
        Some(self.choice.move_values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Direction;

    #[test]
    fn it_takes_the_largest_merge_and_of_equals_the_first_in_order() {
        let mut agent = Greedy::create(&Rules::default(), Params {}, Host::silent()).unwrap();
        let board = "2 2 . . / 4 . . . / 4 . . . / . . . .".parse().unwrap();
        let position = Position { score: 20, ..Position::of_board(board).unwrap() };
        let decision = agent.choose_move(&position).unwrap();
        // Up and down merge the 4s, left and right the 2s.
        let values = agent.move_values().unwrap();
        assert_eq!(values.value, [Some(28.0), Some(24.0), Some(28.0), Some(24.0)]);
        assert_eq!((decision.direction, decision.nodes), (Direction::Up, 4));
    }
}
