//! The report's search again, as slow and plain as its pseudo-code: on an array of ranks, without tables,
//! features added up cell by cell. Tests hold the agent to it, and the benchmark measures what the agent
//! gains.

use engine::naive::NaiveBoard;
use engine::{Board, Direction, Rules};
use expectimax_report::Params;
use expectimax_report::search::{NodeCounts, Opponent};

const ACTIONS: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

/// The plain search.
pub(crate) struct Plain {
    pub(crate) rules: Rules,
    pub(crate) params: Params,
    pub(crate) opponent: Opponent,
    pub(crate) nodes: NodeCounts,
}

impl Plain {
    pub(crate) fn new(rules: &Rules, params: &Params) -> Self {
        Self {
            rules: rules.clone(),
            params: params.clone(),
            opponent: Opponent::Random,
            nodes: NodeCounts::default(),
        }
    }

    /// The best action with its value, and the values of all by the direction's number.
    pub(crate) fn search(
        &mut self,
        board: Board,
        depth: u32,
    ) -> (Option<(Direction, f64)>, [Option<f64>; 4]) {
        self.nodes = NodeCounts::default();
        let board = NaiveBoard(board.ranks());
        let mut best: Option<(Direction, f64)> = None;
        let mut values = [None; 4];
        for action in ACTIONS {
            let Some(slide) = board.slide(action, self.rules.merging) else { continue };
            let value = self.expecti_value(&slide.board, depth - 1);
            values[action as usize] = Some(value);
            if best.is_none() || best.is_some_and(|(_, best)| value > best) {
                best = Some((action, value));
            }
        }
        if best.is_some() {
            self.nodes.expanded += 1;
        }
        (best, values)
    }

    fn max_value(&mut self, board: &NaiveBoard, depth: u32) -> f64 {
        let slides: Vec<_> =
            ACTIONS.iter().filter_map(|&action| board.slide(action, self.rules.merging)).collect();
        if slides.is_empty() {
            self.nodes.leaves += 1;
            return self.params.dead_value;
        }
        if depth == 0 {
            self.nodes.leaves += 1;
            return self.eval(board);
        }
        self.nodes.expanded += 1;
        slides
            .iter()
            .map(|slide| self.expecti_value(&slide.board, depth - 1))
            .fold(f64::NEG_INFINITY, f64::max)
    }

    fn expecti_value(&mut self, board: &NaiveBoard, depth: u32) -> f64 {
        if board.is_stopped(&self.rules) {
            self.nodes.leaves += 1;
            return self.params.won_value;
        }
        if depth == 0 {
            self.nodes.leaves += 1;
            return self.eval(board);
        }
        self.nodes.expanded += 1;
        let empty: Vec<usize> = (0..16).filter(|&cell| board.0[cell] == 0).collect();
        let four = self.rules.four.probability();
        let (mut mean, mut smallest) = (0.0, f64::INFINITY);
        for &cell in &empty {
            for (rank, probability) in [(1, 1.0 - four), (2, four)] {
                if probability > 0.0 {
                    let mut spawned = *board;
                    spawned.0[cell] = rank;
                    let value = self.max_value(&spawned, depth - 1);
                    mean += value * (probability / empty.len() as f64);
                    smallest = value.min(smallest);
                }
            }
        }
        match self.opponent {
            Opponent::Random => mean,
            Opponent::Optimal => smallest,
        }
    }

    fn eval(&self, board: &NaiveBoard) -> f64 {
        let value = |row: usize, column: usize| self.params.feature_values.of(board.0[4 * row + column]);
        let cells = || (0..4).flat_map(|row| (0..4).map(move |column| (row, column)));
        let gradient = |top: bool, left: bool| -> i32 {
            let steps = |place: usize, from_start: bool| if from_start { place } else { 3 - place } as i32;
            cells()
                .map(|(row, column)| (3 - steps(row, top) - steps(column, left)) * value(row, column))
                .sum()
        };
        let corner =
            [gradient(true, true), gradient(true, false), gradient(false, true), gradient(false, false)]
                .into_iter()
                .max()
                .unwrap();
        let mut difference = 0;
        for (row, column) in cells().filter(|&(row, column)| value(row, column) != 0) {
            if column < 3 && value(row, column + 1) != 0 {
                difference += (value(row, column) - value(row, column + 1)).abs();
            }
            if row < 3 && value(row + 1, column) != 0 {
                difference += (value(row, column) - value(row + 1, column)).abs();
            }
        }
        let empty = board.0.iter().filter(|&&rank| rank == 0).count();
        self.params.corner_weight * f64::from(corner)
            + self.params.adjacency_weight * f64::from(-difference)
            + self.params.empty_weight * empty as f64
    }
}

/// A random board with this many empty cells and ranks up to the largest, the low ones more often.
pub(crate) fn random_board(rng: &mut engine::Rng, empty: usize, max_rank: u8) -> Board {
    let mut ranks = [0; 16];
    for rank in &mut ranks[empty..] {
        let bound = 1 + rng.below(u32::from(max_rank));
        *rank = 1 + rng.below(bound) as u8;
    }
    for last in (1..16).rev() {
        ranks.swap(last, rng.below(last as u32 + 1) as usize);
    }
    Board::from_ranks(ranks).unwrap()
}
