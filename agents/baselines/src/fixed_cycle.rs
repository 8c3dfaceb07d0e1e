//! A player that turns round and round: up, right, down, left, passing over what is illegal.

use engine::prelude::*;

use crate::order::read_order;

/// The agent: its cycle, and which direction comes next.
pub struct FixedCycle {
    cycle: [Direction; 4],
    next: usize,
}

engine::params! {
    /// What can be set.
    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Params {
        /// The order of the four directions, as letters.
        #[schemars(regex(pattern = r"^[URDL]{4}$"))]
        cycle: String = "URDL".to_owned(),
    }
}

impl Agent for FixedCycle {
    type Params = Params;

    const ABOUT: About = About::new("fixed-cycle", "Fixed cycle", "", Capabilities::NO_BUDGET);

    fn create(_rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { cycle: read_order("cycle", &params.cycle)?, next: 0 })
    }

    fn new_game(&mut self, _seed: AgentSeed) {
        self.next = 0;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let steps = (0..4).find(|step| position.legal.contains(self.cycle[(self.next + step) % 4]));
        let chosen = (self.next + steps.ok_or("the position has no legal move")?) % 4;
        self.next = (chosen + 1) % 4;
        Ok(Decision::new(self.cycle[chosen]))
    }
}
