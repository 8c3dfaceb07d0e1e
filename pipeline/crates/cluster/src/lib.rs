//! Jobs on a cluster: the work that a plan lacks is cut into shards, Slurm runs them as arrays, and what they
//! finish is collected.
//!
//! Files are the truth, and the scheduler is a hint: records, journals and checkpoints say what is done,
//! never the state of a Slurm job. Every attempt at a shard works in a folder of its own and takes up the
//! rows of earlier attempts, so no two processes write to one file, and no lock is needed on any file system.
//! A shard that runs twice does no harm, since both attempts give the same rows; a shard that is lost is
//! noticed.
//!
//! This crate knows of a job its key, its kind's words, how many rows it has, and into how many parts it is
//! cut. The program plans jobs, runs them, and says how much of a part is done.

pub mod attempt;
pub mod copies;
pub mod cut;
mod folder;
pub mod round;
pub mod script;
pub mod slurm;
pub mod status;
pub mod submission;

pub use attempt::{Attempt, AttemptEnd, AttemptStart, Cause, HEARTBEAT_EVERY};
pub use cut::{Division, MissingRows, RowTime, SHORTEST};
pub use folder::WorkFolder;
pub use round::Round;
pub use slurm::Queue;
pub use status::{ClusterStatus, PartProgress, ShardState, ShardStatus};
pub use submission::{FORM, ID_DIGITS, JobPart, Request, Submission, SubmissionJob, SubmissionShard};

use std::io;

use platform::{ConfinedPath, WriteError};

/// Why a submission cannot be made, read or continued.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The command line, a plugin or the site has to change.
    #[error("{0}")]
    Usage(String),
    /// A file is not the one that was sent.
    #[error("{0}")]
    Check(String),
    /// Slurm does not answer or has no room; a later try may succeed.
    #[error("{0}")]
    Temporary(String),
    /// A file cannot be read or written.
    #[error("{what}")]
    Io {
        /// The file, and what was to be done with it.
        what: String,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] WriteError),
}

impl ClusterError {
    /// A file or folder that cannot be read or written.
    pub(crate) fn io(path: &ConfinedPath) -> impl FnOnce(io::Error) -> Self {
        let what = format!("{}: cannot be read or written", path.display());
        |source| Self::Io { what, source }
    }

    /// The same error with a text before it.
    pub(crate) fn after(self, text: &str) -> Self {
        match self {
            Self::Usage(reason) => Self::Usage(format!("{text}: {reason}")),
            Self::Check(reason) => Self::Check(format!("{text}: {reason}")),
            Self::Temporary(reason) => Self::Temporary(format!("{text}: {reason}")),
            Self::Io { what, source } => Self::Io { what: format!("{text}: {what}"), source },
            Self::Output(error) => Self::Output(error),
        }
    }
}
