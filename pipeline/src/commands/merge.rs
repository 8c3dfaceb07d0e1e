//! `pipeline merge`: the parts of an experiment become one records file.

use super::{Failure, print_text};
use crate::cli;
use crate::index::{Entry, Index};
use crate::layout::Layout;
use crate::merge;

pub(crate) fn merge(arguments: &cli::Merge) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let merged = merge::merge(&arguments.parts, &layout)?;
    Index::enter(&layout, merged.clone())?;
    let Entry { records, games, digest, .. } = merged;
    print_text(&format!("{records}: {games} games from {} parts; digest {digest}\n", arguments.parts.len()))
}
