//! `pipeline claims`: the verdict on every published claim.

mod claim;

use super::context::{paper_names, papers, require_known};
use super::render::require_carried;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::output::style::Style;
use crate::output::table;
use claim::ClaimContext;
use manifest::{ClaimKind, Paper};
use platform::plain;
use project::Project;
use records::Layout;
use rendering::tables::interpretations;
use text::{counted, counted_verb};
use verdict::evidence::Evidence;
use verdict::{self, Change, ClaimsFile, ConclusionStatus, JudgedConclusion, Part, Ruling, Summary, Verdict};

pub(crate) fn claims(arguments: &cli::ClaimsArgs) -> Result<(), Failure> {
    let (papers, single) = chosen(arguments)?;
    let layout = Layout::new(&arguments.places.out);
    let Project { papers, studies, .. } = Project::resolve(papers, &layout, |_| None);
    let evidence = Evidence::load(&layout)?.with_studies(studies, &layout)?;
    let verdicts = verdict::judge(&papers, &evidence);
    let concluded = verdict::conclude(&papers, &verdicts);
    let is_shown = |verdict: &&Verdict<'_>| {
        (single.is_empty() || single.contains(&name(verdict)))
            && (arguments.verdicts.is_empty() || arguments.verdicts.contains(&verdict.ruling))
    };
    let shown: Vec<Verdict<'_>> = verdicts.iter().filter(is_shown).cloned().collect();
    let is_part = !single.is_empty() || !arguments.verdicts.is_empty();
    if arguments.json {
        print_json(&ClaimsFile::of(&shown, if is_part { &[] } else { &concluded }))?;
    } else if !single.is_empty() {
        let judged = ClaimContext { verdicts: &verdicts, concluded: &concluded, evidence: &evidence };
        let texts = shown.iter().map(|verdict| judged.text(verdict, Style::of_stdout()));
        print_text(&texts.collect::<Vec<_>>().join("\n"))?;
    } else if is_part {
        print_text(&with_verdict(&shown, verdicts.len()))?;
    } else {
        print_text(&text(&verdicts, &concluded))?;
    }
    match &arguments.gate {
        None => Ok(()),
        Some(file) => {
            let mut before = verdict::read_gate(file)?;
            let is_ours =
                |claim: &String| papers.iter().any(|paper| claim.starts_with(&format!("{}/", paper.id)));
            before.retain(|claim, _| is_ours(claim));
            gate(&verdict::changes(&before, &verdicts))?;
            require_carried(&fallen(&concluded))
        }
    }
}

/// The papers whose claims are judged, and the claims to show in full, as `paper/claim`; none if whole papers
/// were asked for.
fn chosen(arguments: &cli::ClaimsArgs) -> Result<(Vec<Paper>, Vec<String>), Failure> {
    let all = papers(&arguments.places, &arguments.names)?;
    let (single, mut names): (Vec<String>, Vec<String>) =
        arguments.names.iter().cloned().partition(|name| is_claim(name));
    if !single.is_empty() && (arguments.gate.is_some() || !names.is_empty()) {
        let text = "name either claims or papers, and no claims with --gate, which compares whole papers";
        return Err(Failure::usage(text));
    }
    let claims: Vec<(&str, &str)> = single.iter().filter_map(|name| name.split_once('/')).collect();
    names.extend(claims.iter().map(|(paper, _)| (*paper).to_owned()));
    require_known(&all, &names)?;
    for (id, claim) in claims {
        let mut known = all.iter().filter(|paper| paper.id == id).flat_map(|paper| &paper.claims);
        if !known.any(|known| known.id == claim) {
            let text = format!("{id} has no claim `{claim}`; `pipeline claims {id}` lists them");
            return Err(Failure::usage(text));
        }
    }
    let names = paper_names(&names);
    let papers = all.into_iter().filter(|paper| names.is_empty() || names.contains(&paper.id));
    Ok((papers.collect(), single))
}

/// Whether a name is a claim's: neither a paper's nor a manifest's file.
fn is_claim(name: &str) -> bool {
    name.contains('/') && paper_names(&[name.to_owned()])[0] == name
}

/// The claims that came to the verdicts asked for.
fn with_verdict(shown: &[Verdict<'_>], all: usize) -> String {
    let rows: Vec<&Verdict<'_>> = shown.iter().collect();
    let (count, are) = (shown.len(), if shown.len() == 1 { "is" } else { "are" });
    let table = if rows.is_empty() { String::new() } else { verdict_table(&rows) + "\n" };
    let all = counted(all as u64, "claim");
    format!("{table}{count} of {all} {are} shown; `pipeline claims PAPER/CLAIM` shows all of one.\n")
}

fn text(verdicts: &[Verdict<'_>], concluded: &[JudgedConclusion<'_>]) -> String {
    let (audits, claims): (Vec<_>, Vec<_>) = verdicts.iter().partition(|verdict| verdict.claim.audit);
    let (untestable, tested): (Vec<_>, Vec<_>) =
        claims.into_iter().partition(|verdict| matches!(verdict.claim.kind, ClaimKind::Untestable { .. }));
    let summary = Summary::of(verdicts);
    let mut text = verdict_table(&tested);
    if !untestable.is_empty() {
        let lines: String = untestable
            .iter()
            .map(|verdict| format!("  {}: {}\n", name(verdict), verdict.sentence()))
            .collect();
        text.push_str(&format!("\nWhat cannot be tested\n{lines}"));
    }
    if !audits.is_empty() {
        text.push_str(&format!("\nChecks of ours\n{}", verdict_table(&audits)));
    }
    if let Some(table) = interpretations(&summary) {
        text.push_str(&format!("\nInterpretations\n{}", table.terminal()));
    }
    text.push_str(&format!("\n{}\n{}\n", counts(&summary), summary.remarks()));
    text.push_str(&findings(concluded));
    text
}

/// A claim, as `paper/claim`.
fn name(verdict: &Verdict<'_>) -> String {
    format!("{}/{}", verdict.paper.id, verdict.claim.id)
}

fn verdict_table(verdicts: &[&Verdict<'_>]) -> String {
    let row = |verdict: &&Verdict<'_>| {
        let texts = verdict.texts.clone();
        let under = verdict.claim.under.as_ref().map(|under| under.join(", ")).unwrap_or_default();
        let [published, reproduced, expected, visible, under] =
            [texts.published, texts.reproduced, texts.expected, texts.visible, under]
                .map(|text| plain::shortened(&text, WIDEST));
        vec![name(verdict), verdict.ruling.to_string(), published, reproduced, expected, visible, under]
    };
    let header = ["claim", "verdict", "published", "reproduced", "expected", "visible difference", "under"];
    table(&header, verdicts.iter().map(row))
}

/// The most characters of a cell of the table; `--json` has all of it.
const WIDEST: usize = 41;

/// The findings, paper by paper.
fn findings(concluded: &[JudgedConclusion<'_>]) -> String {
    let mut text = String::new();
    let mut paper = "";
    for each in concluded
        .iter()
        .filter(|each| each.part != Part::Account || each.standing != ConclusionStatus::Carried)
    {
        if each.paper.id != paper {
            paper = &each.paper.id;
            text.push_str(&format!("\nFindings: {paper}\n"));
        }
        let words = match each.part {
            Part::Account => "The account".to_owned(),
            Part::Finding(_) => plain::unwrapped(each.text),
        };
        let standing = match each.standing {
            ConclusionStatus::Carried => String::new(),
            standing => format!(" ({})", standing.name()),
        };
        text.push_str(&format!("- {words}{standing}\n"));
        each.problems().iter().for_each(|problem| text.push_str(&format!("    {problem}\n")));
    }
    text
}

/// The problems of findings that verdicts no longer carry.
fn fallen(concluded: &[JudgedConclusion<'_>]) -> Vec<String> {
    concluded
        .iter()
        .filter(|each| each.standing == ConclusionStatus::Fallen)
        .flat_map(JudgedConclusion::problems)
        .collect()
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
    let word = |ruling: Option<Ruling>| ruling.map_or("absent", Ruling::name);
    let line = |change: &Change| {
        format!("\n  {}: {} before, {} now", change.claim, word(change.before), word(change.now))
    };
    let lines: String = changes.iter().map(line).collect();
    let differ = counted_verb(changes.len() as u64, "verdict", ["differs", "differ"]);
    if changes.is_empty() {
        return Ok(());
    }
    Err(Failure::check(format!("{differ} from the committed ones:{lines}")))
}
