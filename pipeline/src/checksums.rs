//! The checksums of a results folder: the list of hashes, and files of an older form in the present one.

use crate::failure::Failure;
use records::layout::Layout;
use records::store::{StoreError, renew_timing, seal_records};
use records::sums::{self, Scope};
use records::tree::Tree;

/// Writes the hashes of what a command has made. Whoever makes all anew that is drawn also renews what an
/// older program has written: seals, and what the columns of a timing file mean.
pub(crate) fn write_checksums(layout: &Layout, scope: Scope) -> Result<(), Failure> {
    if scope == Scope::All {
        renew_older(layout)?;
    }
    Ok(sums::write(layout, scope)?)
}

fn renew_older(layout: &Layout) -> Result<(), Failure> {
    let tree = Tree::of(layout.root()).map_err(Failure::io)?;
    for name in tree.parquet("records") {
        // One that is broken is told of by whoever verifies it, and stays as it is.
        if let Err(error @ StoreError::Io { .. }) = seal_records(&layout.root().join(name)) {
            return Err(error.into());
        }
    }
    for name in tree.parquet("timing") {
        renew_timing(&layout.root().join(name))?;
    }
    Ok(())
}
