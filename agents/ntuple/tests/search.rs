//! The players find what a plain recursion finds, and the agent says so.

mod plain;

use engine::agent::{Agent, Budget, Host, Position, Refusal};
use engine::board::CAP_RANK;
use engine::naive::NaiveBoard;
use engine::{AgentSeed, Board, Direction, Ending, Game, Merging, Rng, Rules, TileSeed};
use ntuple::NTuple;
use ntuple::agent::Params;
use ntuple::search::NetworkSearch;
use plain::{TUPLES, indices};
use tuples::{CellValues, Network, Sampling, Weights, weights};

const STEP: f32 = 0.5;

fn network() -> Network {
    let tuples = TUPLES.map(|tuple| tuple.parse().unwrap());
    Network::new(tuples.to_vec(), Sampling::Symmetric, CellValues::Sixteen)
}

/// Weights by chance, and the file that has them.
fn file() -> (Vec<f32>, Vec<u8>) {
    let mut rng = Rng::from_seed(7);
    let network = network();
    let numbers: Vec<f32> =
        (0..network.weights()).map(|_| STEP * (rng.below(2000) as f32 - 1000.0)).collect();
    let file = weights::encode(&network, STEP, numbers.iter().copied());
    (numbers, file)
}

fn agent() -> NTuple {
    NTuple::with_weights(&Rules::default(), file().1.leak()).unwrap()
}

fn position(board: Board, budget: Budget) -> Position {
    Position { budget, ..Position::of_board(board).unwrap() }
}

/// The value of a move by expectimax of `moves` moves, where `value` is that of an afterstate; none if it
/// is illegal.
fn move_value(
    board: &NaiveBoard,
    direction: Direction,
    moves: u32,
    value: &dyn Fn(&NaiveBoard) -> f64,
) -> Option<f64> {
    let slide = board.slide(direction, Merging::Once)?;
    let after = slide.board;
    let later = if after.0.contains(&CAP_RANK) {
        0.0
    } else if moves == 1 {
        value(&after)
    } else {
        let empty: Vec<usize> = (0..16).filter(|&cell| after.0[cell] == 0).collect();
        let spawned = |cell: usize, rank: u8| {
            let mut board = after;
            board.0[cell] = rank;
            Direction::ALL
                .iter()
                .filter_map(|&direction| move_value(&board, direction, moves - 1, value))
                .fold(None, |best: Option<f64>, value| Some(best.map_or(value, |best| best.max(value))))
                .unwrap_or(0.0)
        };
        let sum: f64 = empty.iter().map(|&cell| 0.9 * spawned(cell, 1) + 0.1 * spawned(cell, 2)).sum();
        sum / empty.len() as f64
    };
    Some(f64::from(slide.reward) + later)
}

/// A board with this many empty cells and ranks below a bound.
fn random_board(rng: &mut Rng, empty: u32, bound: u32) -> Board {
    let mut ranks = [0; 16];
    ranks.iter_mut().for_each(|rank| *rank = 1 + rng.below(bound - 1) as u8);
    let mut left = empty;
    while left > 0 {
        let cell = rng.below(16) as usize;
        if ranks[cell] != 0 {
            ranks[cell] = 0;
            left -= 1;
        }
    }
    Board::from_ranks(ranks).unwrap()
}

#[test]
fn one_two_and_three_moves_are_worth_what_a_plain_recursion_says() {
    let (numbers, file) = file();
    let value = |after: &NaiveBoard| {
        indices(after, &TUPLES).iter().map(|&index| f64::from(numbers[index])).sum::<f64>()
    };
    let mut search = NetworkSearch::new(Weights::parse(&file[..]).unwrap(), &Rules::default());
    let mut rng = Rng::from_seed(1);
    // Three moves of a plain recursion take long where many cells are empty.
    for (moves, most_empty) in [(1, 14), (2, 9), (3, 3)] {
        for empty in 0..=most_empty {
            let board = random_board(&mut rng, empty, 16);
            let found = search.move_values(board, moves - 1).value;
            for direction in Direction::ALL {
                let expected = move_value(&NaiveBoard::from(*board), direction, moves, &value);
                let difference =
                    found[direction as usize].zip(expected).map(|(found, expected)| found - expected);
                assert_eq!(found[direction as usize].is_some(), expected.is_some(), "{board}, {direction:?}");
                assert!(difference.unwrap_or(0.0).abs() < 1e-6, "{moves} moves, {board}, {direction:?}");
            }
        }
    }
}

#[test]
fn nothing_comes_after_65536() {
    let file = file().1;
    let mut search = NetworkSearch::new(Weights::parse(&file[..]).unwrap(), &Rules::default());
    let board: Board = "32768 32768 . . / . . . . / . . . . / . . . .".parse().unwrap();
    for more in 0..2 {
        let values = search.move_values(board, more).value;
        assert_eq!(values[Direction::Left as usize], Some(65536.0));
        assert_eq!(values[Direction::Up as usize], None);
    }
}

#[test]
fn what_was_searched_before_changes_no_value() {
    let file = file().1;
    let fresh = || NetworkSearch::new(Weights::parse(&file[..]).unwrap(), &Rules::default());
    let mut used = fresh();
    let mut rng = Rng::from_seed(2);
    for empty in 0..8 {
        let board = random_board(&mut rng, empty, 12);
        for more in [0, 2, 1] {
            assert_eq!(
                used.move_values(board, more).value,
                fresh().move_values(board, more).value,
                "{board}"
            );
        }
    }
}

#[test]
fn certain_and_impossible_fours_are_not_searched() {
    let file = file().1;
    let board: Board = "2 4 8 16 / 4 8 16 32 / 8 16 32 64 / 2 32 64 .".parse().unwrap();
    let value = |four: &str| {
        let rules = Rules { four: four.parse().unwrap(), ..Rules::default() };
        let mut search = NetworkSearch::new(Weights::parse(&file[..]).unwrap(), &rules);
        let values = search.move_values(board, 1);
        (values.value[Direction::Right as usize].unwrap(), values.nodes[Direction::Right as usize])
    };
    let ((twos, few), (fours, _), (mixed, more)) = (value("0/1"), value("1/1"), value("1/4"));
    assert!((mixed - (0.75 * twos + 0.25 * fours)).abs() < 1e-9);
    assert!(few < more);
}

#[test]
fn the_agent_plays_the_best_move_and_reports_all_values() {
    let mut agent = agent();
    agent.new_game(AgentSeed(1));
    let board: Board = "2 2 4 8 / . 16 . . / . . 32 . / 4 . . 2".parse().unwrap();
    for (budget, depth) in
        [(Budget::None, 1), (Budget::Plies(1), 1), (Budget::Plies(3), 3), (Budget::Plies(5), 5)]
    {
        let decision = agent.choose_move(&position(board, budget)).unwrap();
        let values = decision.values.unwrap();
        assert_eq!(values.first_best(Direction::ALL), Some((decision.direction, decision.value.unwrap())));
        assert_eq!((decision.depth, decision.spent), (depth, u64::from(depth)), "{budget}");
        assert!(decision.nodes > 0);
    }
    for plies in [0, 2, 4, 6, 7, u64::MAX] {
        let failure = agent.choose_move(&position(board, Budget::Plies(plies))).unwrap_err();
        assert!(failure.0.contains("give 1, 3 or 5"), "{failure}");
    }
}

#[test]
fn a_game_does_not_depend_on_the_games_before_it() {
    let play = |agent: &mut NTuple, game: u64| {
        agent.new_game(AgentSeed::derive(1, game));
        let mut game = Game::new(&Rules::default(), TileSeed::derive(1, game));
        let mut decisions = Vec::new();
        while game.ending().is_none() {
            let decision = agent.choose_move(&Position::of_game(&game, Budget::Plies(3))).unwrap();
            decisions.push(decision);
            game.play(decision.direction).unwrap();
        }
        assert_eq!(game.ending(), Some(Ending::NoMoves));
        decisions
    };
    let mut used = agent();
    let first = play(&mut used, 0);
    assert_ne!(play(&mut used, 1), first);
    assert_eq!(play(&mut used, 0), first);
}

#[test]
fn without_its_file_the_agent_is_refused() {
    let refusal = NTuple::create(&Rules::default(), Params {}, Host::silent()).err().unwrap();
    assert!(matches!(refusal, Refusal::Failed(reason) if reason.contains("role `weights`")));
    let damaged = NTuple::with_weights(&Rules::default(), b"RTLTUPLE").err().unwrap();
    assert!(matches!(damaged, Refusal::Failed(reason) if reason.contains("file `weights`: ")));
}
