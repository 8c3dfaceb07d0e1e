//! The searches: one worked out by hand, thousands against the plain reference, and full depth against value
//! iteration.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;
mod reference;

use agents::{modelled_rules, random_boards};
use engine::agent::{Agent, Budget, Decision, Host, MoveValues, Position};
use engine::{AgentSeed, Board, Direction, Odds, Rules};
use middleton_schmidt::minimax_random::SearchSeed;
use middleton_schmidt::{
    DepthCounts, Expectimax, FinalHeuristics, HeuristicSet, InitialHeuristics, InitialWeights,
    MinimaxAntagonistic, MinimaxRandom, Params,
};
use reference::{Opponent, Reference};

const SEED: AgentSeed = AgentSeed(11);

fn agent<A: Agent<Params = Params>>(rules: &Rules, params: Params) -> A {
    let mut agent = A::create(rules, params, Host::silent()).unwrap();
    agent.new_game(SEED);
    agent
}

fn search<A: Agent>(agent: &mut A, board: Board, plies: u64) -> (Decision, MoveValues) {
    let position = Position { budget: Budget::Plies(plies), ..Position::of_board(board).unwrap() };
    let decision = agent.choose_move(&position).unwrap();
    (decision, decision.values.or_else(|| agent.move_values()).unwrap())
}

fn initial(initial: InitialWeights) -> Params {
    Params { heuristics: HeuristicSet::Initial, initial, ..Params::default() }
}

fn assert_close(value: Option<f64>, by_hand: f64) {
    assert!(value.is_some_and(|value| (value - by_hand).abs() < 1e-9), "{value:?}, by hand {by_hand}");
}

/// Only left and right are legal, and both leave one cell free: at the end of the first row, or at its
/// beginning. The bottom left corner has the best gradient, `row - column`.
const TWO_MOVES: &str = "2 2 8 16 / 32 64 128 4 / 64 128 256 8 / 128 256 512 16";
const BY_GRADIENT: InitialWeights =
    InitialWeights { corner: 1.0, empty: 0.0, max_tile: 0.0, loss_penalty: 100.0 };

/// The ranks of the three lower rows are 5 6 7 2 / 6 7 8 3 / 7 8 9 4. They bring
/// 5+0-7-4 = -6, 12+7+0-3 = 16 and 21+16+9+0 = 46: together 56.
///
/// Left makes 4 8 16 and a spawn. A 2 there loses. A 4 can merge with the 4 below it; the row's ranks 2 3 4 2
/// bring 0-3-8-6 = -17, so the board is worth 39. Right makes a spawn and 4 8 16. A 2 loses again; a 4 can
/// merge with the 4 beside it, and 2 2 3 4 bring 0-2-6-12 = -20: the board is worth 36.
#[test]
fn a_search_of_two_layers_by_hand() {
    let board = TWO_MOVES.parse().unwrap();
    let rules = Rules::default();

    let (decision, values) = search(&mut agent::<Expectimax>(&rules, initial(BY_GRADIENT)), board, 2);
    assert_eq!(decision.direction, Direction::Left);
    assert_close(values.value[Direction::Left as usize], 0.9 * -100.0 + 0.1 * 39.0);
    assert_close(values.value[Direction::Right as usize], 0.9 * -100.0 + 0.1 * 36.0);
    assert_eq!((values.value[Direction::Up as usize], values.value[Direction::Down as usize]), (None, None));
    // The root and two afterstates were expanded.
    assert_eq!((decision.nodes, decision.depth, decision.spent), (3, 2, 2));

    let (decision, values) =
        search(&mut agent::<MinimaxAntagonistic>(&rules, initial(BY_GRADIENT)), board, 2);
    assert_eq!(decision.direction, Direction::Left, "of equals the first in the order up, down, left, right");
    assert_eq!(values.value, [None, Some(-100.0), None, Some(-100.0)]);

    let fours = Rules { four: Odds::new(1, 1).unwrap(), ..Rules::default() };
    let (decision, values) = search(&mut agent::<MinimaxRandom>(&fours, initial(BY_GRADIENT)), board, 2);
    assert_eq!(decision.direction, Direction::Left);
    assert_eq!(values.value, [None, Some(36.0), None, Some(39.0)]);
}

#[test]
fn one_layer_takes_the_best_afterstate_of_the_first_row() {
    let board = TWO_MOVES.parse().unwrap();
    // Left: 2 3 4 . bring 0-3-8 = -11; right: . 2 3 4 bring -2-6-12 = -20.
    let (decision, values) =
        search(&mut agent::<Expectimax>(&Rules::default(), initial(BY_GRADIENT)), board, 1);
    assert_eq!(values.value, [None, Some(36.0), None, Some(45.0)]);
    assert_eq!((decision.direction, decision.value, decision.nodes), (Direction::Left, Some(45.0), 1));
}

#[test]
fn counting_moves_puts_an_opponents_layer_between_each_two() {
    let by_moves = Params { depth_counts: DepthCounts::Moves, ..Params::default() };
    for board in random_boards(20, 15) {
        let (moves, _) = search(&mut agent::<Expectimax>(&Rules::default(), by_moves), board, 2);
        let (layers, _) = search(&mut agent::<Expectimax>(&Rules::default(), Params::default()), board, 3);
        assert_eq!((moves.spent, layers.spent), (2, 3));
        assert_eq!(Decision { spent: 3, ..moves }, layers);
    }
}

/// Holds an agent against the reference, over all rules, both heuristics and this many layers.
fn assert_as_reference<A: Agent<Params = Params>>(layers: u32, boards: usize, opponent: Opponent) {
    let params = Params::default();
    let of_set = |heuristics| Params { heuristics, ..params };
    let (first, last) = (InitialHeuristics::new(params.initial), FinalHeuristics::new(params.final_));
    for (rules, largest) in &modelled_rules() {
        let mut with_first = agent::<A>(rules, of_set(HeuristicSet::Initial));
        let mut with_last = agent::<A>(rules, of_set(HeuristicSet::Final));
        for board in random_boards(boards, *largest) {
            let expected = Reference { rules, heuristic: &first, opponent }.search(board, layers);
            assert_same(expected, search(&mut with_first, board, layers.into()), board);
            let expected = Reference { rules, heuristic: &last, opponent }.search(board, layers);
            assert_same(expected, search(&mut with_last, board, layers.into()), board);
        }
    }
}

fn assert_same(
    (values, best): (MoveValues, Direction),
    (decision, found): (Decision, MoveValues),
    board: Board,
) {
    assert_eq!(found.value, values.value, "{board}");
    assert_eq!((decision.direction, decision.value), (best, values.value[best as usize]), "{board}");
}

#[test]
fn searches_are_the_plain_ones() {
    for (layers, boards) in [(1, 400), (2, 400), (3, 400), (4, 100), (5, 60)] {
        assert_as_reference::<Expectimax>(layers, boards, Opponent::Average);
        assert_as_reference::<MinimaxAntagonistic>(layers, boards, Opponent::Antagonistic);
    }
    for (layers, boards) in [(1, 300), (2, 300), (3, 300), (4, 300), (5, 300), (9, 30)] {
        let opponent = Opponent::Random(SearchSeed::new(SEED, 0));
        assert_as_reference::<MinimaxRandom>(layers, boards, opponent);
    }
}

#[test]
fn a_random_opponent_places_each_tile_as_often_as_the_game_does() {
    let afterstate = ". 2 4 8 / 16 32 64 128 / 2 4 8 16 / 32 64 128 .".parse().unwrap();
    let mut counts = [[0_u32; 3]; 16];
    for number in 0..40_000 {
        let board = SearchSeed::new(SEED, number).spawn(afterstate, 4, Odds::new(1, 4).unwrap());
        let cell = if board.rank(0) == 0 { 15 } else { 0 };
        counts[cell][usize::from(board.rank(cell))] += 1;
    }
    // Five standard deviations are 427 at 15000 and 331 at 5000.
    for [none, twos, fours] in [counts[0], counts[15]] {
        assert!(none == 0 && twos.abs_diff(15_000) < 450 && fours.abs_diff(5_000) < 350, "{counts:?}");
    }
}

#[test]
fn the_move_that_makes_65536_is_a_leaf() {
    let board: Board = "32768 32768 2 4 / 8 16 32 64 / 2 4 8 16 / 32 64 128 256".parse().unwrap();
    let (_, values) = search(&mut agent::<Expectimax>(&Rules::default(), Params::default()), board, 5);
    let (_, at_once) = search(&mut agent::<Expectimax>(&Rules::default(), Params::default()), board, 1);
    assert_eq!(values.value, at_once.value);
}

#[test]
fn a_budget_without_a_ply_is_refused() {
    let mut agent = agent::<Expectimax>(&Rules::default(), Params::default());
    let board = TWO_MOVES.parse().unwrap();
    for plies in [0, 101] {
        let position = Position { budget: Budget::Plies(plies), ..Position::of_board(board).unwrap() };
        assert!(agent.choose_move(&position).unwrap_err().to_string().contains("1 to 100 plies"));
    }
}
