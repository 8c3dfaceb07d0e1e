//! Unpacking. A bundle comes from somebody else: whatever is no plain file below its folder is refused before
//! a byte of it is written, and sizes are bounded, so that a small file cannot fill a disk.
//!
//! An archive that breaks off, or whose checksum is wrong, is unpacked as far as it goes: the checksums of
//! its files then say which of them are affected.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::Path;

use platform::{ConfinedPath, HashStream};
use tar::{Archive, Entry, EntryType};
use zstd::stream::read::Decoder;

use super::{LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES, objection, refusal};
use crate::BundleError;
use crate::places::{is_bundle_name, misplaced};

/// The most zeros behind the last file: tar pads to a record of this size.
const MOST_PADDING: u64 = 10_240;

/// What was unpacked.
#[derive(Debug, Default)]
pub struct UnpackedArchive {
    /// The one folder that everything is in.
    pub folder: String,
    /// The files that are whole, from that folder, in the archive's order.
    pub files: Vec<String>,
    /// Why that is not all of them, or may not be what was packed.
    pub damage: Option<String>,
    /// The SHA-256 of the archive without compression, if it is complete.
    pub tar_sha256: Option<String>,
}

/// Unpacks an archive into an empty folder of ours. The archive's own folder is left out of the names.
pub fn unpack(bundle: &Path, into: &ConfinedPath) -> Result<UnpackedArchive, BundleError> {
    let buffered = BufReader::with_capacity(1 << 16, open(bundle)?);
    let decoder = Decoder::with_buffer(buffered).map_err(BundleError::io(bundle, "read the bundle"))?;
    let mut tar = HashStream::new(decoder.single_frame());
    let mut unpacking =
        Unpacking { bundle, into, seen: BTreeSet::new(), total: 0, unpacked: UnpackedArchive::default() };
    let whole = match unpacking.entries(&mut tar)? {
        Some(damage) => Err(damage),
        None if unpacking.seen.is_empty() => Err("not a bundle: there are no files in it".to_owned()),
        None => rest(tar),
    };
    let (damage, tar_sha256) = whole.map_or_else(|damage| (Some(damage), None), |sum| (None, Some(sum)));
    Ok(UnpackedArchive { damage, tar_sha256, ..unpacking.unpacked })
}

/// Opens a bundle's file. A pipe would keep us waiting, and a device has no end.
fn open(bundle: &Path) -> Result<File, BundleError> {
    let usage = |reason: &str| BundleError::Usage(format!("{}: {reason}", bundle.display()));
    match fs::metadata(bundle) {
        Ok(about) if about.is_file() => {
            File::open(bundle).map_err(BundleError::io(bundle, "read the bundle"))
        }
        Ok(_) => Err(usage("this file cannot be a bundle; name one that `pipeline bundle` made")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(usage("there is no such file or folder; check the path"))
        }
        Err(error) => Err(BundleError::io(bundle, "read the bundle")(error)),
    }
}

/// The SHA-256 of all that was uncompressed, or what is wrong behind the last file. Only here does zstd
/// compare its checksum.
fn rest(mut tar: HashStream<Decoder<'_, BufReader<File>>>) -> Result<String, String> {
    let mut padding = Vec::new();
    let mut behind = tar.by_ref().take(MOST_PADDING + 1);
    behind.read_to_end(&mut padding).map_err(|error| format!("the compressed stream is damaged: {error}"))?;
    if padding.len() as u64 > MOST_PADDING || padding.iter().any(|&byte| byte != 0) {
        return Err("there is something after the last file".to_owned());
    }
    let (decoder, sha256, _) = tar.finish();
    match decoder.finish().fill_buf() {
        Ok([]) => Ok(sha256),
        Ok(_) => Err("there is something after the compressed stream".to_owned()),
        Err(error) => Err(format!("the bundle cannot be read to its end: {error}")),
    }
}

struct Unpacking<'a> {
    bundle: &'a Path,
    into: &'a ConfinedPath,
    seen: BTreeSet<String>,
    total: u64,
    unpacked: UnpackedArchive,
}

impl Unpacking<'_> {
    /// Unpacks all entries, or as many as can be read, and says why not more.
    fn entries(&mut self, decoder: impl Read) -> Result<Option<String>, BundleError> {
        let mut archive = Archive::new(decoder);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return Ok(Some(self.broken_off(error))),
        };
        // Raw: long names and other extensions are entries of a kind of their own, refused, and never read
        // into memory.
        for entry in entries.raw(true) {
            let damage = match entry {
                Ok(entry) => self.entry(entry)?,
                Err(error) => Some(self.broken_off(error)),
            };
            if damage.is_some() {
                return Ok(damage);
            }
        }
        Ok(None)
    }

    /// Unpacks an entry; says why where the archive is damaged within it.
    fn entry(&mut self, mut entry: Entry<'_, impl Read>) -> Result<Option<String>, BundleError> {
        let name = String::from_utf8_lossy(&entry.header().path_bytes()).into_owned();
        let size = entry.header().entry_size().unwrap_or(u64::MAX);
        let kind = entry.header().entry_type();
        let mode = entry.header().mode().unwrap_or_default();
        let file = self.admit(&name, kind, size)?;
        let path = self.into.join(&file);
        let cannot = || BundleError::io(path.path(), "write the file");
        if let Some(folder) = path.parent() {
            folder.make_folder().map_err(cannot())?;
        }
        let mode = if mode & 0o100 == 0 { 0o644 } else { 0o755 };
        let mut target = path.create_new_with(mode).map_err(cannot())?;
        let mut chunk = vec![0; 1 << 16];
        let mut left = size;
        while left > 0 {
            let read = match entry.read(&mut chunk) {
                Ok(0) => return Ok(Some(format!("it breaks off within `{file}`"))),
                Ok(read) => read,
                Err(error) => {
                    return Ok(Some(format!(
                        "the compressed stream is damaged within `{file}`, or shortly before: {error}"
                    )));
                }
            };
            io::Write::write_all(&mut target, &chunk[..read]).map_err(cannot())?;
            left = left.saturating_sub(read as u64);
        }
        self.unpacked.files.push(file);
        Ok(None)
    }

    /// Decides whether an entry may be written, and gives its name within the bundle's folder.
    fn admit(&mut self, name: &str, kind: EntryType, size: u64) -> Result<String, BundleError> {
        let refused = |reason: &str| refusal(self.bundle, &name.escape_default().to_string(), reason);
        if kind != EntryType::Regular {
            return Err(refused(&format!("is {}, but a bundle holds only plain files", kind_name(kind))));
        }
        if let Some(reason) = objection(name) {
            return Err(refused(reason));
        }
        if size > LARGEST_FILE || self.total.saturating_add(size) > LARGEST_BUNDLE {
            return Err(refused(&format!("has {size} bytes, which is more than a bundle may hold")));
        }
        if self.seen.len() >= MOST_FILES {
            return Err(refused(&format!("is one file more than the {MOST_FILES} that a bundle may hold")));
        }
        let (folder, file) = name.split_once('/').ok_or_else(|| refused("is not in the bundle's folder"))?;
        if !self.seen.is_empty() && folder != self.unpacked.folder {
            return Err(refused(&format!("is not in the bundle's folder, `{}`", self.unpacked.folder)));
        }
        if !is_bundle_name(folder) {
            return Err(refused("is not in a folder named like a bundle, `retile-` and a name"));
        }
        if let Some(reason) = misplaced(file) {
            return Err(refused(reason));
        }
        // Some systems hold names that differ in case for one, and the second would overwrite the first.
        if !self.seen.insert(file.to_lowercase()) {
            return Err(refused("is there twice"));
        }
        self.unpacked.folder = folder.to_owned();
        self.total += size;
        Ok(file.to_owned())
    }

    fn broken_off(&self, error: io::Error) -> String {
        match self.unpacked.files.last() {
            Some(file) => format!("the archive is damaged after `{file}`: {error}"),
            None => format!("not a bundle, or its beginning is damaged: {error}"),
        }
    }
}

fn kind_name(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink => "a symbolic link",
        EntryType::Link => "a link",
        EntryType::Directory => "a folder",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        _ => "an extension of tar",
    }
}
