//! Trainings, as they are printed: what was learned, what that cost, the file that came of it, and how to learn it again.

use manifest::{NoteId, Set};
use serde::Serialize;

use super::page::PageFigure;

/// The trainings of a paper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingSection {
    /// The trainings.
    pub trainings: Vec<PageTraining>,
    /// Their learning curves.
    pub figures: Vec<PageFigure>,
}

/// A training.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageTraining {
    /// `paper/training`, unique in the page.
    pub key: String,
    /// The agent that learns.
    pub agent: String,
    /// Its parameters beyond the defaults, in words; empty where there are none.
    pub params: String,
    /// What it cost: games, moves, CPU time.
    pub cost: String,
    /// What came of it, in sentences.
    pub outcome: String,
    /// The keys of the experiments that play with it.
    pub players: Vec<String>,
    /// The SHA-256 of the file of weights.
    pub artefact: String,
    /// Its sizes.
    pub sizes: String,
    /// The seed, as text.
    pub seed: String,
    /// The set that it belongs to.
    pub set: Set,
    /// A remark of its config.
    pub note: Option<String>,
    /// The ids of the notes, of the same paper, that it rests on.
    pub conditional_on: Vec<NoteId>,
    /// The command that trains it again.
    pub command: String,
    /// The command that checks what is stored.
    pub verify: String,
    /// The hash of all that determines what is learned.
    pub identity: String,
    /// The digest of its learning curve.
    pub digest: String,
}
