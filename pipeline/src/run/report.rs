//! What running did to jobs, whatever their kind: for people, and as JSON for scripts.

use std::fmt;
use std::path::PathBuf;

use engine::Ending;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::job::Words;
use crate::plan::{BlockedJob, Missing};
use platform::{ConfinedPath, plain};
use text::counted;
use workers::Played;

/// What running did to jobs of one kind.
#[derive(Clone, Debug)]
pub struct RunReport {
    /// The words for the kind.
    pub words: &'static Words,
    /// The jobs that were run, and those that cannot be.
    pub jobs: Vec<JobResult>,
    /// Whether it was stopped from outside before all was done.
    pub interrupted: bool,
    /// Whether rows may end by a fault, as long as they are few.
    pub are_faults_tolerated: bool,
}

/// What running did to one job.
#[derive(Clone, Debug, Default)]
pub struct JobResult {
    /// The job, as `paper/name`.
    pub job: String,
    /// Rows played now.
    pub played: u64,
    /// Rows that are in journals, and in no file yet.
    pub journalled: u64,
    /// Its file, once it is complete.
    pub file: Option<PathBuf>,
    /// The logical digest of its rows.
    pub digest: Option<String>,
    /// Games that ended by a fault, among those played now and those of an interrupted run.
    pub faults: Vec<FaultNote>,
    /// Whether too many rows ended by a fault, and the job was stopped.
    pub stopped_by_faults: bool,
    /// Why the job was given up.
    pub failure: Option<String>,
    /// Whether that is because a game ran out of memory, and is left for another run.
    pub is_out_of_memory: bool,
    /// What is missing, if that is why.
    pub missing: Option<Missing>,
    /// Whether rows that were played again are as they were stored; none if there was nothing to compare.
    pub same_as_stored: Option<bool>,
    /// The row that was played again before others were added to it, because the plugin's file is another
    /// one.
    pub proven_by: Option<u64>,
    /// What must never happen: results that differ under one identity, faults that do not repeat.
    pub alarms: Vec<String>,
    /// What is stored of it instead of a file, in words.
    pub state: Option<String>,
    /// Whether it cannot go on: another part has to play first, or its result is refused.
    pub is_waiting: bool,
    /// What the kind says of it, ahead of the rows played now.
    pub summary: String,
    /// What the user may do next, a sentence each.
    pub notes: Vec<String>,
    /// More for scripts, by the kind.
    pub fields: Map<String, Value>,
}

/// A game that ended by an agent's fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultNote {
    /// The trial that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trial: Option<u64>,
    /// The game's number.
    pub game: u64,
    /// The seed of its tiles, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_seed: Option<String>,
    /// How it ended.
    pub ending: Ending,
    /// The moves before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// What is known of it.
    pub reason: String,
}

impl FaultNote {
    pub(super) fn of(played: &Played) -> Self {
        let record = &played.record;
        Self {
            trial: None,
            game: record.game,
            tile_seed: Some(format!("{:016x}", record.tile_seed)),
            ending: record.ending,
            moves: Some(record.moves),
            reason: played.complaint.as_deref().map(plain::line).unwrap_or_default(),
        }
    }
}

impl fmt::Display for FaultNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { trial, game, tile_seed, ending, moves, reason } = self;
        if let Some(trial) = trial {
            write!(f, "trial {trial}: ")?;
        }
        write!(f, "game {game}")?;
        if let Some(seed) = tile_seed {
            write!(f, " (tile seed {seed})")?;
        }
        write!(f, " ended by {ending}")?;
        if let Some(moves) = moves {
            write!(f, " after {}", counted((*moves).into(), "move"))?;
        }
        write!(f, ": {reason}")
    }
}

impl JobResult {
    /// A job that cannot run.
    pub fn blocked(blocked: &BlockedJob) -> Self {
        Self {
            job: blocked.key.to_string(),
            failure: Some(blocked.reason.clone()),
            missing: blocked.missing.clone(),
            ..Self::default()
        }
    }

    /// Whether it was neither completed nor given up, and waits for nobody.
    pub const fn is_cut_short(&self) -> bool {
        let is_over = self.file.is_some() || self.stopped_by_faults || self.failure.is_some();
        !is_over && !self.is_waiting
    }

    fn to_json(&self, words: &Words) -> Value {
        // A path need not be UTF-8.
        let file = self.file.as_ref().map(|file| file.display().to_string());
        let proven_by = format!("proven_by_{}", words.row);
        let mut all = json!({
            words.kind: self.job,
            "played": self.played,
            "journalled": self.journalled,
            "file": file,
            "digest": self.digest,
            "faults": self.faults,
            "stopped_by_faults": self.stopped_by_faults,
            "failure": self.failure,
            "same_as_stored": self.same_as_stored,
            proven_by: self.proven_by,
            "alarms": self.alarms,
        });
        let missing = serde_json::to_value(&self.missing).unwrap_or_default();
        let records = (words.folder == "records").then(|| ("records".to_owned(), json!(file)));
        let missing = missing.as_object().cloned().unwrap_or_default();
        for (name, value) in missing.into_iter().chain(records).chain(self.fields.clone()) {
            all[name] = value;
        }
        all
    }

    /// The job in a line, for people.
    fn line(&self) -> String {
        let Self { job, summary, played, .. } = self;
        if let Some(missing) = &self.missing {
            return format!("  {job}: not run, {missing}\n");
        }
        let mut line = format!("  {job}: {summary}{} played", text::thousands(*played as f64));
        if !self.faults.is_empty() {
            line.push_str(&format!(", {} of them ended by a fault", self.faults.len()));
        }
        line.push_str(&match (&self.file, &self.digest, &self.state) {
            (Some(file), Some(digest), _) => format!("; {} digest {digest}", file.display()),
            (Some(file), None, _) => format!("; {}", file.display()),
            (None, _, Some(state)) => format!("; {state}"),
            (None, ..) => {
                let given_up = if self.failure.is_some() { "given up, " } else { "" };
                format!("; {given_up}{} in the journal", self.journalled)
            }
        });
        line + "\n"
    }
}

impl RunReport {
    /// A report without jobs.
    pub const fn new(words: &'static Words) -> Self {
        Self { words, jobs: Vec::new(), interrupted: false, are_faults_tolerated: false }
    }

    /// What was done, for people, to this number of planned jobs.
    pub fn text(&self, planned: usize) -> String {
        let Words { kind, kinds, row, .. } = self.words;
        let played: u64 = self.jobs.iter().map(|job| job.played).sum();
        let mut text = match (played, planned) {
            (0, 0) if self.jobs.is_empty() => format!("There are no {kinds} in the selected set.\n"),
            (0, 1) if self.are_complete() => format!("The {kind} is complete; nothing was played.\n"),
            (0, _) if self.are_complete() => {
                format!("All {planned} {kinds} are complete; nothing was played.\n")
            }
            _ => format!("Played {}.\n", counted(played, row)),
        };
        let is_news = |job: &&JobResult| job.played > 0 || job.file.is_none() || job.same_as_stored.is_some();
        text.extend(self.jobs.iter().filter(is_news).map(JobResult::line));
        text + &self.proofs() + &self.comparison()
    }

    fn are_complete(&self) -> bool {
        self.jobs.iter().all(|job| job.file.is_some())
    }

    /// How many jobs were shown to have the same agent in another plugin file.
    fn proofs(&self) -> String {
        let Words { kind, row, .. } = self.words;
        match self.jobs.iter().filter(|job| job.proven_by.is_some()).count() as u64 {
            0 => String::new(),
            count => format!(
                "{} with another plugin file than before: a stored {row} of each, played again, came out the same.\n",
                counted(count, kind)
            ),
        }
    }

    /// Whether what was played again is as it was stored.
    fn comparison(&self) -> String {
        let Words { kind, row, .. } = self.words;
        let with = |is_same: bool| self.jobs.iter().filter(move |job| job.same_as_stored == Some(is_same));
        let same = format!("{} gave the same {row}s as before", counted(with(true).count() as u64, kind));
        let others: Vec<&str> = with(false).map(|job| job.job.as_str()).collect();
        match others.len() {
            0 if with(true).next().is_none() => String::new(),
            0 => format!("{same}.\n"),
            count => format!("{same}; {count} gave different ones: {}.\n", others.join(", ")),
        }
    }

    /// What the user may do next, and whether the command was stopped.
    pub fn advice(&self) -> String {
        let mut text: String =
            self.jobs.iter().flat_map(|job| &job.notes).map(|note| format!("{note}\n")).collect();
        if self.interrupted {
            text.push_str("Stopped before the end. Run the same command again to continue.\n");
        }
        text
    }

    /// The jobs, for scripts.
    pub fn to_json(&self) -> Vec<Value> {
        self.jobs.iter().map(|job| job.to_json(self.words)).collect()
    }
}

impl Serialize for RunReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry(self.words.kinds, &self.to_json())?;
        map.serialize_entry("interrupted", &self.interrupted)?;
        map.end()
    }
}

/// The file that a run has written.
pub(crate) struct StoredFile {
    pub(crate) path: ConfinedPath,
    pub(crate) digest: String,
    /// Whether rows that were played again are as they were stored; none if there was nothing to compare.
    pub(crate) same_as_stored: Option<bool>,
    pub(crate) alarm: Option<String>,
}

impl StoredFile {
    pub(crate) fn add_to(self, result: &mut JobResult) {
        result.file = Some(self.path.path().to_owned());
        result.digest = Some(self.digest);
        result.same_as_stored = self.same_as_stored;
        result.alarms.extend(self.alarm);
        result.journalled = 0;
    }
}

/// Rows that were played again, compared with stored ones of the same identity. Rows that contradict them do
/// not replace them.
pub(crate) enum RowComparison {
    /// There are none, or none that promise to repeat.
    Nothing,
    /// They are the same.
    Same,
    /// The first difference.
    Different(String),
}

impl RowComparison {
    pub(crate) const fn is_different(&self) -> bool {
        matches!(self, Self::Different(_))
    }

    /// Where the new rows go: to the job's file, or beside it if they are different.
    pub(crate) fn target(&self, path: &ConfinedPath) -> ConfinedPath {
        if self.is_different() { path.with_extension("differs.parquet") } else { path.clone() }
    }

    /// The file with the new rows.
    pub(crate) fn into_file(self, path: ConfinedPath, digest: String, stored: &str) -> StoredFile {
        let (same_as_stored, alarm) = match self {
            Self::Nothing => (None, None),
            Self::Same => (Some(true), None),
            Self::Different(difference) => {
                let kept = format!("the stored file is kept, the new one is {}", path.display());
                (Some(false), Some(format!("same identity, different {stored}: {difference}; {kept}")))
            }
        };
        StoredFile { path, digest, same_as_stored, alarm }
    }
}
