//! What must hold of a page before it is rendered: ids are unique, and what is named exists, so that no link leads nowhere.

use std::collections::BTreeSet;

use manifest::NoteId;

use super::page::{Page, Paper};
use crate::table::{Cell, Table};
use text::counted;

/// How a page contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Two things of one kind have the same id.
    #[error("there are two of {kind} `{id}`")]
    Twice {
        /// What kind of thing.
        kind: &'static str,
        /// The id.
        id: String,
    },
    /// Something names what is not there.
    #[error("{by} names {kind} `{id}`, which the page does not have")]
    Missing {
        /// Who names it.
        by: String,
        /// What kind of thing.
        kind: &'static str,
        /// The id.
        id: String,
    },
    /// A citation's address is none of the web.
    #[error("paper `{paper}`: its address `{url}` starts with neither https:// nor http://")]
    Address {
        /// The paper's id.
        paper: String,
        /// The address.
        url: String,
    },
    /// A row of a table is longer or shorter than its head.
    #[error("table `{table}`: row {row} has {} for {}", counted(*cells as u64, "cell"), counted(*columns as u64, "column"))]
    Ragged {
        /// The table's id.
        table: String,
        /// The row, from 1.
        row: usize,
        /// Its cells.
        cells: usize,
        /// The table's columns.
        columns: usize,
    },
}

pub(super) fn check(page: &Page) -> Result<(), PageError> {
    let papers = || page.papers.iter();
    unique("paper", papers().map(|paper| paper.id.as_str()))?;
    let keys = papers().flat_map(|paper| &paper.experiments).map(|experiment| experiment.key.as_str());
    let experiments = unique("experiment", keys)?;
    let named = Named { experiments };
    for paper in &page.papers {
        named.check_paper(paper)?;
    }
    named.check_table(&page.cross)?;
    for provenance in &page.provenance {
        named.check_experiments("the provenance", &provenance.experiments)?;
    }
    let mut picks = BTreeSet::new();
    for replay in &page.replays {
        named.check_experiments("a replay", [&replay.experiment])?;
        if !picks.insert((&replay.experiment, replay.pick)) {
            return Err(PageError::Twice { kind: "a replay of", id: replay.experiment.clone() });
        }
    }
    Ok(())
}

/// The ids as a set, if none comes twice.
fn unique<'a>(
    kind: &'static str,
    ids: impl IntoIterator<Item = &'a str>,
) -> Result<BTreeSet<&'a str>, PageError> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(PageError::Twice { kind, id: id.to_owned() });
        }
    }
    Ok(seen)
}

/// Checks that every id that is named is there.
fn all_known<'k>(
    by: &str,
    kind: &'static str,
    named: impl IntoIterator<Item = &'k str>,
    there: &BTreeSet<&str>,
) -> Result<(), PageError> {
    let missing = named.into_iter().find(|id| !there.contains(id));
    missing.map_or(Ok(()), |id| Err(PageError::Missing { by: by.to_owned(), kind, id: id.to_owned() }))
}

/// What can be named from anywhere in the page.
struct Named<'a> {
    experiments: BTreeSet<&'a str>,
}

impl Named<'_> {
    fn check_paper(&self, paper: &Paper) -> Result<(), PageError> {
        let notes = unique("note", paper.notes.iter().map(|note| note.id.as_str()))?;
        let claims = unique("claim", paper.claims.iter().map(|claim| claim.id.as_str()))?;
        let interpretations =
            unique("interpretation", paper.interpretations.iter().map(|each| each.id.as_str()))?;
        let studied = paper.studies.iter().flat_map(|section| &section.figures);
        unique("figure", paper.figures.iter().chain(studied).map(|figure| figure.id.as_str()))?;
        let spaces = paper.studies.iter().map(|section| &section.space);
        let tables = paper.tables.iter().chain(&paper.study_tables).chain(spaces);
        unique("table", tables.clone().map(|table| table.id.as_str()))?;
        unique(
            "study",
            paper.studies.iter().flat_map(|section| &section.studies).map(|study| study.key.as_str()),
        )?;
        if let Some(url) = &paper.citation.url
            && !["https://", "http://"].iter().any(|scheme| url.starts_with(scheme))
        {
            return Err(PageError::Address { paper: paper.id.clone(), url: url.clone() });
        }
        for rules in &paper.rules {
            self.check_experiments(&format!("rules of `{}`", paper.id), &rules.experiments)?;
        }
        for table in tables {
            self.check_table(table)?;
        }
        for study in paper.studies.iter().flat_map(|section| &section.studies) {
            let by = format!("study `{}`", study.key);
            self.check_experiments(&by, study.offers.iter().filter_map(|offer| offer.experiment.as_ref()))?;
            all_known(&by, "note", study.conditional_on.iter().map(NoteId::as_str), &notes)?;
        }
        for claim in &paper.claims {
            let by = format!("claim `{}/{}`", paper.id, claim.id);
            self.check_experiments(&by, &claim.experiments)?;
            all_known(&by, "claim", claim.reading_of.iter().map(String::as_str), &claims)?;
            all_known(&by, "interpretation", claim.under.iter().map(String::as_str), &interpretations)?;
            all_known(&by, "note", claim.conditional_on.iter().map(NoteId::as_str), &notes)?;
        }
        for interpretation in &paper.interpretations {
            let by = format!("interpretation `{}/{}`", paper.id, interpretation.id);
            all_known(&by, "note", interpretation.conditional_on.iter().map(NoteId::as_str), &notes)?;
        }
        for finding in paper.findings.iter().chain(&paper.account) {
            let by = format!("a finding of `{}`", paper.id);
            all_known(&by, "claim", finding.needs.iter().map(|need| need.claim.as_str()), &claims)?;
        }
        Ok(())
    }

    fn check_table(&self, table: &Table) -> Result<(), PageError> {
        let columns = table.header.len();
        for (index, row) in table.rows.iter().enumerate() {
            if row.len() != columns {
                let (table, row, cells) = (table.id.clone(), index + 1, row.len());
                return Err(PageError::Ragged { table, row, cells, columns });
            }
            let (by, keys) = (format!("table `{}`", table.id), row.iter().filter_map(Cell::experiment));
            all_known(&by, "experiment", keys, &self.experiments)?;
        }
        Ok(())
    }

    fn check_experiments<'k>(
        &self,
        by: &str,
        keys: impl IntoIterator<Item = &'k String>,
    ) -> Result<(), PageError> {
        all_known(by, "experiment", keys.into_iter().map(String::as_str), &self.experiments)
    }
}
