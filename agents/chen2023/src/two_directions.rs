//! The strategy of section 4.2, played as it stands: up and left by turns, and another direction only where
//! neither is legal. It searches nothing; it is there to test what the paper says about the strategy itself.

use engine::prelude::*;

/// The paper's example: "if placed at the top-left corner, the player … will either choose the actions
/// up-left or left-up".
const PAIR: [Direction; 2] = [Direction::Up, Direction::Left];
// DEVIATION: the paper does not say what to play where neither is legal (D-21). To the right, tiles stay in
// the top row, which is the one to be built up; down takes the largest tile out of its corner.
const OTHERS: [Direction; 2] = [Direction::Right, Direction::Down];

/// The agent `chen-two-directions`.
pub struct TwoDirections {
    /// The pair, in the order in which it is tried next.
    pair: [Direction; 2],
}

/// There is nothing to set.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Nothing {}

impl Agent for TwoDirections {
    type Params = Nothing;

    const ABOUT: About = About::new(
        "chen-two-directions",
        "Two directions by turns (Chen, Thao and Bashir)",
        "J. Chen, A. Thao, M. Bashir: MCTS Algorithm and Heuristic in 2048, 2023",
        Capabilities::NO_BUDGET,
    );

    fn create(_rules: &Rules, Nothing {}: Nothing, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { pair: PAIR })
    }

    fn new_game(&mut self, _seed: AgentSeed) {
        self.pair = PAIR;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let is_legal = |direction: &Direction| position.legal.contains(*direction);
        let chosen = self.pair.into_iter().chain(OTHERS).find(is_legal);
        let direction = chosen.ok_or("the position has no legal move")?;
        if direction == self.pair[0] {
            self.pair.reverse();
        }
        Ok(Decision::new(direction))
    }
}
