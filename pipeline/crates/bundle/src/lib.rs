//! Bundles: everything that belongs to the results of one commit, in a single file for a reviewer or an
//! archive.
//!
//! A bundle is a `tar.zst` that comes out the same, byte for byte, on every machine: names are sorted, owner
//! and time are fixed. [`contents`] lists what is in it; [`archive`] packs and unpacks, and trusts nothing
//! that it unpacks; [`check()`] checks a bundle against itself, without the repository or an agent.

pub mod archive;
mod check;
mod checksums;
mod consistency;
pub mod contents;
mod error;
mod listing;
mod metadata;
mod places;
mod readme;
mod render_again;
mod repository;
mod ro_crate;
mod statement;

pub use check::{BundleCheck, check, check_archive, files, is_bundle, record_problems, results};
pub use checksums::{CHECKSUMS, checksum_problems};
pub use consistency::index_problems;
pub use contents::{BundleInput, BundledJob, Contents, RESULTS};
pub use error::BundleError;
pub use listing::Listing;
pub use render_again::{RenderAgainError, RenderComparison, render_again};
pub use repository::Repository;
pub use statement::{STATEMENT, Statement};
