//! The function `expectimax` of iterations 4 and 6: a largest value over moves, a plain mean over the tiles
//! that may come.

use engine::board::CELLS;
use engine::memo::Memo;
use engine::{Afterstate, Board, Direction, Grid, Model, Rules};

use crate::course::{ACTIONS, possible_count, possible_tiles};
use crate::memo::{MEMO_BITS, MemoKey};
use crate::node_value::NodeValue;

/// The function `heuristic` of an iteration. Its values are whole numbers, so that sums of them are exact.
pub trait Heuristic {
    /// Of a board or an afterstate, with the score of the game there.
    fn of_grid(&self, grid: Grid, score: u32) -> i64;

    /// The same, cell by cell as printed. It also values the boards with a 65536, which ends the game.
    fn of_ranks(&self, ranks: &[u8; CELLS], score: u32) -> i64;

    /// The sum over all boards that a coming tile can make.
    fn sum_over_tiles(&self, afterstate: Afterstate, score: u32) -> i64 {
        possible_tiles(afterstate).map(|board| self.of_grid(*board, score)).sum()
    }
}

/// An expectimax search with its heuristic.
pub struct ExpectimaxSearch<H> {
    model: Model,
    heuristic: H,
    memo: Memo<NodeValue>,
}

impl<H: Heuristic> ExpectimaxSearch<H> {
    pub(crate) fn with_heuristic(rules: &Rules, heuristic: H) -> Self {
        Self { model: Model::new(rules), heuristic, memo: Memo::new(MEMO_BITS) }
    }

    /// Forgets what was searched before.
    pub(crate) fn forget(&mut self) {
        self.memo.forget();
    }

    /// The value of a legal move of the root, with this many layers below it.
    pub(crate) fn of_move(
        &mut self,
        board: Board,
        score: u32,
        direction: Direction,
        depth: u32,
    ) -> NodeValue {
        self.slid(board, score, direction, depth).unwrap_or_default()
    }

    /// Slides and goes on with the tiles that may come; none if the move is illegal.
    #[inline]
    fn slid(&mut self, board: Board, score: u32, direction: Direction, depth: u32) -> Option<NodeValue> {
        let slide = self.model.slide(board, direction)?;
        let score = score + slide.reward;
        if self.model.ends_game(&slide) {
            let tiles = self.model.final_tiles(board, direction);
            return Some(leaf(self.heuristic.of_ranks(&tiles.0, score)));
        }
        Some(self.mean(slide.afterstate, score, depth))
    }

    /// `isMax`: the largest value over the moves; a dead board has its own.
    fn max(&mut self, board: Board, score: u32, depth: u32) -> NodeValue {
        let mut best: Option<f64> = None;
        let mut nodes = 1;
        for direction in ACTIONS {
            if let Some(searched) = self.slid(board, score, direction, depth - 1) {
                best = Some(best.map_or(searched.value, |best| searched.value.max(best)));
                nodes += searched.nodes;
            }
        }
        let value = best.unwrap_or_else(|| self.heuristic.of_grid(*board, score) as f64);
        NodeValue { value, nodes }
    }

    /// Not `isMax`: the mean over the tiles that may come, added up in their order.
    #[inline]
    fn mean(&mut self, afterstate: Afterstate, score: u32, depth: u32) -> NodeValue {
        match depth {
            0 => leaf(self.heuristic.of_grid(*afterstate, score)),
            1 => self.mean_of_leaves(afterstate, score),
            _ => self.remembered_mean(MemoKey { afterstate, score, depth }),
        }
    }

    /// The mean where every board with its tile is a leaf. The sum is exact, so its order does not matter.
    #[inline]
    fn mean_of_leaves(&self, afterstate: Afterstate, score: u32) -> NodeValue {
        let count = possible_count(*afterstate);
        let total = self.heuristic.sum_over_tiles(afterstate, score);
        NodeValue { value: total as f64 / count as f64, nodes: 1 + count }
    }

    fn remembered_mean(&mut self, key: MemoKey) -> NodeValue {
        if let Some(searched) = key.get(&self.memo) {
            return searched;
        }
        let MemoKey { afterstate, score, depth } = key;
        let (mut total, mut nodes) = (0.0, 1);
        for board in possible_tiles(afterstate) {
            let searched = self.max(board, score, depth - 1);
            total += searched.value;
            nodes += searched.nodes;
        }
        let searched = NodeValue { value: total / possible_count(*afterstate) as f64, nodes };
        key.put(&mut self.memo, searched);
        searched
    }
}

fn leaf(value: i64) -> NodeValue {
    NodeValue::leaf(value as f64)
}
