//! EXPECTI-MAX-SEARCH: section "Approach", the three functions of its pseudo-code.
//!
//! Depth counts the moves of either side, as the report's table of nodes has it (D-1). So the leaves of an
//! odd depth are afterstates, those of an even depth boards.

use engine::board::CELLS;
use engine::memo::Memo;
use engine::prelude::*;

use crate::features::{Eval, FeatureValues, FeatureWeights};

/// Section "Problem description", ACTIONS(s): the four actions in the order in which they are listed there.
// D-5: the report does not say which of several best actions is taken; the first of this order is ours.
pub const ACTIONS: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

/// Section "Results", terminal depth: the depth by the number of empty cells at the root.
pub const fn terminal_depth(empty: u32) -> u32 {
    match empty {
        0..=4 => 7,
        5..=9 => 6,
        _ => 5,
    }
}

/// UTILITY(s): the value of a game that is over.
// DEVIATION: the report's TERMINAL-TEST knows the 2048 tile alone, and its MAX-VALUE of a board without a
// legal action is minus infinity, which would hide all differences between actions that may lead there. The
// finite utilities are ours (D-4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utility {
    /// With the tile that ends the game on the board.
    pub won: f64,
    /// Without a legal move.
    pub dead: f64,
}

/// What the other player does, which spawns the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// It draws them: its node is worth the mean, "weighted by their probabilities".
    Random,
    /// It plays optimally, against the agent: its node is worth the smallest value. This is the minimax of
    /// which the report says that it cannot be applied.
    Optimal,
}

/// The memo has two to the power of this many places: few enough for a core's near caches.
// DEVIATION: the report's search visits every node each time it comes by. Different orders of moves and
// spawns lead to the same position, whose value depends on the grid, the layers that remain and whose turn it
// is; within one decision the remaining layers say that too. So remembering by grid and layers changes no
// value, only the count of nodes (D-7).
const MEMO_BITS: u32 = 14;

/// The nodes of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeCounts {
    /// NodeCounts whose children were searched, the root among them.
    pub expanded: u64,
    /// NodeCounts that got a value without that: evaluated where the depth ended, or terminal.
    pub leaves: u64,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchResult {
    /// The best action and its value; none if no action is legal.
    pub best: Option<(Direction, f64)>,
    /// The value of each action, and the nodes expanded for it.
    pub moves: MoveValues,
}

/// The search, for games under one set of rules.
pub struct Search {
    model: Model,
    evaluation: Eval,
    utility: Utility,
    /// By the number of empty cells.
    spawns: [Spawns; CELLS + 1],
    memo: Option<Memo<f64>>,
    nodes: NodeCounts,
}

impl Search {
    /// Makes the tables of a search.
    pub fn new(
        rules: &Rules,
        weights: FeatureWeights,
        values: FeatureValues,
        utility: Utility,
        with_memo: bool,
    ) -> Self {
        Self {
            model: Model::new(rules),
            evaluation: Eval::new(weights, values),
            utility,
            spawns: std::array::from_fn(|empty| Spawns::new(rules, empty, Opponent::Random)),
            memo: with_memo.then(|| Memo::new(MEMO_BITS)),
            nodes: NodeCounts::default(),
        }
    }

    /// The same search against another player than the one that draws.
    #[must_use]
    pub fn against(mut self, opponent: Opponent) -> Self {
        for spawns in &mut self.spawns {
            spawns.opponent = opponent;
        }
        self
    }

    /// Forgets every position that was looked up.
    pub fn forget(&mut self) {
        if let Some(memo) = &mut self.memo {
            memo.forget();
        }
    }

    /// The nodes of the last search.
    pub const fn nodes(&self) -> NodeCounts {
        self.nodes
    }

    /// `function EXPECTI-MAX-SEARCH(state) returns an action`, for a depth of at least 1.
    pub fn expectimax_search(&mut self, board: Board, depth: u32) -> SearchResult {
        self.forget();
        self.nodes = NodeCounts::default();
        let model = self.model;
        let moves = model.value_moves(board, ACTIONS, |_, slide| {
            let before = self.nodes.expanded;
            (self.action_value(slide, depth), self.nodes.expanded - before)
        });
        let best = moves.first_best(ACTIONS);
        self.nodes.expanded += u64::from(best.is_some());
        SearchResult { best, moves }
    }

    /// `function MAX-VALUE(state) returns a utility value`, with this many layers still to be searched.
    fn max_value(&mut self, board: Board, remaining: u32) -> f64 {
        if let Some(value) = self.known(*board, remaining) {
            return value;
        }
        let actions = self.model.moves(board, ACTIONS);
        match actions.map(|(_, slide)| self.action_value(&slide, remaining)).reduce(f64::max) {
            None => self.leaf(self.utility.dead),
            Some(value) => self.expanded(*board, remaining, value),
        }
    }

    /// EXPECTI-VALUE(RESULT(state, action)), by the slide of the action.
    ///
    /// TERMINAL-TEST(state) is made after the slide: no spawn makes a tile that ends a game. A slide that
    /// makes the largest tile of all ends every game, and counts as won too.
    fn action_value(&mut self, slide: &Slide, remaining: u32) -> f64 {
        if self.model.ends_game(slide) {
            self.leaf(self.utility.won)
        } else if remaining == 1 {
            self.leaf(self.evaluation.eval(*slide.afterstate))
        } else {
            self.expecti_value(slide.afterstate, remaining - 1)
        }
    }

    /// `function EXPECTI-VALUE(state) returns a utility value`, or the MIN-VALUE of minimax in its place,
    /// with this many layers still to be searched.
    fn expecti_value(&mut self, afterstate: Afterstate, remaining: u32) -> f64 {
        if let Some(value) = self.known(*afterstate, remaining) {
            return value;
        }
        let value = if remaining == 1 {
            self.spawned_eval(afterstate)
        } else {
            let spawns = self.spawns[afterstate.empty_count() as usize];
            spawns.value(afterstate, |cell, rank| {
                self.max_value(afterstate.with_spawn(cell, rank), remaining - 1)
            })
        };
        self.expanded(*afterstate, remaining, value)
    }

    /// What the other player makes of the EVAL of the boards that one spawn leads to.
    fn spawned_eval(&mut self, afterstate: Afterstate) -> f64 {
        let empty = afterstate.empty_count();
        let spawns = self.spawns[empty as usize];
        self.nodes.leaves += u64::from(empty) * spawns.tiles();
        let one_more = self.evaluation.with_one_more(*afterstate);
        spawns.value(afterstate, |cell, rank| {
            // Only a full board can be without a legal move.
            if empty == 1 && afterstate.with_spawn(cell, rank).legal_moves().is_empty() {
                self.utility.dead
            } else {
                one_more.eval(cell, rank)
            }
        })
    }

    /// Counts a leaf.
    #[inline]
    fn leaf(&mut self, value: f64) -> f64 {
        self.nodes.leaves += 1;
        value
    }

    /// Counts a node whose children were searched, and keeps its value.
    #[inline]
    fn expanded(&mut self, grid: Grid, remaining: u32, value: f64) -> f64 {
        self.nodes.expanded += 1;
        if let Some(memo) = &mut self.memo {
            memo.put(grid, remaining, value);
        }
        value
    }

    #[inline]
    fn known(&self, grid: Grid, remaining: u32) -> Option<f64> {
        self.memo.as_ref()?.get(grid, remaining)
    }
}

/// PROBABILITY(action) of the other player, given a number of empty cells: each cell alike, a 4 with the odds
/// of the rules, else a 2.
#[derive(Clone, Copy)]
struct Spawns {
    opponent: Opponent,
    /// Of a 2 in one of the cells.
    two: f64,
    /// Of a 4 in one of the cells.
    four: f64,
}

impl Spawns {
    fn new(rules: &Rules, empty: usize, opponent: Opponent) -> Self {
        let four = rules.four.probability();
        let cells = empty.max(1) as f64;
        Self { opponent, two: (1.0 - four) / cells, four: four / cells }
    }

    /// How many different tiles can come.
    fn tiles(self) -> u64 {
        u64::from(self.two > 0.0) + u64::from(self.four > 0.0)
    }

    /// What the other player makes of the values behind its spawns.
    #[inline]
    fn value(self, afterstate: Afterstate, value: impl FnMut(usize, u8) -> f64) -> f64 {
        match self.opponent {
            Opponent::Random => self.expected(afterstate, value),
            Opponent::Optimal => self.smallest(afterstate, value),
        }
    }

    /// The sum of a value over all spawns, each times its probability: cells row by row, in each a 2 before a
    /// 4.
    #[inline]
    fn expected(self, afterstate: Afterstate, mut value: impl FnMut(usize, u8) -> f64) -> f64 {
        let mut sum = 0.0;
        for cell in afterstate.empty_cells() {
            if self.two > 0.0 {
                sum += value(cell, 1) * self.two;
            }
            if self.four > 0.0 {
                sum += value(cell, 2) * self.four;
            }
        }
        sum
    }

    /// The smallest value over all spawns that can come, however rarely.
    fn smallest(self, afterstate: Afterstate, mut value: impl FnMut(usize, u8) -> f64) -> f64 {
        let mut smallest = f64::INFINITY;
        for cell in afterstate.empty_cells() {
            for (rank, probability) in [(1, self.two), (2, self.four)] {
                if probability > 0.0 {
                    smallest = smallest.min(value(cell, rank));
                }
            }
        }
        smallest
    }
}
