//! The page that lists every table and figure of the papers, with the files that reproduce it, or why none
//! can.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use manifest::{Exhibit, Paper};
use platform::plain::{markdown, unwrapped};

/// What a path may not hold as it is between the parentheses of a link.
const NO_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');

/// The page, as Markdown. Paths are relative to the folder of tables.
pub(super) fn page(papers: &[Paper]) -> String {
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
                .map(|file| format!("[{}](../{})", markdown(file), address(file)))
                .collect();
            links.join(", ")
        }
    }
}

fn address(file: &str) -> String {
    utf8_percent_encode(file, NO_PATH).to_string()
}

fn one_line(text: &str) -> String {
    markdown(&unwrapped(text))
}
