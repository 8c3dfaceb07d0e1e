//! What a move costs that goes over the bridge: the pipe, two switches of process and the JSON, without the
//! program's own thinking. A program in C, which does no more than answer, is the floor; Python stands beside
//! it.
//!
//! The figure is that of the quietest rounds, which move little with what else the machine does.

mod common;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use engine::abi::host::{LoadedAgent, Silent};
use engine::agent::Position;
use engine::{AgentSeed, Rules};

use common::{compile_program_with, positions, root};

/// What a move over the bridge may cost with a program in C.
const LIMIT_US: f64 = 30.0;
const ROUNDS: usize = 40;
const MOVES: usize = 500;

fn main() {
    let program = compile_program_with("pipeline/tests/programs/bad.c", "floor", &["-O2"]);
    println!("a move over the bridge, on {}:", records::provenance::cpu_name());
    let floor = measure(&program);
    println!("  a program in C        {floor:6.1} µs   (limit {LIMIT_US} µs)");
    let python = root().join("docs/examples/corner.py");
    if python.exists() && Command::new("python3").arg("-V").output().is_ok() {
        println!("  docs/examples/corner.py {:4.1} µs   in Python", measure(&python));
    }
    assert!(floor < LIMIT_US, "a move over the bridge costs {floor:.1} µs, more than {LIMIT_US} µs");
}

/// Microseconds for a move: the median of the quietest quarter of the rounds.
fn measure(program: &Path) -> f64 {
    let plugin = workers::plugin::open(program).expect("it says hello");
    let mut agent = plugin.create(0, &Rules::default(), "{}", Silent).expect("it gets ready");
    let positions = positions(&Rules::default(), MOVES);
    let mut rounds: Vec<f64> = (0..ROUNDS).map(|_| round(&mut agent, &positions)).collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 8]
}

fn round(agent: &mut LoadedAgent, positions: &[Position]) -> f64 {
    agent.new_game(AgentSeed(1)).expect("a game begins");
    let start = Instant::now();
    for position in positions {
        std::hint::black_box(agent.choose_move(position).expect("a move"));
    }
    start.elapsed().as_secs_f64() * 1e6 / MOVES as f64
}
