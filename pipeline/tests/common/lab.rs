//! A laboratory: a scratch folder with manifests, plugins and results, in which the real program runs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use surroundings::confined::ConfinedPath;

use records::record::GameRecord;
use records::store::{RecordsReader, RecordsSummary};
use serde_json::Value;
use tempfile::TempDir;

/// The scratch folder. The program is started in it, so that the default folders are inside.
pub(crate) struct Lab {
    folder: TempDir,
}

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Lab {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("retile-lab-").tempdir().unwrap();
        fs::create_dir(folder.path().join("paper-configs")).unwrap();
        fs::create_dir(folder.path().join("plugins")).unwrap();
        Self { folder }
    }

    /// A laboratory with one paper, `p`, whose experiments are given as TOML.
    pub(crate) fn with(experiments: &str) -> Self {
        let lab = Self::new();
        lab.paper("p", experiments);
        lab
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the manifest of a paper.
    pub(crate) fn paper(&self, id: &str, experiments: &str) {
        let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n";
        fs::write(self.path(&format!("paper-configs/{id}.toml")), format!("{citation}{experiments}"))
            .unwrap();
    }

    /// Puts a plugin where the program looks for it.
    pub(crate) fn add_plugin(&self, file: &Path) {
        let name = file.file_name().unwrap().to_str().unwrap();
        fs::copy(file, self.path(&format!("plugins/{name}"))).unwrap();
    }

    /// Puts a program where the program looks for agents: a shell script, and the file that says what starts it.
    pub(crate) fn add_script(&self, name: &str, script: &str) {
        let file = self.path(&format!("plugins/{name}"));
        fs::write(&file, format!("#!/bin/sh\n{script}")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let sheet = format!("command = [\"./{name}\"]\n");
        fs::write(self.path(&format!("plugins/{name}.agent")), sheet).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pipeline"));
        command.args(arguments).current_dir(self.folder.path());
        command.env("RETILE_AGENT_PATH", self.path("plugins"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Runs a command that must succeed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran
    }

    /// Starts the program and lets it run.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    /// The records file of an experiment, given as `paper/experiment`.
    pub(crate) fn records_file(&self, experiment: &str) -> PathBuf {
        self.path(&format!("results/records/{experiment}.parquet"))
    }

    pub(crate) fn journal(&self, experiment: &str) -> PathBuf {
        self.path(&format!("results/records/{experiment}.journal"))
    }

    pub(crate) fn records(&self, experiment: &str) -> Vec<GameRecord> {
        records(&self.records_file(experiment))
    }

    pub(crate) fn digest(&self, experiment: &str) -> String {
        RecordsSummary::read(&ConfinedPath::file(&self.records_file(experiment)))
            .unwrap()
            .expect("there are records")
            .digest
    }
}

/// The records of a file.
pub(crate) fn records(file: &Path) -> Vec<GameRecord> {
    RecordsReader::open(&ConfinedPath::file(file)).unwrap().games().collect::<Result<_, _>>().unwrap()
}

/// An experiment in TOML: its id, its agent, its games, and further lines.
pub(crate) fn experiment(id: &str, agent: &str, games: u64, more: &str) -> String {
    format!("[[experiment]]\nid = \"{id}\"\nagent = \"{agent}\"\ngames = {games}\n{more}\n")
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
}

impl Ran {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts an exit code, and that standard error has all of these words.
    pub(crate) fn assert_fails(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in {self:?}");
        }
    }
}

/// Waits until something is so; a machine under load gets all the time that it needs.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(120);
    while !is_so() {
        assert!(Instant::now() < patience, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal to a process, or to a group where the number is negative.
pub(crate) fn signal(name: &str, process: i64) {
    let status = Command::new("kill").arg(format!("-{name}")).arg("--").arg(process.to_string()).status();
    assert!(status.is_ok());
}

/// The processes that have this one as their parent.
pub(crate) fn children(process: u32) -> Vec<u32> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if parent(id) == Some(process) {
            children.push(id);
        }
    }
    children
}

/// Whether a process is there and no zombie.
pub(crate) fn is_alive(process: u32) -> bool {
    stat(process).is_some_and(|stat| !stat.starts_with('Z'))
}

fn parent(process: u32) -> Option<u32> {
    stat(process)?.split(' ').nth(1)?.parse().ok()
}

/// What the system says of a process, behind its name.
fn stat(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_owned())
}
