//! Hashes of files, and how they are written.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 of bytes, in hexadecimal.
#[must_use]
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256, in hexadecimal, of a file that the user or the system names.
///
/// # Errors
/// Where it cannot be read.
pub fn file_sha256(file: &Path) -> io::Result<String> {
    sha256_of(File::open(file)?)
}

/// The SHA-256 of all that can be read, in hexadecimal.
pub fn sha256_of(mut from: impl io::Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        match from.read(&mut chunk)? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&chunk[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_files_have_the_published_hash() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), abc);
        assert_eq!(sha256_of(&b"abc"[..]).unwrap(), abc);
        assert_eq!(hex(&[0, 15, 255]), "000fff");
    }
}
