//! Files that agents are lent: mapped into a worker, read-only, once they are seen to be what they should be.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use engine::abi::host;
use memmap2::Mmap;
use serde::{Deserialize, Serialize};
use surroundings::confined::ConfinedPath;
use surroundings::hash::sha256;

/// A file to be lent, and what must be in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LentFile {
    /// Where it is.
    pub path: ConfinedPath,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// Files by their roles.
pub type Files = BTreeMap<String, LentFile>;

/// Why a file is not lent.
#[derive(Debug, thiserror::Error)]
pub enum LendError {
    /// It cannot be read.
    #[error("file `{role}` with the SHA-256 {}: {}: {source}", file.sha256, file.path.display())]
    Unreadable {
        /// Its role.
        role: String,
        /// The file.
        file: LentFile,
        /// Why.
        source: io::Error,
    },
    /// Something else is in it.
    #[error(
        "file `{role}`: {} should have the SHA-256 {}, and has {found}; remove it, and it is made again",
        file.path.display(),
        file.sha256
    )]
    Other {
        /// Its role.
        role: String,
        /// The file.
        file: LentFile,
        /// The SHA-256 of what is in it.
        found: String,
    },
}

/// The files as an agent's host lends them.
///
/// # Errors
/// Where one cannot be read, or is not what it should be.
pub(crate) fn lend(files: &Files) -> Result<host::Files, LendError> {
    files
        .iter()
        .map(|(role, file)| {
            let unreadable =
                |source| LendError::Unreadable { role: role.clone(), file: file.clone(), source };
            let (bytes, found) = mapped(&file.path).map_err(unreadable)?;
            if found != file.sha256 {
                return Err(LendError::Other { role: role.clone(), file: file.clone(), found });
            }
            let lent = host::File { path: file.path.path().to_owned(), bytes, sha256: found };
            Ok((role.clone(), lent))
        })
        .collect()
}

/// The content of a file and its SHA-256, for as long as the process lives. Agents come and go in a worker, and their files stay.
fn mapped(path: &ConfinedPath) -> io::Result<(&'static [u8], String)> {
    static MAPPED: Mutex<BTreeMap<ConfinedPath, (&'static [u8], String)>> = Mutex::new(BTreeMap::new());
    let mut known = MAPPED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((bytes, sha256)) = known.get(path) {
        return Ok((bytes, sha256.clone()));
    }
    let bytes = map(path)?;
    let found = sha256(bytes);
    known.insert(path.to_owned(), (bytes, found.clone()));
    Ok((bytes, found))
}

#[allow(unsafe_code)]
fn map(path: &ConfinedPath) -> io::Result<&'static [u8]> {
    let file = path.open()?;
    // SAFETY: nothing may write to the file while it is mapped. The store renames files into place, under the
    // name of their content, and never writes to them again. A file named on the command line is the user's,
    // who must not change it meanwhile. A write would change what the agent reads, or crash this worker and
    // one game with it.
    let mapping: &'static Mmap = Box::leak(Box::new(unsafe { Mmap::map(&file) }?));
    Ok(mapping)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_lent_only_with_the_content_that_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("weights");
        fs::write(path.path(), "abc").unwrap();
        let root = ConfinedPath::root(folder.path());
        let lent = |path: &ConfinedPath, sha256: &str| {
            let file = LentFile { path: path.to_owned(), sha256: sha256.to_owned() };
            lend(&Files::from([("weights".to_owned(), file)])).map_err(|error| error.to_string())
        };
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let files = lent(&path, abc).unwrap();
        assert_eq!(files.get("weights").unwrap().bytes, b"abc");
        assert!(files.get("book").is_none());
        let other = lent(&path, "00").unwrap_err();
        assert!(
            other.contains("`weights`") && other.contains("SHA-256 00") && other.contains(abc),
            "{other}"
        );
        let missing = lent(&root.join("gone"), abc).unwrap_err();
        assert!(
            missing.contains("`weights`") && missing.contains(abc) && missing.contains("gone"),
            "{missing}"
        );
        assert!(lent(&root, abc).unwrap_err().contains("a folder"));
    }
}
