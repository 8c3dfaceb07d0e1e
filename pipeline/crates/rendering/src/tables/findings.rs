//! The page of findings: what a reader takes home, paper by paper, each with the verdicts that carry it.

use manifest::Paper;
use platform::plain::{markdown, unwrapped};
use verdict::{ConclusionStatus, JudgedConclusion, NeededVerdict, Part};

/// The page, as Markdown; none where no paper has anything to say.
pub(super) fn page(papers: &[Paper], concluded: &[JudgedConclusion<'_>]) -> Option<String> {
    if concluded.is_empty() {
        return None;
    }
    let mut page = "# What came out\n\nEach finding with the verdicts that carry it; `claims.json` has the reason for each of them.\n".to_owned();
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
    let text = markdown(&unwrapped(concluded.text));
    let beware = match concluded.standing {
        ConclusionStatus::Carried => String::new(),
        standing => format!("**{}.** ", text::capitalised(standing.name())),
    };
    let needs: Vec<String> = concluded.needs.iter().map(need).collect();
    let needs = needs.join(", ");
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
