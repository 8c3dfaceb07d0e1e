//! The page and its papers: what the templates are filled with. Texts are plain; escaping is the templates'
//! business.

use manifest::{Citation, Note};
use serde::Serialize;

use super::claim::Claim;
use super::experiment::{Experiment, Origin};
use super::finding::{Finding, Interpretation};
use super::job::JobSection;
use super::replay::Replay;
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
    /// What was played, in numbers.
    pub totals: Totals,
    /// The papers, in the order of their sections.
    pub papers: Vec<Paper>,
    /// The comparison across papers, one experiment a row.
    pub cross: Table,
    /// How many of its columns are shown at once; the others wait behind a button.
    pub cross_columns: usize,
    /// Which of the best methods its games do not tell apart, in a sentence.
    pub leaders: Option<String>,
    /// Where the records come from, one entry a set of experiments that were made alike.
    pub provenance: Vec<Origin>,
    /// The recorded games that the page can replay.
    pub replays: Vec<Replay>,
    /// The experiment whose best game the player begins with: that of the best method; none where the first
    /// will do.
    pub featured: Option<String>,
}

/// What was played, in numbers. The verdicts are counted from the claims themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// The games in all records; a file that two experiments share counts once.
    pub games: u64,
    /// The experiments with records.
    pub experiments: usize,
    /// What to bear in mind with the counts of verdicts; none where there is nothing.
    pub remarks: Option<String>,
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
    /// What came of it all: what was claimed, what holds, what does not, and why.
    pub account: Option<Finding>,
    /// What a reader takes home, the most important first.
    pub findings: Vec<Finding>,
    /// The whole ways to read it, and how it fares under each; none where there is only one.
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
    /// Its trainings; none where nothing was trained.
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
