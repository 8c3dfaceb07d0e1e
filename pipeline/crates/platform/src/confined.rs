//! Paths that stay below a folder. Results, artefacts and bundles are read and written only through them.
//!
//! Such a folder may come from somebody else. A link in it could make a command read, overwrite or delete
//! files elsewhere, and a named pipe could make it wait forever. So no path below it goes to the system as a
//! whole. Each component is opened relative to the handle of its parent folder. Links are refused, and only
//! regular files are opened. A [`ConfinedPath`] is not a [`Path`], so `std::fs` cannot take one by mistake.
//!
//! The walk calls `openat` with `O_NOFOLLOW` for each component. It refuses what `openat2` refuses with
//! `RESOLVE_BENEATH` and `RESOLVE_NO_SYMLINKS`. Unlike that call, `openat` exists on macOS, in older
//! emulators and in containers that filter system calls. The alternative, the crate cap-std, follows links
//! that stay below the folder.
//!
//! The user names the folder itself, so links on the path to it are followed.

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

pub use rustix::fs::FileType;
use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, Stat};
use rustix::io::Errno;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{interrupt, plain};

/// The permissions of a new file, before the umask.
const FILE_MODE: u32 = 0o666;
/// The permissions of a new folder, before the umask.
const FOLDER_MODE: u32 = 0o777;

/// How folders on the way are opened: they need not be readable.
const THROUGH: OFlags = {
    #[cfg(target_os = "linux")]
    let access = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let access = OFlags::RDONLY;
    access.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC)
};

/// A path below a root that it cannot leave.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConfinedPath(Arc<RootedPath>);

#[derive(Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct RootedPath {
    /// The root and the path below it, as shown to people.
    #[serde(with = "crate::path_bytes")]
    path: PathBuf,
    #[serde(with = "crate::path_bytes")]
    root: PathBuf,
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its path.
    pub path: ConfinedPath,
    /// Its type; links are not followed.
    pub kind: FileType,
}

impl ConfinedPath {
    /// A folder that the user named. It need not exist yet.
    pub fn root(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self::new(path.clone(), path)
    }

    /// A file that the user named. Links on the path to its folder are followed.
    pub fn file(path: &Path) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::new(folder.to_owned(), path.to_owned())
    }

    fn new(root: PathBuf, path: PathBuf) -> Self {
        Self(Arc::new(RootedPath { path, root }))
    }

    /// A path below this one. Opening it fails if it is absolute or contains `..`.
    pub fn join(&self, below: impl AsRef<Path>) -> Self {
        self.at(self.0.path.join(below))
    }

    /// The path as people and other programs see it. Do not open it: links in it would be followed.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The same path, made absolute.
    pub fn absolute(&self) -> io::Result<Self> {
        let root = std::path::absolute(self.folder())?;
        let mut path = root.clone();
        path.extend(self.below()?);
        Ok(Self::new(root, path))
    }

    /// The folder that contains it; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        let below = self.below().ok()?;
        below.parent().map(|_| self.at(self.0.path.parent().unwrap_or(Path::new("")).to_owned()))
    }

    /// The same path with another last component.
    pub fn with_file_name(&self, name: impl AsRef<OsStr>) -> Self {
        self.at(self.0.path.with_file_name(name))
    }

    /// The same path with another extension.
    pub fn with_extension(&self, extension: &str) -> Self {
        self.at(self.0.path.with_extension(extension))
    }

    /// Its last component.
    pub fn file_name(&self) -> Option<&OsStr> {
        self.0.path.file_name()
    }

    /// Its last component, if it is valid text.
    pub fn name(&self) -> Option<&str> {
        self.0.path.file_name()?.to_str()
    }

    /// The path for messages, always on one line.
    pub fn display(&self) -> String {
        plain::path(&self.0.path)
    }

    /// Another path below the same root.
    fn at(&self, path: PathBuf) -> Self {
        Self::new(self.0.root.clone(), path)
    }

    /// The root, or `.` if it is empty.
    fn folder(&self) -> &Path {
        if self.0.root.as_os_str().is_empty() { Path::new(".") } else { &self.0.root }
    }

    /// The components below the root: plain names only.
    fn below(&self) -> io::Result<&Path> {
        let below = self.0.path.strip_prefix(&self.0.root).map_err(|_| leaves())?;
        let is_name = |component| matches!(component, Component::Normal(_));
        if below.components().all(is_name) { Ok(below) } else { Err(leaves()) }
    }
}

/// Reading.
impl ConfinedPath {
    /// Opens a regular file to read it.
    pub fn open(&self) -> io::Result<File> {
        self.open_with(OFlags::RDONLY, 0)
    }

    /// Reads a whole file of at most `most` bytes.
    pub fn read(&self, most: u64) -> io::Result<Vec<u8>> {
        crate::open::bounded(self.open()?, most)
    }

    /// The type of the entry; links are not followed.
    pub fn kind(&self) -> io::Result<FileType> {
        Ok(FileType::from_raw_mode(self.stat()?.st_mode))
    }

    /// The size of a file.
    pub fn size(&self) -> io::Result<u64> {
        Ok(u64::try_from(self.stat()?.st_size).unwrap_or(0))
    }

    /// Whether its owner may execute it.
    pub fn is_executable(&self) -> io::Result<bool> {
        Ok(self.stat()?.st_mode & 0o100 != 0)
    }

    /// Whether anything exists there, including a link.
    pub fn exists(&self) -> bool {
        self.kind().is_ok()
    }

    /// Whether anything exists there, including a link, or an error if that cannot be determined.
    pub fn is_there(&self) -> io::Result<bool> {
        match self.kind() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            kind => kind.map(|_| true),
        }
    }

    /// Whether a regular file exists there.
    pub fn is_file(&self) -> bool {
        self.kind().is_ok_and(|kind| kind == FileType::RegularFile)
    }

    /// Whether a folder exists there.
    pub fn is_folder(&self) -> bool {
        self.kind().is_ok_and(|kind| kind == FileType::Directory)
    }

    /// The entries of a folder, sorted by name.
    pub fn list(&self) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in Dir::new(self.open_folder()?)? {
            let entry = entry?;
            let name = entry.file_name();
            if [&b"."[..], b".."].contains(&name.to_bytes()) {
                continue;
            }
            let path = self.join(os_str(name.to_bytes()));
            // Some file systems do not report what their entries are; one may be gone by now.
            let kind = match entry.file_type() {
                FileType::Unknown => match path.kind() {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    kind => kind?,
                },
                kind => kind,
            };
            entries.push(Entry { path, kind });
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    /// The same, but empty if the folder is missing.
    pub fn list_if_there(&self) -> io::Result<Vec<Entry>> {
        match self.list() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            listed => listed,
        }
    }

    fn stat(&self) -> io::Result<Stat> {
        match self.folder_and_name()? {
            (folder, Some(name)) => Ok(rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?),
            (root, None) => Ok(rustix::fs::fstat(&root)?),
        }
    }
}

/// Writing.
impl ConfinedPath {
    /// Opens a file to read and write, and creates it if it is missing. Existing content stays.
    pub fn open_or_create(&self) -> io::Result<File> {
        self.open_with(OFlags::RDWR | OFlags::CREATE, FILE_MODE)
    }

    /// Opens an existing file to append to it.
    pub fn append(&self) -> io::Result<File> {
        self.open_with(OFlags::WRONLY | OFlags::APPEND, 0)
    }

    /// Creates a file; fails if the name is taken. On every file system, only one process succeeds.
    pub fn create_new(&self) -> io::Result<File> {
        self.create_new_with(FILE_MODE)
    }

    /// The same with these permissions, before the umask.
    pub fn create_new_with(&self, mode: u32) -> io::Result<File> {
        self.open_with(OFlags::RDWR | OFlags::CREATE | OFlags::EXCL, mode)
    }

    /// Creates an empty file. A regular file with that name is a leftover of a killed run, and is removed.
    pub fn create(&self) -> io::Result<File> {
        if self.is_file() {
            self.remove()?;
        }
        match self.create_new() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(self.not_a_file(error)),
            created => created,
        }
    }

    /// Creates a folder and any missing folders above it, including the root. Once a signal is ending the
    /// program, which removes its temporary folders, this never returns.
    pub fn make_folder(&self) -> io::Result<()> {
        interrupt::unless_ending(|| self.walk(self.below()?, true).map(drop))
    }

    /// Creates a folder; fails if the name is taken.
    pub fn make_new_folder(&self) -> io::Result<()> {
        let (folder, name) = self.folder_and_name()?;
        interrupt::unless_ending(|| Ok(rustix::fs::mkdirat(&folder, named(name)?, mode(FOLDER_MODE))?))
    }

    /// Renames a file or folder, below the same or another root. A file with the new name is replaced.
    pub fn rename(&self, to: &Self) -> io::Result<()> {
        let ((from, old), (folder, new)) = (self.folder_and_name()?, to.folder_and_name()?);
        Ok(rustix::fs::renameat(&from, named(old)?, &folder, named(new)?)?)
    }

    /// Removes a file, or a link but not its target.
    pub fn remove(&self) -> io::Result<()> {
        let (folder, name) = self.folder_and_name()?;
        Ok(rustix::fs::unlinkat(&folder, named(name)?, AtFlags::empty())?)
    }

    /// Removes a file, a link but not its target, or a folder with everything in it.
    pub fn remove_all(&self) -> io::Result<()> {
        if self.kind()? != FileType::Directory {
            return self.remove();
        }
        for entry in self.list()? {
            match entry.path.remove_all() {
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
        let (folder, name) = self.folder_and_name()?;
        Ok(rustix::fs::unlinkat(&folder, named(name)?, AtFlags::REMOVEDIR)?)
    }

    /// Makes a rename in this folder survive a power cut.
    pub fn sync_folder(&self) -> io::Result<()> {
        Ok(rustix::fs::fsync(self.open_folder()?)?)
    }
}

/// The walk.
impl ConfinedPath {
    fn open_with(&self, flags: OFlags, file_mode: u32) -> io::Result<File> {
        let (folder, name) = self.folder_and_name()?;
        // Opening a pipe would wait for its other end. The flag has no effect on regular files.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened =
            named(name).and_then(|name| Ok(rustix::fs::openat(&folder, name, flags, mode(file_mode))?));
        let file = File::from(opened.map_err(|error| match error.kind() {
            // An exclusive creation fails, whatever exists there.
            io::ErrorKind::AlreadyExists => error,
            _ => self.not_a_file(error),
        })?);
        match other_kind(FileType::from_raw_mode(rustix::fs::fstat(&file)?.st_mode)) {
            None => Ok(file),
            Some(other) => Err(must_be_a_file(other)),
        }
    }

    /// Translates an error: the system reports too many links for a link, and a missing device for a pipe.
    fn not_a_file(&self, error: io::Error) -> io::Error {
        self.kind().ok().and_then(other_kind).map_or(error, must_be_a_file)
    }

    fn open_folder(&self) -> io::Result<OwnedFd> {
        let folder = self.walk(self.below()?, false)?;
        Ok(rustix::fs::openat(&folder, c".", OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
    }

    /// The handle of the parent folder, and the name in it. The root has its own handle and no name.
    fn folder_and_name(&self) -> io::Result<(OwnedFd, Option<&OsStr>)> {
        let below = self.below()?;
        let folder = self.walk(below.parent().unwrap_or(below), false)?;
        Ok((folder, below.file_name()))
    }

    fn walk(&self, below: &Path, is_made: bool) -> io::Result<OwnedFd> {
        if is_made {
            fs::create_dir_all(self.folder())?;
        }
        let mut folder = rustix::fs::openat(CWD, self.folder(), THROUGH, Mode::empty())?;
        let mut reached = self.0.root.clone();
        for name in below {
            reached.push(name);
            folder =
                step(&folder, name, is_made).map_err(|error| self.at(reached.clone()).not_a_folder(error))?;
        }
        Ok(folder)
    }

    fn not_a_folder(&self, error: Errno) -> io::Error {
        match self.kind() {
            Ok(kind) if kind != FileType::Directory => {
                let kind = other_kind(kind).unwrap_or("a file");
                let text =
                    format!("{} is {kind}, but must be a folder: links are not followed", self.display());
                io::Error::new(io::ErrorKind::InvalidInput, text)
            }
            _ => error.into(),
        }
    }
}

fn step(folder: &OwnedFd, name: &OsStr, is_made: bool) -> Result<OwnedFd, Errno> {
    let open = || rustix::fs::openat(folder, name, THROUGH | OFlags::NOFOLLOW, Mode::empty());
    match open() {
        Err(Errno::NOENT) if is_made => match rustix::fs::mkdirat(folder, name, mode(FOLDER_MODE)) {
            // Another process may have created it first.
            Ok(()) | Err(Errno::EXIST) => open(),
            Err(error) => Err(error),
        },
        opened => opened,
    }
}

/// The kind of entry, if it is not a regular file.
pub fn other_kind(kind: FileType) -> Option<&'static str> {
    Some(match kind {
        FileType::RegularFile => return None,
        FileType::Symlink => "a link",
        FileType::Directory => "a folder",
        FileType::Fifo => "a named pipe",
        FileType::Socket => "a socket",
        _ => "a device",
    })
}

fn must_be_a_file(other: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {other}, but must be a regular file"))
}

fn leaves() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the path leaves its folder")
}

fn named(name: Option<&OsStr>) -> io::Result<&OsStr> {
    name.ok_or_else(|| {
        io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, but must be a regular file")
    })
}

fn os_str(bytes: &[u8]) -> &OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(bytes)
}

fn mode(bits: u32) -> Mode {
    Mode::from_bits_truncate(bits as rustix::fs::RawMode)
}

impl fmt::Debug for ConfinedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.path.fmt(f)
    }
}

/// For the protocol between a run and its workers.
impl Serialize for ConfinedPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ConfinedPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RootedPath::deserialize(deserializer).map(|place| Self(Arc::new(place)))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    /// A root, and a folder beside it that must not change.
    fn scene() -> (tempfile::TempDir, ConfinedPath, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (root, victim) = (folder.path().join("results"), folder.path().join("victim"));
        fs::create_dir_all(victim.join("inner")).unwrap();
        fs::create_dir(&root).unwrap();
        fs::write(victim.join("file"), "kept").unwrap();
        fs::write(victim.join("inner/file"), "kept").unwrap();
        (folder, ConfinedPath::root(root), victim)
    }

    fn assert_untouched(victim: &Path) {
        for file in ["file", "inner/file"] {
            assert_eq!(fs::read(victim.join(file)).unwrap(), b"kept");
        }
        assert_eq!(fs::read_dir(victim).unwrap().count(), 2);
    }

    #[test]
    fn nothing_but_regular_files_is_opened_and_nothing_is_waited_for() {
        let (_folder, root, victim) = scene();
        let path = |name: &str| root.join(name).path().to_owned();
        symlink(victim.join("file"), path("link")).unwrap();
        symlink(victim.join("new"), path("dangling")).unwrap();
        symlink("/dev/zero", path("zero")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        rustix::fs::mkfifoat(CWD, path("pipe"), Mode::RWXU).unwrap();
        let _socket = UnixListener::bind(path("socket")).unwrap();
        for (name, kind) in [
            ("link", "a link"),
            ("dangling", "a link"),
            ("zero", "a link"),
            ("folder", "a folder"),
            ("pipe", "a named pipe"),
            ("socket", "a socket"),
        ] {
            for open in
                [ConfinedPath::open, ConfinedPath::open_or_create, ConfinedPath::append, ConfinedPath::create]
            {
                let error = open(&root.join(name)).unwrap_err().to_string();
                assert_eq!(error, format!("it is {kind}, but must be a regular file"), "{name}");
            }
        }
        assert_untouched(&victim);
        assert!(
            ConfinedPath::file(Path::new("/dev/zero")).open().unwrap_err().to_string().contains("a device")
        );
        assert_eq!(root.join("absent").open().unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn no_linked_folder_is_entered_to_read_write_rename_list_or_delete() {
        let (_folder, root, victim) = scene();
        symlink(&victim, root.join("linked").path()).unwrap();
        fs::write(root.join("own").path(), "own").unwrap();
        let (linked, own) = (root.join("linked"), root.join("own"));
        let tries: [(&str, io::Result<()>); 9] = [
            ("open", linked.join("file").open().map(drop)),
            ("create", linked.join("new").create().map(drop)),
            ("create below", linked.join("inner").join("new").create().map(drop)),
            ("make", linked.join("new").join("folder").make_folder()),
            ("make new", linked.join("new").make_new_folder()),
            ("list", linked.list().map(drop)),
            ("remove", linked.join("file").remove()),
            ("remove all", linked.join("inner").remove_all()),
            ("rename", own.rename(&linked.join("own"))),
        ];
        for (name, tried) in tries {
            let error = tried.expect_err(name).to_string();
            assert!(error.contains("linked is a link, but must be a folder"), "{name}: {error}");
        }
        assert_untouched(&victim);
        // The link itself can be removed, and its target stays.
        linked.remove_all().unwrap();
        assert_untouched(&victim);
    }

    #[test]
    fn removing_a_folder_removes_the_links_in_it_and_not_their_targets() {
        let (_folder, root, victim) = scene();
        let doomed = root.join("a");
        doomed.join("b").make_folder().unwrap();
        symlink(&victim, doomed.join("b").join("link").path()).unwrap();
        fs::write(doomed.join("file").path(), "gone").unwrap();
        doomed.remove_all().unwrap();
        assert!(!doomed.exists());
        assert_untouched(&victim);
    }

    #[test]
    fn no_path_leaves_its_root() {
        let (_folder, root, victim) = scene();
        let outside = victim.join("file");
        for name in ["../victim/file", "a/../../victim/file", "..", outside.to_str().unwrap()] {
            let path = root.join(name);
            for tried in [path.open().map(drop), path.remove_all(), path.make_folder()] {
                let error = tried.unwrap_err().to_string();
                assert_eq!(error, "the path leaves its folder", "{name}");
            }
        }
        assert_untouched(&victim);
    }

    #[test]
    fn a_root_that_a_person_named_may_be_a_link() {
        let (folder, root, _victim) = scene();
        let link = folder.path().join("link");
        symlink(root.path(), &link).unwrap();
        let file = ConfinedPath::root(&link).join("records").join("file");
        file.parent().unwrap().make_folder().unwrap();
        drop(file.create().unwrap());
        assert!(root.join("records/file").is_file());
        assert_eq!(file.parent().unwrap().parent().unwrap().parent(), None);
    }

    #[test]
    fn a_file_is_made_anew_kept_or_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("file");
        fs::write(path.path(), "left over").unwrap();
        assert_eq!(path.open_or_create().unwrap().metadata().unwrap().len(), 9);
        assert_eq!(path.read(9).unwrap(), b"left over");
        assert_eq!(path.read(8).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(path.create().unwrap().metadata().unwrap().len(), 0);
        assert_eq!(path.create_new().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn a_folder_that_may_only_be_searched_is_walked_through() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, root, _victim) = scene();
        let file = root.join("drop").join("file");
        file.parent().unwrap().make_folder().unwrap();
        fs::write(file.path(), "there").unwrap();
        fs::set_permissions(root.join("drop").path(), fs::Permissions::from_mode(0o311)).unwrap();
        // Root may read everything, so that only others see a difference.
        assert_eq!(file.read(9).unwrap(), b"there");
        fs::set_permissions(root.join("drop").path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mode = file.with_file_name("new").create().unwrap().metadata().unwrap().permissions().mode();
        let std_mode = File::create(file.with_file_name("other").path()).unwrap().metadata().unwrap();
        assert_eq!(mode, std_mode.permissions().mode(), "a group may share a folder");
    }

    #[test]
    fn a_path_that_is_not_utf_8_survives_the_protocol() {
        for name in [&b"plain"[..], b"with \xff bytes"] {
            let path = ConfinedPath::root("out").join(os_str(name));
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<ConfinedPath>(&json).unwrap(), path);
        }
    }
}
