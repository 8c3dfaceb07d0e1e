//! What every job has, whatever its kind: a [`Key`] by which it is called, an [`identity`] that determines
//! its result, a [`Status`] that says what is stored of it, and a file, which its [`StoredKind`] reads and
//! checks.
//!
//! A job is a hashed entry of a manifest whose result is a pure function of what the entry names.
//! Experiments, studies and trainings are kinds of jobs. A job that needs the result of another is
//! [`Blocked`] until that has run.

mod blocked;
mod error;
pub mod identity;
mod key;
pub mod provenance;
mod status;
mod stored;
mod words;

pub use blocked::{Blocked, Unavailable};
pub use error::StoreError;
pub use identity::{Canonical, Difference, StoredIdentity};
pub use key::{Key, KeyError};
pub use provenance::Provenance;
pub use status::Status;
pub use stored::{CheckedJob, Entries, FirstDifference, Shard, StoredContext, StoredJob, StoredKind};
pub use words::Words;
