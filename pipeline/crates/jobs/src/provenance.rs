//! Provenance: where and by what records were made. It stands beside their identity, and is no part of it.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};

use platform::git::git;
use platform::{clock, plain};

/// Where and by what records were made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the pipeline.
    #[serde(deserialize_with = "words")]
    pub pipeline: String,
    /// The commit that was checked out, if the configs stand in a git repository.
    #[serde(default, deserialize_with = "some_words")]
    pub commit: Option<String>,
    /// Whether files beside the results differed from that commit.
    pub dirty: Option<bool>,
    /// The compiler.
    #[serde(deserialize_with = "words")]
    pub rustc: String,
    /// The processor.
    #[serde(deserialize_with = "words")]
    pub cpu: String,
    /// The platform.
    #[serde(deserialize_with = "words")]
    pub platform: String,
    /// When, in UTC.
    #[serde(deserialize_with = "words")]
    pub date: String,
    /// The SHA-256 of the plugin's file.
    #[serde(deserialize_with = "words")]
    pub plugin_sha256: String,
    /// The system's kernel; absent in what was made before it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_words")]
    pub kernel: Option<String>,
    /// The SHA-256 of the program, if a node of a cluster has run it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_words")]
    pub program_sha256: Option<String>,
}

/// A text from a file that may come from somebody else. Reports and tables show it.
fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    String::deserialize(deserializer).map(|text| plain::line(&text))
}

fn some_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|text| text.map(|text| plain::line(&text)))
}

impl Provenance {
    /// The provenance of what is made now, by no plugin yet, in the repository around a folder; without one,
    /// no repository is looked for.
    pub fn now(folder: Option<&Path>) -> Self {
        let printed = |arguments: &[&str]| folder.and_then(|folder| printed(folder, arguments));
        Self {
            pipeline: env!("CARGO_PKG_VERSION").to_owned(),
            commit: printed(&["rev-parse", "HEAD"]),
            dirty: printed(&CHANGES).map(|changes| !changes.is_empty()),
            rustc: env!("RETILE_RUSTC").to_owned(),
            cpu: cpu_name(),
            platform: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            date: clock::now(),
            plugin_sha256: String::new(),
            kernel: kernel(),
            program_sha256: None,
        }
    }

    /// The same, of games that a plugin plays.
    pub fn by_plugin(&self, sha256: &str) -> Self {
        Self { plugin_sha256: sha256.to_owned(), ..self.clone() }
    }

    /// The kind of machine that it was: its processor, its system, and whether it is a node of a cluster.
    pub fn machine(&self) -> String {
        let system = self.kernel.as_ref().map_or_else(String::new, |kernel| format!(", {kernel}"));
        let node = if self.program_sha256.is_some() { ", a node of a cluster" } else { "" };
        format!("{}, {}{system}{node}", self.cpu, self.platform)
    }

    /// Whether two differ in the date at most.
    pub fn is_same_place(&self, other: &Self) -> bool {
        Self { date: other.date.clone(), ..self.clone() } == *other
    }
}

/// What has changed beside the results. Of submodules only the commit counts: to see more, git would work in
/// them.
const CHANGES: [&str; 6] =
    ["status", "--porcelain", "--ignore-submodules=dirty", "--", ":/", ":(exclude,top)results"];

/// What a git command prints; none without git or outside a repository.
fn printed(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = git(folder, arguments).ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The kernel and its release, as Linux gives them.
fn kernel() -> Option<String> {
    let given = |name: &str| fs::read_to_string(format!("/proc/sys/kernel/{name}")).ok();
    Some(format!("{} {}", given("ostype")?.trim(), given("osrelease")?.trim()))
}

/// The processor's name as the system gives it.
pub fn cpu_name() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = info.lines().find(|line| line.starts_with("model name"));
    let name = named.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git_in(folder: &Path, arguments: &[&str]) {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let status = git(folder, &[&identity[..], arguments].concat()).unwrap().status;
        assert!(status.success(), "git {arguments:?}");
    }

    /// A repository with a source file, a result, and a folder below that is called as the results are.
    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["src/lib.rs", "results/index.json", "src/results/table.rs"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "1").unwrap();
        }
        git_in(folder.path(), &["init", "-q"]);
        git_in(folder.path(), &["add", "-A"]);
        git_in(folder.path(), &["commit", "-q", "-m", "all"]);
        folder
    }

    fn is_dirty(folder: &Path) -> Option<bool> {
        Provenance::now(Some(folder)).dirty
    }

    #[test]
    fn changes_below_results_are_no_changes() {
        let folder = repository();
        assert_eq!(is_dirty(folder.path()), Some(false));
        fs::write(folder.path().join("results/index.json"), "2").unwrap();
        fs::write(folder.path().join("results/new.json"), "2").unwrap();
        assert_eq!(is_dirty(folder.path()), Some(false));
        git_in(folder.path(), &["add", "-A"]);
        assert_eq!(is_dirty(folder.path()), Some(false));
        assert_eq!(is_dirty(&folder.path().join("src")), Some(false));
        assert_eq!(is_dirty(&folder.path().join("results")), Some(false));
    }

    #[test]
    fn every_other_change_is_one_wherever_it_is_asked_from() {
        type Edit = fn(&Path);
        let changes: [(&str, Edit); 5] = [
            ("modified", |root| fs::write(root.join("src/lib.rs"), "2").unwrap()),
            ("untracked", |root| fs::write(root.join("src/new.rs"), "2").unwrap()),
            ("removed", |root| fs::remove_file(root.join("src/lib.rs")).unwrap()),
            ("staged", |root| {
                fs::write(root.join("src/new.rs"), "2").unwrap();
                git_in(root, &["add", "src/new.rs"]);
            }),
            ("below another folder of that name", |root| {
                fs::write(root.join("src/results/table.rs"), "2").unwrap();
            }),
        ];
        for (name, change) in changes {
            let folder = repository();
            change(folder.path());
            assert_eq!(is_dirty(folder.path()), Some(true), "{name}");
            assert_eq!(is_dirty(&folder.path().join("results")), Some(true), "{name}, from the results");
        }
    }

    #[test]
    fn a_machine_is_named_as_far_as_it_is_known() {
        let made = Provenance { cpu: "C".to_owned(), platform: "P".to_owned(), ..Provenance::now(None) };
        assert!(made.kernel.is_some(), "this is Linux");
        let with = |kernel: Option<&str>, program: Option<&str>| {
            let (kernel, program_sha256) = (kernel.map(str::to_owned), program.map(str::to_owned));
            Provenance { kernel, program_sha256, ..made.clone() }.machine()
        };
        assert_eq!(with(None, None), "C, P");
        assert_eq!(with(Some("Linux 6.1"), Some("ab")), "C, P, Linux 6.1, a node of a cluster");
    }

    #[test]
    fn outside_a_repository_nothing_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let provenance = Provenance::now(Some(folder.path()));
        assert_eq!((provenance.commit, provenance.dirty), (None, None));
    }
}
