//! How fast the iterations search, against the printed programs in plain form: on arrays of ranks, and on the
//! engine's packed board with its row tables.
//!
//! A node is a call of the printed search function, so all have the same nodes to account for. The program
//! fails if one misses its target. Without `--bench`, as under `cargo test`, it only looks whether all come
//! to the same moves.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/reference/mod.rs"]
mod reference;

use std::process::ExitCode;

use common::{Race, Target, exit, is_bench, print_head};
use devdoc::{DeepeningExpectimax, DeepeningMinimax, Expectimax, Greedy, MeanOfMoves, Params};
use engine::agent::{Agent, Budget, Host, Position};
use engine::{Direction, Game, Odds, Rules, Scatter, Start, TileSeed};
use reference::{Found, Naive, Packed};

const ROUNDS: usize = 11;

fn main() -> ExitCode {
    let positions = positions(if is_bench() { 400 } else { 40 });
    if is_bench() {
        print_head("nodes of every iteration, and how many times the speed on the packed board");
    }
    let has_passed = [
        race::<DeepeningMinimax>("1, 10^3 nodes", 2.0, &positions, 100, Budget::Nodes(1000)),
        race::<DeepeningMinimax>("1, 10^5 nodes", 5.0, &positions, 4, Budget::Nodes(100_000)),
        race::<Greedy>("2", 0.5, &positions, 400, Budget::None),
        race::<MeanOfMoves>("3", 0.8, &positions, 400, Budget::None),
        race::<Expectimax>("4", 5.0, &positions, 40, Budget::None),
        race::<DeepeningExpectimax>("6, 10^3 nodes", 8.0, &positions, 100, Budget::Nodes(1000)),
        race::<DeepeningExpectimax>("6, 10^5 nodes", 25.0, &positions, 4, Budget::Nodes(100_000)),
    ];
    exit(!has_passed.contains(&false))
}

fn rules() -> Rules {
    let start = Start::Scatter(Scatter { empty: 16, two: 4, four: 2, eight: 1 });
    Rules { four: Odds::new(1, 4).unwrap_or_default(), start, ..Rules::default() }
}

/// Positions of all stages of games under the course rules, in a mixed order.
fn positions(count: usize) -> Vec<Position> {
    let mut agent = agent::<Expectimax>();
    let mut positions = Vec::new();
    for number in 0..4 {
        let mut game = Game::new(&rules(), TileSeed::derive(4, number));
        while game.ending().is_none() {
            let position = Position::of_game(&game, Budget::None);
            positions.push(position);
            game.play(agent.choose_move(&position).expect("there is a move").direction).expect("it is legal");
        }
    }
    // A stride without a common divisor goes through all stages of all games, whatever part is taken.
    (0..count).map(|index| positions[index * 1009 % positions.len()]).collect()
}

fn agent<A: Agent<Params = Params>>() -> A {
    A::create(&rules(), Params {}, Host::silent())
        .unwrap_or_else(|_| panic!("{} plays the course rules", A::ABOUT.id))
}

/// An iteration on the packed board, on arrays, and as the agent, which is to be this many times as fast as
/// the plain program on the packed board. Returns whether it is.
fn race<A: Agent<Params = Params>>(
    name: &str,
    target: f64,
    positions: &[Position],
    count: usize,
    budget: Budget,
) -> bool {
    let positions: Vec<Position> =
        positions.iter().take(count).map(|position| Position { budget, ..*position }).collect();
    let (id, rules, mut agent) = (A::ABOUT.id, rules(), agent::<A>());
    let packed = |at: &Position| program(id, Packed::new(at.board, at.score), budget);
    let arrays = |at: &Position| program(id, Naive::new(at.board, at.score, &rules), budget);
    let mut agent = |at: &Position| {
        let decision = agent.choose_move(at).expect("there is a move");
        (decision.direction, decision.nodes)
    };
    for position in &positions {
        let expected = agent(position);
        assert_eq!([arrays(position), packed(position)], [expected; 2], "{name}: {}", position.board);
    }
    let race = Race::default()
        .with(format!("{name}, packed"), Target::None, || positions.iter().map(|at| packed(at).1).sum())
        .with(format!("{name}, arrays"), Target::None, || positions.iter().map(|at| arrays(at).1).sum())
        .with(name, Target::Ratio(target), || positions.iter().map(|at| agent(at).1).sum());
    !is_bench() || race.run_and_report(ROUNDS)
}

/// The printed program of an agent.
fn program(id: &str, state: impl reference::State, budget: Budget) -> (Direction, u64) {
    let Found { action, nodes, .. } = match id {
        "devdoc-1" => reference::iteration_1(state, budget),
        "devdoc-2" => reference::iteration_2(state),
        "devdoc-3" => reference::iteration_3(state),
        "devdoc-4" => reference::iteration_4(state),
        "devdoc-6" => reference::iteration_6(state, budget),
        other => unreachable!("{other} is no iteration"),
    };
    (action, nodes)
}
