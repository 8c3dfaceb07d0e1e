//! What is measured: the real binary, on experiments of the benchmark's own in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use platform::ConfinedPath;
use records::GameRecord;
use records::store::read_timing;

use crate::SEED;
use crate::common::{Cost, Lab, compile_plugin, experiment, random_plugin};

/// The program, and a laboratory with an experiment of each agent: moves of `random` cost nothing, those of
/// `spin` 100 microseconds.
pub(crate) struct Subject {
    lab: Lab,
    program: PathBuf,
}

impl Subject {
    pub(crate) fn new() -> Self {
        let lab = Lab::new();
        let seed = format!("seed = {SEED}");
        lab.paper("bench", &["random", "spin"].map(|agent| experiment(agent, agent, 1, &seed)).concat());
        lab.add_plugin(&random_plugin());
        let flags = ["-std=gnu11", "-O2", "-Wno-pedantic"];
        lab.add_plugin(&compile_plugin("pipeline/benches/overhead/spin.c", "spin", &flags));
        // The program looks for plugins beside itself. In the build folder it reads many libraries, and
        // the noise of its start hides what a few hundred games cost.
        lab.make_folder("bin");
        let program = lab.path("bin/pipeline");
        fs::copy(env!("CARGO_BIN_EXE_pipeline"), &program).expect("the program");
        Self { lab, program }
    }

    /// Plays this number of games from scratch.
    pub(crate) fn play(&self, agent: &str, games: u64, jobs: u32) -> Cost {
        let _ = fs::remove_dir_all(self.lab.path("results/records"));
        let _ = fs::remove_dir_all(self.lab.path("results/timing"));
        self.top_up(agent, games, jobs)
    }

    /// Plays the games that are missing.
    pub(crate) fn top_up(&self, agent: &str, games: u64, jobs: u32) -> Cost {
        self.run(&format!("run bench/{agent} --games {games} --jobs {jobs} --quiet"))
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

    /// The records of an agent.
    pub(crate) fn records(&self, agent: &str) -> Vec<GameRecord> {
        self.lab.records(&format!("bench/{agent}"))
    }

    /// The CPU time that the workers spent within the games of an agent, in nanoseconds.
    pub(crate) fn within_games_ns(&self, agent: &str) -> f64 {
        let timing = self.lab.path(format!("results/timing/bench/{agent}.parquet"));
        let timings = read_timing(&ConfinedPath::file(&timing)).expect("the timing");
        timings.iter().map(|timing| timing.cpu_ns as f64).sum()
    }
}
