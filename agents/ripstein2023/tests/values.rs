//! The agents' values against the plain methods of `tests/reference`, under all kinds of rules, and by hand.

#[path = "../../../engine/tests/common/agents.rs"]
mod agents;
mod reference;

use agents::{modelled_rules, random_boards};
use engine::agent::{Agent, Budget, Host, MoveValues, Position};
use engine::{AgentSeed, Direction, Rng, Rules};
use reference::{Mdp as PlainMdp, ORDER, Reference};
use ripstein2023::mdp::Bellman;
use ripstein2023::theta::{FOURS, TWOS, Theta};
use ripstein2023::value::FourBoards;
use ripstein2023::{Mdp, Params, PureMcts, PureMctsParams, PureMctsTop, PureMctsTopParams, Spawn};

const SEED: u64 = 0x5eed;

fn agent<A: Agent>(rules: &Rules, params: A::Params) -> A {
    let mut agent = A::create(rules, params, Host::silent()).expect("good parameters");
    agent.new_game(AgentSeed(SEED));
    agent
}

fn at(board: &str, score: u64) -> Position {
    Position { score, move_number: 5, ..Position::of_board(board.parse().unwrap()).unwrap() }
}

/// The chosen direction and the values of all.
fn decide(agent: &mut impl Agent, position: &Position) -> (Direction, MoveValues) {
    let decision = agent.choose_move(position).unwrap();
    let values = decision.values.unwrap();
    assert_eq!(decision.value, values.value[decision.direction as usize]);
    (decision.direction, values)
}

/// Positions of all fillings, with ranks up to the largest, that have a legal move.
fn positions(count: usize, largest: u32) -> Vec<Position> {
    let mut rng = Rng::from_seed(u64::from(largest));
    let mut position = |(move_number, board)| {
        let score = 4 * u64::from(rng.below(20_000));
        Position { score, move_number, ..Position::of_board(board).unwrap() }
    };
    (0..).zip(random_boards(count, largest)).map(&mut position).collect()
}

/// Equal but for the order of additions; and the move played is the first best one of those values.
fn assert_same(
    expected: [Option<f64>; 4],
    (direction, values): (Direction, MoveValues),
    position: &Position,
) {
    for (expected, found) in expected.into_iter().zip(values.value) {
        let (Some(expected), Some(found)) = (expected, found) else {
            assert_eq!(expected, found, "{}", position.board);
            continue;
        };
        assert!(
            (expected - found).abs() <= 1e-9 * expected.max(1.0),
            "{expected} {found}, {}",
            position.board
        );
    }
    let largest = values.value.into_iter().flatten().fold(f64::NEG_INFINITY, f64::max);
    let first = ORDER.into_iter().find(|&to| values.value[to as usize] == Some(largest));
    assert_eq!(Some(direction), first, "{}", position.board);
}

fn plain(params: &Params) -> PlainMdp<'static> {
    PlainMdp {
        games: [&TWOS, &FOURS],
        top: params.theta.top,
        ranks: if params.four_boards == FourBoards::Twos { [1, 1] } else { [1, 2] },
        gamma: (params.bellman == Bellman::Always).then_some(params.gamma),
    }
}

#[test]
fn the_mdp_is_the_plain_one() {
    let top = |top| Params { theta: Theta { top, ..Theta::default() }, ..Params::default() };
    let variants = [
        top(1.0),
        Params { four_boards: FourBoards::Twos, ..top(0.75) },
        top(0.5),
        top(0.25),
        Params { bellman: Bellman::Always, ..top(1.0) },
        Params { bellman: Bellman::Always, gamma: 0.5, ..top(0.01) },
    ];
    for (rules, largest) in modelled_rules() {
        let reference = Reference { rules: &rules, seed: SEED };
        for params in variants {
            let mut agent = agent::<Mdp>(&rules, params);
            for position in positions(16, largest) {
                let expected = reference.mdp(&plain(&params), &position);
                assert_same(expected, decide(&mut agent, &position), &position);
            }
        }
    }
}

/// The plain values of pure Monte Carlo, where a move that ends the game is worth its score.
fn plain_pure(
    reference: &Reference<'_>,
    position: &Position,
    games: u64,
    spawn: Spawn,
    top: f64,
) -> [Option<f64>; 4] {
    let mut expected = reference.pure_mcts(position, games as usize, spawn == Spawn::Shared, top);
    for direction in ORDER {
        let slide = reference.slide(position.board, direction);
        if let Some(slide) = slide.filter(|slide| reference.ends_game(slide)) {
            let score = position.score + u64::from(slide.reward);
            expected[direction as usize] = Some(score as f64);
        }
    }
    expected
}

#[test]
fn pure_mcts_is_the_plain_one() {
    for (rules, largest) in modelled_rules() {
        let reference = Reference { rules: &rules, seed: SEED };
        for (spawn, games) in [(Spawn::Fresh, 1), (Spawn::Fresh, 30), (Spawn::Shared, 30)] {
            let mut all = agent::<PureMcts>(&rules, PureMctsParams { spawn });
            for position in positions(40, largest) {
                let position = Position { budget: Budget::Playouts(games), ..position };
                let expected = plain_pure(&reference, &position, games, spawn, 1.0);
                assert_same(expected, decide(&mut all, &position), &position);
            }
            for top in [1.0, 0.5, 0.01] {
                let mut best = agent::<PureMctsTop>(&rules, PureMctsTopParams { spawn, top });
                for position in positions(15, largest) {
                    let position = Position { budget: Budget::Playouts(games), ..position };
                    let expected = plain_pure(&reference, &position, games, spawn, top);
                    assert_same(expected, decide(&mut best, &position), &position);
                }
            }
        }
    }
}

/// The released classes value an illegal direction at the current score, at 0, or, with Bellman's equation,
/// at the current score where a legal one has the score after the move plus gamma times V. None of these is
/// more than any legal move has, so an illegal direction cannot win, and to value legal moves alone decides
/// the same.
#[test]
fn no_released_value_of_an_illegal_direction_beats_a_legal_move() {
    for (rules, largest) in modelled_rules() {
        let mut expected = agent::<Mdp>(&rules, Params::default());
        let mut bellman = agent::<Mdp>(&rules, Params { bellman: Bellman::Always, ..Params::default() });
        let mut pure = agent::<PureMcts>(&rules, PureMctsParams::default());
        for position in positions(12, largest) {
            let score = position.score as f64;
            let smallest = |(_, values): (Direction, MoveValues)| {
                values.value.into_iter().flatten().fold(f64::INFINITY, f64::min)
            };
            // Exact, but for the last bit of a weighted mean of scores that are all the same.
            let almost = score - 1e-9 * score;
            assert!(smallest(decide(&mut expected, &position)) >= almost, "{}", position.board);
            assert!(smallest(decide(&mut pure, &position)) >= almost, "{}", position.board);
            assert!(score + smallest(decide(&mut bellman, &position)) >= score, "{}", position.board);
        }
    }
}

/// By the equation as it is printed, a legal move can be worth less than the current score; it is played
/// nonetheless.
#[test]
fn bellman_plays_a_legal_move_that_is_worth_less_than_the_score() {
    let params = Params { bellman: Bellman::Always, ..Params::default() };
    let position = at(LAST_MOVE, 1000);
    let (direction, values) = decide(&mut agent::<Mdp>(&Rules::default(), params), &position);
    assert_eq!(direction, Direction::Right);
    assert!(values.value[direction as usize].unwrap() < 1000.0);
}

/// The 4s merge to the right and to the left, and whatever spawns then, no neighbours are equal: every random
/// game is over before it begins.
const LAST_MOVE: &str = "4 4 16 32 / 64 128 256 512 / 1024 2048 32 64 / 16 32 64 128";

#[test]
fn values_are_scores_at_the_end_of_games() {
    let position = at(LAST_MOVE, 1000);
    for top in [1.0, 0.25] {
        let params = Params { theta: Theta { top, ..Theta::default() }, ..Params::default() };
        let (direction, values) = decide(&mut agent::<Mdp>(&Rules::default(), params), &position);
        assert_eq!(values.value, [None, Some(1008.0), None, Some(1008.0)]);
        assert_eq!(direction, Direction::Right, "of equals the first of right, left, up, down");
        assert_eq!(values.nodes, [0, 580, 0, 580], "500 games with a 2, 80 with a 4");
    }
    let (direction, values) =
        decide(&mut agent::<PureMcts>(&Rules::default(), PureMctsParams::default()), &position);
    assert_eq!((direction, values.value), (Direction::Right, [None, Some(1008.0), None, Some(1008.0)]));
    assert_eq!(values.nodes, [0, 100, 0, 100]);
}

#[test]
fn bellman_counts_the_reward_twice() {
    let params = Params { bellman: Bellman::Always, ..Params::default() };
    let (_, values) = decide(&mut agent::<Mdp>(&Rules::default(), params), &at(LAST_MOVE, 1000));
    // R + gamma V, where V is the whole score of 1008.
    let value = 8.0 + 0.9 * 1008.0;
    assert_eq!(values.value, [None, Some(value), None, Some(value)]);
}

#[test]
fn a_move_that_ends_the_game_is_worth_its_score() {
    let rules = Rules { stop_at: Some(64.try_into().unwrap()), ..Rules::default() };
    let position = at("32 32 . . / . . . . / . . . . / . . . .", 100);
    for params in [Params::default(), Params { expectimax_below: 16, ..Params::default() }] {
        let (_, values) = decide(&mut agent::<Mdp>(&rules, params), &position);
        assert_eq!((values.value[1], values.nodes[1]), (Some(164.0), 0));
        assert!(values.nodes[2] > 0, "down goes on");
    }
    let (_, values) = decide(&mut agent::<PureMcts>(&rules, PureMctsParams::default()), &position);
    assert_eq!((values.value[1], values.nodes[1], values.nodes[2]), (Some(164.0), 0, 100));
}

/// Right or left makes a 4 and leaves one empty cell beside a 4 in the next row. A spawned 4 there goes on, a
/// 2 is the end.
const ONLY_A_FOUR_GOES_ON: &str = "2 2 8 16 / 4 64 128 4 / 512 1024 2048 8 / 16 32 64 128";

#[test]
fn the_released_four_boards_never_see_what_a_four_would_bring() {
    let position = at(ONLY_A_FOUR_GOES_ON, 0);
    let value = |four_boards| {
        let params = Params { four_boards, ..Params::default() };
        decide(&mut agent::<Mdp>(&Rules::default(), params), &position).1.value[Direction::Right as usize]
    };
    assert_eq!(value(FourBoards::Twos), Some(4.0));
    // A tenth of the games' 8 points or more, behind the 4 of the move.
    assert!(value(FourBoards::Fours).unwrap() >= 4.8);
}

#[test]
fn a_shared_spawn_makes_all_or_none_of_the_games_go_on() {
    let (mut fresh_between, mut shared_between) = (0, 0);
    for move_number in 0..50 {
        let position = Position { move_number, ..at(ONLY_A_FOUR_GOES_ON, 0) };
        let gain = |spawn| {
            let params = PureMctsParams { spawn };
            let values = decide(&mut agent::<PureMcts>(&Rules::default(), params), &position).1.value;
            values[Direction::Right as usize].unwrap() - 4.0
        };
        // Every game that goes on scores 8 at least, so a mean between 0 and 8 has games of both kinds.
        fresh_between += u32::from(gain(Spawn::Fresh) > 0.0);
        let shared = gain(Spawn::Shared);
        shared_between += u32::from(shared > 0.0 && shared < 8.0);
    }
    assert_eq!((fresh_between, shared_between), (50, 0));
}

#[test]
fn a_decision_depends_on_seed_and_move_number_alone() {
    let mut one = agent::<Mdp>(&Rules::default(), Params::default());
    let mut other = agent::<Mdp>(&Rules::default(), Params::default());
    let [first, second] = [at("2 . . 4 / . 8 . . / . . . 2 / 2 . 4 .", 0), at(ONLY_A_FOUR_GOES_ON, 96)];
    decide(&mut other, &first);
    assert_eq!(decide(&mut one, &second), decide(&mut other, &second));
    let later = Position { move_number: 6, ..second };
    assert_ne!(decide(&mut one, &second).1.value, decide(&mut one, &later).1.value);
}
