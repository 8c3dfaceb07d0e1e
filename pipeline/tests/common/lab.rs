//! A laboratory: a scratch folder with manifests, plugins and results, in which the real program runs.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use records::{GameRecord, Header};
use serde_json::Value;
use tempfile::TempDir;

use super::build::{BAD, compile_plugin};
use super::command_output::CommandOutput;
use super::manifests::experiment;
use super::process::wait_until;
use super::stored::{records, summary};

/// The program that runs in laboratories, unless a test crate brings its own.
pub(crate) static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The words of a command line: a text split at blanks outside of single quotes.
fn split(text: &str) -> Vec<&str> {
    let parts = text.split('\'').enumerate();
    let words = |(number, part): (usize, _)| match number % 2 {
        0 => str::split_whitespace(part).collect(),
        _ => vec![part],
    };
    parts.flat_map(words).collect()
}

/// The scratch folder. The program is started in it, so that the default folders are inside.
pub(crate) struct Lab {
    folder: TempDir,
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

    /// A laboratory with an experiment `p/slow` whose agent pauses before each move.
    pub(crate) fn slow(games: u64, pause_us: u32) -> Self {
        let lab = Self::with(&experiment("slow", "bad", games, ""));
        lab.build_plugin(BAD, &format!("slow-{pause_us}"), &[&format!("-DSLEEP_US={pause_us}")]);
        lab
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The JSON in a file.
    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn make_folder(&self, name: &str) {
        fs::create_dir_all(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Removes a file, or a folder with everything in it.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.path(name);
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Makes a symbolic link to any path.
    pub(crate) fn link(&self, target: impl AsRef<Path>, name: &str) {
        symlink(target, self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    pub(crate) fn named_pipe(&self, name: &str) {
        assert!(Command::new("mkfifo").arg(self.path(name)).status().unwrap().success(), "{name}");
    }

    /// Replaces some text of a file, which must be there.
    #[track_caller]
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "no `{from}` in {name}: {text}");
        self.write(name, text.replace(from, to));
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Writes the manifest of a paper.
    pub(crate) fn paper(&self, id: &str, experiments: &str) {
        let citation = "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\nyear = 2026\n";
        self.write(&format!("paper-configs/{id}.toml"), format!("{citation}{experiments}"));
    }

    /// Puts a plugin where the program looks for it.
    pub(crate) fn add_plugin(&self, file: &Path) {
        self.install(file, file.file_name().unwrap().to_str().unwrap());
    }

    /// Puts a plugin where the program looks for it, under a name of its own, in the place of the one before.
    pub(crate) fn install(&self, file: &Path, name: &str) {
        let place = self.path(format!("plugins/{name}"));
        // Never written over: a library that is open somewhere would change under its feet.
        let _ = fs::remove_file(&place);
        fs::copy(file, place).unwrap();
    }

    /// Compiles a plugin, and puts it where the program looks for it.
    pub(crate) fn build_plugin(&self, source: &str, name: &str, flags: &[&str]) {
        self.add_plugin(&compile_plugin(source, name, flags));
    }

    /// Writes a shell script that can be started.
    pub(crate) fn script(&self, name: &str, script: &str) -> PathBuf {
        self.write(name, format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        self.path(name)
    }

    /// Adds a program as an agent: a shell script, and the file with its command.
    pub(crate) fn add_script(&self, name: &str, script: &str) {
        self.script(&format!("plugins/{name}"), script);
        self.write(&format!("plugins/{name}.agent"), format!("command = [\"./{name}\"]\n"));
    }

    /// Adds an agent over the bridge: a shell script with these further keys in its hello, and what it does
    /// with a position, whose legal directions are in `$legal` and the first of them in `$first`; `$setup`
    /// and `$game` hold the messages before it.
    pub(crate) fn add_agent(&self, name: &str, hello: &str, position: &str) {
        self.add_script(name, &bridge_script(name, hello, position));
    }

    /// A `PATH` that begins with a folder of the laboratory.
    pub(crate) fn search_path(&self, folder: &str) -> String {
        format!("{}:{}", self.path(folder).display(), std::env::var("PATH").unwrap())
    }

    /// Adds programs with Slurm's names, which accept every job and play none. Returns a `PATH` with them.
    pub(crate) fn add_slurm(&self) -> String {
        fs::create_dir(self.path("slurm")).unwrap();
        self.script("slurm/sbatch", "echo 7");
        for program in ["squeue", "scontrol", "sacct", "scancel"] {
            self.script(&format!("slurm/{program}"), ":");
        }
        self.search_path("slurm")
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let program = PROGRAM.get_or_init(|| PathBuf::from(env!("CARGO_BIN_EXE_pipeline")));
        let mut command = Command::new(program);
        command.args(split(arguments)).current_dir(self.folder.path());
        command.env("RETILE_AGENT_PATH", self.path("plugins"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> CommandOutput {
        (&mut self.command(arguments)).into()
    }

    /// Runs a command with a variable in its environment.
    pub(crate) fn run_with(&self, name: &str, value: impl AsRef<OsStr>, arguments: &str) -> CommandOutput {
        self.command(arguments).env(name, value).into()
    }

    /// Runs a command that must succeed.
    #[track_caller]
    pub(crate) fn succeed(&self, arguments: &str) -> CommandOutput {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments}: {ran:?}");
        ran
    }

    /// The JSON that a command prints, which must succeed.
    #[track_caller]
    pub(crate) fn json_of(&self, arguments: &str) -> Value {
        self.succeed(&format!("{arguments} --json")).json()
    }

    /// Starts the program and lets it run.
    pub(crate) fn start(&self, arguments: &str) -> Child {
        self.command(arguments).spawn().unwrap()
    }

    /// Plays an experiment in parts, one run each, with these options. Returns their files.
    #[track_caller]
    pub(crate) fn play_parts(&self, experiment: &str, parts: u32, options: &str) -> Vec<String> {
        let play = |part: u32| {
            self.succeed(&format!("run {experiment} --shard {part}/{parts} {options}"));
            format!("results/records/{experiment}.part-{part}-of-{parts}.parquet")
        };
        (1..=parts).map(play).collect()
    }

    /// The records file of an experiment, given as `paper/experiment`.
    pub(crate) fn records_file(&self, experiment: &str) -> PathBuf {
        self.path(format!("results/records/{experiment}.parquet"))
    }

    pub(crate) fn journal(&self, experiment: &str) -> PathBuf {
        self.path(format!("results/records/{experiment}.journal"))
    }

    /// Waits until the journal of an experiment has more bytes than this.
    pub(crate) fn wait_for_games(&self, experiment: &str, bytes: u64) {
        wait_for_bytes(&self.journal(experiment), bytes);
    }

    pub(crate) fn records(&self, experiment: &str) -> Vec<GameRecord> {
        records(&self.records_file(experiment))
    }

    pub(crate) fn digest(&self, experiment: &str) -> String {
        summary(&self.records_file(experiment)).digest
    }

    pub(crate) fn header(&self, experiment: &str) -> Header {
        summary(&self.records_file(experiment)).header
    }
}

/// The script of an agent over the bridge.
pub(crate) fn bridge_script(name: &str, hello: &str, position: &str) -> String {
    format!(
        r#"while read -r line; do
case "$line" in
*'"type":"hello"'*) echo '{{"type":"hello","protocol":1,"id":"{name}","version":"1.0.0"{hello}}}' ;;
*'"type":"setup"'*) setup=$line; echo '{{"type":"ready"}}' ;;
*'"type":"new-game"'*) game=$line ;;
*'"type":"position"'*)
    legal=${{line#*\"legal\":\"}}; legal=${{legal%%\"*}}; first=${{legal%"${{legal#?}}"}}
    {position} ;;
esac
done"#
    )
}

/// A reply in that script: this direction, and what it cost.
pub(crate) fn reply(direction: &str) -> String {
    format!(r#"echo "{{\"type\":\"move\",\"direction\":\"{direction}\",\"nodes\":1,\"spent\":1}}""#)
}

/// Waits until a file has more bytes than this.
pub(crate) fn wait_for_bytes(file: &Path, bytes: u64) {
    wait_until("games are journalled", || fs::metadata(file).is_ok_and(|file| file.len() > bytes));
}
