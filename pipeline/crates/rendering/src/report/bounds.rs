//! What of a page can be read: of thousands of claims, experiments or rows it shows the first, and says where
//! all of them stand. A browser takes its time for ten thousand of each, and nobody looks through them there;
//! files have everything.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::claim::Claim;
use super::page::{Page, Paper};
use crate::table::Table;
use text::{counted, thousands};

/// The most claims and experiments of a paper, and rows of a table, that are shown; those that something else
/// on the page leads to come on top.
pub(super) const MOST: usize = 500;

/// What is left out of a page, for the templates to say.
#[derive(Debug, Serialize)]
pub(super) struct Cuts {
    /// Of the claims of all papers, our checks included.
    claims: Option<Cut>,
    /// By the paper's id.
    papers: BTreeMap<String, PaperCuts>,
    /// How many experiments each entry of the provenance is about, listed or not.
    origins: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct PaperCuts {
    claims: Option<Cut>,
    experiments: Option<Cut>,
}

/// How many are shown, and how many there are.
#[derive(Debug, Serialize)]
struct Cut {
    shown: usize,
    all: usize,
}

impl Cut {
    fn between(shown: usize, all: usize) -> Option<Self> {
        (shown < all).then_some(Self { shown, all })
    }
}

/// The page with as much as can be read, and what it leaves out.
pub(super) fn readable(whole: &Page) -> (Cow<'_, Page>, Cuts) {
    let page = if is_long(whole) { Cow::Owned(cut(whole)) } else { Cow::Borrowed(whole) };
    let papers = whole.papers.iter().zip(&page.papers).map(|(whole, shown)| {
        let claims = Cut::between(shown.claims.len(), whole.claims.len());
        let experiments = Cut::between(shown.experiments.len(), whole.experiments.len());
        (whole.id.clone(), PaperCuts { claims, experiments })
    });
    let papers = papers.collect();
    let count = |page: &Page| page.papers.iter().map(|paper| paper.claims.len()).sum();
    let claims = Cut::between(count(&page), count(whole));
    let origins = whole.provenance.iter().map(|origin| origin.experiments.len()).collect();
    (page, Cuts { claims, papers, origins })
}

fn is_long(page: &Page) -> bool {
    let is_long_table = |table: &Table| table.rows.len() > MOST;
    let is_long_paper = |paper: &Paper| {
        let tables = paper.tables.iter().chain(&paper.study_tables);
        paper.claims.len() > MOST || paper.experiments.len() > MOST || tables.into_iter().any(is_long_table)
    };
    is_long_table(&page.cross) || page.papers.iter().any(is_long_paper)
}

fn cut(whole: &Page) -> Page {
    let mut page = whole.clone();
    cut_table(&mut page.cross);
    for paper in &mut page.papers {
        paper.tables.iter_mut().chain(&mut paper.study_tables).for_each(cut_table);
        let kept = kept_claims(paper);
        paper.claims.retain(|claim| kept.contains(&claim.id));
    }
    let kept = kept_experiments(&page);
    for paper in &mut page.papers {
        paper.experiments.retain(|experiment| kept.contains(&experiment.key));
        for rules in &mut paper.rules {
            let all = rules.experiments.len();
            rules.experiments.retain(|key| kept.contains(key));
            if let Some(cut) = Cut::between(rules.experiments.len(), all) {
                let more = counted((cut.all - cut.shown) as u64, "experiment");
                rules.text.push_str(&format!(" So do {more} that this page does not list."));
            }
        }
    }
    for origin in &mut page.provenance {
        origin.experiments.retain(|key| kept.contains(key));
    }
    page.replays.retain(|replay| kept.contains(&replay.experiment));
    page
}

fn cut_table(table: &mut Table) {
    if let Some(Cut { shown, all }) = Cut::between(MOST, table.rows.len()) {
        table.rows.truncate(MOST);
        let (shown, all) = (thousands(shown as f64), counted(all as u64, "row"));
        let note = format!("These are the first {shown} of {all}; tables/{}.csv has all of them.", table.id);
        table.caption = format!("{} {note}", table.caption).trim_start().to_owned();
    }
}

/// The first claims, those that findings name, and those that these are other readings of.
fn kept_claims(paper: &Paper) -> BTreeSet<String> {
    let first = paper.claims.iter().take(MOST).map(|claim| &claim.id);
    let findings = paper.findings.iter().chain(&paper.account);
    let named = findings.flat_map(|finding| &finding.needs).map(|need| &need.claim);
    let mut kept: BTreeSet<String> = first.chain(named).cloned().collect();
    let read = |claim: &&Claim| kept.contains(&claim.id);
    let first_readings: Vec<String> =
        paper.claims.iter().filter(read).filter_map(|claim| claim.reading_of.clone()).collect();
    kept.extend(first_readings);
    kept
}

/// The first experiments of each paper, those that shown claims, rows and studies lead to, and the one that
/// the player begins with.
fn kept_experiments(page: &Page) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    let cells = |table: &Table| -> Vec<String> {
        table.rows.iter().flatten().filter_map(|cell| cell.experiment().map(str::to_owned)).collect()
    };
    kept.extend(cells(&page.cross));
    kept.extend(page.featured.clone());
    for paper in &page.papers {
        kept.extend(paper.experiments.iter().take(MOST).map(|experiment| experiment.key.clone()));
        kept.extend(paper.claims.iter().flat_map(|claim| claim.experiments.clone()));
        kept.extend(paper.tables.iter().chain(&paper.study_tables).flat_map(cells));
        let offers = paper.studies.iter().flat_map(|section| &section.jobs).flat_map(|study| &study.offers);
        kept.extend(offers.filter_map(|offer| offer.experiment.clone()));
    }
    kept
}
