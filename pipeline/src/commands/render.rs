//! `pipeline render`: tables, figures and the report, from stored records alone.

use serde_json::json;

use super::checksums::write_checksums;
use super::context::{papers, require_known};
use super::{Failure, print_json, print_text};
use crate::cli;
use records::layout::Layout;
use records::sums::Scope;
use rendering::everything::{Rendered, render_everything};
use verdict::format::counted;

pub(crate) fn render(arguments: &cli::Render) -> Result<(), Failure> {
    let papers = papers(&arguments.places, &arguments.names)?;
    require_known(&papers, &arguments.names)?;
    let layout = Layout::new(&arguments.places.out);
    let _lock = layout.lock()?;
    let published = render_everything(&papers, &layout)?;
    write_checksums(&layout, Scope::All)?;
    if arguments.json {
        return print_json(&json!({"files": published.files, "left_out": published.left_out}));
    }
    let (files, report) = (counted(published.files.len() as u64, "file"), layout.report());
    print_text(&format!("{files}; the report is {}\n{}", report.display(), left_out(&published)))
}

/// Which papers are not among what was drawn, in a line; nothing where all are.
pub(super) fn left_out(published: &Rendered) -> String {
    let names: Vec<&str> = published.left_out.iter().map(String::as_str).collect();
    let papers = match names.len() {
        0 => return String::new(),
        1 => "1 paper with stored results was not named and is".to_owned(),
        count => format!("{count} papers with stored results were not named and are"),
    };
    format!("{papers} not in this report: {}.\n", names.join(", "))
}
