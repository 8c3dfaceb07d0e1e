//! Bundles: all that belongs to the results of one commit in a single file, for a reviewer or an archive.
//!
//! A bundle is a `tar.zst` that comes out the same, byte for byte, wherever and however often it is made: names are sorted, owner and
//! time are fixed, and nothing of the machine goes in. What is in it is [`contents`]; [`archive`] packs and unpacks, and trusts
//! nothing that it unpacks; [`check()`] holds a bundle against itself, with no need of the repository or of an agent.

pub mod archive;
mod check;
mod checksums;
pub mod contents;
mod error;
mod listing;
mod metadata;
mod places;
mod readme;
mod render_anew;
mod repository;
mod ro_crate;
mod stated;
mod statement;

pub use check::{
    Checked, check, check_archive, files, is_bundle, replay_problems, results, study_problems,
    training_problems,
};
pub use checksums::{CHECKSUMS, checksum_problems};
pub use contents::{Contents, Making, RESULTS};
pub use error::BundleError;
pub use listing::Listing;
pub use render_anew::{RenderAnewError, RenderedAnew, render_anew};
pub use repository::Repository;
pub use stated::index_problems;
pub use statement::{STATEMENT, Statement};
