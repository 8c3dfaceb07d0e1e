//! The page and its papers: what the templates are filled with. Texts are plain; escaping is the templates'
//! business.

use manifest::{Citation, Note, NoteId, Set, Variant};
use minijinja::context;
use records::Provenance;
use serde::{Serialize, Serializer};
use verdict::{ConclusionStatus, Reading, Ruling};

use super::claim::{Claim, badge};
use super::replay::PageReplay;
use crate::table::Table;

/// All that the report shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page {
    /// The page's title, also that of the window.
    pub title: String,
    /// One or two sentences below the title.
    pub lead: String,
    /// The version of the pipeline that made the page.
    pub version: String,
    /// The games in all records; a file that two experiments share counts once.
    pub games: u64,
    /// The experiments with records.
    pub experiments: usize,
    /// What to bear in mind with the counts of verdicts; may be empty.
    pub remarks: String,
    /// The papers, in the order of their sections.
    pub papers: Vec<Paper>,
    /// The comparison across papers, one experiment a row.
    pub cross: Table,
    /// How many of its columns are shown at once; the others wait behind a button.
    pub cross_columns: usize,
    /// Which of the best methods its games do not tell apart, in a sentence; may be empty.
    pub leaders: String,
    /// Where the records come from, one entry a set of experiments that were made alike.
    pub provenance: Vec<Origin>,
    /// The recorded games that the page can replay.
    pub replays: Vec<PageReplay>,
    /// The experiment whose best game the player begins with: that of the best method; none if the first
    /// will do.
    pub featured: Option<String>,
}

/// One paper's section.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Paper {
    /// The name of its config, unique in the page.
    pub id: String,
    /// What is cited.
    pub citation: Citation,
    /// Whether it is no paper but the comparison, whose figures stand with its table.
    pub comparison: bool,
    /// The outcome: what was claimed, what holds, what does not, and why.
    pub account: Option<Finding>,
    /// What a reader takes home, the most important first.
    pub findings: Vec<Finding>,
    /// The whole ways to read it, and how it fares under each; none if there is only one.
    pub interpretations: Vec<Interpretation>,
    /// The method in three sentences of our own.
    pub summary: String,
    /// The rules that its experiments are played under.
    pub rules: Vec<RuleSet>,
    /// Decisions where the paper is silent or differs from its code.
    pub notes: Vec<Note>,
    /// Its tables.
    pub tables: Vec<Table>,
    /// Its figures.
    pub figures: Vec<PageFigure>,
    /// What its studies found, in tables.
    pub study_tables: Vec<Table>,
    /// Its studies, those of one kind together.
    pub studies: Vec<JobSection>,
    /// Its trainings; none if nothing was trained.
    pub trainings: Option<JobSection>,
    /// Its claims, each with a verdict.
    pub claims: Vec<Claim>,
    /// Its experiments, each with how to reproduce it.
    pub experiments: Vec<Experiment>,
}

/// A figure, whose files are `../figures/ID.svg` and `../figures/ID.png`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageFigure {
    /// The name of its files without extension, unique among the figures of its paper.
    pub id: String,
    /// Its title, which does not name the paper.
    pub title: String,
    /// A description for readers who cannot see it.
    pub alt: String,
    /// Its width in pixels, so that the page does not jump when it appears.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
}

/// The rules of some experiments, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSet {
    /// The keys of the experiments, as in [`Experiment::key`].
    pub experiments: Vec<String>,
    /// The rules, in a sentence.
    pub text: String,
}

/// A finding, or a paper's account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it says.
    pub text: String,
    /// Whether the verdicts carry it.
    #[serde(serialize_with = "standing")]
    pub standing: ConclusionStatus,
    /// The verdicts that it needs.
    pub needs: Vec<Need>,
}

/// A verdict that a finding needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// The claim's id, of the same paper.
    pub claim: String,
    /// What must come of it.
    #[serde(serialize_with = "badge")]
    pub needed: Ruling,
    /// The verdict.
    #[serde(serialize_with = "badge")]
    pub verdict: Ruling,
}

/// What the page says beside a finding: nothing where it is carried.
fn standing<S: Serializer>(standing: &ConclusionStatus, serializer: S) -> Result<S::Ok, S::Error> {
    let said = match standing {
        ConclusionStatus::Carried => None,
        ConclusionStatus::Open => Some((
            "open",
            "open",
            "Games that it rests on are missing, or it rests on the speed of a machine.",
        )),
        ConclusionStatus::Fallen => {
            Some((standing.name(), "bad", "A verdict that it rests on has become another one."))
        }
    };
    said.map(|(word, tone, meaning)| context! { word, tone, meaning }).serialize(serializer)
}

/// How a paper fares under one of its interpretations, in statements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interpretation {
    /// Its id, unique in the paper.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The choices that it makes.
    pub text: String,
    /// The ids of the notes, of the same paper, that it takes up.
    pub conditional_on: Vec<NoteId>,
    /// Whether it is the best of the paper's.
    pub is_best: bool,
    /// How it fares; none if no statement of the paper can be tested by games.
    pub reading: Option<Reading>,
}

/// An experiment, with all that is needed to get its records again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Experiment {
    /// `paper/experiment`, unique in the page.
    pub key: String,
    /// The agent's id.
    pub agent: String,
    /// The agent's version.
    pub agent_version: String,
    /// Parameters and budget beyond the agent's defaults, as the command line takes them; empty where there
    /// are none.
    pub settings: String,
    /// All parameters, as text; empty where it has none.
    pub params: String,
    /// The games in the records.
    pub games: u64,
    /// What the manifest asks for instead, where these games are not the ones that it asks for: `seed 2049`.
    pub stale: Option<String>,
    /// The master seed, as text.
    pub seed: String,
    /// Which form of the paper's method it is.
    pub variant: Option<Variant>,
    /// The set that it belongs to.
    pub set: Set,
    /// A remark of its config.
    pub note: Option<String>,
    /// The hash of everything that determines its records; `None` if they are not repeatable.
    pub identity: Option<String>,
    /// The digest of its records.
    pub digest: String,
    /// The command that plays its agent on new games, or on the same.
    pub eval: String,
    /// The file of its records, from the results folder.
    pub records: String,
    /// The mean score, with its interval.
    pub mean_score: String,
    /// How many games an agent's fault cut short.
    pub faults: u64,
}

/// Where and by what the records of some experiments were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The keys of the experiments.
    pub experiments: Vec<String>,
    /// What the records say; its date is a day.
    #[serde(flatten)]
    pub provenance: Provenance,
}

/// Studies that search the same parameters for the same objectives, or the trainings of a paper.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JobSection {
    /// Its id, unique in the paper.
    pub id: String,
    /// What the jobs have in common.
    pub title: String,
    /// What was run, in a few sentences.
    pub text: String,
    /// The parameters that were searched, and where they may lie.
    pub space: Option<Table>,
    /// The jobs.
    pub jobs: Vec<PageJob>,
    /// Their figures.
    pub figures: Vec<PageFigure>,
}

/// A study or a training.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageJob {
    /// `paper/job`, unique in the page.
    pub key: String,
    /// What it is called among the others.
    pub name: String,
    /// What it did and its outcome, in sentences.
    pub text: String,
    /// The keys of the experiments that play with it.
    pub players: Vec<String>,
    /// How large it is.
    pub size: String,
    /// What determines it, in words, by name; empty texts are left out.
    pub facts: Vec<(&'static str, String)>,
    /// The ids of the notes, of the same paper, that it rests on.
    pub conditional_on: Vec<NoteId>,
    /// Commands and hashes, by name.
    pub codes: Vec<(&'static str, String)>,
    /// Its best points, the winners first.
    pub offers: Vec<Offer>,
}

/// Parameters that a reader can play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What they are called: a winner's place, or a trial.
    pub name: String,
    /// The key of the experiment that plays them again; none if none has.
    pub experiment: Option<String>,
    /// The parameters that were searched.
    pub params: String,
    /// The mean score that they had in the study, with its interval.
    pub in_study: String,
    /// The mean score on held-out games, likewise; none if they were not played.
    pub held_out: Option<String>,
    /// The command that plays them.
    pub command: String,
}
