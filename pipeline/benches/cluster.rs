//! What a cluster costs beside the games: a thousand shards planned, shown and collected, and what each adds
//! to the games in it.
//!
//! The real program runs in a scratch folder; stand-ins for Slurm's programs answer at once, so that what is
//! measured is ours. Stored times say that a game takes a minute, which makes a thousand shards of two games
//! each. What counts is CPU time.

mod common;

use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use platform::ConfinedPath;
use records::GameTiming;
use records::provenance::cpu_name;
use records::store::write_timing;

use common::{Cost, Lab, exit, experiment};

/// How many shards there are.
const SHARDS: u32 = 1000;
/// How much CPU time each command may take, in seconds.
const COMMAND_LIMIT_S: f64 = 8.0;
/// How much CPU time a shard may take beside its games, in seconds; it plays for at least 10 minutes.
const SHARD_LIMIT_S: f64 = 0.6;

fn main() -> ExitCode {
    println!("{}: {SHARDS} shards of two random games, CPU seconds", cpu_name());
    let lab = Lab::with(&experiment("e", "random", u64::from(2 * SHARDS), ""));
    let path = lab.add_slurm();
    lab.script("slurm/sacct", "exit 1");
    let minute = |game| GameTiming { game, cpu_ns: 60_000_000_000, wall_ns: 60_000_000_000 };
    let timings: Vec<GameTiming> = (0..20).map(minute).collect();
    let timing = ConfinedPath::file(&lab.path("results/timing/p/e.parquet"));
    write_timing(&timing, &timings).expect("a file of timings");
    let cost = |mut command: Command| {
        Cost::of(command.env("PATH", &path).stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let is_within =
        |what: &str, arguments: &str| cost(lab.command(arguments)).is_within(what, COMMAND_LIMIT_S);
    let mut are_met = is_within("submit", "cluster submit --shard-time 2m --yes");
    are_met &= is_within("status, nothing played", "cluster status");
    are_met &= play(&lab, &cost).is_within("a shard, with its games", SHARD_LIMIT_S);
    are_met &= is_within("status, all played", "cluster status");
    are_met &= is_within("collect", "cluster collect");
    let alone = cost(lab.command("run --fresh --quiet"));
    let (cpu_s, wall_s) = (alone.cpu.as_secs_f64(), alone.wall.as_secs_f64());
    println!("for comparison, `run` plays all games in {cpu_s:.2} ({wall_s:.1} s passed)");
    exit(are_met)
}

/// Plays every shard, as the nodes of a cluster would. Returns what one took on average.
fn play(lab: &Lab, cost: &(impl Fn(Command) -> Cost + Sync)) -> Cost {
    let (next, all) = (AtomicU32::new(0), Mutex::new(Vec::new()));
    let folder = lab.path("results/.cluster");
    let play = || {
        while let shard @ 0..SHARDS = next.fetch_add(1, Ordering::Relaxed) {
            let mut command = Command::new(folder.join("program/pipeline"));
            command.args(["cluster", "work"]).arg(&folder).args(["1", &shard.to_string()]);
            let cost = cost(command);
            all.lock().expect("no thread has panicked").push(cost);
        }
    };
    std::thread::scope(|threads| {
        threads.spawn(play);
        threads.spawn(play);
    });
    let all = all.into_inner().expect("no thread has panicked");
    let [cpu, wall] =
        [|cost: &Cost| cost.cpu, |cost: &Cost| cost.wall].map(|of| all.iter().map(of).sum::<Duration>());
    Cost { cpu: cpu / SHARDS, wall: wall / SHARDS, peak_mb: 0.0 }
}
