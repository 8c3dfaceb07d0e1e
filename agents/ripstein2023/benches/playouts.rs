//! How many random games a second the agents play inside a decision, against the engine's own rate.
//!
//! The yardstick plays the same random games, of several decisions in one stream, so that its lanes stay
//! full. Both take turns, round by round, and of every group of decisions the best round counts: whatever
//! else the machine does can only make a round slower, and with rounds of milliseconds some go undisturbed.
//! The program fails where an agent misses its target. Without `--bench`, as under `cargo test`, it only
//! looks whether both play equally many games.

#[path = "../../../engine/benches/common/mod.rs"]
mod common;
#[path = "../tests/reference/mod.rs"]
mod reference;

use std::process::ExitCode;

use common::{exit, is_bench, processor, seconds};
use engine::agent::{Agent, Budget, Host, Position};
use engine::{AgentSeed, Board, Game, Playouts, Rules, TileSeed};
use reference::{Mdp as PlainMdp, Reference};
use ripstein2023::theta::{FOURS, TWOS, Theta};
use ripstein2023::{Mdp, Params, PureMcts, PureMctsParams, Spawn};

/// The share of the engine's rate that an agent must reach.
const TARGET: f64 = 0.85;

const SEED: u64 = 7;
const ROUNDS: usize = 101;
const GAMES: u64 = 3;
/// Of every game this many positions, evenly spread over it.
const POSITIONS_PER_GAME: usize = 30;
/// Decisions in a round.
const GROUP: usize = 5;

fn main() -> ExitCode {
    let positions = positions_of_games();
    if is_bench() {
        println!("{}; {} positions of {GAMES} games", processor(), positions.len());
        println!(
            "{:<24}{:>12}{:>14}{:>14}{:>8}{:>8}",
            "", "games/move", "engine k/s", "agent k/s", "ratio", "target"
        );
    }
    let top = |top| Params { theta: Theta { top, ..Theta::default() }, ..Params::default() };
    let mut has_passed = true;
    for mut race in [
        Race::pure("pure, fresh spawns", Spawn::Fresh),
        Race::pure("pure, shared spawns", Spawn::Shared),
        Race::mdp("MDP, top 100 %", top(1.0)),
        Race::mdp("MDP, top 25 %", top(0.25)),
    ] {
        for group in positions.chunks(GROUP) {
            let games = (race.jobs)(group).len() as u64;
            assert_eq!((race.decide)(group), games, "{}", race.name);
        }
        has_passed &= !is_bench() || race.run_and_report(&positions);
    }
    exit(has_passed)
}

/// Positions as they come up when Monte Carlo plays.
fn positions_of_games() -> Vec<Position> {
    let rules = Rules::default();
    let mut agent =
        PureMcts::create(&rules, PureMctsParams::default(), Host::silent()).expect("standard rules");
    let mut positions = Vec::new();
    for number in 0..GAMES {
        let mut game = Game::new(&rules, TileSeed(number));
        let mut seen = Vec::new();
        while game.ending().is_none() {
            let position = Position::of_game(&game, Budget::Playouts(20));
            seen.push(Position { budget: Budget::None, ..position });
            game.play(agent.choose_move(&position).expect("a move").direction).expect("a legal one");
        }
        positions.extend(seen.iter().copied().step_by(seen.len() / POSITIONS_PER_GAME));
    }
    positions
}

/// An agent against the engine.
struct Race {
    name: &'static str,
    /// The random games of some decisions.
    jobs: Jobs,
    /// Makes them, and returns how many random games that took.
    decide: Decide,
}

/// The start and the seed of a random game.
type Job = (Board, u64);
type Jobs = Box<dyn Fn(&[Position]) -> Vec<Job>>;
type Decide = Box<dyn FnMut(&[Position]) -> u64>;

impl Race {
    fn new(
        name: &'static str,
        mut agent: impl Agent,
        jobs: impl Fn(&Reference, &Position) -> Vec<Job> + 'static,
    ) -> Self {
        agent.new_game(AgentSeed(SEED));
        Self {
            name,
            jobs: Box::new(move |positions| {
                let reference = Reference { rules: &Rules::default(), seed: SEED };
                positions.iter().flat_map(|position| jobs(&reference, position)).collect()
            }),
            decide: Box::new(move |positions| {
                positions.iter().map(|position| agent.choose_move(position).expect("a move").nodes).sum()
            }),
        }
    }

    fn pure(name: &'static str, spawn: Spawn) -> Self {
        let agent = PureMcts::create(&Rules::default(), PureMctsParams { spawn }, Host::silent());
        Self::new(name, agent.expect("standard rules"), move |reference, position| {
            let games = reference.pure_games(position, 100, spawn == Spawn::Shared);
            games.into_iter().flat_map(|(_, games)| games).collect()
        })
    }

    fn mdp(name: &'static str, params: Params) -> Self {
        let agent = Mdp::create(&Rules::default(), params, Host::silent());
        let plain = PlainMdp { games: [&TWOS, &FOURS], top: params.theta.top, ranks: [1, 2], gamma: None };
        Self::new(name, agent.expect("good parameters"), move |reference, position| {
            let states = reference.states(&plain, position).into_iter().flat_map(|(.., states)| states);
            states.flat_map(|state| state.seeds.into_iter().map(move |seed| (state.board, seed))).collect()
        })
    }

    /// Prints what both reach; returns whether the agent meets the target.
    fn run_and_report(&mut self, positions: &[Position]) -> bool {
        let playouts = Playouts::new(&Rules::default());
        let (mut games, mut engine_s, mut agent_s) = (0, 0.0, 0.0);
        for group in positions.chunks(GROUP) {
            let jobs = (self.jobs)(group);
            let mut rewards = 0;
            let mut play = || {
                playouts.random_many(jobs.iter().copied(), |_, playout| rewards += u64::from(playout.reward));
            };
            let (mut engine_best_s, mut agent_best_s) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..ROUNDS {
                engine_best_s = engine_best_s.min(seconds(&mut play));
                agent_best_s = agent_best_s.min(seconds(|| (self.decide)(group)));
            }
            assert!(rewards > 0);
            (games, engine_s, agent_s) =
                (games + jobs.len(), engine_s + engine_best_s, agent_s + agent_best_s);
        }
        let ratio = engine_s / agent_s;
        println!(
            "{:<24}{:>12}{:>14.0}{:>14.0}{ratio:>8.3}{TARGET:>8}{}",
            self.name,
            games / positions.len(),
            games as f64 / engine_s / 1e3,
            games as f64 / agent_s / 1e3,
            if ratio >= TARGET { "" } else { "  misses its target" },
        );
        ratio >= TARGET
    }
}
