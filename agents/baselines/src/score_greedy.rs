//! A player that looks at the points of the next slide, and at nothing else.

use engine::prelude::*;

use crate::order::read_order;

/// The agent: how tiles slide, and the order in which it looks.
pub struct ScoreGreedy {
    model: Model,
    order: [Direction; 4],
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
        Ok(Self { model: Model::new(rules), order })
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let rewards = self.model.value_moves(position.board, self.order, |_, slide| (slide.reward.into(), 0));
        rewards.decide(self.order, 1, 0)
    }
}
