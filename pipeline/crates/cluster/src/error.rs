//! Errors of a submission, by whether another command line, another file or another try helps.

use std::io;

use platform::atomic::WriteError;
use platform::confined::ConfinedPath;

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
