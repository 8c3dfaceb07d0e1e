//! Iteration 3: what the document calls expectimax. After its own move it takes the mean over its own next
//! moves, and the mean over those after them; no tile comes in between. The evaluation is the score.

use engine::prelude::*;

use crate::about;
use crate::course::ACTIONS;
use crate::fixed_depth::{FixedDepth, Iteration};
use crate::node_value::NodeValue;

/// The moves that are averaged over behind the move of the root.
const DEPTH: u32 = 2;

/// Iteration 3, "ExpectiMax Agent".
pub type MeanOfMoves = FixedDepth<Means>;

/// The search of iteration 3.
pub struct Means(Model);

impl Iteration for Means {
    const ABOUT: About =
        about("devdoc-3", "Iteration 3: the mean over its own next moves", Capabilities::NO_BUDGET);
    const PLIES: u32 = 1 + DEPTH;

    fn new(rules: &Rules) -> Self {
        Self(Model::new(rules))
    }

    fn of_move(&mut self, board: Board, score: u32, direction: Direction) -> NodeValue {
        self.slid(board, score, direction, DEPTH).unwrap_or_default()
    }
}

impl Means {
    /// Slides, and values what comes of it; none if the move is illegal.
    fn slid(&self, board: Board, score: u32, direction: Direction, depth: u32) -> Option<NodeValue> {
        let slide = self.0.slide(board, direction)?;
        let score = score + slide.reward;
        if depth == 0 || self.0.ends_game(&slide) {
            return Some(NodeValue::leaf(f64::from(score)));
        }
        // No tile comes: the slid board is itself the one that awaits the next move.
        Some(self.expectimax(Board::from_packed(slide.afterstate.packed()), score, depth))
    }

    /// `expectimax`: the mean over the moves of a slid board, which always has one.
    fn expectimax(&self, board: Board, score: u32, depth: u32) -> NodeValue {
        let (mut total, mut moves, mut nodes) = (0.0, 0.0, 1);
        for direction in ACTIONS {
            if let Some(searched) = self.slid(board, score, direction, depth - 1) {
                total += searched.value;
                moves += 1.0;
                nodes += searched.nodes;
            }
        }
        NodeValue { value: total / moves, nodes }
    }
}

#[cfg(test)]
mod tests {
    use engine::agent::{Agent, Host, Position};

    use super::*;
    use crate::Params;

    #[test]
    fn three_own_moves_worked_out() {
        let mut agent = MeanOfMoves::create(&Rules::default(), Params {}, Host::silent()).unwrap();
        let position = Position::of_board("2 2 . . / . . . . / . . . . / . . . .".parse().unwrap()).unwrap();
        let decision = agent.choose_move(&position).unwrap();
        // Down keeps the pair. Then up keeps it again, after which down, left, right bring 0, 4, 4; or left
        // or right merges it at once, after which nothing more comes.
        let down = (8.0 / 3.0 + 4.0 + 4.0) / 3.0;
        // Left and right merge at once. Of the two the first in order is taken.
        let values = decision.values.unwrap();
        assert_eq!(values.value, [None, Some(4.0), Some(down), Some(4.0)]);
        assert_eq!((decision.direction, decision.value), (Direction::Left, Some(4.0)));
        // Down: itself, three moves, and 3 + 2 + 2 behind them; left and right: itself, two moves, and two
        // behind each.
        assert_eq!(values.nodes, [0, 7, 11, 7]);
    }
}
