//! `pipeline render`: tables, figures and the report, from stored records alone.

use serde_json::json;

use super::context::papers;
use super::{Failure, print_json, print_text};
use crate::cli;
use crate::layout::Layout;
use crate::render;

pub(crate) fn render(arguments: &cli::Render) -> Result<(), Failure> {
    let papers = papers(&arguments.places, &arguments.names)?;
    let layout = Layout::new(&arguments.places.out);
    let _lock = layout.lock()?;
    let rendered = render::render(&papers, &layout)?;
    if arguments.json {
        return print_json(&json!({"files": rendered.files}));
    }
    print_text(&format!("{} files; the report is {}\n", rendered.files.len(), layout.report().display()))
}
