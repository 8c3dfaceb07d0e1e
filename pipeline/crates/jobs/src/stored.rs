//! Stored jobs: what a file says of itself, and how a kind of job checks and compares its files.
//!
//! A kind is one implementation of [`StoredKind`]. `verify`, `diff`, `merge` and `bundle` take a list of
//! kinds and know nothing else of them.

use std::any::Any;
use std::path::PathBuf;

use platform::ConfinedPath;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Key, Provenance, StoreError, StoredIdentity, Words};

/// What the file of a job says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredJob {
    /// The job. A file may come from somebody else, and name anything.
    pub key: String,
    /// All that determines its result.
    pub identity: StoredIdentity,
    /// The agent's decisions on the second set of frozen positions, if they are known.
    pub second_signature: Option<String>,
    /// The logical digest of its rows.
    pub digest: String,
    /// How many rows there are.
    pub rows: u64,
    /// Which part of the rows this is, if not all.
    pub shard: Option<Shard>,
    /// The SHA-256 of the artefact that the job gave, if it gives one.
    pub artefact: Option<String>,
    /// Where the rows come from.
    pub provenance: Vec<Provenance>,
}

impl StoredJob {
    /// The name of the agent and its version.
    pub fn agent(&self) -> (&str, &str) {
        let text = |part: &str| self.identity.part(part).and_then(Value::as_str);
        let version = text("agent_version").or_else(|| text("training_version"));
        (text("agent").unwrap_or_default(), version.unwrap_or_default())
    }
}

/// A part of a job's rows: those whose number leaves the remainder `part - 1` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
    /// The rows of the whole job.
    pub games: u64,
}

impl Shard {
    /// Whether a row belongs to this part.
    pub const fn contains(&self, row: u64) -> bool {
        row % self.of == self.part - 1
    }
}

/// The entries of a manifest, whatever their types.
pub trait Entries: Sync {
    /// The paper's id.
    fn paper(&self) -> &str;
    /// The entry of a job of a kind, if the manifest has one.
    fn entry(&self, words: &Words, id: &str) -> Option<&dyn Any>;
}

/// Files and manifests beside a stored file.
#[derive(Clone, Default)]
pub struct StoredContext<'a> {
    /// The manifests.
    pub manifests: Vec<&'a dyn Entries>,
    /// The folder of artefacts; without it, they are not checked.
    pub artefacts: Option<ConfinedPath>,
    /// Whether artefacts may be missing, whatever their size.
    pub may_lack_artefacts: bool,
}

impl<'a> StoredContext<'a> {
    /// With the manifests of papers, and without artefacts.
    pub fn of<E: Entries>(manifests: &'a [E]) -> Self {
        let manifests = manifests.iter().map(|manifest| manifest as &dyn Entries).collect();
        Self { manifests, ..Self::default() }
    }

    /// The entry of a job in the manifests, if it has this type.
    pub fn entry<T: 'static>(&self, words: &Words, key: &Key) -> Option<&'a T> {
        let manifest = self.manifests.iter().find(|manifest| manifest.paper() == key.paper)?;
        manifest.entry(words, &key.id)?.downcast_ref()
    }

    /// Whether a manifest lists a job.
    pub fn lists(&self, words: &Words, key: &Key) -> bool {
        let manifest = self.manifests.iter().find(|manifest| manifest.paper() == key.paper);
        manifest.is_some_and(|manifest| manifest.entry(words, &key.id).is_some())
    }
}

/// The most problems of one file that are listed one by one.
const MOST_PROBLEMS: usize = 10;

/// A file that was checked without its agent.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedJob {
    /// The file.
    pub file: PathBuf,
    /// The job, and how much was checked, by name.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
    /// The first problems.
    pub problems: Vec<String>,
    /// How many problems there are.
    pub problem_count: u64,
    /// What the file says of itself.
    #[serde(skip)]
    pub stored: StoredJob,
    /// The SHA-256 of the file, in hexadecimal.
    #[serde(skip)]
    pub sha256: String,
    /// Whether its seal covers every byte.
    #[serde(skip)]
    pub is_sealed: bool,
}

impl CheckedJob {
    /// A file with nothing wrong so far.
    pub fn new(file: &ConfinedPath, stored: StoredJob, sha256: &str, is_sealed: bool) -> Self {
        Self {
            file: file.path().to_owned(),
            fields: Map::new(),
            problems: Vec::new(),
            problem_count: 0,
            stored,
            sha256: sha256.to_owned(),
            is_sealed,
        }
    }

    /// Adds a problem.
    pub fn add_problem(&mut self, text: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(text);
        }
    }

    /// A number among the fields.
    pub fn count(&self, field: &str) -> u64 {
        self.fields.get(field).and_then(Value::as_u64).unwrap_or_default()
    }

    /// The problems, each with the file, and how many more there are.
    pub fn problem_lines(&self) -> Vec<String> {
        let file = self.file.display();
        let more = self.problem_count - self.problems.len() as u64;
        let rest = (more > 0).then(|| format!("{file}: and {}", text::counted(more, "more problem")));
        self.problems.iter().map(|problem| format!("{file}: {problem}")).chain(rest).collect()
    }
}

/// The first difference between two results of one job.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstDifference {
    /// The difference in words.
    pub text: String,
    /// The difference for scripts.
    pub value: Value,
}

/// A kind of job, as far as its stored files are concerned.
pub trait StoredKind: Sync {
    /// The words for it.
    fn words(&self) -> &'static Words;

    /// Reads what a file says of itself; `None` if there is no file.
    fn read(&self, path: &ConfinedPath) -> Result<Option<StoredJob>, StoreError>;

    /// Checks a file without its agent. `None` if only the seal could be checked, since no manifest lists the
    /// job.
    fn check(
        &self,
        path: &ConfinedPath,
        context: &StoredContext<'_>,
    ) -> Result<Option<CheckedJob>, StoreError>;

    /// A sentence on the files that were checked.
    fn summary(&self, checked: &[CheckedJob]) -> String;

    /// More about one side of a comparison, by name.
    fn details(&self, _path: &ConfinedPath, _context: &StoredContext<'_>) -> Map<String, Value> {
        Map::new()
    }

    /// The first difference between two files of one job.
    fn first_difference(
        &self,
        before: (&ConfinedPath, &StoredContext<'_>),
        after: (&ConfinedPath, &StoredContext<'_>),
    ) -> Result<Option<FirstDifference>, StoreError>;
}
