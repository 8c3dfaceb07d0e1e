//! What every job has, whatever its kind: a [`Key`] by which it is called, an [`identity`] that determines its
//! result, and a [`Status`] that says what is stored of it.
//!
//! A job is a hashed entry of a manifest whose result is a pure function of what the entry names. Experiments,
//! studies and trainings are kinds of jobs. A job that needs the result of another is [`Blocked`] until that has run.

mod blocked;
pub mod identity;
mod key;
mod status;

pub use blocked::{Blocked, Unavailable, command};
pub use identity::Difference;
pub use key::{Key, KeyError};
pub use status::Status;
