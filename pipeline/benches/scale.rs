//! How commands scale: ten thousand experiments of two random games each, with few descriptors.
//!
//! Studies and clusters have that many. The real program runs in a scratch folder. What counts is its CPU time,
//! that of its workers included: what else the machine does barely changes it. The time that passed stands
//! beside it, for machines that do nothing else. Rendering has a cost that does not grow, its figures; so
//! linearity is judged by what each further experiment costs, among few and among many.

mod common;

use std::process::{Command, ExitCode, Stdio};

use records::provenance::cpu_name;

use common::{Cost, Lab, exit, experiment, verdict};

/// How many experiments there are; `RETILE_SCALE` in the environment is another number, for a quick look.
const EXPERIMENTS: u32 = 10_000;
/// The most descriptors that the program may have open.
const DESCRIPTORS: u32 = 256;
/// How much CPU time playing everything may take, in seconds: a user waits for less than a minute.
const RUN_LIMIT_S: f64 = 60.0;
/// How much every other command may take but `render`. That is as much as two cores do in 4 s; with the
/// little that runs on one core alone, a user waits for less than 5 s.
const COMMAND_LIMIT_S: f64 = 8.0;
/// How much more a further experiment may cost to render among many than among few. It is 1 where rendering
/// is linear, and 2.8 where it is quadratic.
const LARGEST_GROWTH: f64 = 1.5;

fn main() -> ExitCode {
    let experiments =
        std::env::var("RETILE_SCALE").map_or(EXPERIMENTS, |text| text.parse().expect("a number"));
    println!("{}: {experiments} experiments of two random games, CPU seconds", cpu_name());
    let sizes = [experiments / 10, experiments * 2 / 5, experiments];
    let mut are_met = true;
    let mut rendered = Vec::new();
    for size in sizes {
        let lab = Lab::new();
        lab.paper("many", &(0..size).map(experiment_with_claim).collect::<String>());
        let played = run(&lab, "run --quiet");
        if size == experiments {
            are_met &= played.is_within("run", RUN_LIMIT_S);
            for command in ["plan", "claims", "verify", "diff results results"] {
                are_met &= run(&lab, command).is_within(command, COMMAND_LIMIT_S);
            }
        }
        let cost = run(&lab, "render").min(run(&lab, "render")).cpu.as_secs_f64();
        println!("render {size}: {cost:.2}");
        rendered.push(cost);
    }
    exit(are_met & is_linear(sizes, &rendered))
}

fn experiment_with_claim(number: u32) -> String {
    let experiment = experiment(&format!("e{number}"), "random", 2, &format!("seed = {number}"));
    format!(
        "{experiment}[[claim]]\nid = \"c{number}\"\nplace = \"nowhere\"\ntext = \"It scores.\"\nkind = \"numeric\"\n\
         metric = \"score.mean\"\nexperiment = \"e{number}\"\npublished = 1000\nunit = \"points\"\nn = 10\n"
    )
}

/// Runs a command of the program with few descriptors. Its cost includes that of its workers.
fn run(lab: &Lab, arguments: &str) -> Cost {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -n {DESCRIPTORS} && exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_pipeline")).args(arguments.split(' ')).current_dir(lab.path(""));
    Cost::of(command.stdout(Stdio::null()).stdin(Stdio::null()))
}

/// Compares the cost of each further experiment between the sizes, which must not grow.
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
