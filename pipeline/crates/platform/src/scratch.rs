//! Folders and files for the time being. They are gone when they are dropped, and also when a signal ends the
//! program: every temporary folder of the program is made here, and every file that appears by a rename.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tempfile::{Builder, TempDir};

use crate::{ConfinedPath, RemoveOnSignal};

/// The prefix of temporary files, which lie beside their targets.
const BESIDE: &str = ".retile-";
/// The minimum age of a file that counts as left over.
const NEW: Duration = Duration::from_secs(60);

/// A folder for the time being.
#[derive(Debug)]
pub struct Scratch {
    // Dropped in this order: the mark is taken away from what is gone.
    folder: TempDir,
    _mark: RemoveOnSignal,
}

impl Scratch {
    /// A folder among the system's temporary ones, whose name begins so.
    pub fn new(prefix: &str) -> io::Result<Self> {
        Self::below(&std::env::temp_dir(), prefix)
    }

    /// A folder below another.
    pub fn below(folder: &Path, prefix: &str) -> io::Result<Self> {
        let make = || Builder::new().prefix(prefix).tempdir_in(folder);
        let (folder, mark) = RemoveOnSignal::make(make, |made| ConfinedPath::file(made.path()))?;
        Ok(Self { folder, _mark: mark })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A temporary file. It has another name until it is complete, and is removed if it never is.
#[derive(Debug)]
pub struct ScratchFile {
    path: ConfinedPath,
    file: File,
    is_renamed: bool,
    _mark: RemoveOnSignal,
}

impl ScratchFile {
    /// A file for its owner alone, among the system's temporary ones.
    pub fn new() -> io::Result<Self> {
        let folder = ConfinedPath::root(std::env::temp_dir());
        Self::unique(|name| folder.join(format!("retile-{name}.tmp")), 0o600)
    }

    /// A temporary file beside its target, with the usual permissions.
    pub fn beside(target: &ConfinedPath) -> io::Result<Self> {
        let made = Self::unique(|name| target.with_file_name(format!("{BESIDE}{name}.tmp")), 0o644)?;
        // Locked for as long as it is open: a file that a killed process left is not. Some file systems have
        // no locks.
        let _ = made.file.lock();
        Ok(made)
    }

    /// Removes the unfinished files that killed programs left in a folder, and returns their number. Running
    /// programs lock theirs; a new file may not be locked yet.
    pub fn sweep(folder: &ConfinedPath) -> usize {
        let is_left = |path: &ConfinedPath| -> io::Result<bool> {
            // For writing: NFS locks no file that is open for reading only.
            let file = path.append()?;
            let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
            Ok(age > NEW && file.try_lock().is_ok())
        };
        let is_unfinished = |path: &ConfinedPath| {
            path.name().is_some_and(|name| name.starts_with(BESIDE) && name.ends_with(".tmp"))
        };
        let paths = folder.list().into_iter().flatten().map(|entry| entry.path);
        let left = paths.filter(is_unfinished).filter(|path| is_left(path).unwrap_or(false));
        left.filter(|path| path.remove().is_ok()).count()
    }

    /// The same, named after the target with `.tmp` appended. A file that a killed program left there is
    /// removed. Only one may exist at a time.
    pub fn named_after(target: &ConfinedPath) -> io::Result<Self> {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".tmp");
        let path = target.with_file_name(name);
        Self::make(|| Ok((path.create()?, path)))
    }

    /// A file with the first free name.
    fn unique(path: impl Fn(String) -> ConfinedPath, mode: u32) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let process = std::process::id();
        Self::make(|| {
            loop {
                let path = path(format!("{process}-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
                match path.create_new_with(mode) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    created => return Ok((created?, path)),
                }
            }
        })
    }

    fn make(create: impl FnOnce() -> io::Result<(File, ConfinedPath)>) -> io::Result<Self> {
        let ((file, path), mark) = RemoveOnSignal::make(create, |(_, path)| path.clone())?;
        Ok(Self { path, file, is_renamed: false, _mark: mark })
    }

    /// Where it is.
    pub fn path(&self) -> &ConfinedPath {
        &self.path
    }

    /// The open file.
    pub fn as_file(&self) -> &File {
        &self.file
    }

    /// Gives the finished file its name.
    pub fn become_file(mut self, target: &ConfinedPath) -> io::Result<()> {
        self.path.rename(target)?;
        self.is_renamed = true;
        Ok(())
    }

    /// The same, in a way that outlasts a power cut: what the file was made from may be gone after this.
    pub fn become_lasting_file(self, target: &ConfinedPath) -> io::Result<()> {
        self.as_file().sync_all()?;
        self.become_file(target)?;
        target.parent().map_or(Ok(()), |folder| folder.sync_folder())
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = self.path.remove();
        }
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
    use std::fs;

    #[test]
    fn what_is_for_the_time_being_is_gone_afterwards() {
        let folder = Scratch::new("retile-scratch-").unwrap();
        let root = ConfinedPath::root(folder.path());
        let (kept, lost) = (root.join("kept"), root.join("lost"));
        let mut file = ScratchFile::beside(&kept).unwrap();
        file.write_all(b"whole").unwrap();
        let on_its_way = file.path().clone();
        file.become_file(&kept).unwrap();
        drop(ScratchFile::beside(&lost).unwrap());
        assert_eq!(kept.read(9).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(!on_its_way.exists());
        let path = folder.path().to_owned();
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn a_file_that_lasts_takes_the_place_of_what_a_killed_program_has_left() {
        let folder = tempfile::tempdir().unwrap();
        let root = ConfinedPath::root(folder.path());
        let (target, left) = (root.join("e.parquet"), root.join("e.parquet.tmp"));
        std::fs::write(left.path(), "half").unwrap();
        let mut file = ScratchFile::named_after(&target).unwrap();
        assert_eq!(*file.path(), left);
        file.write_all(b"whole").unwrap();
        file.become_lasting_file(&target).unwrap();
        assert_eq!((target.read(9).unwrap(), left.exists()), (b"whole".to_vec(), false));
        drop(ScratchFile::named_after(&target).unwrap());
        assert!(target.exists() && !left.exists());
    }

    #[test]
    fn files_that_killed_programs_have_left_are_swept_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let old = |file: &File| file.set_modified(std::time::SystemTime::now() - 2 * NEW).unwrap();
        let alive = ScratchFile::beside(&ConfinedPath::file(&at("target"))).unwrap();
        old(alive.as_file());
        for name in [".retile-dead.tmp", ".retile-other", "dead.tmp", ".retile-folder.tmp/x"] {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            old(&File::create(at(name)).unwrap());
        }
        std::os::unix::fs::symlink(at("dead.tmp"), at(".retile-link.tmp")).unwrap();
        File::create(at(".retile-new.tmp")).unwrap();
        assert_eq!(ScratchFile::sweep(&ConfinedPath::root(folder.path())), 1);
        assert!(!at(".retile-dead.tmp").exists());
        alive.become_file(&ConfinedPath::file(&at("target"))).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
        assert_eq!(ScratchFile::sweep(&ConfinedPath::file(&at("nowhere"))), 0);
    }
}
