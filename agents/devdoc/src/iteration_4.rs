//! Iteration 4: expectimax with a better heuristic. Behind the move of the root come a tile, a move, a tile
//! and a move.

use engine::board::CELLS;
use engine::prelude::*;

use crate::course::{corner, lines};
use crate::expectimax::{ExpectimaxSearch, Heuristic};
use crate::fixed_depth::{FixedDepth, Iteration};
use crate::node_value::NodeValue;
use crate::weighted::Weighted;
use crate::{LARGEST_WEIGHT, about};

/// The layers behind the move of the root: tile, move, tile, move.
const DEPTH: u32 = 4;

// The defaults are as printed.
engine::params! {
    /// What the terms of the heuristic weigh; the score itself always weighs 1.
    #[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
    pub struct BetterWeights {
        /// Of every empty cell.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub empty: u32 = 150,
        /// Of the largest exponent.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub max_tile: u32 = 300,
        /// Of every pair of neighbours that does not rise, from the left or the top.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub monotonicity: u32 = 100,
        /// Of the exponent in the top left corner.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub corner: u32 = 300,
    }
}

/// Iteration 4, "ExpectiMax with a Better Heuristic".
pub type Expectimax = FixedDepth<ExpectimaxSearch<BetterHeuristic>>;

impl Iteration for ExpectimaxSearch<BetterHeuristic> {
    const ABOUT: About =
        about("devdoc-4", "Iteration 4: expectimax with a better heuristic", Capabilities::NO_BUDGET);
    const PLIES: u32 = 1 + DEPTH;

    fn new(rules: &Rules) -> Self {
        Self::with_heuristic(rules, BetterHeuristic::new(BetterWeights::default()))
    }

    fn forget(&mut self) {
        Self::forget(self);
    }

    fn of_move(&mut self, board: Board, score: u32, direction: Direction) -> NodeValue {
        Self::of_move(self, board, score, direction, DEPTH)
    }
}

impl Weighted for Expectimax {
    type Weights = BetterWeights;

    const WEIGHTED: About =
        about("devdoc-4-weighed", "Iteration 4 with weights of one's own", Capabilities::NO_BUDGET);

    fn with_weights(rules: &Rules, weights: BetterWeights) -> Self {
        Self(ExpectimaxSearch::with_heuristic(rules, BetterHeuristic::new(weights)))
    }
}

/// `heuristic` of iteration 4, with the monotonicity of every row and column in a table.
pub struct BetterHeuristic {
    weights: BetterWeights,
    monotonicity: RowTable<i32>,
}

impl BetterHeuristic {
    fn new(weights: BetterWeights) -> Self {
        Self { weights, monotonicity: RowTable::from_fn(|line| monotonicity(line) as i32) }
    }

    /// The weighted sum. The largest tile and the corner are ranks, since `getTile` gives the exponent.
    #[inline]
    fn weigh(&self, score: u32, empty: u32, max_tile: u8, monotonicity: i64, corner: u8) -> i64 {
        i64::from(score)
            + i64::from(self.weights.empty) * i64::from(empty)
            + i64::from(self.weights.max_tile) * i64::from(max_tile)
            + i64::from(self.weights.monotonicity) * monotonicity
            + i64::from(self.weights.corner) * i64::from(corner)
    }
}

/// The neighbours of a row or column that do not rise, from the left or the top; empty cells count as zeros.
fn monotonicity(line: [u8; 4]) -> i64 {
    line.windows(2).filter(|pair| pair[0] >= pair[1]).count() as i64
}

impl Heuristic for BetterHeuristic {
    #[inline]
    fn of_grid(&self, grid: Grid, score: u32) -> i64 {
        let monotonicity = i64::from(self.monotonicity.rows_and_columns(grid));
        self.weigh(score, grid.empty_count(), grid.max_rank(), monotonicity, corner(grid))
    }

    fn of_ranks(&self, ranks: &[u8; CELLS], score: u32) -> i64 {
        let empty = ranks.iter().filter(|&&rank| rank == 0).count() as u32;
        let max_tile = ranks.iter().copied().fold(0, u8::max);
        self.weigh(score, empty, max_tile, lines(ranks).map(monotonicity).sum(), ranks[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::naive::NaiveBoard;

    fn heuristic(board: &str, score: u32) -> i64 {
        let board: Board = board.parse().unwrap();
        let heuristic = BetterHeuristic::new(BetterWeights::default());
        let of_grid = heuristic.of_grid(*board, score);
        assert_eq!(of_grid, heuristic.of_ranks(&board.ranks(), score));
        of_grid
    }

    #[test]
    fn a_board_that_falls_from_the_corner() {
        let value = heuristic("16 8 4 2 / 4 8 . . / 2 . . . / . . . .", 100);
        // Of the 24 pairs only the 4 and the 8 of the second row rise; the largest rank, 4, stands in the
        // corner.
        assert_eq!(value, 100 + 9 * 150 + 4 * 300 + 23 * 100 + 4 * 300);
    }

    #[test]
    fn its_mirror_image_rises_along_the_rows() {
        let value = heuristic("2 4 8 16 / . . 8 4 / . . . 2 / . . . .", 100);
        // Rows: 0 + 2 + 2 + 3 pairs do not rise, zeros included; columns: all 12. The corner holds rank 1.
        assert_eq!(value, 100 + 9 * 150 + 4 * 300 + 19 * 100 + 300);
    }

    #[test]
    fn the_tile_that_ends_every_game_has_rank_16() {
        let ranks = "65536 . . . / . . . . / . . . . / . . . .".parse::<NaiveBoard>().unwrap().0;
        assert_eq!(
            BetterHeuristic::new(BetterWeights::default()).of_ranks(&ranks, 0),
            15 * 150 + 16 * 300 + 24 * 100 + 16 * 300
        );
    }

    #[test]
    fn where_every_line_ends_at_once_the_value_is_the_mean_of_dead_boards() {
        let board = "8 8 32 64 / 32 64 128 256 / 64 128 256 512 / 128 256 512 1024".parse().unwrap();
        let mut search = ExpectimaxSearch::with_heuristic(
            &Rules::default(),
            BetterHeuristic::new(BetterWeights::default()),
        );
        // Left gives `16 32 64 x` above, right `x 16 32 64`; either way both a 2 and a 4 leave no move. The
        // one pair that does not rise is 64 and x.
        let left = search.of_move(board, 0, Direction::Left, DEPTH);
        assert_eq!((left.value, left.nodes), ((16 + 10 * 300 + 100 + 4 * 300) as f64, 3));
        let right = search.of_move(board, 0, Direction::Right, DEPTH);
        let (two, four) = (16 + 10 * 300 + 300, 16 + 10 * 300 + 2 * 300);
        assert_eq!((right.value, right.nodes), ((two + four) as f64 / 2.0, 3));
    }
}
