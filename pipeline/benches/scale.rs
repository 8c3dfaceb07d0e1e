//! How commands grow with the number of experiments: ten thousand of two random games each, with few descriptors.
//!
//! A study or a cluster has so many. The real program runs in a scratch folder. What counts is its CPU time, that of its workers included:
//! what else the machine does barely changes it. The time that passed stands beside it, for machines that do nothing else.
//! Rendering has a cost that does not grow, its figures; so linearity is told by what each further experiment costs, where there are few and
//! where there are many.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use records::provenance::cpu_name;
use wait4::Wait4 as _;

/// How many experiments there are; `RETILE_SCALE` in the environment is another number, for a quick look.
const EXPERIMENTS: u32 = 10_000;
/// The most descriptors that the program may have open.
const DESCRIPTORS: u32 = 256;
/// How much CPU time playing everything may take, in seconds: a user waits for less than a minute.
const RUN_LIMIT_S: f64 = 60.0;
/// How much every other command may take but `render`. That is as much as two cores do in 4 s; with the little that runs on one core alone, a
/// user waits for less than 5 s.
const COMMAND_LIMIT_S: f64 = 8.0;
/// How much more a further experiment may cost to render among many than among few. It is 1 where rendering is linear, and 2.8 where it is
/// quadratic.
const LARGEST_GROWTH: f64 = 1.5;

fn main() -> io::Result<ExitCode> {
    let experiments =
        std::env::var("RETILE_SCALE").map_or(EXPERIMENTS, |text| text.parse().expect("a number"));
    println!("{}: {experiments} experiments of two random games, CPU seconds", cpu_name());
    let sizes = [experiments / 10, experiments * 2 / 5, experiments];
    let mut are_met = true;
    let mut rendered = Vec::new();
    for size in sizes {
        let laboratory = Laboratory::new(size)?;
        let played = laboratory.run(&["run", "--quiet"])?;
        if size == experiments {
            are_met &= played.is_within("run", RUN_LIMIT_S);
            for command in [&["plan"][..], &["claims"], &["verify"], &["diff", "results", "results"]] {
                are_met &= laboratory.run(command)?.is_within(&command.join(" "), COMMAND_LIMIT_S);
            }
        }
        // The better of two: what disturbs a run only ever adds to it.
        let costs = [laboratory.run(&["render"])?, laboratory.run(&["render"])?];
        let [one, other] = costs.map(|cost| cost.cpu_s);
        rendered.push(one.min(other));
        println!("render {size}: {:.2}", one.min(other));
    }
    are_met &= is_linear(sizes, &rendered);
    Ok(if are_met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares what each further experiment costs from the first size to the second with what it costs from there to the third.
fn is_linear(sizes: [u32; 3], rendered: &[f64]) -> bool {
    let each = |few: usize, many: usize| {
        (rendered[many] - rendered[few]) / f64::from(sizes[many] - sizes[few]) * 1000.0
    };
    let (few, many) = (each(0, 1), each(1, 2));
    let growth = many / few;
    let is_met = growth < LARGEST_GROWTH;
    println!(
        "render: a further experiment costs {few:.2} ms among few and {many:.2} ms among many, {growth:.2} times as much: {} the limit of \
         {LARGEST_GROWTH}",
        verdict(is_met)
    );
    is_met
}

const fn verdict(is_met: bool) -> &'static str {
    if is_met { "meets" } else { "MISSES" }
}

/// What a command took.
struct Cost {
    cpu_s: f64,
    wall_s: f64,
}

impl Cost {
    fn is_within(&self, command: &str, limit: f64) -> bool {
        let is_met = self.cpu_s < limit;
        println!(
            "{command}: {:.2}: {} the limit of {limit} ({:.1} s passed)",
            self.cpu_s,
            verdict(is_met),
            self.wall_s
        );
        is_met
    }
}

/// A scratch folder with a manifest of many experiments.
struct Laboratory {
    folder: tempfile::TempDir,
}

impl Laboratory {
    fn new(experiments: u32) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("retile-scale-").tempdir()?;
        fs::create_dir(folder.path().join("paper-configs"))?;
        let mut manifest = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n".to_owned();
        for number in 0..experiments {
            manifest.push_str(&format!(
                "[[experiment]]\nid = \"e{number}\"\nagent = \"random\"\ngames = 2\nseed = {number}\n\
                 [[claim]]\nid = \"c{number}\"\nplace = \"nowhere\"\ntext = \"It scores.\"\nkind = \"numeric\"\n\
                 metric = \"score.mean\"\nexperiment = \"e{number}\"\npublished = 1000\nunit = \"points\"\nn = 10\n"
            ));
        }
        fs::write(folder.path().join("paper-configs/many.toml"), manifest)?;
        Ok(Self { folder })
    }

    /// Runs a command of the program with few descriptors, and says what it took.
    fn run(&self, arguments: &[&str]) -> io::Result<Cost> {
        let program = Path::new(env!("CARGO_BIN_EXE_pipeline"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -n {DESCRIPTORS} && exec \"$0\" \"$@\"")).arg(program);
        command.args(arguments).current_dir(self.folder.path()).stdout(Stdio::null()).stdin(Stdio::null());
        let start = Instant::now();
        // It has waited for its workers, so what they took is part of what it took.
        let used = command.spawn()?.wait4()?;
        let wall_s = start.elapsed().as_secs_f64();
        assert!(used.status.success(), "{arguments:?} in {}: {}", self.folder.path().display(), used.status);
        let cpu: Duration = used.rusage.utime + used.rusage.stime;
        Ok(Cost { cpu_s: cpu.as_secs_f64(), wall_s })
    }
}
