//! `SHA256SUMS`: the checksum of every other file of a bundle, in the form that `sha256sum -c` reads.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{BundleError, Contents};
use crate::bridge::file_sha256;
use crate::record::hex;

/// The file's name.
pub const CHECKSUMS: &str = "SHA256SUMS";

/// The checksums of files, by name.
pub(super) struct Checksums {
    sums: BTreeMap<String, String>,
}

impl Checksums {
    /// Hashes all contents.
    pub(super) fn of(contents: &Contents) -> Result<Self, BundleError> {
        let sum = |(name, item): (&str, &super::contents::Item)| {
            Ok((name.to_owned(), hex(&Sha256::digest(&*item.read()?))))
        };
        Ok(Self { sums: contents.iter().map(sum).collect::<Result<_, BundleError>>()? })
    }

    /// The text of the file.
    pub(super) fn text(&self) -> String {
        self.sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect()
    }

    /// Reads the file of an unpacked bundle.
    pub(super) fn read(folder: &Path) -> Result<Self, BundleError> {
        let path = folder.join(CHECKSUMS);
        let bytes = std::fs::read(&path).map_err(BundleError::io(&path, "read the checksums"))?;
        let text = String::from_utf8(bytes).map_err(|_| BundleError::form(&path, "it is no text"))?;
        let mut sums = BTreeMap::new();
        for (place, line) in text.lines().enumerate() {
            let is_sum =
                |sum: &str| sum.len() == 64 && sum.bytes().all(|byte| b"0123456789abcdef".contains(&byte));
            let Some((sum, name)) = line.split_once("  ").filter(|(sum, _)| is_sum(sum)) else {
                let reason = format!("line {} is no checksum and name: `{}`", place + 1, line.escape_debug());
                return Err(BundleError::form(&path, reason));
            };
            sums.insert(name.to_owned(), sum.to_owned());
        }
        Ok(Self { sums })
    }

    /// How many files there are.
    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// What is wrong with the files of a folder, one problem a file.
    pub(super) fn problems(&self, folder: &Path, files: &[String]) -> Vec<String> {
        let wrong = self.sums.iter().filter_map(|(name, sum)| match file_sha256(&folder.join(name)) {
            Ok(found) if found == *sum => None,
            Ok(_) => Some(format!("{name}: its bytes are not those that {CHECKSUMS} is of")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Some(format!("{name}: it is missing"))
            }
            Err(error) => Some(format!("{name}: it cannot be read: {error}")),
        });
        let is_unknown = |name: &&String| *name != CHECKSUMS && !self.sums.contains_key(*name);
        let more =
            files.iter().filter(is_unknown).map(|name| format!("{name}: {CHECKSUMS} does not know it"));
        wrong.chain(more).collect()
    }
}

/// What is wrong with the files of an unpacked bundle, as far as checksums tell.
///
/// # Errors
/// Where the checksums cannot be read.
pub fn checksum_problems(folder: &Path, files: &[String]) -> Result<Vec<String>, BundleError> {
    Ok(Checksums::read(folder)?.problems(folder, files))
}
