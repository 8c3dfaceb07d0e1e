//! What a cluster costs beside the games: a thousand shards planned, shown and collected, and what each adds to the games in it.
//!
//! The real program runs in a scratch folder; stand-ins for Slurm's programs answer at once, so that what is measured is ours. Stored
//! times say that a game takes a minute, which makes a thousand shards of two games each. What counts is CPU time.

use platform::confined::ConfinedPath;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use records::provenance::cpu_name;
use records::record::GameTiming;
use records::store::write_timing;
use wait4::Wait4 as _;

/// How many shards there are.
const SHARDS: usize = 1000;
/// How much CPU time each command may take, in seconds.
const COMMAND_LIMIT_S: f64 = 8.0;
/// How much CPU time a shard may take beside its games, in seconds: little, against the ten minutes that it plays at least.
const SHARD_LIMIT_S: f64 = 0.6;

fn main() -> io::Result<ExitCode> {
    println!("{}: {SHARDS} shards of two random games, CPU seconds", cpu_name());
    let laboratory = Laboratory::new()?;
    let arguments = ["cluster", "submit", "--shard-time", "2m", "--yes"];
    let mut are_met = laboratory.run(&arguments)?.is_within("submit", COMMAND_LIMIT_S);
    are_met &= laboratory.run(&["cluster", "status"])?.is_within("status, nothing played", COMMAND_LIMIT_S);
    are_met &= laboratory.play()?.is_within("a shard, with its games", SHARD_LIMIT_S);
    are_met &= laboratory.run(&["cluster", "status"])?.is_within("status, all played", COMMAND_LIMIT_S);
    are_met &= laboratory.run(&["cluster", "collect"])?.is_within("collect", COMMAND_LIMIT_S);
    let alone = laboratory.run(&["run", "--fresh", "--quiet"])?;
    println!("for comparison, `run` plays all games in {:.2} ({:.1} s passed)", alone.cpu_s, alone.wall_s);
    Ok(if are_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a command took.
struct Cost {
    cpu_s: f64,
    wall_s: f64,
}

impl Cost {
    fn is_within(&self, what: &str, limit: f64) -> bool {
        let is_met = self.cpu_s < limit;
        let verdict = if is_met { "meets" } else { "MISSES" };
        println!("{what}: {:.3}: {verdict} the limit of {limit} ({:.2} s passed)", self.cpu_s, self.wall_s);
        is_met
    }
}

/// A scratch folder with an experiment, and with stand-ins for Slurm's programs.
struct Laboratory {
    folder: tempfile::TempDir,
}

impl Laboratory {
    fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("retile-cluster-").tempdir()?;
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("paper-configs"))?;
        fs::create_dir(at("slurm"))?;
        let games = 2 * SHARDS;
        let manifest = format!(
            "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n[[experiment]]\nid = \"e\"\nagent = \"random\"\ngames = {games}\n"
        );
        fs::write(at("paper-configs/p.toml"), manifest)?;
        for (program, answer) in
            [("sbatch", "echo 1"), ("squeue", ":"), ("scontrol", ":"), ("sacct", "exit 1")]
        {
            let path = at("slurm").join(program);
            fs::write(&path, format!("#!/bin/sh\n{answer}\n"))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        let minute = |game| GameTiming { game, cpu_ns: 60_000_000_000, wall_ns: 60_000_000_000 };
        let timings: Vec<GameTiming> = (0..20).map(minute).collect();
        write_timing(&ConfinedPath::file(&at("results/timing/p/e.parquet")), &timings)
            .map_err(io::Error::other)?;
        Ok(Self { folder })
    }

    fn work_folder(&self) -> PathBuf {
        self.folder.path().join("results/.cluster")
    }

    /// Runs a command of the program, and says what it took.
    fn run(&self, arguments: &[&str]) -> io::Result<Cost> {
        self.start(Path::new(env!("CARGO_BIN_EXE_pipeline")), arguments)
    }

    fn start(&self, program: &Path, arguments: &[&str]) -> io::Result<Cost> {
        let path = format!(
            "{}:{}",
            self.folder.path().join("slurm").display(),
            std::env::var("PATH").unwrap_or_default()
        );
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path()).env("PATH", path);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let start = Instant::now();
        let mut child = command.spawn()?;
        let stderr = child.stderr.take();
        let used = child.wait4()?;
        let wall_s = start.elapsed().as_secs_f64();
        let mut said = String::new();
        stderr.map_or(Ok(0), |mut stderr| stderr.read_to_string(&mut said))?;
        assert!(
            used.status.success(),
            "{arguments:?} in {}: {}: {said}",
            self.folder.path().display(),
            used.status
        );
        let cpu: Duration = used.rusage.utime + used.rusage.stime;
        Ok(Cost { cpu_s: cpu.as_secs_f64(), wall_s })
    }

    /// Plays every shard, as the nodes of a cluster would, and says what one took on average.
    fn play(&self) -> io::Result<Cost> {
        let (next, all) = (AtomicUsize::new(0), Mutex::new((0.0, 0.0)));
        let (program, folder) = (self.work_folder().join("program/pipeline"), self.work_folder());
        let play = || -> io::Result<()> {
            loop {
                let shard = next.fetch_add(1, Ordering::Relaxed);
                if shard >= SHARDS {
                    return Ok(());
                }
                let (folder, place) = (folder.display().to_string(), shard.to_string());
                let cost = self.start(&program, &["cluster", "work", &folder, "1", &place])?;
                let mut all = all.lock().expect("no thread has panicked");
                (all.0, all.1) = (all.0 + cost.cpu_s, all.1 + cost.wall_s);
            }
        };
        std::thread::scope(|threads| {
            let players: Vec<_> = (0..2).map(|_| threads.spawn(play)).collect();
            players.into_iter().try_for_each(|player| player.join().expect("no thread has panicked"))
        })?;
        let (cpu_s, wall_s) = *all.lock().expect("no thread has panicked");
        Ok(Cost { cpu_s: cpu_s / SHARDS as f64, wall_s: wall_s / SHARDS as f64 })
    }
}
