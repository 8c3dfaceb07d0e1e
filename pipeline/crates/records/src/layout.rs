//! Where things are in a results folder.

use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;

use crate::Shard;
use crate::holder::{self, Held, Holder, Refused};
use jobs::Key;
use platform::{ConfinedPath, plain};
use rustix::io::Errno;

/// A results folder.
#[derive(Clone, Debug)]
pub struct Layout {
    root: ConfinedPath,
}

/// Why a results folder cannot be worked in.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LockError {
    #[error(
        "{}: another run is using this folder; wait for it to end, or name another folder with --out",
        path.display()
    )]
    Taken { path: ConfinedPath },
    #[error("{}: {} is using this folder; wait for it to end, or, if it is no more, remove {}", path.display(), who(holder.as_deref()), file.display())]
    Held { path: ConfinedPath, holder: Option<Box<Holder>>, file: ConfinedPath },
    #[error("{}: the folder cannot be locked", path.display())]
    Io { path: ConfinedPath, source: io::Error },
}

/// Whoever has a folder, in words.
fn who(holder: Option<&Holder>) -> String {
    let Some(Holder { host, process, job, since, .. }) = holder else {
        return "another run, which has not said which it is,".to_owned();
    };
    let job = job.as_ref().map_or_else(String::new, |job| format!(" of job {}", plain::line(job)));
    format!("process {process}{job} on {}, since {},", plain::line(host), plain::line(since))
}

impl Layout {
    /// The layout of a folder, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: ConfinedPath::root(root) }
    }

    /// The layout of a folder below another, such as the results of a bundle.
    pub fn below(folder: &ConfinedPath) -> Self {
        Self { root: folder.clone() }
    }

    /// The folder itself.
    pub fn root(&self) -> &ConfinedPath {
        &self.root
    }

    /// The records of an experiment, or of one part of it.
    pub fn records(&self, key: &Key, shard: Option<Shard>) -> ConfinedPath {
        self.file("records", key, shard, "parquet")
    }

    /// What the games of an experiment cost.
    pub fn timing(&self, key: &Key, shard: Option<Shard>) -> ConfinedPath {
        self.file("timing", key, shard, "parquet")
    }

    /// The journal of games that are not in the records yet. Fresh games have one of their own.
    pub fn journal(&self, key: &Key, shard: Option<Shard>, is_fresh: bool) -> ConfinedPath {
        self.file("records", key, shard, if is_fresh { "fresh.journal" } else { "journal" })
    }

    /// The trials of a study.
    pub fn study(&self, key: &Key) -> ConfinedPath {
        self.file("studies", key, None, "parquet")
    }

    /// The journal of trials that are not in a study's file yet. Each part of a shared study has its own, and
    /// so has one that is run afresh.
    pub fn study_journal(&self, key: &Key, shard: Option<Shard>, is_fresh: bool) -> ConfinedPath {
        self.file("studies", key, shard, if is_fresh { "fresh.journal" } else { "journal" })
    }

    /// The checkpoints of a training under way, by its identity.
    pub fn training_under_way(&self, identity: &str) -> ConfinedPath {
        self.root.join(".cache").join("trainings").join(identity)
    }

    /// The learning curve of a training.
    pub fn training(&self, key: &Key) -> ConfinedPath {
        self.file("trainings", key, None, "parquet")
    }

    /// The folder of the records, with a folder for each paper.
    pub fn all_records(&self) -> ConfinedPath {
        self.root.join("records")
    }

    /// Which records belong to which experiment.
    pub fn index(&self) -> ConfinedPath {
        self.root.join("index.json")
    }

    /// The verdicts on all claims.
    pub fn claims(&self) -> ConfinedPath {
        self.root.join("claims.json")
    }

    /// The same in a table of numbers.
    pub fn claims_table(&self) -> ConfinedPath {
        self.root.join("claims.csv")
    }

    /// Every experiment in a row.
    pub fn catalogue(&self) -> ConfinedPath {
        self.root.join("catalogue.parquet")
    }

    /// The hashes of all files.
    pub fn sums(&self) -> ConfinedPath {
        self.root.join("SHA256SUMS")
    }

    /// The tables.
    pub fn tables(&self) -> ConfinedPath {
        self.root.join("tables")
    }

    /// The figures.
    pub fn figures(&self) -> ConfinedPath {
        self.root.join("figures")
    }

    /// The report.
    pub fn report(&self) -> ConfinedPath {
        self.root.join("report").join("index.html")
    }

    /// The signatures that were computed before.
    pub fn signatures(&self) -> ConfinedPath {
        self.root.join(".cache").join("signatures")
    }

    /// Where a cluster works: what was sent to it, and what its nodes have played.
    pub fn cluster(&self) -> ConfinedPath {
        self.root.join(".cluster")
    }

    fn file(&self, folder: &str, key: &Key, shard: Option<Shard>, extension: &str) -> ConfinedPath {
        let part = shard.map_or_else(String::new, |shard| format!(".part-{}-of-{}", shard.part, shard.of));
        let name = format!("{}{part}.{extension}", key.id);
        self.root.join(folder).join(&key.paper).join(name)
    }

    /// Takes the folder for this run, until the lock is dropped.
    pub fn lock(&self) -> Result<FolderLock, LockError> {
        self.lock_by(File::try_lock, holder::take)
    }

    /// Takes the folder together with others that take it in this way, each of which writes only files of its
    /// own.
    pub fn lock_with_others(&self) -> Result<FolderLock, LockError> {
        self.lock_by(File::try_lock_shared, holder::take_with_others)
    }

    fn lock_by(
        &self,
        take: fn(&File) -> Result<(), TryLockError>,
        hold: fn(&ConfinedPath) -> Result<Held, Refused>,
    ) -> Result<FolderLock, LockError> {
        let path = self.root.join(".lock");
        let in_folder = |source| LockError::Io { path: self.root.clone(), source };
        self.root.make_folder().map_err(in_folder)?;
        let file = path.open_or_create().map_err(|source| LockError::Io { path: path.clone(), source })?;
        match take(&file) {
            // Some network file systems have no locks: the holder's file is what counts there.
            Ok(()) => {}
            Err(TryLockError::Error(error)) if has_no_locks(&error) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Taken { path: self.root.clone() }),
            Err(TryLockError::Error(source)) => return Err(in_folder(source)),
        }
        match hold(&self.root) {
            Ok(held) => Ok(FolderLock { _held: held, _file: file }),
            Err(Refused::Held(holder, file)) => {
                Err(LockError::Held { path: self.root.clone(), holder, file })
            }
            Err(Refused::Io(source)) => Err(in_folder(source)),
        }
    }
}

/// Whether a file system has no locks.
fn has_no_locks(error: &io::Error) -> bool {
    let raw = error.raw_os_error().map(Errno::from_raw_os_error);
    matches!(raw, Some(Errno::NOLCK | Errno::NOTSUP | Errno::NOSYS))
}

/// A folder that is taken. It is free again when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    // In this order: whoever has the lock finds no file of one who has just given it back.
    _held: Held,
    _file: File,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn a_folder_is_taken_once() {
        let root = std::env::temp_dir().join(format!("retile-lock-{}", std::process::id()));
        let layout = Layout::new(&root);
        let held = layout.lock().unwrap();
        assert!(matches!(layout.lock(), Err(LockError::Taken { .. })));
        assert!(matches!(layout.lock_with_others(), Err(LockError::Taken { .. })));
        drop(held);
        let parts = [layout.lock_with_others().unwrap(), layout.lock_with_others().unwrap()];
        assert!(matches!(layout.lock(), Err(LockError::Taken { .. })));
        drop(parts);
        drop(layout.lock().unwrap());
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn a_lock_that_is_a_link_or_a_pipe_is_refused_and_nothing_elsewhere_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let layout = Layout::new(folder.path().join("results"));
        let (lock, precious) = (layout.root().join(".lock"), folder.path().join("precious"));
        fs::create_dir(layout.root().path()).unwrap();
        fs::write(&precious, "kept").unwrap();
        let told = || platform::errors::chain(&layout.lock().unwrap_err());
        std::os::unix::fs::symlink(&precious, lock.path()).unwrap();
        assert!(told().contains(".lock: the folder cannot be locked: it is a link"), "{}", told());
        assert_eq!(fs::read(&precious).unwrap(), b"kept");
        fs::remove_file(lock.path()).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, lock.path(), rustix::fs::Mode::RWXU).unwrap();
        assert!(told().contains("it is a named pipe"), "{}", told());
    }

    #[test]
    fn parts_and_fresh_games_have_files_of_their_own() {
        let layout = Layout::new("results");
        let key = Key::new("p", "e");
        let shard = Some(Shard { part: 2, of: 3, games: 10 });
        assert_eq!(layout.records(&key, None).path(), Path::new("results/records/p/e.parquet"));
        assert_eq!(layout.records(&key, shard).path(), Path::new("results/records/p/e.part-2-of-3.parquet"));
        assert_eq!(layout.journal(&key, None, true).path(), Path::new("results/records/p/e.fresh.journal"));
        assert_eq!(layout.timing(&key, None).path(), Path::new("results/timing/p/e.parquet"));
        assert_eq!(layout.study(&key).path(), Path::new("results/studies/p/e.parquet"));
        assert_eq!(
            layout.study_journal(&key, shard, false).path(),
            Path::new("results/studies/p/e.part-2-of-3.journal")
        );
    }
}
