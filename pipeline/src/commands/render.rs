//! `pipeline render`: tables, figures and the report, from stored records alone.

use serde_json::json;

use super::context::{papers, require_known};
use super::{Failure, print_result};
use crate::checksums::write_checksums;
use crate::cli;
use records::{Layout, Scope};
use rendering::render::{self, RenderSummary};
use text::counted;

pub(crate) fn render(arguments: &cli::RenderArgs) -> Result<(), Failure> {
    let papers = papers(&arguments.places, &arguments.names)?;
    require_known(&papers, &arguments.names)?;
    let layout = Layout::new(&arguments.places.out);
    let _lock = layout.lock()?;
    let published = render::render(&papers, &layout, &layout)?;
    write_checksums(&layout, Scope::All)?;
    let RenderSummary { files, left_out, open, fallen, .. } = &published;
    let json =
        json!({"files": files, "left_out": left_out, "open_findings": open, "fallen_findings": fallen});
    print_result(arguments.json, &json, || {
        let (files, report) = (counted(files.len() as u64, "file"), layout.report());
        let (left_out, open) = (self::left_out(&published), open_findings(open));
        format!("{files}; the report is {}\n{left_out}{open}", report.display())
    })?;
    require_carried(fallen)
}

/// Fails if verdicts no longer carry a finding. The rendered files show it too.
pub(super) fn require_carried(fallen: &[String]) -> Result<(), Failure> {
    if fallen.is_empty() {
        return Ok(());
    }
    let lines: String = fallen.iter().map(|problem| format!("\n  {problem}")).collect();
    Err(Failure::check(format!(
        "verdicts no longer carry what the manifests find; change the findings, or find out what changed the verdicts:{lines}"
    )))
}

/// The findings that lack games, a line each.
pub(super) fn open_findings(open: &[String]) -> String {
    if open.is_empty() {
        return String::new();
    }
    let lines: String = open.iter().map(|problem| format!("  {problem}\n")).collect();
    format!("Findings that are open, for want of games or by the speed of this machine:\n{lines}")
}

/// The papers that are not in the report, in a line.
pub(super) fn left_out(published: &RenderSummary) -> String {
    let names: Vec<&str> = published.left_out.iter().map(String::as_str).collect();
    let papers = match names.len() {
        0 => return String::new(),
        1 => "1 paper with stored results was not named and is".to_owned(),
        count => format!("{count} papers with stored results were not named and are"),
    };
    format!("{papers} not in this report: {}.\n", names.join(", "))
}
