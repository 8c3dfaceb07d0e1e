//! A submission: all that its shards need, so that a rebuild or a changed manifest changes nothing meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jobs::Key;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::script::is_option;
use crate::{ClusterError, WorkFolder};

/// The version of the file's form.
pub const FORM: u32 = 2;
/// The owner in the file's seal.
const SEALED_AS: &str = "a submission to a cluster";
/// The number of digits in a submission's id.
pub const ID_DIGITS: usize = 8;
/// The most rows of a job.
const MOST_ROWS: u64 = 1_000_000_000;

/// A submission.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The version of the file's form.
    pub form: u32,
    /// A part of the names of its Slurm jobs, which no other submission has.
    pub id: String,
    /// The SHA-256 of the program.
    pub program_sha256: String,
    /// The commit that was checked out, if there was a repository.
    pub commit: Option<String>,
    /// Whether files beside the results differed from that commit.
    pub dirty: Option<bool>,
    /// Whether everything runs again, whatever is stored.
    pub is_fresh: bool,
    /// The resources of every shard.
    pub request: Request,
    /// The plugins with the agents.
    pub plugins: Vec<SubmissionPlugin>,
    /// The jobs.
    pub jobs: Vec<SubmissionJob>,
    /// The shards, each with parts of one job or of several.
    pub shards: Vec<SubmissionShard>,
}

/// The resources of every shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// How many games run at once.
    pub cores: u16,
    /// The memory limit of each process of an agent, in MiB; 0 is no limit.
    pub agent_mib: u64,
    /// The time limit, in seconds.
    pub limit_seconds: u64,
    /// How many seconds before the limit Slurm sends its warning.
    pub warning_seconds: u64,
    /// How many shards may run at once.
    pub at_most: Option<u32>,
    /// Further options of `sbatch`.
    pub options: Vec<String>,
}

/// A plugin, copied into the work folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmissionPlugin {
    /// Its file, below the work folder.
    pub file: PathBuf,
    /// The SHA-256 of the file, or of all files that a program's file names.
    pub sha256: String,
    /// The SHA-256 of each data file that its decisions depend on, by role.
    pub files: BTreeMap<String, String>,
}

/// A job of any kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmissionJob {
    /// Its kind: `experiment`.
    pub kind: String,
    /// The word for one of its rows: `game`.
    pub row: String,
    /// Its paper and name.
    pub key: Key,
    /// The hash of its identity.
    pub identity: String,
    /// The place of its plugin in the list.
    pub plugin: usize,
    /// The first row that is missing: those before it are stored.
    pub first: u64,
    /// How many rows are wanted, or at most.
    pub rows: u64,
    /// Into how many parts its rows are cut.
    pub parts: u64,
    /// How many arrays follow each other, each of which continues the one before.
    pub links: u64,
    /// The planned job, as its kind writes and reads it.
    pub planned: Value,
}

/// The work of one element of an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubmissionShard {
    /// The parts of jobs in it.
    pub pieces: Vec<JobPart>,
    /// How many seconds it should take.
    pub seconds: u64,
}

/// A part of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobPart {
    /// The place of the job in the list.
    pub job: usize,
    /// Which part, from 1.
    pub part: u64,
}

impl Request {
    /// The problem with the request; `None` if it is valid.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        match () {
            () if self.cores == 0 => Some("`cores` is 0"),
            () if !self.options.iter().all(|option| is_option(option)) => {
                Some("`options` contains an invalid option")
            }
            () => None,
        }
    }

    /// The memory that a node needs for a shard, in MiB: that of the agents' processes, and some for the
    /// program itself. `None` if the agents have no limit.
    pub fn memory_mib(&self) -> Option<u64> {
        /// The memory of the program itself.
        const OWN: u64 = 512;
        let agents = self.agent_mib.saturating_mul(self.cores.into());
        (self.agent_mib > 0).then(|| agents.saturating_add(OWN))
    }
}

impl SubmissionJob {
    /// The problem with the job, given the number of plugins; `None` if it is valid.
    fn problem(&self, plugins: usize) -> Option<&'static str> {
        match () {
            () if self.plugin >= plugins => Some("there is no such `plugin`"),
            () if self.rows > MOST_ROWS => Some("`rows` is too large"),
            () if self.first > self.rows => Some("`first` is beyond its rows"),
            () if !(1..=self.rows.max(1)).contains(&self.parts) => Some("`parts` does not fit its rows"),
            () if self.links == 0 => Some("`links` is 0"),
            () => None,
        }
    }

    /// How many missing rows a part has.
    pub fn rows_of(&self, part: u64) -> u64 {
        let below = |rows: u64| (rows + self.parts - part) / self.parts;
        below(self.rows) - below(self.first)
    }
}

impl Submission {
    /// Reads the submission of a work folder; `None` if there is none.
    pub fn read(folder: &WorkFolder) -> Result<Option<Self>, ClusterError> {
        let path = folder.submission();
        let Some(value) = WorkFolder::read_sealed::<Value>(&path, SEALED_AS)? else { return Ok(None) };
        if value["form"] != FORM {
            let (path, form) = (path.display(), &value["form"]);
            return Err(ClusterError::Check(format!(
                "{path}: its form is {form}, of another version of this program: finish with that one"
            )));
        }
        let submission: Self =
            serde_json::from_value(value).map_err(|error| WorkFolder::wrong(&path, &error))?;
        match submission.problem() {
            None => Ok(Some(submission)),
            Some(what) => Err(WorkFolder::wrong(&path, &what)),
        }
    }

    /// Writes the submission to its file.
    pub fn write(&self, folder: &WorkFolder) -> Result<(), ClusterError> {
        WorkFolder::write_sealed(&folder.submission(), SEALED_AS, self)
    }

    /// The problem with the submission, with its field; `None` if all references and numbers are consistent.
    fn problem(&self) -> Option<String> {
        if self.id.len() != ID_DIGITS || !self.id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Some("`id` has the wrong form".to_owned());
        }
        if self.shards.is_empty() || self.shards.iter().any(|shard| shard.pieces.is_empty()) {
            return Some("`shards` is empty, or one of them is".to_owned());
        }
        let jobs = self.jobs.iter().enumerate().find_map(|(place, job)| {
            let what = job.problem(self.plugins.len())?;
            Some(format!("`jobs[{place}]`: {what}"))
        });
        let mut seen = BTreeSet::new();
        let is_wrong = |piece: &JobPart| {
            let job = self.jobs.get(piece.job);
            !job.is_some_and(|job| (1..=job.parts).contains(&piece.part))
                || !seen.insert((piece.job, piece.part))
        };
        let mut pieces = self.shards.iter().flat_map(|shard| &shard.pieces);
        let what = "`shards` has a duplicate piece, or one of a job or part that does not exist";
        let shards = || pieces.any(is_wrong).then(|| what.to_owned());
        self.request.problem().map(str::to_owned).or(jobs).or_else(shards)
    }

    /// How many missing rows a shard has.
    pub fn rows_of(&self, shard: &SubmissionShard) -> u64 {
        shard.pieces.iter().map(|piece| self.jobs[piece.job].rows_of(piece.part)).sum()
    }

    /// The job whose arrays follow each other that a shard is a part of.
    pub(crate) fn chain_of(&self, shard: usize) -> Option<usize> {
        self.shards.get(shard)?.pieces.iter().map(|piece| piece.job).find(|&job| self.jobs[job].links > 1)
    }

    /// The shard that a part of a job is in.
    pub fn shard_of(&self, wanted: JobPart) -> Option<usize> {
        self.shards.iter().position(|shard| shard.pieces.contains(&wanted))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use platform::ConfinedPath;

    use super::*;

    pub(crate) fn request(at_most: Option<u32>) -> Request {
        let (limit_seconds, warning_seconds) = (600, 60);
        Request { cores: 1, agent_mib: 0, limit_seconds, warning_seconds, at_most, options: Vec::new() }
    }

    pub(crate) fn submission(jobs: Vec<SubmissionJob>, shards: Vec<SubmissionShard>) -> Submission {
        let plugin = SubmissionPlugin { file: "p.so".into(), sha256: String::new(), files: BTreeMap::new() };
        Submission {
            form: FORM,
            id: "0123abcd".to_owned(),
            program_sha256: String::new(),
            commit: None,
            dirty: None,
            is_fresh: false,
            request: request(None),
            plugins: vec![plugin],
            jobs,
            shards,
        }
    }

    pub(crate) fn sent(first: u64, rows: u64, parts: u64) -> SubmissionJob {
        SubmissionJob {
            kind: "experiment".to_owned(),
            row: "game".to_owned(),
            key: "p/e".parse().unwrap(),
            identity: String::new(),
            plugin: 0,
            first,
            rows,
            parts,
            links: 1,
            planned: Value::Null,
        }
    }

    #[test]
    fn the_rows_of_all_parts_are_those_that_are_missing() {
        for (first, rows, parts) in [(0, 10, 1), (0, 10, 3), (4, 10, 3), (9, 10, 4), (0, 5, 5), (7, 1000, 13)]
        {
            let sent = sent(first, rows, parts);
            for part in 1..=parts {
                let wanted = (first..rows).filter(|row| row % parts == part - 1).count() as u64;
                assert_eq!(sent.rows_of(part), wanted, "{first} {rows} {part}/{parts}");
            }
        }
    }

    #[test]
    fn a_submission_whose_places_or_numbers_do_not_fit_is_not_read() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = WorkFolder::new(ConfinedPath::root(scratch.path()));
        let pieces = vec![JobPart { job: 0, part: 1 }, JobPart { job: 0, part: 2 }];
        let whole = submission(vec![sent(0, 10, 2)], vec![SubmissionShard { pieces, seconds: 1 }]);
        let read = |submission: &Submission| {
            submission.write(&folder).unwrap();
            Submission::read(&folder).map(|read| read.is_some()).map_err(|error| error.to_string())
        };
        assert_eq!(read(&whole), Ok(true));
        type Edit = fn(&mut Submission);
        let cases: [(Edit, &str); 16] = [
            (|it| it.form = 1, "its form is 1, of another version of this program"),
            (|it| it.id = "../../..".to_owned(), "`id`"),
            (|it| it.shards.clear(), "`shards` is empty"),
            (|it| it.shards[0].pieces.clear(), "`shards` is empty"),
            (|it| it.request.cores = 0, "`cores`"),
            (|it| it.request.options.push("--a\ntouch PWNED".to_owned()), "`options`"),
            (|it| it.jobs[0].plugin = 99, "`jobs[0]`: there is no such `plugin`"),
            (|it| it.jobs[0].parts = 0, "`parts`"),
            (|it| it.jobs[0].parts = u64::MAX, "`parts`"),
            (|it| it.jobs[0].first = 11, "`first`"),
            (|it| it.jobs[0].rows = u64::MAX, "`rows`"),
            (|it| it.jobs[0].links = 0, "`links`"),
            (|it| it.shards[0].pieces[0].job = 77, "`shards`"),
            (|it| it.shards[0].pieces[0].part = 0, "`shards`"),
            (|it| it.shards[0].pieces[0].part = 3, "`shards`"),
            (|it| it.shards[0].pieces[0].part = 2, "`shards`"),
        ];
        for (change, words) in cases {
            let mut changed = whole.clone();
            change(&mut changed);
            let error = read(&changed).unwrap_err();
            assert!(error.contains("submission.json: ") && error.contains(words), "{words}: {error}");
        }
        whole.write(&folder).unwrap();
        let bytes = std::fs::read(folder.submission().path()).unwrap();
        for place in (0..bytes.len()).step_by(31) {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1;
            std::fs::write(folder.submission().path(), flipped).unwrap();
            assert!(Submission::read(&folder).is_err(), "byte {place}");
        }
    }
}
