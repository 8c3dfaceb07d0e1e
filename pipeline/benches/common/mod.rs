//! What the benchmarks share: the cost of a command, limits, positions, and the laboratory of the tests.
#![allow(dead_code, unused_imports, reason = "every benchmark uses a part of it")]

#[path = "../../../engine/benches/common/mod.rs"]
mod engine_benches;
#[path = "../../tests/common/mod.rs"]
mod tests;

use std::process::Command;
use std::time::{Duration, Instant};

use engine::agent::{Budget, Position};
use engine::{AgentSeed, Game, Rules, TileSeed};
use wait4::Wait4 as _;

pub(crate) use engine_benches::{exit, is_bench, seconds};
pub(crate) use tests::build::{compile_plugin, compile_program_with, random_plugin};
pub(crate) use tests::lab::Lab;
pub(crate) use tests::manifests::experiment;
pub(crate) use tests::root;
pub(crate) use tests::stored::records;

/// The verb for a limit.
pub(crate) const fn verdict(is_met: bool) -> &'static str {
    if is_met { "meets" } else { "MISSES" }
}

/// What a process took, and those that it started and waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// CPU time.
    pub(crate) cpu: Duration,
    /// Wall time.
    pub(crate) wall: Duration,
    /// The memory of the largest of them, in megabytes.
    pub(crate) peak_mb: f64,
}

impl Cost {
    /// What a command takes, which must succeed.
    pub(crate) fn of(command: &mut Command) -> Self {
        let begun = Instant::now();
        let used = command.spawn().expect("the command starts").wait4().expect("its resource usage");
        assert!(used.status.success(), "{command:?}: {}", used.status);
        let cpu = used.rusage.utime + used.rusage.stime;
        Self { cpu, wall: begun.elapsed(), peak_mb: used.rusage.maxrss as f64 / 1e6 }
    }

    /// The better of two measurements of the same work: what disturbs one only ever adds to it.
    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.min(other.cpu),
            wall: self.wall.min(other.wall),
            peak_mb: self.peak_mb.min(other.peak_mb),
        }
    }

    /// What is left of a long run without the beginning and end that a short one has as well.
    pub(crate) fn beyond(self, short: Self) -> Self {
        Self {
            cpu: self.cpu.saturating_sub(short.cpu),
            wall: self.wall.saturating_sub(short.wall),
            peak_mb: self.peak_mb,
        }
    }

    /// Prints the CPU time of a command beside its limit in seconds. Returns whether it meets it.
    pub(crate) fn is_within(self, what: &str, limit_s: f64) -> bool {
        let (cpu_s, wall_s) = (self.cpu.as_secs_f64(), self.wall.as_secs_f64());
        let is_met = cpu_s < limit_s;
        println!("{what}: {cpu_s:.2}: {} the limit of {limit_s} ({wall_s:.1} s passed)", verdict(is_met));
        is_met
    }
}

/// Positions of whole random games, one after the other.
pub(crate) fn positions(rules: &Rules, count: usize) -> Vec<Position> {
    let mut rng = AgentSeed(2048).rng();
    let mut positions = Vec::with_capacity(count);
    for seed in 0.. {
        let mut game = Game::new(rules, TileSeed(seed));
        while game.ending().is_none() && positions.len() < count {
            positions.push(Position::of_game(&game, Budget::None));
            let number = rng.below(game.legal_moves().len()) as usize;
            let direction = game.legal_moves().iter().nth(number).expect("the game is not over");
            game.play(direction).expect("it is legal");
        }
        if positions.len() == count {
            break;
        }
    }
    positions
}
