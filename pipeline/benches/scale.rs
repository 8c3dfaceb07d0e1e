//! How commands grow with the number of experiments: ten thousand of two random games each, with few descriptors.
//!
//! A study or a cluster has so many. The real program runs in a scratch folder, and each command is timed as a user would wait for it;
//! a tenth of the experiments tells whether rendering grows in proportion.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use records::provenance::cpu_name;

/// How many experiments there are; `RETILE_SCALE` in the environment is another number, for a quick look.
const EXPERIMENTS: u32 = 10_000;
/// The most descriptors that the program may have open.
const DESCRIPTORS: u32 = 256;
/// How long playing everything may take, in seconds.
const RUN_LIMIT_S: f64 = 60.0;
/// How long every other command may take.
const COMMAND_LIMIT_S: f64 = 5.0;
/// How much longer ten times as many experiments may take to render.
const LARGEST_GROWTH: f64 = 15.0;

fn main() -> io::Result<()> {
    let experiments =
        std::env::var("RETILE_SCALE").map_or(EXPERIMENTS, |text| text.parse().expect("a number"));
    println!("{}: {experiments} experiments of two random games", cpu_name());
    let few = Laboratory::new(experiments / 10)?;
    few.time(&["run", "--quiet"])?;
    let few_rendered = few.time(&["render"])?;
    let many = Laboratory::new(experiments)?;
    report("run", many.time(&["run", "--quiet"])?, RUN_LIMIT_S);
    for command in [&["plan"][..], &["claims"], &["verify"], &["diff", "results", "results"]] {
        report(&command.join(" "), many.time(command)?, COMMAND_LIMIT_S);
    }
    let rendered = many.time(&["render"])?;
    let growth = rendered / few_rendered;
    let verdict = if growth < LARGEST_GROWTH { "meets" } else { "MISSES" };
    println!(
        "render: {rendered:.2} s, {growth:.1} times as long as for a tenth: {verdict} the limit of {LARGEST_GROWTH}"
    );
    Ok(())
}

fn report(command: &str, seconds: f64, limit: f64) {
    let verdict = if seconds < limit { "meets" } else { "MISSES" };
    println!("{command}: {seconds:.2} s: {verdict} the limit of {limit} s");
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

    /// Runs a command of the program with few descriptors, and says how many seconds it took.
    fn time(&self, arguments: &[&str]) -> io::Result<f64> {
        let program = Path::new(env!("CARGO_BIN_EXE_pipeline"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -n {DESCRIPTORS} && exec \"$0\" \"$@\"")).arg(program);
        command.args(arguments).current_dir(self.folder.path()).stdout(Stdio::null()).stdin(Stdio::null());
        let start = Instant::now();
        let status = command.status()?;
        let seconds = start.elapsed().as_secs_f64();
        assert!(status.success(), "{arguments:?} in {}: {status}", self.folder.path().display());
        Ok(seconds)
    }
}
