//! The archive: a plain `ustar` in one zstd frame with a checksum. It holds files and nothing else, all below
//! one folder.

mod read;
mod write;

use std::path::Path;

use crate::BundleError;
use platform::plain::line;
pub use read::{UnpackedArchive, unpack};
pub use write::{PackedArchive, as_packed, pack};

/// The largest file of a bundle. All records of a long experiment are far below it.
pub(super) const LARGEST_FILE: u64 = 1 << 30;
/// The most bytes of all files together.
pub(super) const LARGEST_BUNDLE: u64 = 1 << 32;
/// The most files.
pub(super) const MOST_FILES: usize = 50_000;

/// The longest name that a plain `ustar` header may have to hold.
const LONGEST: usize = 255;

/// Why a name is not allowed.
pub fn objection(name: &str) -> Option<&'static str> {
    let is_absolute = name.starts_with('/') || name.as_bytes().get(1) == Some(&b':');
    let mut parts = name.split('/');
    match () {
        () if name.is_empty() => Some("has no name"),
        () if name.len() > LONGEST => Some("has too long a name"),
        () if name.chars().any(|letter| letter.is_control() || letter == '\\') => {
            Some("has a control character or a backslash in its name")
        }
        () if name.chars().any(is_misleading) => {
            Some("has a character in its name that makes it look like another")
        }
        () if is_absolute => Some("is an absolute path"),
        () if parts.any(|part| part.is_empty() || part == "." || part == "..") => {
            Some("leaves its folder, or has an empty part")
        }
        () => None,
    }
}

/// Marks of direction, and letters without width: with them a name can look like another.
const fn is_misleading(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The refusal of an entry of an archive.
fn refusal(bundle: &Path, entry: &str, reason: &str) -> BundleError {
    BundleError::Damaged(format!("{}: refused: `{}` {reason}", bundle.display(), line(entry)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_names_are_allowed() {
        for name in ["a", "a/b.txt", ".zenodo.json", "source/.ci/run", "a..b/c"] {
            assert_eq!(objection(name), None, "{name}");
        }
        let long = "x".repeat(256);
        for name in [
            "",
            "/a",
            "../a",
            "a/../b",
            "a//b",
            "a/",
            "./a",
            "a\\b",
            "C:/a",
            "a\nb",
            "a/\0",
            "a\u{202e}b",
            &long,
        ] {
            assert!(objection(name).is_some(), "{name}");
        }
    }
}
