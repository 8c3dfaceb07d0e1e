//! Studies and trainings, as they are printed: what was run, what came of it, and how to run it again.

use manifest::NoteId;
use serde::Serialize;

use super::page::PageFigure;
use crate::table::Table;

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
    /// What it did and what came of it, in sentences.
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
