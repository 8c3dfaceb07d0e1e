//! The page and its papers: what the templates are filled with. Texts are plain; escaping is the templates' business.

use std::collections::BTreeMap;

use manifest::{Citation, Note};
use serde::Serialize;

use super::claim::Claim;
use super::experiment::{Experiment, Origin};
use super::figure::PageFigure;
use super::finding::{Finding, Interpretation};
use super::replay::Replay;
use super::study::StudySection;
use super::table::PageTable;
use super::training::TrainingSection;

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
    pub cross: PageTable,
    /// Which of the best methods its games do not tell apart, in a sentence.
    pub leaders: Option<String>,
    /// Where the records come from, one entry a set of experiments that were made alike.
    pub provenance: Vec<Origin>,
    /// The recorded games that the page can replay.
    pub replays: Vec<Replay>,
    /// The experiment whose best game the player begins with: that of the best method; none where the first will do.
    pub featured: Option<String>,
    /// The colours of its figures on a dark page, by those on a light one.
    pub dark: BTreeMap<String, String>,
    /// The SVG elements that its figures refer to, by id: glyphs and texts.
    pub definitions: BTreeMap<String, String>,
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub tables: Vec<PageTable>,
    /// Its figures.
    pub figures: Vec<PageFigure>,
    /// What its studies found, in tables.
    pub study_tables: Vec<PageTable>,
    /// Its studies, those of one kind together.
    pub studies: Vec<StudySection>,
    /// Its trainings; none where nothing was trained.
    pub trainings: Option<TrainingSection>,
    /// Its claims, each with a verdict.
    pub claims: Vec<Claim>,
    /// Its experiments, each with how to reproduce it.
    pub experiments: Vec<Experiment>,
}

/// The rules of some experiments, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSet {
    /// The keys of the experiments, as in [`Experiment::key`].
    pub experiments: Vec<String>,
    /// The rules, in a sentence.
    pub text: String,
}
