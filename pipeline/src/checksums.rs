//! The checksums of a results folder: the list of hashes, and files of an older form in the present one.

use crate::failure::Failure;
use records::store::{renew_timing, seal_records};
use records::{Layout, Scope, StoreError, Tree, sums};

/// Writes the hashes of the files that a command has made. A command that draws everything again also renews
/// files of an older program: their seals, and the meaning of a timing file's columns.
pub(crate) fn write_checksums(layout: &Layout, scope: Scope) -> Result<(), Failure> {
    if scope == Scope::All {
        renew_older(layout)?;
    }
    Ok(sums::write(layout, scope)?)
}

fn renew_older(layout: &Layout) -> Result<(), Failure> {
    let tree = Tree::of(layout.root()).map_err(Failure::io)?;
    for name in tree.parquet("records") {
        // A broken file stays as it is: verifying reports it.
        if let Err(error @ StoreError::Io { .. }) = seal_records(&layout.root().join(name)) {
            return Err(error.into());
        }
    }
    for name in tree.parquet("timing") {
        renew_timing(&layout.root().join(name))?;
    }
    Ok(())
}
