//! `pipeline merge`: the parts of an experiment become one records file.

use super::checksums::write_checksums;
use super::{Failure, print_text};
use crate::cli;
use records::index::{Index, IndexEntry};
use records::layout::Layout;
use records::merge;
use records::sums::Scope;
use verdict::format::counted;

pub(crate) fn merge(arguments: &cli::Merge) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let merged = merge::merge(&arguments.parts, &layout)?;
    Index::enter(&layout, merged.clone())?;
    write_checksums(&layout, Scope::Played)?;
    let IndexEntry { records, games, digest, .. } = merged;
    print_text(&format!(
        "{records}: {} from {}; digest {digest}\n",
        counted(games, "game"),
        counted(arguments.parts.len() as u64, "part")
    ))
}
