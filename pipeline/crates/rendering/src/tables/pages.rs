//! The pages of the folder of tables: every table and figure of the papers with the files that reproduce it,
//! or why none can; and what a reader takes home, paper by paper, each finding with the verdicts that carry it.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use manifest::{Exhibit, Paper};
use platform::plain::{markdown, unwrapped};
use verdict::{ConclusionStatus, JudgedConclusion, NeededVerdict, Part};

/// What a path may not hold as it is between the parentheses of a link.
const NO_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

/// The page, as Markdown. Paths are relative to the folder of tables.
pub(super) fn exhibits(papers: &[Paper]) -> String {
    let mut page = "# The papers' tables and figures\n\nEvery table and figure of the papers, and the file here that shows the same.\n".to_owned();
    for paper in papers.iter().filter(|paper| !paper.exhibits.is_empty()) {
        page.push_str(&format!("\n## {}: {}\n\n", paper.id, markdown(&paper.citation.title)));
        page.push_str("| In the paper | Shows | Here |\n|---|---|---|\n");
        for exhibit in &paper.exhibits {
            let here = here(exhibit);
            page.push_str(&format!(
                "| {} | {} | {here} |\n",
                markdown(&exhibit.place),
                one_line(&exhibit.text)
            ));
        }
    }
    page
}

fn here(exhibit: &Exhibit) -> String {
    match &exhibit.cannot {
        Some(reason) => format!("not reproduced: {}", one_line(reason)),
        None => {
            let links: Vec<String> = exhibit
                .shown_by
                .iter()
                .map(|file| format!("[{}](../{})", markdown(file), utf8_percent_encode(file, NO_PATH)))
                .collect();
            links.join(", ")
        }
    }
}

fn one_line(text: &str) -> String {
    markdown(&unwrapped(text))
}

/// The page, as Markdown; none if no paper has findings.
pub(super) fn findings(papers: &[Paper], concluded: &[JudgedConclusion<'_>]) -> Option<String> {
    if concluded.is_empty() {
        return None;
    }
    let mut page = "# Findings\n\nEach finding with the verdicts that carry it; `claims.json` has the reason for each of them.\n".to_owned();
    for paper in papers {
        let of_paper: Vec<&JudgedConclusion<'_>> =
            concluded.iter().filter(|concluded| concluded.paper.id == paper.id).collect();
        if of_paper.is_empty() {
            continue;
        }
        page.push_str(&format!("\n## {}: {}\n\n", paper.id, markdown(&paper.citation.title)));
        for concluded in of_paper {
            page.push_str(&entry(concluded));
        }
    }
    Some(page)
}

fn entry(concluded: &JudgedConclusion<'_>) -> String {
    let text = one_line(concluded.text);
    let beware = match concluded.standing {
        ConclusionStatus::Carried => String::new(),
        standing => format!("**{}.** ", text::capitalised(standing.name())),
    };
    let needs = concluded.needs.iter().map(need).collect::<Vec<_>>().join(", ");
    match concluded.part {
        Part::Account => format!("{beware}{text} *Rests on {needs}.*\n\n"),
        Part::Finding(_) => format!("- {beware}{text} *Rests on {needs}.*\n"),
    }
}

fn need(NeededVerdict { claim, needed, verdict, .. }: &NeededVerdict<'_>) -> String {
    if needed == verdict {
        format!("`{claim}` {verdict}")
    } else {
        format!("`{claim}`, which should be {needed} and is {verdict}")
    }
}
