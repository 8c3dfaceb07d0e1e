//! Minimax with random placement (section "Expectimax vs minimax"): an opponent, but one who places a tile at
//! random.
//!
//! "Random" is read as one drawn tile wherever the opponent is to play in the tree (D-2). With a single
//! answer to every move there is nothing to prune.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, Position, Refusal};
use engine::{Afterstate, AgentSeed, Board, Odds, Rng, Rules, spawn};

use crate::PAPER;
use crate::heuristic::Heuristic;
use crate::params::Params;
use crate::search::{Opponent, Setup, TreeSearch};

/// The agent `ms-minimax-random`.
pub struct MinimaxRandom {
    setup: Setup<f64>,
    seed: AgentSeed,
}

impl Agent for MinimaxRandom {
    type Params = Params;

    const ABOUT: About = About::new(
        "ms-minimax-random",
        "Minimax, random placement (Middleton and Schmidt)",
        PAPER,
        Capabilities::PLIES,
    );

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { setup: Setup::new(rules, &params)?, seed: AgentSeed(0) })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let seed = SearchSeed::new(self.seed, position.move_number);
        self.setup.choose_move(position, seed)
    }
}

/// What the drawn tiles of one search depend on. Every move of a game has another.
#[derive(Clone, Copy, Debug)]
pub struct SearchSeed(u64);

/// An odd number without pattern, so that a product with it spreads a difference over the upper bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl SearchSeed {
    /// The seed of the search for a game's move with this number.
    pub fn new(AgentSeed(seed): AgentSeed, move_number: u64) -> Self {
        Self(Rng::from_seed(seed ^ move_number.wrapping_mul(SPREAD)).next_u64())
    }

    /// The board after the tile that the opponent places in this search with this many layers to go, the
    /// opponent's included.
    ///
    /// The draw depends on nothing else, so that it is the same whenever the search comes here, by whatever
    /// way.
    pub fn spawn(self, afterstate: Afterstate, layers: u32, four: Odds) -> Board {
        let place = afterstate.packed().wrapping_mul(SPREAD).wrapping_add(layers.into()).wrapping_mul(SPREAD);
        spawn::spawn(afterstate, four, &mut Rng::from_seed(self.0 ^ place))
    }
}

impl Opponent for SearchSeed {
    fn memo_bits(layers: u32) -> u32 {
        layers + 2
    }

    fn answer<H: Heuristic>(
        self,
        search: &mut TreeSearch<'_, H, Self>,
        afterstate: Afterstate,
        layers: u32,
    ) -> f64 {
        search.player(self.spawn(afterstate, layers, search.tree.four), layers - 1)
    }
}
