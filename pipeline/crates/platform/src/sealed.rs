//! JSON files that show whether they are intact and what they belong to. A file that fails either check is
//! not read.
//!
//! The first line is the seal: the owner, and the SHA-256 of the owner and of every byte after that line. So
//! a changed byte fails the check, and so does a file from elsewhere. A seal finds accidents and mix-ups; it
//! does not stop someone who computes a new one.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::hash::sha256;
use crate::plain;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seal {
    of: String,
    sha256: String,
}

/// Why a sealed file is not read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SealError {
    #[error("it has no seal: it is damaged, or another version of this program wrote it")]
    Missing,
    #[error("it does not match its checksum")]
    Changed,
    #[error("it belongs to `{}`, not to `{wanted}`", plain::line(found))]
    Other { found: String, wanted: String },
    #[error("its fields are wrong: {0}")]
    Form(#[from] serde_json::Error),
}

/// The text of a sealed file that belongs to `of`.
pub fn text(of: &str, content: &impl Serialize) -> serde_json::Result<String> {
    let content = serde_json::to_string_pretty(content)? + "\n";
    let seal = Seal { of: of.to_owned(), sha256: checksum(of, content.as_bytes()) };
    Ok(format!("{}\n{content}", serde_json::to_string(&seal)?))
}

/// The content of a sealed file that must belong to `of`.
pub fn read<T: DeserializeOwned>(of: &str, file: &[u8]) -> Result<T, SealError> {
    let mut lines = file.splitn(2, |&byte| byte == b'\n');
    let (Some(first), Some(content)) = (lines.next(), lines.next()) else { return Err(SealError::Missing) };
    let seal: Seal = serde_json::from_slice(first).map_err(|_| SealError::Missing)?;
    if seal.sha256 != checksum(&seal.of, content) {
        return Err(SealError::Changed);
    }
    if seal.of != of {
        return Err(SealError::Other { found: seal.of, wanted: of.to_owned() });
    }
    Ok(serde_json::from_slice(content)?)
}

fn checksum(of: &str, content: &[u8]) -> String {
    sha256([of.as_bytes(), b"\n", content].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_file_is_read_only_as_it_was_written_and_by_its_owner() {
        let whole = text("me", &[1, 2, 3]).unwrap().into_bytes();
        assert_eq!(read::<Vec<u64>>("me", &whole).unwrap(), [1, 2, 3]);
        assert!(matches!(read::<Vec<u64>>("you", &whole), Err(SealError::Other { .. })));
        assert!(matches!(read::<Vec<String>>("me", &whole), Err(SealError::Form(_))));
        for place in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[place] ^= 1;
            assert!(read::<Vec<u64>>("me", &flipped).is_err(), "byte {place}");
            assert!(read::<Vec<u64>>("me", &whole[..place]).is_err(), "first {place} bytes");
        }
        assert!(matches!(read::<Vec<u64>>("me", b"[1]\n"), Err(SealError::Missing)));
    }
}
