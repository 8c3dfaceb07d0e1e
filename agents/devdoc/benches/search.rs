//! How fast the iterations search, against the printed programs in plain form: on arrays of ranks, and on the
//! engine's packed board with its row tables.
//!
//! All contestants search the same positions in turns, round by round, so that whatever else the machine does
//! hits them alike; the ratios are medians of those within the rounds. A node is a call of the printed search
//! function, so all have the same nodes to account for. The program fails where one misses its target.
//! Without `--bench`, as under `cargo test`, it only looks whether all come to the same moves.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/reference/mod.rs"]
mod reference;

use std::process::ExitCode;

use common::{exit, is_bench, medians, processor, ratio, speed};
use devdoc::{DeepeningExpectimax, DeepeningMinimax, Expectimax, Greedy, MeanOfMoves, Params};
use engine::agent::{Agent, Budget, Host, Position};
use engine::{Direction, Game, Odds, Rules, Scatter, Start, TileSeed};
use reference::{Found, Naive, Packed};

const ROUNDS: usize = 11;

fn main() -> ExitCode {
    let positions = positions(if is_bench() { 400 } else { 40 });
    let races = [
        race::<DeepeningMinimax>("1, 10^3 nodes", 2.0, &positions, 100, Budget::Nodes(1000)),
        race::<DeepeningMinimax>("1, 10^5 nodes", 5.0, &positions, 4, Budget::Nodes(100_000)),
        race::<Greedy>("2", 0.5, &positions, 400, Budget::None),
        race::<MeanOfMoves>("3", 0.8, &positions, 400, Budget::None),
        race::<Expectimax>("4", 5.0, &positions, 40, Budget::None),
        race::<DeepeningExpectimax>("6, 10^3 nodes", 8.0, &positions, 100, Budget::Nodes(1000)),
        race::<DeepeningExpectimax>("6, 10^5 nodes", 25.0, &positions, 4, Budget::Nodes(100_000)),
    ];
    if !is_bench() {
        return ExitCode::SUCCESS;
    }
    println!("{}; M nodes/s, and how many times the plain programs' speed", processor());
    println!(
        "{:<16}{:>10}{:>10}{:>10}{:>12}{:>12}",
        "iteration", "arrays", "packed", "agent", "x arrays", "x packed"
    );
    let has_passed = races.map(Race::run_and_report);
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

/// What a contestant makes of a position: its move and its nodes.
type Contestant = Box<dyn FnMut(&Position) -> (Direction, u64)>;

/// An iteration on arrays, on the packed board, and as the agent.
struct Race {
    name: &'static str,
    /// How many times as fast as the plain program on the packed board the agent is to be.
    target: f64,
    positions: Vec<Position>,
    contestants: [Contestant; 3],
}

fn race<A: Agent<Params = Params>>(
    name: &'static str,
    target: f64,
    positions: &[Position],
    count: usize,
    budget: Budget,
) -> Race {
    let positions = positions.iter().take(count).map(|position| Position { budget, ..*position }).collect();
    let mut agent = agent::<A>();
    let id = A::ABOUT.id;
    let contestants: [Contestant; 3] = [
        Box::new(move |position| {
            program(id, Naive::new(position.board, position.score, &rules()), position.budget)
        }),
        Box::new(move |position| program(id, Packed::new(position.board, position.score), position.budget)),
        Box::new(move |position| {
            let decision = agent.choose_move(position).expect("there is a move");
            (decision.direction, decision.nodes)
        }),
    ];
    let mut race = Race { name, target, positions, contestants };
    race.assert_same_moves();
    race
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

impl Race {
    fn assert_same_moves(&mut self) {
        for position in &self.positions {
            let [arrays, packed, agent] = self.contestants.each_mut().map(|search| search(position));
            assert_eq!([arrays, packed], [agent; 2], "iteration {}: {}", self.name, position.board);
        }
    }

    /// Nodes a second of each contestant.
    fn round(&mut self) -> [f64; 3] {
        let positions = &self.positions;
        self.contestants
            .each_mut()
            .map(|search| speed(|| positions.iter().map(|position| search(position).1).sum()))
    }

    /// Prints a line; returns whether the agent reached its target.
    fn run_and_report(mut self) -> bool {
        let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(|_| self.round()).collect();
        let [arrays, packed, agent] = medians(&rounds).map(|speed| speed / 1e6);
        let is_reached = ratio(&rounds, 2, 1) >= self.target;
        let verdict =
            if is_reached { String::new() } else { format!("  misses its target of {}x", self.target) };
        println!(
            "{:<16}{arrays:>10.2}{packed:>10.2}{agent:>10.2}{:>11.1}x{:>11.1}x{verdict}",
            self.name,
            ratio(&rounds, 2, 0),
            ratio(&rounds, 2, 1)
        );
        is_reached
    }
}
