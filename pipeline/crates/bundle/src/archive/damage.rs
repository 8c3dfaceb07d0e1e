//! What can be wrong with the bytes of an archive.

use std::io;

/// Why an archive is not unpacked to its end, or may not be what was packed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Damage {
    #[error("not a bundle: there are no files in it")]
    Empty,
    #[error("not a bundle, or its beginning is damaged: {error}")]
    Beginning { error: io::Error },
    #[error("the archive is damaged after `{file}`: {error}")]
    After { file: String, error: io::Error },
    #[error("it breaks off within `{file}`")]
    BrokenOff { file: String },
    #[error("the compressed stream is damaged within `{file}`, or shortly before: {error}")]
    Within { file: String, error: io::Error },
    #[error("the compressed stream is damaged: {error}")]
    Stream { error: io::Error },
    #[error("there is something after the last file")]
    BehindLastFile,
    #[error("there is something after the compressed stream")]
    BehindStream,
    #[error("the bundle cannot be read to its end: {error}")]
    End { error: io::Error },
}
