//! A file on its way: it has another name until it is whole, and is gone if it never is.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::error::StoreError;
use surroundings::open;

/// The file under its other name.
pub(super) struct Temporary {
    pub(super) path: PathBuf,
}

impl Temporary {
    /// The file that is to become `target`.
    pub(super) fn beside(target: &Path) -> Self {
        Self { path: target.with_extension("parquet.tmp") }
    }

    /// Begins the file. What a killed run has left there goes.
    pub(super) fn create(&self) -> Result<File, StoreError> {
        open::create(&self.path).map_err(StoreError::io(&self.path, "create the file"))
    }

    /// Gives the finished file its name, in a way that outlasts a power cut: what it was made from may be gone after this.
    pub(super) fn become_file(self, target: &Path) -> Result<(), StoreError> {
        open::regular(&self.path)
            .and_then(|file| file.sync_all())
            .map_err(StoreError::io(target, "sync the file"))?;
        fs::rename(&self.path, target).map_err(StoreError::io(target, "give the finished file its name"))?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))
            .and_then(|folder| folder.sync_all())
            .map_err(StoreError::io(target, "sync its folder"))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
