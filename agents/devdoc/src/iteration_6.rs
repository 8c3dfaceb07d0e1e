//! Iteration 6: iterative deepening expectimax. Its heuristic has no score in it.

use engine::board::CELLS;
use engine::prelude::*;

use crate::course::{corner, lines, possible_count, possible_tiles};
use crate::deepening::{DeepeningResult, FirstDepth, Late, deepen};
use crate::expectimax::{ExpectimaxSearch, Heuristic};
use crate::weighted::Weighted;
use crate::{DEEPENING, LARGEST_WEIGHT, Params, about};

// The defaults are as printed.
engine::params! {
    /// What the terms of the heuristic weigh.
    #[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
    pub struct CornerWeights {
        /// Of every difference between the exponents of two neighbouring tiles, which counts against a board.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub smoothness: u32 = 1,
        /// Of every row and column that nowhere rises or nowhere falls.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub monotone_line: u32 = 150,
        /// Of every empty cell.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub empty: u32 = 270,
        /// Of the largest exponent.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub max_tile: u32 = 1,
        /// Of the largest exponent once more, where it stands in the top left corner.
        #[schemars(range(max = LARGEST_WEIGHT))]
        pub corner: u32 = 40_000,
    }
}

/// Iteration 6, "Iterative Deepening Expectimax Agent".
pub struct DeepeningExpectimax(ExpectimaxSearch<CornerHeuristic>);

impl Agent for DeepeningExpectimax {
    type Params = Params;

    const ABOUT: About = about("devdoc-6", "Iteration 6: deepening expectimax", DEEPENING);

    fn create(rules: &Rules, Params {}: Params, _host: Host) -> Result<Self, Refusal> {
        Ok(Self::with_weights(rules, CornerWeights::default()))
    }

    /// `findMove`
    fn choose_move(&mut self, position: &Position) -> Result<Decision, Failure> {
        decide(&self.find_move(position, FirstDepth::Counts))
    }
}

impl Weighted for DeepeningExpectimax {
    type Weights = CornerWeights;

    const WEIGHTED: About = about("devdoc-6-weighed", "Iteration 6 with weights of one's own", DEEPENING);

    fn with_weights(rules: &Rules, weights: CornerWeights) -> Self {
        Self(ExpectimaxSearch::with_heuristic(rules, CornerHeuristic::new(weights)))
    }
}

impl DeepeningExpectimax {
    /// `findMove`. As it is printed, even depth 1 may not be done in time. The score is not looked at: 0
    /// stands for any.
    pub(crate) fn find_move(&mut self, position: &Position, first: FirstDepth) -> DeepeningResult {
        self.0.forget();
        deepen(position, Late::Discarded, first, |direction, depth| {
            self.0.of_move(position.board, 0, direction, depth)
        })
    }
}

/// A depth of this iteration counts the layers behind the move of the root.
pub(crate) fn decide(deepened: &DeepeningResult) -> Result<Decision, Failure> {
    deepened.decide(1 + deepened.depth)
}

/// `heuristic` of iteration 6, with all that depends on one row or column in tables.
struct CornerHeuristic {
    weights: CornerWeights,
    lines: RowTable<i32>,
    /// For every line: how much more the boards with a tile added to this line have in it than the line
    /// itself, in sum.
    gains: RowTable<i32>,
}

impl CornerHeuristic {
    fn new(weights: CornerWeights) -> Self {
        let of_line = |line| weights.of_line(line);
        let gain =
            |line: [u8; 4]| -> i64 { with_tile(line).map(|added| of_line(added) - of_line(line)).sum() };
        Self {
            weights,
            lines: RowTable::from_fn(|line| of_line(line) as i32),
            gains: RowTable::from_fn(|line| gain(line) as i32),
        }
    }
}

impl CornerWeights {
    /// What a row or column brings by itself.
    fn of_line(&self, line: [u8; 4]) -> i64 {
        let monotone_line = if is_monotone(line) { i64::from(self.monotone_line) } else { 0 };
        i64::from(self.smoothness) * smoothness(line) + monotone_line
    }

    /// What the board as a whole brings: empty cells, the largest rank, and that rank again many times if it
    /// stands in the corner.
    #[inline]
    fn of_whole(&self, empty: u32, max_tile: u8, corner: u8) -> i64 {
        let in_corner = if corner == max_tile { i64::from(self.corner) } else { 0 };
        i64::from(self.empty) * i64::from(empty)
            + (i64::from(self.max_tile) + in_corner) * i64::from(max_tile)
    }
}

/// The line with a 2 or a 4 in each of its empty cells.
fn with_tile(line: [u8; 4]) -> impl Iterator<Item = [u8; 4]> {
    let empty = (0..4).filter(move |&cell| line[cell] == 0);
    empty.flat_map(move |cell| {
        [1, 2].map(|rank| {
            let mut added = line;
            added[cell] = rank;
            added
        })
    })
}

/// Less for every difference between two neighbours, where neither cell is empty.
fn smoothness(line: [u8; 4]) -> i64 {
    let occupied = line.windows(2).filter(|pair| pair[0] > 0 && pair[1] > 0);
    -occupied.map(|pair| i64::from(pair[0].abs_diff(pair[1]))).sum::<i64>()
}

/// Whether a line nowhere rises or nowhere falls; empty cells count as zeros.
fn is_monotone(line: [u8; 4]) -> bool {
    line.is_sorted() || line.is_sorted_by(|a, b| a >= b)
}

impl Heuristic for CornerHeuristic {
    #[inline]
    fn of_grid(&self, grid: Grid, _score: u32) -> i64 {
        let lines = i64::from(self.lines.rows_and_columns(grid));
        lines + self.weights.of_whole(grid.empty_count(), grid.max_rank(), corner(grid))
    }

    fn of_ranks(&self, ranks: &[u8; CELLS], _score: u32) -> i64 {
        let empty = ranks.iter().filter(|&&rank| rank == 0).count() as u32;
        let max_tile = ranks.iter().copied().fold(0, u8::max);
        let of_lines: i64 = lines(ranks).map(|line| self.weights.of_line(line)).sum();
        of_lines + self.weights.of_whole(empty, max_tile, ranks[0])
    }

    /// A tile changes one row and one column, and its gain there is in the table. It takes one empty cell,
    /// and beside a tile larger than itself it changes neither the largest rank nor whether that stands in
    /// the corner.
    #[inline]
    fn sum_over_tiles(&self, afterstate: Afterstate, score: u32) -> i64 {
        let max_tile = afterstate.max_rank();
        if max_tile <= 2 {
            return possible_tiles(afterstate).map(|board| self.of_grid(*board, score)).sum();
        }
        let lines = i64::from(self.lines.rows_and_columns(*afterstate));
        let gains = i64::from(self.gains.rows_and_columns(*afterstate));
        let whole = self.weights.of_whole(afterstate.empty_count() - 1, max_tile, corner(*afterstate));
        possible_count(*afterstate) as i64 * (lines + whole) + gains
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::agent::{Budget, MoveValues};
    use engine::naive::NaiveBoard;
    use engine::{Board, Direction, Rng};

    fn heuristic(board: &str) -> i64 {
        let board: Board = board.parse().unwrap();
        let heuristic = CornerHeuristic::new(CornerWeights::default());
        let of_grid = heuristic.of_grid(*board, 0);
        assert_eq!(of_grid, heuristic.of_ranks(&board.ranks(), 0));
        of_grid
    }

    #[test]
    fn a_board_with_its_largest_tile_in_the_corner() {
        let value = heuristic("16 8 4 2 / 4 8 . . / 2 . . . / . . . .");
        // Differences: 3 + 1 in rows, 3 + 0 in columns. All lines but the second row, 4 8 0 0, are monotone.
        assert_eq!(value, -7 + 7 * 150 + 9 * 270 + 4 + 4 * 40_000);
    }

    #[test]
    fn its_mirror_image_has_nothing_for_the_corner() {
        assert_eq!(heuristic("2 4 8 16 / . . 8 4 / . . . 2 / . . . ."), -7 + 7 * 150 + 9 * 270 + 4);
    }

    #[test]
    fn an_equal_largest_tile_elsewhere_does_not_matter() {
        // Second row: 0 8 0 0 is no monotone line, nor is the second column.
        assert_eq!(heuristic("8 . . . / . 8 . . / . . . . / . . . ."), 6 * 150 + 14 * 270 + 3 + 3 * 40_000);
    }

    #[test]
    fn the_tile_that_ends_every_game_has_rank_16() {
        let ranks = "65536 2 . . / . . . . / . . . . / . . . .".parse::<NaiveBoard>().unwrap().0;
        assert_eq!(
            CornerHeuristic::new(CornerWeights::default()).of_ranks(&ranks, 0),
            -15 + 8 * 150 + 14 * 270 + 16 + 16 * 40_000
        );
    }

    #[test]
    fn the_sum_over_tiles_is_that_of_the_boards_one_by_one() {
        let heuristic = CornerHeuristic::new(CornerWeights::default());
        let mut rng = Rng::from_seed(6);
        for number in 0..20_000 {
            let ranks = if number % 2 == 0 { !0 } else { 0x3333_3333_3333_3333 };
            let afterstate = Afterstate::from_packed(rng.next_u64() & rng.next_u64() & ranks);
            let one_by_one: i64 =
                possible_tiles(afterstate).map(|board| heuristic.of_ranks(&board.ranks(), 0)).sum();
            if possible_count(*afterstate) > 0 {
                assert_eq!(heuristic.sum_over_tiles(afterstate, 0), one_by_one, "{afterstate}");
            }
        }
    }

    /// Only left and right are legal. Left gives `4 8 16 x` above `4 8 16 32`, right gives `x 4 8 16` in a
    /// board that rises along every row and column; x is the tile that comes.
    const BOARD: &str = "2 2 8 16 / 4 8 16 32 / 8 16 32 64 / 16 32 64 128";

    fn decide(nodes: u64) -> (Decision, MoveValues) {
        let mut agent = DeepeningExpectimax::create(&Rules::default(), Params {}, Host::silent()).unwrap();
        let position = Position::of_board(BOARD.parse().unwrap()).unwrap();
        let decision = agent.choose_move(&Position { budget: Budget::Nodes(nodes), ..position }).unwrap();
        (decision, decision.values.unwrap())
    }

    #[test]
    fn depth_1_is_the_mean_over_one_tile() {
        let (decision, values) = decide(1);
        // Left: the first row is the one line that is not monotone. The differences are 26 with a 2 and 24
        // with a 4.
        let left = f64::from((-26 + 7 * 150 + 7) + (-24 + 7 * 150 + 7)) / 2.0;
        // Right: every line is monotone. The differences are 24 with a 2 and 22 with a 4.
        let right = f64::from((-24 + 8 * 150 + 7) + (-22 + 8 * 150 + 7)) / 2.0;
        assert_eq!(values.value, [None, Some(right), None, Some(left)]);
        assert_eq!((decision.direction, decision.value), (Direction::Right, Some(right)));
        // Each move: its afterstate and two boards.
        assert_eq!((decision.nodes, decision.spent, decision.depth), (6, 6, 2));
    }

    #[test]
    fn depth_2_adds_the_best_move_and_turns_the_choice_round() {
        let (decision, values) = decide(21);
        // Left: three columns merge. Down is better than up, since all lines stay monotone, and leaves 3
        // empty cells.
        let left = f64::from((-17 + 8 * 150 + 3 * 270 + 7) + (-16 + 8 * 150 + 3 * 270 + 7)) / 2.0;
        // Right: a 2 leaves no move, so that board has its own value. A 4 merges with the 4 beside or below
        // it; away from the corner is better, since all lines stay monotone.
        let right = f64::from((-24 + 8 * 150 + 7) + (-20 + 8 * 150 + 270 + 7)) / 2.0;
        assert_eq!(values.value, [None, Some(right), None, Some(left)]);
        assert_eq!((decision.direction, decision.value), (Direction::Left, Some(left)));
        // Left: 1 + 2 * (1 + 2). Right: 1 + 1 + (1 + 4).
        assert_eq!(values.nodes, [0, 7, 0, 7]);
        assert_eq!(decision.depth, 3);
    }

    #[test]
    fn a_depth_that_ends_as_the_time_is_up_is_discarded() {
        // Depths 1 and 2 have 6 and 14 nodes: with 20 the time is up at the end of depth 2.
        let (decision, _) = decide(20);
        assert_eq!((decision.direction, decision.spent, decision.depth), (Direction::Right, 20, 2));
        // With 13 it is up before the second move of depth 2.
        let (decision, _) = decide(13);
        assert_eq!((decision.direction, decision.spent, decision.depth), (Direction::Right, 13, 2));
    }
}
