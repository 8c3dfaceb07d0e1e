//! Expectimax (section "Expectimax vs minimax"): the player takes the best move, the spawns are averaged by their odds.

use engine::agent::{About, Agent, Capabilities, Decision, Failure, Host, MoveValues, Position, Refusal};
use engine::memo::Memo;
use engine::{Afterstate, AgentSeed, Board, Rules};

use crate::heuristic::{Heuristic, Heuristics};
use crate::params::Params;
use crate::setup::Setup;
use crate::tree::{Move, Tree};
use crate::{PAPER, root};

/// The agent `ms-expectimax`.
pub struct Expectimax {
    setup: Setup<f64>,
    values: Option<MoveValues>,
}

impl Agent for Expectimax {
    type Params = Params;

    const ABOUT: About = About {
        id: "ms-expectimax",
        name: "Expectimax (Middleton and Schmidt)",
        version: "1.0.0",
        paper: PAPER,
        licence: "MIT",
        capabilities: Capabilities::PLIES,
    };

    fn create(rules: &Rules, params: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self { setup: Setup::new(rules, &params)?, values: None })
    }

    fn new_game(&mut self, _seed: AgentSeed) {
        self.values = None;
    }

    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        let layers = self.setup.depth_counts.layers(position.budget)?;
        let Setup { tree, heuristics, memo, .. } = &mut self.setup;
        let values = match heuristics {
            Heuristics::Initial(heuristic) => {
                Search::new(*tree, heuristic, memo).value_moves(position.board, layers)
            }
            Heuristics::Final(heuristic) => {
                Search::new(*tree, heuristic, memo).value_moves(position.board, layers)
            }
            Heuristics::Score(heuristic) => {
                Search::new(*tree, heuristic, memo).value_moves(position.board, layers)
            }
        };
        self.values = Some(values);
        root::decide(&values, layers, position.budget)
    }

    fn move_values(&self) -> Option<MoveValues> {
        self.values
    }
}

/// One search. Of a tree without pruning, as the paper says that its own was.
struct Search<'a, H> {
    tree: Tree,
    heuristic: &'a H,
    memo: &'a mut Memo<f64>,
    two: f64,
    four: f64,
    nodes: u64,
}

impl<'a, H: Heuristic> Search<'a, H> {
    fn new(tree: Tree, heuristic: &'a H, memo: &'a mut Memo<f64>) -> Self {
        let four = tree.four().probability();
        Self { tree, heuristic, memo, two: 1.0 - four, four, nodes: 0 }
    }

    fn value_moves(&mut self, board: Board, layers: u32) -> MoveValues {
        self.memo.forget_and_use(2 * layers + 2);
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
        let value = self.average(afterstate, layers);
        self.memo.put(*afterstate, layers, value);
        value
    }

    /// The opponent's layer: all spawns, each with its odds.
    fn average(&mut self, afterstate: Afterstate, layers: u32) -> f64 {
        self.nodes += 1;
        let mut sum = 0.0;
        for cell in afterstate.empty_cells() {
            if self.two > 0.0 {
                sum += self.two * self.player(afterstate.with_spawn(cell, 1), layers - 1);
            }
            if self.four > 0.0 {
                sum += self.four * self.player(afterstate.with_spawn(cell, 2), layers - 1);
            }
        }
        sum / f64::from(afterstate.empty_count())
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
