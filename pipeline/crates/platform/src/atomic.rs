//! Files that are made from records: they appear whole, by a rename, and stay untouched where nothing has
//! changed.

use std::io;

use crate::{ConfinedPath, ScratchFile, rows};

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: the file cannot be written or removed", path.display())]
pub struct WriteError {
    path: ConfinedPath,
    source: io::Error,
}

/// Writes a file, unless it holds these bytes already, and says whether it did.
///
/// # Errors
/// Returns an error if it cannot be written; what was there stays.
pub fn write(path: &ConfinedPath, bytes: &[u8]) -> Result<bool, WriteError> {
    let failed = |source| WriteError { path: path.clone(), source };
    if path.read(bytes.len() as u64).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    path.parent().map_or(Ok(()), |folder| folder.make_folder()).map_err(failed)?;
    let mut file = ScratchFile::beside(path).map_err(failed)?;
    io::Write::write_all(&mut file, bytes).map_err(failed)?;
    file.become_file(path).map_err(failed)?;
    Ok(true)
}

/// Removes a file that an earlier rendering made.
pub fn remove(path: &ConfinedPath) -> Result<(), WriteError> {
    path.remove().map_err(|source| WriteError { path: path.clone(), source })
}

/// Writes a value as JSON for people and programs, with a line break at the end.
///
/// # Errors
/// Returns an error if it cannot be written; what was there stays.
pub fn write_json(path: &ConfinedPath, value: &impl serde::Serialize) -> Result<bool, WriteError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| WriteError { path: path.clone(), source: error.into() })?;
    text.push('\n');
    write(path, text.as_bytes())
}

/// Writes a value of many entries as JSON, one line an entry.
///
/// # Errors
/// Returns an error if it cannot be written; what was there stays.
pub fn write_json_rows(path: &ConfinedPath, value: &impl serde::Serialize) -> Result<bool, WriteError> {
    let text =
        rows::to_string(value).map_err(|error| WriteError { path: path.clone(), source: error.into() })?;
    write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_unchanged_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("tables").join("a.csv");
        assert!(write(&path, b"a,b\n").unwrap());
        let before = fs::metadata(path.path()).unwrap().modified().unwrap();
        assert!(!write(&path, b"a,b\n").unwrap());
        assert_eq!(fs::metadata(path.path()).unwrap().modified().unwrap(), before);
        assert!(write(&path, b"a,c\n").unwrap());
        assert_eq!(fs::read_dir(path.path().parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_or_a_pipe_in_the_way_is_replaced_and_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), "kept").unwrap();
        std::os::unix::fs::symlink(at("precious"), at("a.md")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("b.md"), rustix::fs::Mode::RWXU).unwrap();
        for name in ["a.md", "b.md"] {
            assert!(write(&ConfinedPath::file(&at(name)), b"kept").unwrap());
            assert!(fs::symlink_metadata(at(name)).unwrap().is_file());
        }
        assert_eq!(fs::read(at("precious")).unwrap(), b"kept");
    }

    #[test]
    fn a_folder_in_the_way_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&ConfinedPath::root(folder.path()), b"x").unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
    }
}
