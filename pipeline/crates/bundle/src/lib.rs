//! Bundles: everything that belongs to the results of one commit, in a single file for a reviewer or an
//! archive.
//!
//! A bundle is a `tar.zst` that comes out the same, byte for byte, on every machine: names are sorted, owner
//! and time are fixed. [`contents`] lists what is in it; [`archive`] packs and unpacks, and trusts nothing
//! that it unpacks; [`check()`] checks a bundle against itself, without the repository or an agent.

pub mod archive;
mod check;
mod checksums;
pub mod contents;
mod error;
mod metadata;
mod open;
mod places;
mod readme;
mod repository;
mod ro_crate;
mod statement;

pub use check::{BundleCheck, check, is_bundle, render_again};
pub use checksums::CHECKSUMS;
pub use contents::{BundleInput, BundledJob, Contents, RESULTS};
pub use error::BundleError;
pub use open::OpenBundle;
pub use repository::Repository;
pub use statement::{STATEMENT, Statement};
