//! `pipeline render`: tables, figures and the report, from stored records alone.

use serde_json::json;

use super::context::{papers, require_known};
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::layout::Layout;
use crate::publish::publish;

pub(crate) fn render(arguments: &cli::Render) -> Result<(), Failure> {
    let papers = papers(&arguments.places, &arguments.names)?;
    require_known(&papers, &arguments.names)?;
    let layout = Layout::new(&arguments.places.out);
    let _lock = layout.lock()?;
    let published = publish(&papers, &layout)?;
    if arguments.json {
        return print_json(&json!({"files": published.files}));
    }
    print_text(&format!("{} files; the report is {}\n", published.files.len(), layout.report().display()))
}
