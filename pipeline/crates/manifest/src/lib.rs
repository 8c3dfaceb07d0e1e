//! Manifests: what a paper claims and how it is tested, read from `paper-configs/<paper>.toml` into checked
//! types.
//!
//! The flow begins here. [`load`] and [`load_folder`] read text and know no agent; [`check_agents`] comes
//! second, when a worker has told what the plugins offer. Nothing is repaired on the way: whatever a manifest
//! has too much, too little or wrong is a [`ManifestError`] that names the file, the line, the key and the
//! remedy; all of them come at once.

mod across;
mod agents;
mod check;
mod check_claim;
mod check_space;
mod check_study;
mod claim;
mod conclusion;
mod document;
mod error;
mod exhibit;
mod field_checks;
mod figure;
mod files;
mod forms;
mod interpretation;
pub mod limits;
mod lines;
mod lookup;
mod other_job;
mod problems;
mod raw_claim;
mod raw_study;
mod schema;
mod schema_check;
mod seed;
mod study;
#[cfg(test)]
mod tests;
mod training;
mod winners;

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engine::agent::Budget;
use engine::{Odds, Rules};
use jobs::{Entries, Words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use agents::{
    check_agents, check_budget, check_files, check_params, check_study_agents, check_training_agents,
    resolved_params,
};
pub use checks::{Check, StatedValue};
pub use claim::{Chosen, Claim, ClaimKind, Published, PublishedN, StudyMetric, Wins};
pub use conclusion::Conclusion;
pub use error::{AgentMismatch, ManifestError, Subject};
pub use exhibit::Exhibit;
pub use figure::FigureSpec;
pub use figures::FigureKind;
use files::FilesSchema;
pub use files::{FileSource, FileSourceError};
pub use interpretation::Interpretation;
pub use lines::Lines;
pub use lookup::Lookup;
pub use metrics::{Event, Given, Metric, Quantity, Variant};
pub use other_job::{OtherJob, register_kind};
pub use schema::schema;
pub use search::SearchMethod;
pub use seed::DEFAULT_SEED;
pub use study::{Objective, Study, Winner, Winners};
pub use training::{DEFAULT_CURVE_EVERY, LearningPoint, Training};

pub use stats::{Ruling, Statistic};

use forms::{Address, Id, IdOfNote, Name, Sha256, Text};
use platform::open::read_named_text;
use problems::together;

/// How long a move may take before its agent counts as hanging, where an experiment does not say.
pub const DEFAULT_MOVE_LIMIT_MS: u64 = 60_000;

/// The share of games that may fault before an experiment is stopped, where it does not say.
pub const DEFAULT_FAULT_SHARE: Odds = Odds::new(1, 10).expect("a probability");

/// One paper: what it claims and how that is tested.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Paper {
    /// What the paper is called everywhere: the name of its file without `.toml`.
    pub id: String,
    /// The manifest's file, as it was asked for.
    #[serde(skip)]
    pub file: PathBuf,
    /// Where the paper is found.
    pub citation: Citation,
    /// The method in a few sentences.
    pub summary: Option<String>,
    /// The rules of its experiments, as far as they do not say otherwise.
    pub rules: Rules,
    /// What is played, in the manifest's order.
    pub experiments: Vec<Experiment>,
    /// What is searched, in the manifest's order. The experiments that play its winners again are among the
    /// others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub studies: Vec<Study>,
    /// What is learned, in the manifest's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trainings: Vec<Training>,
    /// Jobs of registered kinds, in the manifest's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_jobs: Vec<OtherJob>,
    /// What the paper says, in the manifest's order.
    pub claims: Vec<Claim>,
    /// How open questions were decided, in the manifest's order.
    pub notes: Vec<Note>,
    /// The ways to read it as a whole, in the manifest's order; a manifest that names none has one that
    /// covers every claim.
    pub interpretations: Vec<Interpretation>,
    /// What a reader takes home, the most important first.
    pub findings: Vec<Conclusion>,
    /// What was claimed, what holds, what does not, and why.
    pub account: Option<Conclusion>,
    /// The paper's own tables and figures.
    pub exhibits: Vec<Exhibit>,
    /// Figures beside those that every paper gets.
    pub figures: Vec<FigureSpec>,
    /// Whether this is no paper, but a comparison of methods of several papers on one game.
    pub comparison: bool,
    /// Where in the file its experiments ask for their agents.
    #[serde(skip)]
    pub lines: Lines,
    /// Where its experiments stand.
    #[serde(skip)]
    pub lookup: Lookup,
}

impl Paper {
    /// The experiment with this id.
    pub fn experiment(&self, id: &str) -> Option<&Experiment> {
        self.lookup.find(&self.experiments, id)
    }

    /// The study with this id.
    pub fn study(&self, id: &str) -> Option<&Study> {
        self.studies.iter().find(|study| study.id == id)
    }

    /// The training with this id.
    pub fn training(&self, id: &str) -> Option<&Training> {
        self.trainings.iter().find(|training| training.id == id)
    }

    /// The study that an experiment belongs to: one that plays its winner again, or the default beside them.
    /// None for all others.
    pub fn study_of(&self, experiment: &Experiment) -> Option<&Study> {
        if experiment.role != Role::Winner {
            return None;
        }
        let is_its = |study: &&Study| match &experiment.winner {
            Some(winner) => winner.study == study.id,
            None => study.default_id() == experiment.id,
        };
        self.studies.iter().find(is_its)
    }

    /// The note with this id.
    pub fn note(&self, id: &NoteId) -> Option<&Note> {
        self.notes.iter().find(|note| note.id == *id)
    }
}

impl Entries for Paper {
    fn paper(&self) -> &str {
        &self.id
    }

    fn entry(&self, words: &Words, id: &str) -> Option<&dyn Any> {
        match words.kind {
            "experiment" => self.experiment(id).map(|entry| entry as &dyn Any),
            "study" => self.study(id).map(|entry| entry as &dyn Any),
            "training" => self.training(id).map(|entry| entry as &dyn Any),
            kind => {
                let entry = self.other_jobs.iter().find(|job| job.kind == kind && job.id == id);
                entry.map(|entry| entry as &dyn Any)
            }
        }
    }
}

/// Where a paper is found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Citation {
    /// Its title.
    #[schemars(with = "Name")]
    pub title: String,
    /// Its authors, in its order.
    #[schemars(with = "Vec<Name>", length(min = 1, max = limits::MOST_ENTRIES))]
    pub authors: Vec<String>,
    /// The year in which it appeared; absent where it bears none.
    pub year: Option<u16>,
    /// The journal, the conference or the course.
    #[schemars(with = "Option<Name>")]
    pub venue: Option<String>,
    /// Its address.
    #[schemars(with = "Option<Address>")]
    pub url: Option<String>,
    /// Its digital object identifier.
    #[schemars(with = "Option<Name>")]
    pub doi: Option<String>,
    /// For a text that was never published: the SHA-256 of the text that was read.
    #[schemars(with = "Option<Sha256>")]
    pub unpublished_sha256: Option<String>,
}

impl Citation {
    /// What stands in place of an address where the text was never published.
    pub fn unpublished(&self) -> Option<String> {
        let hash = self.unpublished_sha256.as_ref()?;
        Some(format!("Unpublished; the text that was read has the SHA-256 {hash}"))
    }
}

/// One set of games: an agent, with all that determines what it plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it is called within its paper: lower-case letters, digits, - and _.
    #[schemars(with = "Id")]
    pub id: String,
    /// The id of the agent that plays; `pipeline agents` lists them.
    #[schemars(with = "Id")]
    pub agent: String,
    /// The agent's parameters as given; those left out have their defaults.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// The files that the agent loads, by role: a training of this paper, PAPER/TRAINING, or a SHA-256.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "FilesSchema")]
    pub files: BTreeMap<String, FileSource>,
    /// What the agent may use for a move; absent: none.
    #[serde(default)]
    pub budget: Budget,
    /// How many games are played, at least 1.
    #[schemars(range(min = 1, max = limits::MOST_GAMES))]
    pub games: u64,
    /// The master seed, from which every game has its own; absent: 2048.
    #[serde(default = "seed::default", with = "seed")]
    #[schemars(with = "seed::Seed")]
    pub seed: u64,
    /// Rules that differ from the paper's. Once read, these are all of its rules.
    #[serde(default)]
    pub rules: Rules,
    /// Whether it is played without being asked for; absent: default.
    #[serde(default)]
    pub set: Set,
    /// What there is to say about it.
    #[schemars(with = "Option<Text>")]
    pub note: Option<String>,
    /// The ids of the notes that it rests on.
    #[serde(default)]
    #[schemars(length(max = limits::MOST_ENTRIES))]
    pub conditional_on: Vec<NoteId>,
    /// How many milliseconds a move may take before the agent counts as hanging; absent: 60000. It determines
    /// no result.
    #[serde(default = "default_move_limit")]
    #[schemars(range(min = 1, max = limits::LONGEST_MOVE_MS))]
    pub move_limit_ms: u64,
    /// The share of games that may fault before the experiment is stopped; absent: "1/10". It determines no
    /// result.
    #[serde(default = "default_fault_share")]
    pub fault_share: Odds,
    /// Which form of the paper's method it plays, where text and released program differ.
    pub variant: Option<Variant>,
    /// The method's name in tables and figures, which its variants share; absent: the id is the name.
    #[schemars(with = "Option<Name>")]
    pub method: Option<String>,
    /// What its games are for; absent: play.
    #[serde(default)]
    pub role: Role,
    /// How many faulty games are known and do not bar verdicts; absent: 0.
    #[serde(default)]
    #[schemars(range(max = limits::MOST_GAMES))]
    pub acknowledged_faults: u64,
    /// Whether it is a row of the table that compares the papers, if it plays by that table's rules; absent:
    /// false.
    #[serde(default)]
    pub compared: bool,
    /// The study whose winner it plays again. Its parameters are known once that study is done: until then
    /// only those that stay as they are stand in `params`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub winner: Option<Winner>,
}

const fn default_move_limit() -> u64 {
    DEFAULT_MOVE_LIMIT_MS
}

const fn default_fault_share() -> Odds {
    DEFAULT_FAULT_SHARE
}

impl Experiment {
    /// The method's name in tables and figures.
    pub fn method(&self) -> &str {
        self.method.as_deref().unwrap_or(&self.id)
    }
}

/// Whether an experiment is played without being asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// It belongs to every reproduction of its paper.
    #[default]
    Default,
    /// It is played only where it is asked for.
    Extra,
}

/// What an experiment's games are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// They show how well a method plays.
    #[default]
    Play,
    /// They only carry a measurement of nodes or time, and their scores mean nothing.
    Measurement,
    /// They show what a study's winner, or the default beside it, is worth on games that the study never saw.
    /// No manifest writes it: such an experiment follows from its study, and stands in the study's section
    /// rather than among the paper's methods.
    #[schemars(skip)]
    Winner,
}

/// How an open question about a paper was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// What claims and experiments call it: capital letters, a hyphen and a number, such as D-1.
    pub id: NoteId,
    /// The question and its decision.
    #[schemars(with = "Text")]
    pub text: String,
}

/// A note's id: capital letters, a hyphen and a number, as in `D-1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(with = "IdOfNote")]
pub struct NoteId(String);

impl NoteId {
    /// The id in this text; `None` if it has another form.
    pub fn new(text: &str) -> Option<Self> {
        forms::is_note_id(text).then(|| Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for NoteId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads and checks the manifest in a file. Agents are not looked at: that is for [`check_agents`].
pub fn load(file: &Path) -> Result<Paper, ManifestError> {
    let id = check::paper_id(file)?;
    let text = read_named_text(file, limits::LARGEST_MANIFEST)
        .map_err(|source| ManifestError::Unreadable { file: file.to_owned(), source })?;
    check::paper(file, id, &text)
}

/// Reads and checks every manifest of a folder, sorted by the papers' ids, comparisons last: records that
/// they share with a paper are the paper's. Whatever does not end in `.toml` is none.
pub fn load_folder(folder: &Path) -> Result<Vec<Paper>, ManifestError> {
    let unreadable = |source| ManifestError::Unreadable { file: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|extension| extension == "toml") {
            files.push(file);
        }
    }
    files.sort();
    let (mut papers, mut problems) = (Vec::with_capacity(files.len()), Vec::new());
    for file in &files {
        match load(file) {
            Ok(paper) => papers.push(paper),
            Err(problem) => problems.push(problem),
        }
    }
    together(problems)?;
    together(across::problems(&papers))?;
    papers.sort_by(|one, other| (one.comparison, &one.id).cmp(&(other.comparison, &other.id)));
    Ok(papers)
}
