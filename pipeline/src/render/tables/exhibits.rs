//! The page that lists every table and figure of the papers, with the files that reproduce it, or why none can.

use crate::manifest::{Exhibit, Paper};

/// The page, as Markdown. Paths are relative to the folder of tables.
pub(super) fn page(papers: &[Paper]) -> String {
    let mut page = "# The papers' tables and figures\n\nEvery table and figure of the papers, and what shows the same here.\n".to_owned();
    for paper in papers.iter().filter(|paper| !paper.exhibits.is_empty()) {
        page.push_str(&format!("\n## {}: {}\n\n", paper.id, paper.citation.title));
        page.push_str("| In the paper | Shows | Here |\n|---|---|---|\n");
        for exhibit in &paper.exhibits {
            let here = here(exhibit);
            page.push_str(&format!("| {} | {} | {here} |\n", exhibit.place, one_line(&exhibit.text)));
        }
    }
    page
}

fn here(exhibit: &Exhibit) -> String {
    match &exhibit.cannot {
        Some(reason) => format!("not reproduced: {}", one_line(reason)),
        None => {
            let links: Vec<String> =
                exhibit.shown_by.iter().map(|file| format!("[{file}](../{file})")).collect();
            links.join(", ")
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
