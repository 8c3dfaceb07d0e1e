//! From verdicts, tables and figures to the page: everything is put into words here, and nothing is computed.

mod claims;
mod comparison;
mod experiments;
mod jobs;
mod replays;
mod words;

use std::collections::BTreeMap;

pub(crate) use claims::forms;

use super::page::{Page, Paper};
use super::{Claim, PageFigure, kind_name};
use crate::illustrations::DrawnFigure;
use crate::table::Table;
use crate::tables::ReportInput;
use manifest::{self, Note};
use platform::plain::unwrapped;
use records::{Layout, StoreError};
use verdict::evidence::Evidence;
use verdict::{JudgedConclusion, Summary, Verdict};

/// What the page is made from.
pub struct PageInput<'a> {
    /// Papers, games and verdicts.
    pub input: ReportInput<'a>,
    /// The findings and accounts, held against the verdicts.
    pub concluded: &'a [JudgedConclusion<'a>],
    /// The tables, as they are written to files too.
    pub tables: &'a [Table],
    /// The figures, likewise.
    pub drawn: &'a [DrawnFigure],
}

impl PageInput<'_> {
    /// Composes the page.
    pub fn page(&self, layout: &Layout) -> Result<Page, StoreError> {
        let ReportInput { papers, evidence, verdicts, studies, trainings } = self.input;
        let is_played = |paper: &&manifest::Paper| {
            evidence.iter().any(|(key, _)| key.paper == paper.id)
                || studies.iter().any(|view| view.paper.id == paper.id)
                || trainings.iter().any(|view| view.paper.id == paper.id)
        };
        let papers: Vec<&manifest::Paper> = papers.iter().filter(is_played).collect();
        let summary = Summary::of(verdicts);
        let cross = self.comparison(&papers);
        Ok(Page {
            title: "Retile: published claims about 2048-playing programs, run again".to_owned(),
            lead: words::lead(&papers),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: games_in_all(evidence),
            experiments: evidence.iter().count(),
            remarks: summary.remarks(),
            cross_columns: 1 + cross.column(comparison::LAST_SHOWN).unwrap_or(0),
            cross,
            leaders: comparison::leading(self.input).unwrap_or_default(),
            provenance: experiments::origins(self.input, &papers),
            replays: replays::replays(self.input, &papers, layout)?,
            featured: comparison::featured(self.input),
            papers: papers.into_iter().map(|paper| self.paper(paper, &summary)).collect(),
        })
    }

    pub(crate) fn paper(&self, paper: &manifest::Paper, summary: &Summary) -> Paper {
        let (account, findings) = claims::findings(paper, self.concluded);
        let named = |is_meant: fn(&str) -> bool| {
            let prefix = format!("{}-", paper.id);
            let of_paper = move |table: &&Table| table.id.strip_prefix(&prefix).is_some_and(is_meant);
            self.tables.iter().filter(of_paper).cloned().collect()
        };
        Paper {
            id: paper.id.clone(),
            citation: paper.citation.clone(),
            comparison: paper.comparison,
            account,
            findings,
            interpretations: claims::interpretations(paper, summary),
            summary: unwrapped(paper.summary.as_deref().unwrap_or_default()),
            rules: words::rule_sets(self.input, paper),
            notes: paper
                .notes
                .iter()
                .map(|note| Note { id: note.id.clone(), text: unwrapped(&note.text) })
                .collect(),
            tables: named(is_shown),
            figures: figures(self.drawn, paper, None),
            study_tables: named(|name| STUDIES.contains(&name)),
            studies: jobs::studies(self.input, self.drawn, paper),
            trainings: jobs::trainings(self.input, self.drawn, paper),
            claims: self.input.of_paper(paper).map(claim).collect(),
            experiments: experiments::experiments(self.input, paper),
        }
    }

    /// The table that compares the papers; an empty one where no manifest is a comparison.
    fn comparison(&self, papers: &[&manifest::Paper]) -> Table {
        let paper = papers.iter().find(|paper| paper.comparison);
        let table = paper.and_then(|paper| comparison::table(self.input, paper));
        table.unwrap_or_else(|| Table {
            id: "comparison".to_owned(),
            title: comparison::TITLE.to_owned(),
            caption: "No methods have been played on one game yet.".to_owned(),
            header: vec!["Method".to_owned()],
            rows: Vec::new(),
        })
    }
}

/// The tables of what studies found and cost, which stand before them.
const STUDIES: [&str; 2] = ["studies", "studies-timing"];

/// Tables that the page shows as such: claims have a table of their own, which has the published numbers too,
/// and studies with their winners a section.
fn is_shown(name: &str) -> bool {
    !["claims", "results", "winners"].contains(&name) && !STUDIES.contains(&name)
}

/// The figures of a paper's group of studies or trainings, or those that belong to no group.
fn figures(drawn: &[DrawnFigure], paper: &manifest::Paper, group: Option<&str>) -> Vec<PageFigure> {
    let is_meant = |drawn: &&DrawnFigure| drawn.paper == paper.id && drawn.group.as_deref() == group;
    drawn.iter().filter(is_meant).map(|drawn| drawn.figure.clone()).collect()
}

fn claim(verdict: &Verdict<'_>) -> Claim {
    let claim = verdict.claim;
    let key = |id: &str| format!("{}/{id}", verdict.paper.id);
    Claim {
        id: claim.id.clone(),
        kind: kind_name(&claim.kind),
        text: unwrapped(&claim.text),
        place: claim.place.clone(),
        verdict: verdict.ruling,
        texts: verdict.texts.clone(),
        // The page links to the notes that it is conditional on.
        sentence: verdict.reason.clone(),
        forms: claims::forms(verdict),
        weak: claims::weakness(verdict),
        reading_of: claim.reading_of.clone(),
        under: claim.under.clone().unwrap_or_default(),
        audit: claim.audit,
        conditional_on: claim.conditional_on.clone(),
        // What was not played has no entry to link to.
        experiments: if matches!(verdict.grounds, verdict::Grounds::Nothing { .. }) {
            Vec::new()
        } else {
            claim.experiments().into_iter().map(key).collect()
        },
    }
}

/// The games of all records files, each counted once.
fn games_in_all(evidence: &Evidence) -> u64 {
    let files: BTreeMap<_, _> =
        evidence.iter().map(|(_, games)| (&games.records, games.outcomes.len())).collect();
    files.into_values().sum::<usize>() as u64
}
