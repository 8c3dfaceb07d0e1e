//! Near the end of a small game the search reaches every end, and must find what value iteration finds on all boards that can
//! still come up.

use std::collections::HashMap;

use engine::naive::NaiveBoard;
use engine::{Board, Direction, Rng, Rules};
use expectimax_report::Params;

/// More boards than this make a case too large for the test.
const MOST_BOARDS: usize = 3_000;

/// What an action leads to.
enum Outcome {
    Won,
    /// Boards by their number, each with its probability.
    Goes(Vec<(usize, f64)>),
}

/// All boards that can come up, each with its legal actions; the first is the one that was asked for.
struct EndGame {
    actions: Vec<Vec<(Direction, Outcome)>>,
}

impl EndGame {
    /// Lists the boards; none where there are too many.
    fn from_board(board: Board, rules: &Rules) -> Option<Self> {
        let first = NaiveBoard(board.ranks());
        let (mut boards, mut numbers) = (vec![first], HashMap::from([(first.0, 0)]));
        let mut actions = Vec::new();
        while actions.len() < boards.len() {
            let board = boards[actions.len()];
            let mut of_board = Vec::new();
            for direction in Direction::ALL {
                let Some(slide) = board.slide(direction, rules.merging) else { continue };
                let outcome = if slide.board.is_stopped(rules) {
                    Outcome::Won
                } else {
                    let spawns = spawns(&slide.board, rules).into_iter().map(|(board, probability)| {
                        let number = *numbers.entry(board.0).or_insert_with(|| {
                            boards.push(board);
                            boards.len() - 1
                        });
                        (number, probability)
                    });
                    Outcome::Goes(spawns.collect())
                };
                of_board.push((direction, outcome));
            }
            actions.push(of_board);
            if boards.len() > MOST_BOARDS {
                return None;
            }
        }
        Some(Self { actions })
    }

    /// The value of each action on the first board, and after how many sweeps over all boards nothing changed any more.
    fn iterate_values(&self, won: f64, dead: f64) -> (Vec<(Direction, f64)>, u32) {
        let mut values = vec![0.0; self.actions.len()];
        let action_value = |outcome: &Outcome, values: &[f64]| match outcome {
            Outcome::Won => won,
            Outcome::Goes(boards) => {
                boards.iter().map(|&(number, probability)| probability * values[number]).sum()
            }
        };
        for sweep in 1.. {
            let board_value = |actions: &Vec<(Direction, Outcome)>| {
                let of_actions = actions.iter().map(|(_, outcome)| action_value(outcome, &values));
                of_actions.reduce(f64::max).unwrap_or(dead)
            };
            let swept: Vec<f64> = self.actions.iter().map(board_value).collect();
            let is_done = swept == values;
            values = swept;
            if is_done {
                let of_first = self.actions[0].iter();
                let of_first =
                    of_first.map(|(direction, outcome)| (*direction, action_value(outcome, &values)));
                return (of_first.collect(), sweep);
            }
        }
        unreachable!("every spawn adds to the tiles, so that a game ends")
    }
}

/// Every board after a spawn, with its probability.
fn spawns(slid: &NaiveBoard, rules: &Rules) -> Vec<(NaiveBoard, f64)> {
    let empty: Vec<usize> = (0..16).filter(|&cell| slid.0[cell] == 0).collect();
    let four = rules.four.probability();
    let mut boards = Vec::new();
    for &cell in &empty {
        for (rank, probability) in [(1, 1.0 - four), (2, four)] {
            let mut board = *slid;
            board.0[cell] = rank;
            boards.push((board, probability / empty.len() as f64));
        }
    }
    boards
}

/// Compares the search with value iteration on full boards; returns how many it could, and how many were neither surely
/// won nor surely lost.
fn compare(stop_at: u32, max_rank: u8, tries: u32) -> (u32, u32) {
    let rules = Rules { stop_at: Some(stop_at.try_into().unwrap()), ..Rules::default() };
    let params = Params::default();
    let mut search = params.search(&rules).unwrap();
    let mut rng = Rng::from_seed(u64::from(stop_at));
    let (mut compared, mut open) = (0, 0);
    for _ in 0..tries {
        let board = full_board(&mut rng, max_rank);
        let Some(end_game) = EndGame::from_board(board, &rules) else { continue };
        let (expected, sweeps) = end_game.iterate_values(params.won_value, params.dead_value);
        let found = search.expectimax_search(board, 2 * sweeps + 1);
        for &(direction, value) in &expected {
            let searched = found.moves.value[direction as usize].unwrap();
            assert!((searched - value).abs() < 1e-5, "{board}, {direction:?}: {searched} is not {value}");
        }
        let best = expected.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
        assert!((found.best.unwrap().1 - best).abs() < 1e-5, "{board}");
        compared += 1;
        open += u32::from(best.abs() < 1e6);
    }
    (compared, open)
}

/// A full board with one pair of equal neighbours, not of the largest tile: near its end, and not won by one slide.
fn full_board(rng: &mut Rng, max_rank: u8) -> Board {
    loop {
        let ranks: [u8; 16] = std::array::from_fn(|_| 1 + rng.below(u32::from(max_rank)) as u8);
        let equal: Vec<u8> =
            neighbours().filter(|&(a, b)| ranks[a] == ranks[b]).map(|(a, _)| ranks[a]).collect();
        if equal.len() == 1 && equal[0] != max_rank {
            return Board::from_ranks(ranks).unwrap();
        }
    }
}

/// The 24 pairs of neighbouring cells.
fn neighbours() -> impl Iterator<Item = (usize, usize)> {
    let right = (0..16).filter(|cell| cell % 4 < 3).map(|cell| (cell, cell + 1));
    right.chain((0..12).map(|cell| (cell, cell + 4)))
}

#[test]
fn at_full_depth_it_finds_the_values_of_value_iteration() {
    for (stop_at, max_rank) in [(32, 4), (64, 5)] {
        let (compared, open) = compare(stop_at, max_rank, 3000);
        assert!(compared >= 500 && open >= 15, "stop at {stop_at}: {compared} compared, {open} open");
    }
}
