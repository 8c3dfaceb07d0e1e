//! The archive: a plain `ustar` in one zstd frame with a checksum. It holds files and nothing else, all below one folder.

mod name;
mod read;
mod write;

pub use read::{Unpacked, unpack};
pub use write::{Packed, pack, sha256_as_packed};

/// The largest file of a bundle. All records of a long experiment are far below it.
const LARGEST_FILE: u64 = 1 << 30;
/// The most bytes of all files together.
const LARGEST_BUNDLE: u64 = 1 << 32;
/// The most files.
const MOST_FILES: usize = 50_000;
