//! Packing: sorted names, one owner, one time, two modes; the same files give the same bytes.

use std::io::{self, Read as _, Write};
use std::path::Path;

use tar::{Builder, EntryType, Header};
use zstd::stream::write::Encoder;

use super::{LARGEST_BUNDLE, LARGEST_FILE, MOST_FILES, objection, refusal};
use crate::places::misplaced;
use crate::{BundleError, Contents};
use platform::{ConfinedPath, HashStream, ScratchFile};

/// How hard zstd tries. Records and pictures are compressed already: more would cost seconds and save little.
const LEVEL: i32 = 12;
/// Set by hand, so that no later zstd picks another window for this level.
const WINDOW_LOG: u32 = 22;

/// An archive that was written.
#[derive(Clone, Debug)]
pub struct PackedArchive {
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The SHA-256 that it has without compression: that does not depend on the version of zstd.
    pub tar_sha256: String,
}

/// Packs contents into the folder `name` of a new archive at `target`, which appears whole or not at all.
pub fn pack(
    contents: &Contents,
    name: &str,
    mtime: u64,
    target: &Path,
) -> Result<PackedArchive, BundleError> {
    let failed = || BundleError::io(target, "write the bundle");
    let place = ConfinedPath::file(target);
    let mut file = ScratchFile::beside(&place).map_err(failed())?;
    let packed = write(contents, name, mtime, &mut file, target)?;
    file.become_file(&place).map_err(failed())?;
    Ok(packed)
}

/// What packing these contents gives, without writing it anywhere.
pub fn as_packed(contents: &Contents, name: &str, mtime: u64) -> Result<PackedArchive, BundleError> {
    write(contents, name, mtime, io::sink(), Path::new(name))
}

fn write(
    contents: &Contents,
    name: &str,
    mtime: u64,
    out: impl Write,
    target: &Path,
) -> Result<PackedArchive, BundleError> {
    let failed = || BundleError::io(target, "write the bundle");
    let encoder = encoder(HashStream::new(out)).map_err(failed())?;
    let mut archive = Builder::new(HashStream::new(encoder));
    let mut total = 0;
    for (place, (file, item)) in contents.iter().enumerate() {
        let (size, bytes) = item.open()?;
        total += size;
        let path = format!("{name}/{file}");
        let objection = objection(&path).or_else(|| misplaced(file)).or_else(|| {
            let is_too_much = size > LARGEST_FILE || total > LARGEST_BUNDLE || place >= MOST_FILES;
            is_too_much.then_some("is more than a bundle may hold")
        });
        if let Some(reason) = objection {
            return Err(refusal(target, &path, reason));
        }
        let header = header(&path, size, item.is_executable, mtime).map_err(failed())?;
        archive.append(&header, bytes.take(size)).map_err(failed())?;
    }
    let (encoder, tar_sha256, _) = archive.into_inner().map_err(failed())?.finish();
    let (_, sha256, bytes) = encoder.finish().map_err(failed())?.finish();
    Ok(PackedArchive { sha256, bytes, tar_sha256 })
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
