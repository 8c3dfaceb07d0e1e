//! What the benchmarks of engine and agents share.

#![allow(dead_code, reason = "every benchmark uses a part of it")]

use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

/// Whether to measure. Without `--bench`, as under `cargo test`, a benchmark only compares results.
pub(crate) fn is_bench() -> bool {
    env::args().any(|argument| argument == "--bench")
}

/// The exit code of a benchmark.
pub(crate) fn exit(has_passed: bool) -> ExitCode {
    if has_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The processor's name, or at least its kind.
pub(crate) fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| env::consts::ARCH.to_owned())
}

/// The seconds that some work takes.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

/// The speed of work that counts its units: units a second.
pub(crate) fn speed(work: impl FnOnce() -> u64) -> f64 {
    let mut units = 0;
    let seconds = seconds(|| units = work());
    units as f64 / seconds
}

/// The median of each contestant over all rounds.
pub(crate) fn medians<const N: usize>(rounds: &[[f64; N]]) -> [f64; N] {
    std::array::from_fn(|index| median(rounds.iter().map(|round| round[index])))
}

/// The median of the ratios of one contestant to another within the rounds.
pub(crate) fn ratio<const N: usize>(rounds: &[[f64; N]], one: usize, to: usize) -> f64 {
    median(rounds.iter().map(|round| round[one] / round[to]))
}

pub(crate) fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
