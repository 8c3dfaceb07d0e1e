//! What is measured: the real binary, on experiments of the benchmark's own in a folder of its own.

use platform::confined::ConfinedPath;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use records::record::GameRecord;
use records::store::{RecordsReader, read_timing};
use tempfile::TempDir;
use workers::plugin;

use crate::SEED;
use crate::machine::Cost;

/// The binary, the experiments and the folder for their results.
pub(crate) struct Subject {
    folder: TempDir,
    program: PathBuf,
    plugins: [PathBuf; 2],
}

/// The experiments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Experiment {
    /// Moves that cost nothing.
    Random,
    /// Moves of 100 microseconds.
    Spin,
}

impl Experiment {
    const fn agent(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Spin => "spin",
        }
    }
}

impl Subject {
    pub(crate) fn new() -> Self {
        let folder =
            tempfile::Builder::new().prefix("retile-bench-").tempdir().expect("a folder for results");
        let configs = folder.path().join("configs");
        fs::create_dir(&configs).expect("a folder for the manifest");
        fs::write(configs.join("bench.toml"), manifest()).expect("a manifest");
        let random = plugin::find_named("random").unwrap_or_else(|error| panic!("{error}"));
        let spin = compile_spin(folder.path());
        // The program looks for plugins beside itself. In the build folder it reads so many libraries that the noise of its start
        // hides what a few hundred games cost.
        let program = folder.path().join("bin").join("pipeline");
        fs::create_dir(folder.path().join("bin")).expect("a folder for the program");
        fs::copy(env!("CARGO_BIN_EXE_pipeline"), &program).expect("the program");
        Self { plugins: [random, spin], program, folder }
    }

    /// Plays so many games anew.
    pub(crate) fn play(&self, experiment: Experiment, games: u64, jobs: u32) -> Cost {
        let _ = fs::remove_dir_all(self.folder.path().join("results/records"));
        let _ = fs::remove_dir_all(self.folder.path().join("results/timing"));
        self.top_up(experiment, games, jobs)
    }

    /// Plays the games that are missing.
    pub(crate) fn top_up(&self, experiment: Experiment, games: u64, jobs: u32) -> Cost {
        let name = format!("bench/{}", experiment.agent());
        let (games, jobs) = (games.to_string(), jobs.to_string());
        self.pipeline(&["run", &name, "--games", &games, "--jobs", &jobs, "--quiet"])
    }

    /// Verifies what is stored.
    pub(crate) fn verify(&self) -> Cost {
        self.pipeline(&["verify"])
    }

    fn pipeline(&self, arguments: &[&str]) -> Cost {
        let mut command = Command::new(&self.program);
        command.args(arguments);
        command.arg("--configs").arg(self.folder.path().join("configs"));
        command.arg("--out").arg(self.folder.path().join("results"));
        self.plugins.iter().for_each(|file| {
            command.arg("--plugin").arg(file);
        });
        command.stdout(Stdio::null());
        Cost::of(&mut command)
    }

    /// The records of an experiment.
    pub(crate) fn records(&self, experiment: Experiment) -> Vec<GameRecord> {
        let mut reader = RecordsReader::open(&ConfinedPath::file(&self.file(experiment))).expect("records");
        reader.games().collect::<Result<_, _>>().expect("sound records")
    }

    /// The file of those records.
    pub(crate) fn file(&self, experiment: Experiment) -> PathBuf {
        self.result("records", experiment)
    }

    /// The CPU time that the workers spent within the games of an experiment, in nanoseconds.
    pub(crate) fn within_games_ns(&self, experiment: Experiment) -> f64 {
        let timings =
            read_timing(&ConfinedPath::file(&self.result("timing", experiment))).expect("the timing");
        timings.iter().map(|timing| timing.cpu_ns as f64).sum()
    }

    fn result(&self, kind: &str, experiment: Experiment) -> PathBuf {
        self.folder.path().join(format!("results/{kind}/bench/{}.parquet", experiment.agent()))
    }

    /// A folder for other files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

fn manifest() -> String {
    let experiment = |experiment: Experiment| {
        let agent = experiment.agent();
        format!("[[experiment]]\nid = \"{agent}\"\nagent = \"{agent}\"\ngames = 1\nseed = {SEED}\n")
    };
    let citation = "[citation]\ntitle = \"Benchmark\"\nauthors = [\"Retile contributors\"]\nyear = 2026\n";
    let experiments = [Experiment::Random, Experiment::Spin].map(experiment);
    format!("summary = \"What is measured.\"\n{citation}{}", experiments.concat())
}

fn compile_spin(folder: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plugin = folder.join(format!("{DLL_PREFIX}spin{DLL_SUFFIX}"));
    let mut command = Command::new("cc");
    command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I"]);
    command
        .arg(root.join("../engine/include"))
        .arg("-o")
        .arg(&plugin)
        .arg(root.join("benches/overhead/spin.c"));
    succeed(&mut command);
    plugin
}

/// Runs a command to its end, and shows what it said if it failed.
fn succeed(command: &mut Command) {
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
}
