//! `pipeline claims`: what came of every published claim.

use super::context::{paper_names, papers, require_known};
use super::table::table;
use super::{Failure, print_json, print_text};
use crate::cli;
use manifest::Paper;
use records::layout::Layout;
use verdict::evidence::Evidence;
use verdict::format::counted;
use verdict::{self, Change, ClaimsFile, Ruling, Summary, Verdict, grounds_texts};

pub(crate) fn claims(arguments: &cli::Claims) -> Result<(), Failure> {
    let papers = selected(papers(&arguments.places, &arguments.names)?, &arguments.names)?;
    let evidence = Evidence::load(&Layout::new(&arguments.places.out))?;
    let verdicts = verdict::judge(&papers, &evidence);
    if arguments.json {
        print_json(&ClaimsFile::of(&verdicts))?;
    } else {
        print_text(&text(&verdicts))?;
    }
    match &arguments.gate {
        None => Ok(()),
        Some(file) => {
            let mut before = verdict::read_gate(file)?;
            let is_ours =
                |claim: &String| papers.iter().any(|paper| claim.starts_with(&format!("{}/", paper.id)));
            before.retain(|claim, _| is_ours(claim));
            gate(&verdict::changes(&before, &verdicts))
        }
    }
}

/// The papers that were asked for; all where none was.
fn selected(papers: Vec<Paper>, names: &[String]) -> Result<Vec<Paper>, Failure> {
    require_known(&papers, names)?;
    let names = paper_names(names);
    Ok(papers.into_iter().filter(|paper| names.is_empty() || names.contains(&paper.id)).collect())
}

fn text(verdicts: &[Verdict<'_>]) -> String {
    let rows: Vec<Vec<String>> = verdicts
        .iter()
        .map(|verdict| {
            let texts = grounds_texts(verdict);
            let claim = format!("{}/{}", verdict.paper.id, verdict.claim.id);
            let [published, reproduced, expected] =
                [texts.published, texts.reproduced, texts.expected].map(|text| shortened(&text));
            vec![claim, verdict.ruling.to_string(), published, reproduced, expected]
        })
        .collect();
    let summary = Summary::of(verdicts);
    let table = table(&["claim", "verdict", "published", "reproduced", "expected"], &rows);
    format!("{table}\n{}\n{}\n", counts(&summary), summary.remarks())
}

/// The widest cell of the table; `--json` has all of it.
const WIDEST: usize = 42;

fn shortened(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// The numbers of verdicts, in a line.
pub(super) fn counts(summary: &Summary) -> String {
    if summary.counts.total() == 0 {
        return "No claims.".to_owned();
    }
    let parts: Vec<String> = Ruling::ALL
        .into_iter()
        .filter(|&ruling| summary.counts.of(ruling) > 0)
        .map(|ruling| format!("{} {ruling}", summary.counts.of(ruling)))
        .collect();
    format!("{}: {}.", counted(summary.counts.total(), "claim"), parts.join(", "))
}

fn gate(changes: &[Change]) -> Result<(), Failure> {
    if changes.is_empty() {
        return Ok(());
    }
    let word = |ruling: Option<Ruling>| ruling.map_or("absent", Ruling::name);
    let lines: Vec<String> = changes
        .iter()
        .map(|change| {
            format!("\n  {}: {} before, {} now", change.claim, word(change.before), word(change.now))
        })
        .collect();
    Err(Failure::check(format!(
        "{} verdicts differ from the committed ones:{}",
        changes.len(),
        lines.concat()
    )))
}
