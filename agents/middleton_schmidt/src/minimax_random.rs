//! Minimax with random placement (section "Expectimax vs minimax"): an opponent, but one who places a tile at random.
//!
//! "Random" is read as one drawn tile wherever the opponent is to play in the tree (D-2). With a single answer to every move
//! there is nothing to prune.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::memo::Memo;
use engine::{Afterstate, AgentSeed, Board, Odds, Rng, Rules, spawn};

use crate::heuristic::{Heuristic, Heuristics};
use crate::params::Params;
use crate::setup::Setup;
use crate::tree::{Move, Tree};
use crate::{PAPER, root};

/// The agent `ms-minimax-random`.
pub struct MinimaxRandom {
    setup: Setup<f64>,
    seed: AgentSeed,
    values: Option<MoveValues>,
}

impl Agent for MinimaxRandom {
    type Params = Params;

    const ABOUT: About = About {
        id: "ms-minimax-random",
        name: "Minimax, random placement (Middleton and Schmidt)",
        version: "1.0.0",
        paper: PAPER,
        licence: "MIT",
        capabilities: Capabilities::PLIES,
    };

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { setup: Setup::new(rules, &params)?, seed: AgentSeed(0), values: None })
    }

    fn new_game(&mut self, seed: AgentSeed) {
        self.seed = seed;
        self.values = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let layers = self.setup.depth_counts.layers(position.budget)?;
        let seed = SearchSeed::new(self.seed, position.move_number);
        let Setup { tree, heuristics, memo, .. } = &mut self.setup;
        let values = match heuristics {
            Heuristics::Initial(heuristic) => {
                Search::new(*tree, heuristic, memo, seed).value_moves(position.board, layers)
            }
            Heuristics::Final(heuristic) => {
                Search::new(*tree, heuristic, memo, seed).value_moves(position.board, layers)
            }
            Heuristics::Score(heuristic) => {
                Search::new(*tree, heuristic, memo, seed).value_moves(position.board, layers)
            }
        };
        self.values = Some(values);
        root::decide(&values, layers, position.budget)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.values
    }
}

/// What the drawn tiles of one search depend on. Every move of a game has another.
#[derive(Clone, Copy, Debug)]
pub struct SearchSeed(u64);

/// An odd number without pattern, so that a product with it spreads a difference over the upper bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl SearchSeed {
    /// The seed of the search for a game's move with this number.
    #[must_use]
    pub fn new(AgentSeed(seed): AgentSeed, move_number: u64) -> Self {
        Self(Rng::from_seed(seed ^ move_number.wrapping_mul(SPREAD)).next_u64())
    }

    /// The board after the tile that the opponent places in this search with so many layers to go, the opponent's included.
    ///
    /// The draw depends on nothing else, so that it is the same whenever the search comes here, by whatever way.
    #[must_use]
    pub fn spawn(self, afterstate: Afterstate, layers: u32, four: Odds) -> Board {
        let place = afterstate.packed().wrapping_mul(SPREAD).wrapping_add(layers.into()).wrapping_mul(SPREAD);
        spawn::spawn(afterstate, four, &mut Rng::from_seed(self.0 ^ place))
    }
}

/// One search.
struct Search<'a, H> {
    tree: Tree,
    heuristic: &'a H,
    memo: &'a mut Memo<f64>,
    seed: SearchSeed,
    nodes: u64,
}

impl<'a, H: Heuristic> Search<'a, H> {
    fn new(tree: Tree, heuristic: &'a H, memo: &'a mut Memo<f64>, seed: SearchSeed) -> Self {
        Self { tree, heuristic, memo, seed, nodes: 0 }
    }

    fn value_moves(&mut self, board: Board, layers: u32) -> MoveValues {
        self.memo.forget_and_use(layers + 2);
        let tree = self.tree;
        root::value_moves(&tree, board, |slid| {
            let before = self.nodes;
            (self.after_move(slid, layers - 1), self.nodes - before)
        })
    }

    /// The value of a move with so many layers below it.
    fn after_move(&mut self, Move { afterstate, ends_game }: Move, layers: u32) -> f64 {
        if ends_game || layers == 0 {
            return self.heuristic.value(*afterstate);
        }
        if let Some(value) = self.memo.get(*afterstate, layers) {
            return value;
        }
        self.nodes += 1;
        let board = self.seed.spawn(afterstate, layers, self.tree.four());
        let value = self.player(board, layers - 1);
        self.memo.put(*afterstate, layers, value);
        value
    }

    /// The player's layer: the best move.
    fn player(&mut self, board: Board, layers: u32) -> f64 {
        match layers {
            0 => return self.tree.leaf_board(self.heuristic, board),
            1 => {
                self.nodes += 1;
                return self.tree.best_leaf(self.heuristic, board, f64::INFINITY);
            }
            _ => self.nodes += 1,
        }
        let tree = self.tree;
        let best = tree.moves(board).map(|slid| self.after_move(slid, layers - 1)).reduce(f64::max);
        best.unwrap_or_else(|| self.heuristic.lost(*board))
    }
}
