//! What the C boundary costs: a move of the random agent from its plugin, and called directly.
//!
//! The two choose moves for the same positions in turns, round by round; the cost is the difference of the
//! two. The program fails where it misses the target: a move must cost the same whether an agent is linked or
//! loaded, next to what even the cheapest search takes. Without `--bench`, as under `cargo test`, it only
//! looks whether both decide alike.

mod common;

use std::hint::black_box;
use std::process::ExitCode;

use engine::abi::host::{LoadedAgent, Silent};
use engine::agent::{Agent, Host, Position};
use engine::{AgentSeed, Direction, Rules};
use random::{Params, Random};
use workers::plugin;

use common::{exit, is_bench, positions, random_plugin, seconds};

/// What a call through the boundary may cost, in nanoseconds.
const TARGET_NS: f64 = 20.0;

const POSITIONS: usize = 20_000;
const ROUNDS: u64 = 201;

fn main() -> ExitCode {
    let rules = Rules::default();
    let file = random_plugin();
    let opened = plugin::open(&file).unwrap_or_else(|error| panic!("{error}"));
    let mut loaded = opened.create(0, &rules, "{}", Silent).expect("the agent takes the standard rules");
    let mut direct = Random::create(&rules, Params {}, Host::silent()).expect("as above");
    let positions = positions(&rules, POSITIONS);
    assert_same_decisions(&mut loaded, &mut direct, &positions);
    if !is_bench() {
        return ExitCode::SUCCESS;
    }
    println!("loaded {}", file.display());
    let mut round = || {
        let through = |position: &Position| Some(loaded.choose_move(position).ok()?.direction);
        let through = time_ns(&positions, through);
        [through, time_ns(&positions, |position| Some(direct.choose_move(position).ok()?.direction))]
    };
    report(&(0..ROUNDS).map(|_| round()).collect::<Vec<_>>())
}

/// Prints the medians, and the quietest quarter of the rounds, by which the exit code goes: nanoseconds
/// cannot be put right by a ratio, and neighbours of the machine only ever add to them.
fn report(rounds: &[[f64; 2]]) -> ExitCode {
    let at = |part: usize| {
        let [through, direct] = [0, 1].map(|side| quantile(rounds.iter().map(|round| round[side]), part));
        let cost = quantile(rounds.iter().map(|round| round[0] - round[1]), part);
        format!("loaded {through:.1}, direct {direct:.1}, difference {cost:.1}")
    };
    println!("ns per move, median: {}", at(2));
    println!("ns per move, quiet:  {} (target: below {TARGET_NS})", at(1));
    let quiet_cost = quantile(rounds.iter().map(|round| round[0] - round[1]), 1);
    exit(quiet_cost < TARGET_NS)
}

fn assert_same_decisions(loaded: &mut LoadedAgent, direct: &mut Random, positions: &[Position]) {
    loaded.new_game(AgentSeed(1)).expect("a new game begins");
    direct.new_game(AgentSeed(1));
    for position in positions {
        assert_eq!(loaded.choose_move(position), Ok(direct.choose_move(position).expect("a move")));
    }
}

/// The nanoseconds that a move takes, on average over all positions.
///
/// Only the direction of a decision is looked at. A caller who copies all of it pays some nanoseconds more
/// for a loaded agent than for a linked one, which are not counted here.
fn time_ns(positions: &[Position], mut choose: impl FnMut(&Position) -> Option<Direction>) -> f64 {
    let all = seconds(|| {
        for position in positions {
            black_box(choose(black_box(position)));
        }
    });
    all * 1e9 / positions.len() as f64
}

/// A quartile of the numbers: the first, second or third.
fn quantile(numbers: impl Iterator<Item = f64>, quarters: usize) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() * quarters / 4]
}
