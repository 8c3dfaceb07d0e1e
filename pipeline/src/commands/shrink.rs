//! `pipeline shrink`: stored records, studies, trainings and times take less space, and stay the same games.

use super::{Failure, print_text};
use crate::checksums::write_checksums;
use crate::cli;
use rayon::prelude::*;
use records::store::shrink_records;
use records::{Layout, Scope, SealedTable, Tree};
use text::{counted, thousands};

pub(crate) fn shrink(arguments: &cli::ShrinkArgs) -> Result<(), Failure> {
    let layout = Layout::new(&arguments.out);
    let _lock = layout.lock()?;
    let tree = Tree::of(layout.root()).map_err(Failure::io)?;
    let below =
        |folder: &'static str| tree.parquet(folder).map(|name| layout.root().join(name)).collect::<Vec<_>>();
    let records = below("records").into_par_iter().map(|file| shrink_records(&file));
    let tables = [below("studies"), below("timing"), below("trainings")]
        .concat()
        .into_par_iter()
        .map(|file| SealedTable::shrink(&file));
    let saved: Vec<u64> = records.chain(tables).collect::<Result<_, _>>()?;
    write_checksums(&layout, Scope::Played)?;
    let smaller = saved.iter().filter(|bytes| **bytes > 0).count() as u64;
    print_text(&format!(
        "{} of {}: {} kB less\n",
        smaller,
        counted(saved.len() as u64, "file"),
        thousands(saved.iter().sum::<u64>() as f64 / 1000.0)
    ))
}
