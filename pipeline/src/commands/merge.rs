//! `pipeline merge`: the parts of an experiment become one records file.

use super::{Failure, print_text};
use crate::cli;
use crate::layout::Layout;
use crate::merge;

pub(crate) fn merge(arguments: &cli::Merge) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let merged = merge::merge(&arguments.parts, &layout)?;
    print_text(&format!(
        "{}: {} games from {} parts; digest {}\n",
        merged.experiment,
        merged.games,
        arguments.parts.len(),
        merged.digest
    ))
}
