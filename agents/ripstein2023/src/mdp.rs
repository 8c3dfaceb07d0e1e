//! Section 3.2: the Markov decision process, with the variants of sections 3.3 and 5.2.

use engine::prelude::*;

use crate::lookahead::{Lookahead, Policy};
use crate::theta::Theta;
use crate::value::{FourBoards, ValueFunction};
use crate::{MOVE_ORDER, PAPER, chance};

/// The agent `ripstein-mdp`.
pub struct Mdp {
    lookahead: Lookahead,
    value: ValueFunction,
    params: Params,
    seed: AgentSeed,
}

engine::params! {
    /// What can be set.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct Params {
        /// How many random games there are, and which of them count.
        #[serde(flatten)]
        pub theta: Theta = Theta::default(),
        /// What stands on the boards that are to stand for a spawned 4: a 4, or a 2 as in the released code.
        pub four_boards: FourBoards = FourBoards::default(),
        /// Where Bellman's equation makes the value of a move.
        pub bellman: Bellman = Bellman::default(),
        /// The discount in it.
        pub gamma: f64 = 0.9,
        /// With fewer empty cells than this, expectimax takes over; 0: it never does.
        pub expectimax_below: u32 = 0,
        /// How many of the player's moves expectimax looks ahead; with 1 it is the MDP.
        pub expectimax_depth: u32 = 2,
    }
}

/// Where equations 3 and 4 replace equation 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Bellman {
    /// Nowhere.
    #[default]
    Never,
    /// In expectimax, as section 5.2 prints it.
    Expectimax,
    /// Everywhere: section 3.3.
    Always,
}

/// Deeper, the states are too many to list.
const MOST_DEPTH: u32 = 3;

impl Params {
    fn check(&self) -> Result<(), Refusal> {
        Refusal::out_of_range("gamma", self.gamma, 0.0..=1.0)?;
        Refusal::out_of_range("expectimax_below", self.expectimax_below, 0..=16)?;
        Refusal::out_of_range("expectimax_depth", self.expectimax_depth, 1..=MOST_DEPTH)
    }
}

impl Agent for Mdp {
    type Params = Params;

    const ABOUT: About = About::new(
        "ripstein-mdp",
        "Markov decision process by Monte Carlo (Ripstein)",
        PAPER,
        Capabilities::NO_BUDGET,
    );

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        params.check()?;
        let games = params.theta.table()?;
        Ok(Self {
            lookahead: Lookahead::new(rules),
            value: ValueFunction::new(rules, games, params.four_boards),
            params,
            seed: AgentSeed(0),
        })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let is_expectimax = position.board.empty_count() < self.params.expectimax_below;
        let depth = if is_expectimax { self.params.expectimax_depth } else { 1 };
        let policy = self.policy(is_expectimax);
        let mut rng = chance(self.seed, position);
        let at = (position.board, position.score);
        let values = self.lookahead.value_moves(at, depth, policy, &mut self.value, &mut rng);
        // Every move is followed by a spawn.
        values.decide(MOVE_ORDER, 2 * depth, values.total_nodes())
    }
}

impl Mdp {
    fn policy(&self, is_expectimax: bool) -> Policy {
        let is_bellman = match self.params.bellman {
            Bellman::Never => false,
            Bellman::Expectimax => is_expectimax,
            Bellman::Always => true,
        };
        if is_bellman { Policy::Bellman { gamma: self.params.gamma } } else { Policy::Expected }
    }
}
