//! A Slurm node of the test's own, and laboratories whose games it plays.

use crate::common::prelude::*;

use tempfile::TempDir;

/// A Slurm node in a scratch folder. It ends with the test.
pub(crate) struct Node {
    folder: TempDir,
}

impl Node {
    /// Starts a node with further lines for its configuration; none, and a word about it, where there is no
    /// Slurm to start.
    pub(crate) fn start(lines: &[&str]) -> Option<Self> {
        let has = |program: &str| {
            ["/usr/sbin", "/usr/bin", "/sbin"].iter().any(|folder| Path::new(folder).join(program).exists())
        };
        if !rustix::process::getuid().is_root()
            || !["slurmctld", "slurmd", "munged"].iter().all(|one| has(one))
        {
            skip(
                "there is no Slurm, or no root to start it; as root on Debian, pipeline/tests/install-slurm gets it",
            );
            return None;
        }
        let node = Self { folder: tempfile::Builder::new().prefix("retile-node-").tempdir().unwrap() };
        node.script("start", lines);
        Some(node)
    }

    fn script(&self, verb: &str, lines: &[&str]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm-node");
        let status =
            Command::new("sh").arg(script).arg(verb).arg(self.folder.path()).args(lines).status().unwrap();
        assert!(status.success(), "slurm-node {verb}: {status}");
    }

    pub(crate) fn conf(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    /// Has one of Slurm's programs do something, and gives what it prints.
    pub(crate) fn ask(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", self.conf()).output().unwrap();
        assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The node, as `scontrol` names what it changes.
    pub(crate) fn name(&self) -> String {
        format!("nodename={}", self.ask("sinfo", &["--noheader", "--format=%n"]).trim())
    }

    /// Has the node begin nothing more, and gives its name.
    pub(crate) fn drain(&self) -> String {
        let name = self.name();
        self.ask("scontrol", &["update", &name, "state=drain", "reason=test"]);
        name
    }

    /// Has the node play again.
    pub(crate) fn resume(&self, name: &str) {
        self.ask("scontrol", &["update", name, "state=resume"]);
    }

    /// The processes that play shards on this node.
    pub(crate) fn players(&self) -> Vec<i64> {
        let mark = format!("SLURM_CONF={}", self.conf().display());
        let mut players = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Some(process) = entry.file_name().to_str().and_then(|name| name.parse::<i64>().ok()) else {
                continue;
            };
            let read = |name: &str| std::fs::read(entry.path().join(name)).unwrap_or_default();
            let words: Vec<Vec<u8>> = read("cmdline").split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
            let is_player =
                words.get(1..3).is_some_and(|words| words == [b"cluster".to_vec(), b"work".to_vec()]);
            if is_player && read("environ").split(|&byte| byte == 0).any(|word| word == mark.as_bytes()) {
                players.push(process);
            }
        }
        players
    }

    /// Kills the daemon of the node at once, as where the machine goes down; what it runs goes on.
    pub(crate) fn kill_slurmd(&self) {
        let process = std::fs::read_to_string(self.folder.path().join("slurmd.pid")).unwrap();
        signal("KILL", process.trim().parse::<i64>().unwrap());
    }

    pub(crate) fn start_slurmd(&self) {
        self.script("slurmd", &[]);
    }

    /// Runs the program, with this node as its cluster.
    pub(crate) fn run(&self, lab: &Lab, arguments: &str) -> CommandOutput {
        lab.run_with("SLURM_CONF", self.conf(), arguments)
    }

    /// Runs a command that must succeed.
    pub(crate) fn succeed(&self, lab: &Lab, arguments: &str) -> CommandOutput {
        let ran = self.run(lab, arguments);
        assert_eq!(ran.code, Some(0), "{arguments}: {ran:?}");
        ran
    }

    /// The status of a submission.
    pub(crate) fn status(&self, lab: &Lab) -> serde_json::Value {
        self.succeed(lab, "cluster status --json").json()["status"].clone()
    }

    /// How many shards are in this state.
    pub(crate) fn count(&self, lab: &Lab, state: &str) -> usize {
        let status = self.status(lab);
        list(&status["shards"]).iter().filter(|shard| shard["state"] == state).count()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.script("stop", &[]);
    }
}
