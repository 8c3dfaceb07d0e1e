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

/// What a contestant of a race must reach.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    None,
    /// This many times the speed of the first: the median of the ratios within the rounds.
    Ratio(f64),
    /// The same for the best rounds: whatever else the machine does can only make a round slower.
    BestRatio(f64),
    /// This many units a second, in the median.
    Speed(f64),
}

/// Contestants that do the same work in turns, round by round, so that whatever else the machine does hits
/// them alike. The function of each does all of its work, and returns how many units that was. The first is
/// the yardstick.
#[derive(Default)]
pub(crate) struct Race<'a>(Vec<(String, Target, Work<'a>)>);

type Work<'a> = Box<dyn FnMut() -> u64 + 'a>;

impl<'a> Race<'a> {
    pub(crate) fn with(
        mut self,
        name: impl Into<String>,
        target: Target,
        work: impl FnMut() -> u64 + 'a,
    ) -> Self {
        self.0.push((name.into(), target, Box::new(work)));
        self
    }

    /// Prints a line for each contestant; returns whether all reached their targets.
    pub(crate) fn run_and_report(mut self, rounds: usize) -> bool {
        let mut round = || self.0.iter_mut().map(|(.., work)| speed(work)).collect();
        let rounds: Vec<Vec<f64>> = (0..rounds).map(|_| round()).collect();
        let speeds = |index: usize| rounds.iter().map(move |round| round[index]);
        let best = |index| speeds(index).fold(0.0, f64::max);
        let mut has_passed = true;
        for (index, (name, target, _)) in self.0.iter().enumerate() {
            let (speed, best_ratio) = (median(speeds(index)), best(index) / best(0));
            let ratio = median(rounds.iter().map(|round| round[index] / round[0]));
            let is_reached = match *target {
                Target::None => true,
                Target::Ratio(least) => ratio >= least,
                Target::BestRatio(least) => best_ratio >= least,
                Target::Speed(least) => speed >= least,
            };
            let verdict = if is_reached { "" } else { "  misses its target" };
            let [speed, best] = [speed, best(index)].map(|speed| speed / 1e3);
            println!("{name:<32}{speed:>12.1}{ratio:>9.2}x{best:>12.1}{best_ratio:>9.2}x{verdict}");
            has_passed &= is_reached;
        }
        has_passed
    }
}

/// Prints the processor, what is measured, and the head of the lines of races.
pub(crate) fn print_head(measured: &str) {
    println!("{}; {measured}", processor());
    println!("{:<32}{:>12}{:>10}{:>12}{:>10}", "thousands a second", "median", "ratio", "best", "ratio");
}
