//! Iteration 2: greedy on the score after the move.

use engine::prelude::*;

use crate::about;
use crate::fixed_depth::{FixedDepth, Iteration};
use crate::node_value::NodeValue;

/// Iteration 2, "Greedy Agent".
pub type Greedy = FixedDepth<ScoreAfterMove>;

/// The score after a move.
pub struct ScoreAfterMove(Model);

impl Iteration for ScoreAfterMove {
    const ABOUT: About =
        about("devdoc-2", "Iteration 2: greedy on the score after the move", Capabilities::NO_BUDGET);
    const PLIES: u32 = 1;

    fn new(rules: &Rules) -> Self {
        Self(Model::new(rules))
    }

    fn of_move(&mut self, board: Board, score: u32, direction: Direction) -> NodeValue {
        let reward = self.0.slide(board, direction).map_or(0, |slide| slide.reward);
        NodeValue::leaf(f64::from(score + reward))
    }
}

#[cfg(test)]
mod tests {
    use engine::agent::{Agent, Host, Position};

    use super::*;
    use crate::Params;

    #[test]
    fn it_takes_the_largest_merge_and_of_equals_the_first_in_order() {
        let mut agent = Greedy::create(&Rules::default(), Params {}, Host::silent()).unwrap();
        let board = "2 2 . . / 4 . . . / 4 . . . / . . . .".parse().unwrap();
        let position = Position { score: 20, ..Position::of_board(board).unwrap() };
        let decision = agent.choose_move(&position).unwrap();
        // Up and down merge the 4s, left and right the 2s.
        let values = decision.values.unwrap();
        assert_eq!(values.value, [Some(28.0), Some(24.0), Some(28.0), Some(24.0)]);
        assert_eq!((decision.direction, decision.nodes), (Direction::Up, 4));
    }
}
