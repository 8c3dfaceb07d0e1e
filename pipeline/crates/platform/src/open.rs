//! Reading with a size limit, and files that the user names.
//!
//! Links are followed in paths that the user names. Everything below results, artefacts or a bundle is opened
//! by a [`ConfinedPath`](crate::confined::ConfinedPath) instead.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of an index, of verdicts, or of a list of hashes: far more than any has, and little enough
/// to read.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// The text of a file that a person has named, of at most so many bytes. Links are followed.
pub fn read_named_text(path: &Path, most: u64) -> io::Result<String> {
    // A pipe would be waited for, and a device has no end.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let text = format!("it has more than {most} bytes, which is the limit for such a file");
    let bytes = at_most(File::open(path)?, most, text)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// All that can be read, if it is no longer than `most` bytes.
pub fn bounded(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    at_most(from, most, format!("it has more than {} MiB, which is the limit for such a file", most >> 20))
}

fn at_most(from: impl Read, most: u64, too_large: String) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more tells a file that is too large, also where it grows meanwhile.
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_large));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_named_file_is_read_up_to_its_limit_and_refused_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("f"), folder.path().join("link"));
        fs::write(&file, "12345").unwrap();
        symlink(&file, &link).unwrap();
        assert_eq!(read_named_text(&file, 5).unwrap(), "12345");
        assert_eq!(read_named_text(&link, 5).unwrap(), "12345");
        let error = read_named_text(&file, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 4 bytes, which is the limit for such a file");
        fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_named_text(&file, 5).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_device_without_an_end_is_no_file() {
        for path in ["/dev/zero", "/"] {
            let error = read_named_text(Path::new(path), 5).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path}");
        }
    }
}
