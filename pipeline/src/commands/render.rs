//! `pipeline render`: tables, figures and the report, from stored records alone.

use serde_json::json;

use super::context::{papers, require_known};
use super::{Failure, print_json, print_text};
use crate::checksums::write_checksums;
use crate::cli;
use records::layout::Layout;
use records::sums::Scope;
use rendering::render::{self, RenderSummary};
use text::counted;

pub(crate) fn render(arguments: &cli::Render) -> Result<(), Failure> {
    let papers = papers(&arguments.places, &arguments.names)?;
    require_known(&papers, &arguments.names)?;
    let layout = Layout::new(&arguments.places.out);
    let _lock = layout.lock()?;
    let published = render::render(&papers, &layout, &layout)?;
    write_checksums(&layout, Scope::All)?;
    if arguments.json {
        print_json(&json!({
            "files": published.files,
            "left_out": published.left_out,
            "open_findings": published.open,
            "fallen_findings": published.fallen,
        }))?;
        return require_carried(&published.fallen);
    }
    let (files, report) = (counted(published.files.len() as u64, "file"), layout.report());
    let (left_out, open) = (left_out(&published), open_findings(&published.open));
    print_text(&format!("{files}; the report is {}\n{left_out}{open}", report.display()))?;
    require_carried(&published.fallen)
}

/// Fails where verdicts no longer carry a finding. What was drawn shows it too, so it has been written.
pub(super) fn require_carried(fallen: &[String]) -> Result<(), Failure> {
    if fallen.is_empty() {
        return Ok(());
    }
    let lines: String = fallen.iter().map(|problem| format!("\n  {problem}")).collect();
    Err(Failure::check(format!(
        "verdicts no longer carry what the manifests find; change the findings, or find out what changed the verdicts:{lines}"
    )))
}

/// The findings that lack games, a line each; nothing where none does.
pub(super) fn open_findings(open: &[String]) -> String {
    if open.is_empty() {
        return String::new();
    }
    let lines: String = open.iter().map(|problem| format!("  {problem}\n")).collect();
    format!("Findings that are open, for want of games or by the speed of this machine:\n{lines}")
}

/// Which papers are not among what was drawn, in a line; nothing where all are.
pub(super) fn left_out(published: &RenderSummary) -> String {
    let names: Vec<&str> = published.left_out.iter().map(String::as_str).collect();
    let papers = match names.len() {
        0 => return String::new(),
        1 => "1 paper with stored results was not named and is".to_owned(),
        count => format!("{count} papers with stored results were not named and are"),
    };
    format!("{papers} not in this report: {}.\n", names.join(", "))
}
