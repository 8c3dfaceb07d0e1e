//! Packing: sorted names, one owner, one time, two modes; the same files give the same bytes.

use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use tar::{Builder, EntryType, Header};
use zstd::stream::write::Encoder;

use super::name::objection;
use super::{LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES};
use crate::bundle::{BundleError, Contents};
use crate::record::hex;

/// How hard zstd tries. Records and pictures are compressed already: more would cost seconds and save little.
const LEVEL: i32 = 12;
/// Set by hand, so that no later zstd picks another window for this level.
const WINDOW_LOG: u32 = 22;

/// An archive that was written.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Packs contents into the folder `name` of a new archive at `target`, which appears whole or not at all.
///
/// # Errors
/// Where a file cannot be read, is too large for a bundle, or the archive cannot be written.
pub fn pack(contents: &Contents, name: &str, mtime: u64, target: &Path) -> Result<Packed, BundleError> {
    let failed = || BundleError::io(target, "write the bundle");
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new();
    file.prefix(".retile-").suffix(".tmp");
    // A temporary file is for its owner alone, a bundle for everyone.
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let mut file = file.tempfile_in(folder).map_err(failed())?;
    let packed = write(contents, name, mtime, &mut file, target)?;
    file.persist(target).map_err(|error| failed()(error.error))?;
    Ok(packed)
}

/// The SHA-256 that an archive of these contents has.
///
/// # Errors
/// Where a file cannot be read.
pub fn sha256_as_packed(contents: &Contents, name: &str, mtime: u64) -> Result<String, BundleError> {
    write(contents, name, mtime, io::sink(), Path::new(name)).map(|packed| packed.sha256)
}

fn write(
    contents: &Contents,
    name: &str,
    mtime: u64,
    out: impl Write,
    target: &Path,
) -> Result<Packed, BundleError> {
    let failed = || BundleError::io(target, "write the bundle");
    let encoder = encoder(Hashing::new(out)).map_err(failed())?;
    let mut archive = Builder::new(encoder);
    let mut total = 0;
    for (place, (file, item)) in contents.iter().enumerate() {
        let bytes = item.read()?;
        total += bytes.len() as u64;
        let path = format!("{name}/{file}");
        let objection = objection(&path).or_else(|| {
            let is_too_much =
                bytes.len() as u64 > LARGEST_FILE || total > LARGEST_BUNDLE || place >= MOST_FILES;
            is_too_much.then_some("is more than a bundle may hold")
        });
        if let Some(reason) = objection {
            let (bundle, reason) = (target.to_owned(), reason.to_owned());
            return Err(BundleError::Refused { bundle, entry: path, reason });
        }
        let header = header(&path, bytes.len() as u64, item.is_executable, mtime).map_err(failed())?;
        archive.append(&header, &*bytes).map_err(failed())?;
    }
    let hashing = archive.into_inner().and_then(Encoder::finish).map_err(failed())?;
    Ok(hashing.finish())
}

fn encoder<W: Write>(out: W) -> io::Result<Encoder<'static, W>> {
    let mut encoder = Encoder::new(out, LEVEL)?;
    encoder.window_log(WINDOW_LOG)?;
    encoder.include_checksum(true)?;
    encoder.include_contentsize(false)?;
    Ok(encoder)
}

fn header(path: &str, size: u64, is_executable: bool, mtime: u64) -> io::Result<Header> {
    let mut header = Header::new_ustar();
    header.set_path(path)?;
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    header.set_mode(if is_executable { 0o755 } else { 0o644 });
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root")?;
    header.set_groupname("root")?;
    header.set_mtime(mtime);
    header.set_cksum();
    Ok(header)
}

/// A writer that hashes and counts what goes through it.
struct Hashing<W> {
    out: W,
    hasher: Sha256,
    bytes: u64,
}

impl<W> Hashing<W> {
    fn new(out: W) -> Self {
        Self { out, hasher: Sha256::new(), bytes: 0 }
    }

    fn finish(self) -> Packed {
        Packed { sha256: hex(&self.hasher.finalize()), bytes: self.bytes }
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
