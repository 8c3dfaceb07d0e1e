//! A player that looks at the points of the next slide, and at nothing else.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::{AgentSeed, Direction, Rules, Slides};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::order::read_order;

/// The agent: how tiles slide, the order in which it looks, and the rewards that it saw last.
pub struct ScoreGreedy {
    slides: &'static Slides,
    order: [Direction; 4],
    rewards: MoveValues,
}

engine::params! {
    /// What can be set.
    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Params {
        /// Of moves with equal rewards the first in this order is taken.
        #[schemars(regex(pattern = r"^[URDL]{4}$"))]
        order: String = "URDL".to_owned(),
    }
}

impl Agent for ScoreGreedy {
    type Params = Params;

    const ABOUT: About = About::new("score-greedy", "Score greedy", "", Capabilities::NO_BUDGET);

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        let order = read_order("order", &params.order)?;
        Ok(Self { slides: Slides::of(rules.merging), order, rewards: MoveValues::default() })
    }

    fn new_game(&mut self, _seed: AgentSeed) {
        self.rewards = MoveValues::default();
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let reward = |direction| Some(f64::from(self.slides.slide(position.board, direction)?.reward));
        self.rewards.value = Direction::ALL.map(reward);
        let (direction, reward) =
            self.rewards.first_best(self.order).ok_or("the position has no legal move")?;
        Ok(Decision { value: Some(reward), depth: 1, ..Decision::new(direction) })
    }

    fn move_values(&self) -> Option<MoveValues> {
        Some(self.rewards)
    }
}
