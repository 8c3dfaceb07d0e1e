//! The archive: a plain `ustar` in one zstd frame with a checksum. It holds files and nothing else, all below
//! one folder.

mod damage;
mod name;
mod read;
mod write;

pub use damage::Damage;
pub use name::objection;
pub use read::{UnpackedArchive, unpack};
pub use write::{PackedArchive, as_packed, pack};

/// The largest file of a bundle. All records of a long experiment are far below it.
pub(super) const LARGEST_FILE: u64 = 1 << 30;
/// The most bytes of all files together.
pub(super) const LARGEST_BUNDLE: u64 = 1 << 32;
/// The most files.
pub(super) const MOST_FILES: usize = 50_000;
