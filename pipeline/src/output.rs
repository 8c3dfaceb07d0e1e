//! Files that are made from records: they appear whole, by a rename, and stay untouched where nothing has changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: the file cannot be written or removed", path.display())]
pub struct OutputError {
    path: PathBuf,
    source: io::Error,
}

/// Writes a file, unless it holds these bytes already, and says whether it did.
///
/// # Errors
/// Where it cannot be written; what was there stays.
pub fn write(path: &Path, bytes: &[u8]) -> Result<bool, OutputError> {
    let failed = |source| OutputError { path: path.to_owned(), source };
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::Builder::new();
    file.prefix(".retile-").suffix(".tmp");
    // A temporary file is for its owner alone, a result for everyone.
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = file.tempfile_in(folder).map_err(failed)?;
    io::Write::write_all(&mut file, bytes).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(true)
}

/// Removes a file that an earlier rendering made.
///
/// # Errors
/// Where it cannot be removed.
pub fn remove(path: &Path) -> Result<(), OutputError> {
    fs::remove_file(path).map_err(|source| OutputError { path: path.to_owned(), source })
}

/// Writes a value as JSON for people and programs, with a line break at the end.
///
/// # Errors
/// Where it cannot be written; what was there stays.
pub fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<bool, OutputError> {
    let mut text = serde_json::to_string_pretty(value)
        .map_err(|error| OutputError { path: path.to_owned(), source: error.into() })?;
    text.push('\n');
    write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unchanged_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables").join("a.csv");
        assert!(write(&path, b"a,b\n").unwrap());
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        assert!(!write(&path, b"a,b\n").unwrap());
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
        assert!(write(&path, b"a,c\n").unwrap());
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_in_the_way_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), b"x").unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
    }
}
