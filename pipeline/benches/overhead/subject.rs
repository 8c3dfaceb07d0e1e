//! What is measured: the real binary, on experiments of the benchmark's own in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use platform::confined::ConfinedPath;
use records::record::GameRecord;
use records::store::read_timing;
use workers::plugin;

use crate::SEED;
use crate::common::{Cost, Lab, compile_plugin, experiment};

/// The program, and a laboratory with the experiments.
pub(crate) struct Subject {
    pub(crate) lab: Lab,
    program: PathBuf,
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
        let agents = [Experiment::Random, Experiment::Spin].map(Experiment::agent);
        let lab = Lab::new();
        let seed = format!("seed = {SEED}");
        lab.paper("bench", &agents.map(|agent| experiment(agent, agent, 1, &seed)).concat());
        lab.add_plugin(&plugin::find_named("random").unwrap_or_else(|error| panic!("{error}")));
        let flags = ["-std=gnu11", "-O2", "-Wno-pedantic"];
        lab.add_plugin(&compile_plugin("pipeline/benches/overhead/spin.c", "spin", &flags));
        // The program looks for plugins beside itself. In the build folder it reads so many libraries that
        // the noise of its start hides what a few hundred games cost.
        lab.make_folder("bin");
        let program = lab.path("bin/pipeline");
        fs::copy(env!("CARGO_BIN_EXE_pipeline"), &program).expect("the program");
        Self { lab, program }
    }

    /// Plays so many games anew.
    pub(crate) fn play(&self, experiment: Experiment, games: u64, jobs: u32) -> Cost {
        let _ = fs::remove_dir_all(self.lab.path("results/records"));
        let _ = fs::remove_dir_all(self.lab.path("results/timing"));
        self.top_up(experiment, games, jobs)
    }

    /// Plays the games that are missing.
    pub(crate) fn top_up(&self, experiment: Experiment, games: u64, jobs: u32) -> Cost {
        self.run(&format!("run bench/{} --games {games} --jobs {jobs} --quiet", experiment.agent()))
    }

    /// Verifies what is stored.
    pub(crate) fn verify(&self) -> Cost {
        self.run("verify")
    }

    fn run(&self, arguments: &str) -> Cost {
        let mut command = Command::new(&self.program);
        command.args(arguments.split(' ')).current_dir(self.lab.path(""));
        Cost::of(command.env("RETILE_AGENT_PATH", self.lab.path("plugins")).stdout(Stdio::null()))
    }

    /// The records of an experiment.
    pub(crate) fn records(&self, experiment: Experiment) -> Vec<GameRecord> {
        self.lab.records(&format!("bench/{}", experiment.agent()))
    }

    /// The CPU time that the workers spent within the games of an experiment, in nanoseconds.
    pub(crate) fn within_games_ns(&self, experiment: Experiment) -> f64 {
        let timing = self.lab.path(format!("results/timing/bench/{}.parquet", experiment.agent()));
        let timings = read_timing(&ConfinedPath::file(&timing)).expect("the timing");
        timings.iter().map(|timing| timing.cpu_ns as f64).sum()
    }
}
