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
    let extent = statement.extent();
    let day = statement.day();
    let warnings: String =
        statement.warnings().iter().map(|warning| format!("\n**Beware.** {}\n", markdown(warning))).collect();
    let findings = findings(papers);
    let machines = machines(jobs);
    let learned = learned(statement);
    let papers: String = papers.iter().filter(|paper| !paper.comparison).map(line).collect();
    format!(
        "\
# {name}

Published claims about programs that play 2048, tested: {extent}, and a verdict on every claim.
Made by Retile {pipeline} from commit `{commit}` of {day}.
{warnings}
Look at [results/report/index.html](results/report/index.html) first.
{findings}
## Check it

In this folder, with Rust 1.95 or later for the second and third:

    sha256sum -c SHA256SUMS --quiet
    (cd source && cargo run --release -- verify ..)
    (cd source && cargo run --release -- reproduce --from ..)

1. No file has changed since the bundle was made. On macOS: `shasum -a 256 -c SHA256SUMS`.
2. Every game is replayed from its seed and its moves under the rules; scores, boards and digests are compared; every trial of a study is verified
   from those before it; verdicts, tables, figures and report are made again from the records, and must be the same, byte for byte. No agent is needed. What this
   cannot show is that these agents make these moves.
3. The agents, built from this source, play the games again, and the digests are compared. `reproduce --from .. --games 3` plays the
   first three of each experiment, which takes minutes; all of them may take hours.

The second and third build and run the code in `source/`. If you do not trust it, use your own `pipeline` on this folder.

## What is where

| | |
|---|---|
| `paper-configs/` | one manifest per paper: rules, experiments, claims, and how open questions were decided |
| `results/catalogue.parquet`, `results/claims.csv` | every experiment with its file and what it comes to, and every claim, a row each |
| `results/records/`, `results/timing/` | every game, and what it cost, as Parquet; `results/README.md` explains the columns |
| `results/studies/` | every trial of the searches for better parameters, as Parquet |
{learned}| `results/index.json` | which records belong to which experiment, with identity and digest |
| `results/claims.json`, `tables/`, `figures/`, `report/` | verdicts, and everything that is made from the records |
| `source/` | the repository at that commit, without its results; `source/README.md` is the place to start |
| `bundle.json` | what this bundle says about itself |
| `ro-crate-metadata.json` | the same for machines: an RO-Crate 1.1 under the Process Run Crate profile 0.5 |
| `CITATION.cff`, `.zenodo.json` | how to cite it, and its metadata for Zenodo |

{machines}## The papers

{papers}"
    )
}

/// Where what was learned is; nothing where nothing was.
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

/// The kinds of machines that played, each with how many experiments; nothing where that is not known.
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

/// What a reader takes home, paper by paper; nothing where no manifest says it.
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
