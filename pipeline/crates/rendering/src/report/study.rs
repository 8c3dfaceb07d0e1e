//! Studies, as they are printed: what was searched, how, what came of it, and parameters to take away.

use manifest::{NoteId, Set};
use serde::Serialize;

use super::page::PageFigure;
use crate::table::Table;

/// Studies that search the same parameters for the same objectives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudySection {
    /// Its id, unique in the paper.
    pub id: String,
    /// What the studies have in common.
    pub title: String,
    /// What was searched, in a few sentences.
    pub text: String,
    /// The parameters and where they may lie.
    pub space: Table,
    /// The studies.
    pub studies: Vec<PageStudy>,
    /// Their figures.
    pub figures: Vec<PageFigure>,
}

/// A study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageStudy {
    /// `paper/study`, unique in the page.
    pub key: String,
    /// What it is called among the others.
    pub name: String,
    /// How it searches, in a sentence.
    pub method: String,
    /// What came of it, in a few sentences.
    pub outcome: String,
    /// The trials.
    pub trials: u64,
    /// The games that they asked for.
    pub games: u64,
    /// The trials that a fault of the agent cost.
    pub faults: u64,
    /// The seed, as text.
    pub seed: String,
    /// The set that it belongs to.
    pub set: Set,
    /// A remark of its config.
    pub note: Option<String>,
    /// The ids of the notes, of the same paper, that it rests on.
    pub conditional_on: Vec<NoteId>,
    /// The command that runs it.
    pub command: String,
    /// The command that follows its trials again.
    pub verify: String,
    /// The hash of all that determines its trials.
    pub identity: String,
    /// The digest of its trials.
    pub digest: String,
    /// Its best points, the winners first.
    pub offers: Vec<Offer>,
}

/// Parameters that a reader can play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// What they are called: a winner's place, or a trial.
    pub name: String,
    /// The key of the experiment that plays them again; none where none has.
    pub experiment: Option<String>,
    /// The parameters that were searched.
    pub params: String,
    /// The mean score that they had in the study, with its interval.
    pub in_study: String,
    /// The mean score on held-out games, likewise; none where they were not played.
    pub held_out: Option<String>,
    /// The command that plays them.
    pub command: String,
}
