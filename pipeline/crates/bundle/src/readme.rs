//! The bundle's own `README.md`: one page for the reviewer.

use std::collections::{BTreeMap, BTreeSet};

use super::Statement;
use super::contents::BundledJob;
use jobs::Provenance;
use manifest::Paper;
use platform::plain::markdown;
use records::EXPERIMENT;
use text::counted;

/// The page.
pub(super) fn text(statement: &Statement, papers: &[Paper], jobs: &[BundledJob]) -> String {
    let Statement { name, commit, pipeline, .. } = statement;
    let warnings: String =
        statement.warnings().iter().map(|warning| format!("\n**Beware.** {}\n", markdown(warning))).collect();
    format!(
        include_str!("readme.md"),
        name = name,
        extent = statement.extent(),
        pipeline = pipeline,
        commit = commit,
        day = statement.day(),
        warnings = warnings,
        findings = findings(papers),
        learned = learned(statement),
        machines = machines(jobs),
        papers = papers.iter().filter(|paper| !paper.comparison).map(line).collect::<String>(),
    )
}

/// The rows on trainings and artefacts, if there are some.
fn learned(statement: &Statement) -> String {
    let mut rows = String::new();
    if statement.trainings > 0 {
        rows.push_str("| `results/trainings/` | the learning curve of every training, as Parquet |\n");
    }
    if statement.artefacts > 0 {
        rows.push_str("| `artefacts/` | the files that agents need, each under the SHA-256 of its content, packed by zstd |\n");
    }
    rows
}

/// The kinds of machines that played, each with how many experiments.
fn machines(jobs: &[BundledJob]) -> String {
    let mut machines: BTreeMap<String, u64> = BTreeMap::new();
    for job in jobs.iter().filter(|job| job.words == &EXPERIMENT) {
        let of_one: BTreeSet<String> = job.stored.provenance.iter().map(Provenance::machine).collect();
        for machine in of_one {
            *machines.entry(machine).or_default() += 1;
        }
    }
    if machines.is_empty() {
        return String::new();
    }
    let line = |(machine, count): (String, u64)| {
        format!("- {}: {}\n", markdown(&machine), counted(count, "experiment"))
    };
    let lines: String = machines.into_iter().map(line).collect();
    format!("## Where it was played\n\nThe same games come out on any machine; times do not.\n\n{lines}\n")
}

/// The findings, paper by paper.
fn findings(papers: &[Paper]) -> String {
    let mut text = String::new();
    for paper in papers.iter().filter(|paper| !paper.findings.is_empty()) {
        text.push_str(&format!("\n**{}**\n\n", markdown(&paper.citation.title)));
        for finding in &paper.findings {
            let words: Vec<&str> = finding.text.split_whitespace().collect();
            text.push_str(&format!("- {}\n", markdown(&words.join(" "))));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "\n## Findings\n\n`results/tables/findings.md` names the verdicts that each sentence rests on.\n{text}"
    )
}

fn line(paper: &Paper) -> String {
    let citation = &paper.citation;
    let year = citation.year.map_or_else(String::new, |year| format!(" ({year})"));
    let place = citation.doi.as_ref().map(|doi| format!(" https://doi.org/{doi}"));
    let place = place.or_else(|| citation.url.as_ref().map(|url| format!(" {url}"))).unwrap_or_default();
    let unpublished = citation.unpublished().map_or_else(String::new, |words| format!(" {words}."));
    format!(
        "- `{}`: {}{year}: {}.{place}{unpublished}\n",
        paper.id,
        citation.authors.join(", "),
        citation.title
    )
}
