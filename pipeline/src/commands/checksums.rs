//! The checksums of a results folder: the list of hashes, and seals for files from before there were any.

use super::Failure;
use records::layout::Layout;
use records::store::{StoreError, seal_records, seal_timing};
use records::sums::{self, Scope};
use records::tree::Tree;

/// Writes the hashes of what a command has made. Whoever makes all anew that is drawn also seals what an older program has written.
pub(super) fn write_checksums(layout: &Layout, scope: Scope) -> Result<(), Failure> {
    if scope == Scope::All {
        seal_older(layout)?;
    }
    Ok(sums::write(layout, scope)?)
}

fn seal_older(layout: &Layout) -> Result<(), Failure> {
    let tree = Tree::of(layout.root()).map_err(Failure::io)?;
    for name in tree.parquet("records") {
        // One that is broken is told of by whoever verifies it, and stays as it is.
        if let Err(error @ StoreError::Io { .. }) = seal_records(&layout.root().join(name)) {
            return Err(error.into());
        }
    }
    for name in tree.parquet("timing") {
        seal_timing(&layout.root().join(name))?;
    }
    Ok(())
}
