//! Files that agents load: mapped into a worker, read-only, after a check of their hash.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use engine::abi::host;
use memmap2::Mmap;
use platform::ConfinedPath;
use platform::hash::sha256;
use serde::{Deserialize, Serialize};

/// A file that an agent loads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFile {
    /// Where it is.
    pub path: ConfinedPath,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// Files by their roles.
pub type Files = BTreeMap<String, AgentFile>;

/// Why a file cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AgentFileError {
    #[error("file `{role}` with the SHA-256 {}: {}: {source}", file.sha256, file.path.display())]
    Unreadable { role: String, file: AgentFile, source: io::Error },
    #[error(
        "file `{role}`: {} should have the SHA-256 {}, and has {found}; remove it, and it is made again",
        file.path.display(),
        file.sha256
    )]
    WrongHash { role: String, file: AgentFile, found: String },
}

/// Maps files for an agent.
pub(crate) fn load(files: &Files) -> Result<host::HostFiles, AgentFileError> {
    let load = |(role, file): (&String, &AgentFile)| {
        let (role, file) = (role.clone(), file.clone());
        match mapped(&file.path) {
            Ok((bytes, sha256)) if sha256 == file.sha256 => {
                Ok((role, host::HostFile { path: file.path.path().to_owned(), bytes, sha256 }))
            }
            Ok((_, found)) => Err(AgentFileError::WrongHash { role, file, found }),
            Err(source) => Err(AgentFileError::Unreadable { role, file, source }),
        }
    };
    files.iter().map(load).collect::<Result<BTreeMap<_, _>, _>>().map(Into::into)
}

/// The content of a file and its SHA-256. It stays mapped: agents come and go in a worker, their files do
/// not.
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
    fn a_file_is_loaded_only_with_the_expected_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("weights");
        fs::write(path.path(), "abc").unwrap();
        let root = ConfinedPath::root(folder.path());
        let loaded = |path: &ConfinedPath, sha256: &str| {
            let file = AgentFile { path: path.to_owned(), sha256: sha256.to_owned() };
            load(&Files::from([("weights".to_owned(), file)])).map_err(|error| error.to_string())
        };
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let files = loaded(&path, abc).unwrap();
        assert_eq!(files.get("weights").unwrap().bytes, b"abc");
        assert!(files.get("book").is_none());
        let other = loaded(&path, "00").unwrap_err();
        assert!(
            other.contains("`weights`") && other.contains("SHA-256 00") && other.contains(abc),
            "{other}"
        );
        let missing = loaded(&root.join("gone"), abc).unwrap_err();
        assert!(
            missing.contains("`weights`") && missing.contains(abc) && missing.contains("gone"),
            "{missing}"
        );
        assert!(loaded(&root, abc).unwrap_err().contains("a folder"));
    }
}
