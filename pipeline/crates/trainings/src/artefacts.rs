//! The store of artefacts: weights and tables that agents need, each under the SHA-256 of its content.
//!
//! A file is kept as one frame of zstd (level 19, one thread, with the size of its content and a checksum),
//! so that packing the same content twice gives the same bytes. Before an agent loads one, it is unpacked
//! once to `.unpacked`, and its content is held against its name. What is larger than [`LARGEST_COMMITTED`]
//! when packed is not for git: it is made on demand, by the training that it comes from.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use platform::console::note;
use platform::hash::sha256_of;
use platform::{ConfinedPath, Entry, ScratchFile, atomic, open};
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

/// How hard zstd tries: an artefact is packed once, and kept.
const LEVEL: i32 = 19;
/// Set by hand, so that no later zstd picks another window for this level.
const WINDOW_LOG: u32 = 23;

/// The most bytes of a packed artefact that git is to keep.
pub const LARGEST_COMMITTED: u64 = 32 << 20;

/// The most bytes of an artefact's content: no archive of a few kilobytes fills a disk.
pub const LARGEST_CONTENT: u64 = 4 << 30;

/// Where artefacts are unpacked to, within their folder.
const UNPACKED: &str = ".unpacked";

/// A folder of artefacts.
#[derive(Debug)]
pub struct Artefacts {
    folder: ConfinedPath,
    /// Where they are unpacked to.
    unpacked: ConfinedPath,
    /// Those whose content was held against their name, and where it lies.
    checked: Mutex<BTreeMap<String, ConfinedPath>>,
}

/// An artefact that was packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// The size of its content.
    pub raw_bytes: u64,
    /// Its size in the store.
    pub packed_bytes: u64,
}

/// What can be wrong with an artefact, always with the file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ArtefactError {
    #[error("{}: there is no such file", path.display())]
    Missing { path: ConfinedPath },
    #[error("{}: {reason}; remove it", path.display())]
    Damaged { path: ConfinedPath, reason: String },
    #[error("{}: {source}", path.display())]
    Io { path: ConfinedPath, source: io::Error },
}

impl ArtefactError {
    fn io(path: &ConfinedPath) -> impl Fn(io::Error) -> Self {
        |source| Self::Io { path: path.to_owned(), source }
    }

    fn damaged(path: &ConfinedPath, reason: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.into() }
    }

    /// Whether the artefact is not there at all.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing { .. })
    }
}

impl Artefacts {
    /// The artefacts of a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self::below(&ConfinedPath::root(folder))
    }

    /// The artefacts of a folder below another, such as those of a bundle.
    pub fn below(folder: &ConfinedPath) -> Self {
        Self { unpacked: folder.join(UNPACKED), folder: folder.clone(), checked: Mutex::default() }
    }

    /// The same, unpacked elsewhere: nothing is written into a folder that is only to be read.
    pub fn unpacked_to(self, folder: impl Into<PathBuf>) -> Self {
        Self { unpacked: ConfinedPath::root(folder), ..self }
    }

    /// The folder itself.
    pub fn folder(&self) -> &ConfinedPath {
        &self.folder
    }

    /// Takes a file that lies elsewhere for an artefact: whoever names it has held its content against this
    /// hash.
    pub fn take(&self, sha256: &str, path: &ConfinedPath) {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        checked.insert(sha256.to_owned(), path.to_owned());
    }

    /// Where an artefact is kept.
    pub fn path(&self, sha256: &str) -> ConfinedPath {
        self.folder.join(sha256)
    }

    /// Keeps a file. One that is kept already stays as it is, if it is whole.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or kept, or is larger than an artefact may be.
    pub fn pack(&self, raw: &ConfinedPath) -> Result<Packed, ArtefactError> {
        let mut file = raw.open().map_err(ArtefactError::io(raw))?;
        let raw_bytes = file.metadata().map_err(ArtefactError::io(raw))?.len();
        if raw_bytes > LARGEST_CONTENT {
            let reason =
                format!("it has more than {} MiB, which no artefact may have", LARGEST_CONTENT >> 20);
            return Err(ArtefactError::Io { path: raw.to_owned(), source: io::Error::other(reason) });
        }
        let sha256 = sha256_of(&mut file).map_err(ArtefactError::io(raw))?;
        let target = self.path(&sha256);
        if self.check(&sha256).is_err() {
            self.folder.make_folder().map_err(ArtefactError::io(&self.folder))?;
            let mut scratch = ScratchFile::beside(&target).map_err(ArtefactError::io(&target))?;
            let again = raw.open().map_err(ArtefactError::io(raw))?;
            write_packed(again, raw_bytes, &mut scratch).map_err(ArtefactError::io(&target))?;
            scratch.become_lasting_file(&target).map_err(ArtefactError::io(&target))?;
            // The stored artefact is usable without this.
            if let Err(error) = self.keep_from_git() {
                note(format_args!("warning: {error}; git may receive artefacts that are too large for it"));
            }
        }
        let packed_bytes = self.packed_bytes(&sha256)?;
        Ok(Packed { sha256, raw_bytes, packed_bytes })
    }

    /// Where the content of an artefact lies: it is unpacked where it is not yet, and held against its name.
    pub fn find(&self, sha256: &str) -> Result<ConfinedPath, ArtefactError> {
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = checked.get(sha256) {
            return Ok(path.clone());
        }
        let path = self.unpacked.join(sha256);
        let is_whole = || path.open().and_then(sha256_of).is_ok_and(|found| found == sha256);
        if !is_whole() {
            self.unpack(sha256, &path)?;
        }
        checked.insert(sha256.to_owned(), path.clone());
        Ok(path)
    }

    fn unpack(&self, sha256: &str, target: &ConfinedPath) -> Result<(), ArtefactError> {
        // Told before anything is made: a folder that only holds nothing is no help.
        self.packed_bytes(sha256)?;
        self.unpacked.make_folder().map_err(ArtefactError::io(&self.unpacked))?;
        let mut scratch = ScratchFile::beside(target).map_err(ArtefactError::io(target))?;
        self.read(sha256, &mut scratch)?;
        scratch.become_file(target).map_err(ArtefactError::io(target))
    }

    /// Checks an artefact: that it is one frame, and has the content of its name. Returns the size of that.
    pub fn check(&self, sha256: &str) -> Result<u64, ArtefactError> {
        self.read(sha256, &mut io::sink())
    }

    /// Reads the content of an artefact, of which nothing is to be believed before this returns.
    fn read(&self, sha256: &str, out: &mut dyn Write) -> Result<u64, ArtefactError> {
        let path = self.path(sha256);
        let file = self.open(sha256)?;
        let said = content_bytes(&path, &file)?;
        // One frame, and not more than it says: what comes after it is nobody's.
        let mut decoder = Decoder::new(file).map_err(ArtefactError::io(&path))?.single_frame();
        let from = (&mut decoder).take(said.saturating_add(1));
        let mut content = Copying { from, out, bytes: 0, failed: None };
        let found = sha256_of(&mut content);
        if let Some(source) = content.failed {
            return Err(ArtefactError::Io { path, source });
        }
        let found = found
            .map_err(|error| ArtefactError::damaged(&path, format!("it cannot be unpacked: {error}")))?;
        if content.bytes != said {
            return Err(ArtefactError::damaged(&path, "its content has another size than it says"));
        }
        let mut rest = decoder.finish();
        if rest.read(&mut [0]).map_err(ArtefactError::io(&path))? > 0 {
            return Err(ArtefactError::damaged(&path, "something comes after its frame"));
        }
        if found != sha256 {
            return Err(ArtefactError::damaged(&path, format!("its content has the SHA-256 {found}")));
        }
        Ok(said)
    }

    fn open(&self, sha256: &str) -> Result<File, ArtefactError> {
        let path = self.path(sha256);
        path.open().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ArtefactError::Missing { path },
            _ => ArtefactError::Io { path, source },
        })
    }

    /// The size of an artefact in the store.
    pub fn packed_bytes(&self, sha256: &str) -> Result<u64, ArtefactError> {
        let about = self.open(sha256)?.metadata();
        Ok(about.map_err(ArtefactError::io(&self.path(sha256)))?.len())
    }

    /// The artefacts that are there, sorted; `None` if there is no folder.
    pub fn list(&self) -> Result<Vec<String>, ArtefactError> {
        let entries = self.folder.list_if_there().map_err(ArtefactError::io(&self.folder))?;
        let name = |entry: &Entry| entry.path.name().filter(|name| is_sha256(name)).map(str::to_owned);
        Ok(entries.iter().filter_map(name).collect())
    }

    /// Removes unfinished files that killed programs left here, and returns their number.
    pub fn sweep(&self) -> usize {
        [&self.folder, &self.unpacked].into_iter().map(ScratchFile::sweep).sum()
    }

    /// Names what is not for git in a `.gitignore` of the folder: what is unpacked, and whatever is too
    /// large. What it names already stays.
    fn keep_from_git(&self) -> Result<(), ArtefactError> {
        let path = self.folder.join(".gitignore");
        let there = match path.read(open::LARGEST_TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            there => there.map_err(ArtefactError::io(&path))?,
        };
        let there = String::from_utf8_lossy(&there).into_owned();
        let mut lines: BTreeSet<String> = there.lines().map(str::to_owned).collect();
        lines.insert(format!("/{UNPACKED}/"));
        for name in self.list()? {
            match self.packed_bytes(&name) {
                Ok(bytes) if bytes > LARGEST_COMMITTED => drop(lines.insert(format!("/{name}"))),
                Ok(_) => {}
                Err(error) => note(format_args!("warning: skipped: {error}")),
            }
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let written = atomic::write(&path, text.as_bytes());
        written.map(drop).map_err(|error| ArtefactError::Io { path, source: io::Error::other(error) })
    }
}

/// Whether a name is an artefact's.
pub fn is_sha256(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Writes content of so many bytes as one frame.
fn write_packed(mut content: impl Read, bytes: u64, out: impl Write) -> io::Result<()> {
    let mut encoder = Encoder::new(out, LEVEL)?;
    encoder.window_log(WINDOW_LOG)?;
    encoder.include_checksum(true)?;
    encoder.include_contentsize(true)?;
    encoder.set_pledged_src_size(Some(bytes))?;
    io::copy(&mut content, &mut encoder)?;
    encoder.finish().map(drop)
}

/// The size of the content that a frame says it has.
fn content_bytes(path: &ConfinedPath, mut file: &File) -> Result<u64, ArtefactError> {
    /// The longest head of a frame.
    const HEAD: u64 = 18;
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head).map_err(ArtefactError::io(path))?;
    io::Seek::rewind(&mut file).map_err(ArtefactError::io(path))?;
    match zstd::zstd_safe::get_frame_content_size(&head) {
        Ok(Some(bytes)) if bytes <= LARGEST_CONTENT => Ok(bytes),
        Ok(Some(_)) => {
            let reason = format!("it says that its content has more than {} MiB", LARGEST_CONTENT >> 20);
            Err(ArtefactError::damaged(path, reason))
        }
        Ok(None) | Err(_) => Err(ArtefactError::damaged(path, "it is no frame of zstd that says its size")),
    }
}

/// Passes on what is read.
struct Copying<'a, R> {
    from: R,
    out: &'a mut dyn Write,
    bytes: u64,
    /// Why it could not be passed on: that is no damage.
    failed: Option<io::Error>,
}

impl<R: Read> Read for Copying<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.bytes += read as u64;
        if let Err(error) = self.out.write_all(&buffer[..read]) {
            self.failed = Some(error);
            return Ok(0);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
