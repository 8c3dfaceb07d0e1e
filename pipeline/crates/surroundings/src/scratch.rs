//! Folders and files for the time being. They are gone when they are dropped, and also when a signal ends the program: every
//! temporary folder of the program is made here, and every file that appears by a rename.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir, TempPath};

use crate::interrupt::Fleeting;
use crate::open;

/// A folder for the time being.
#[derive(Debug)]
pub struct Scratch {
    // Dropped in this order: the mark is taken away from what is gone.
    folder: TempDir,
    _mark: Fleeting,
}

impl Scratch {
    /// A folder among the system's temporary ones, whose name begins so.
    pub fn new(prefix: &str) -> io::Result<Self> {
        Self::below(&std::env::temp_dir(), prefix)
    }

    /// A folder below another.
    pub fn below(folder: &Path, prefix: &str) -> io::Result<Self> {
        let make = || Builder::new().prefix(prefix).tempdir_in(folder);
        let (folder, mark) = Fleeting::make(make, TempDir::path)?;
        Ok(Self { folder, _mark: mark })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The folder that a file is in.
pub(crate) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file on its way: it has another name until it is whole.
#[derive(Debug)]
pub struct ScratchFile {
    file: NamedTempFile,
    mark: Fleeting,
}

impl ScratchFile {
    /// A file for its owner alone, among the system's temporary ones.
    pub fn new() -> io::Result<Self> {
        let make = || Builder::new().prefix("retile-").suffix(".tmp").tempfile();
        let (file, mark) = Fleeting::make(make, NamedTempFile::path)?;
        Ok(Self { file, mark })
    }

    /// A file beside the one that it will become: for everyone, as that one is.
    pub fn beside(target: &Path) -> io::Result<Self> {
        let folder = folder_of(target);
        let make = || {
            let mut file = Builder::new();
            file.prefix(".retile-").suffix(".tmp").permissions(Permissions::from_mode(0o644));
            file.tempfile_in(folder)
        };
        let (file, mark) = Fleeting::make(make, NamedTempFile::path)?;
        Ok(Self { file, mark })
    }

    /// The same under a name of its own, the target's with `.tmp` behind it: what a killed program has left there goes. Only one may
    /// be on its way at a time.
    pub fn named_after(target: &Path) -> io::Result<Self> {
        let mut name = target.as_os_str().to_owned();
        name.push(".tmp");
        let path = PathBuf::from(name);
        let make = || Ok(NamedTempFile::from_parts(open::create(&path)?, TempPath::try_from_path(&path)?));
        let (file, mark) = Fleeting::make(make, NamedTempFile::path)?;
        Ok(Self { file, mark })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The open file.
    #[must_use]
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the finished file its name.
    pub fn become_file(self, target: &Path) -> io::Result<()> {
        let Self { file, mark } = self;
        let renamed = file.persist(target).map(drop).map_err(|error| error.error);
        drop(mark);
        renamed
    }

    /// The same, in a way that outlasts a power cut: what the file was made from may be gone after this.
    pub fn become_lasting_file(self, target: &Path) -> io::Result<()> {
        self.as_file().sync_all()?;
        self.become_file(target)?;
        File::open(folder_of(target))?.sync_all()
    }
}

impl Write for ScratchFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_the_time_being_is_gone_afterwards() {
        let folder = Scratch::new("retile-scratch-").unwrap();
        let (kept, lost) = (folder.path().join("kept"), folder.path().join("lost"));
        let mut file = ScratchFile::beside(&kept).unwrap();
        file.write_all(b"whole").unwrap();
        let on_its_way = file.path().to_owned();
        file.become_file(&kept).unwrap();
        drop(ScratchFile::beside(&lost).unwrap());
        assert_eq!(std::fs::read(&kept).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(!on_its_way.exists());
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_lasts_takes_the_place_of_what_a_killed_program_has_left() {
        let folder = tempfile::tempdir().unwrap();
        let (target, left) = (folder.path().join("e.parquet"), folder.path().join("e.parquet.tmp"));
        std::fs::write(&left, "half").unwrap();
        let mut file = ScratchFile::named_after(&target).unwrap();
        assert_eq!(file.path(), left);
        file.write_all(b"whole").unwrap();
        file.become_lasting_file(&target).unwrap();
        assert_eq!((std::fs::read(&target).unwrap(), left.exists()), (b"whole".to_vec(), false));
        drop(ScratchFile::named_after(&target).unwrap());
        assert!(target.exists() && !left.exists());
    }
}
