//! What of a page can be read: of thousands of claims, experiments or rows it shows the first, and says where
//! all of them stand. A browser takes its time for ten thousand of each, and nobody looks through them there;
//! files have everything.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{Value, context};

use super::claim::Claim;
use super::page::{Page, Paper};
use crate::table::Table;
use text::{counted, thousands};

/// The most claims and experiments of a paper, and rows of a table, that are shown; those that something else
/// on the page leads to come on top.
pub(super) const MOST: usize = 500;

/// How many there are of what may be left out, for the templates to say: claims, claims and experiments by
/// the paper's id, and the experiments of each entry of the provenance.
pub(super) fn whole(page: &Page) -> Value {
    let of_paper = |paper: &Paper| {
        let (claims, experiments) = (paper.claims.len(), paper.experiments.len());
        (paper.id.clone(), context! { claims, experiments })
    };
    let papers: BTreeMap<String, Value> = page.papers.iter().map(of_paper).collect();
    let claims: usize = page.papers.iter().map(|paper| paper.claims.len()).sum();
    let origins: Vec<usize> = page.provenance.iter().map(|origin| origin.experiments.len()).collect();
    context! { claims, papers, origins }
}

/// The page with as much as can be read.
pub(super) fn readable(whole: &Page) -> Page {
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
            if rules.experiments.len() < all {
                let more = counted((all - rules.experiments.len()) as u64, "experiment");
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
    let all = table.rows.len();
    if all > MOST {
        table.rows.truncate(MOST);
        let (shown, all) = (thousands(MOST as f64), counted(all as u64, "row"));
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
