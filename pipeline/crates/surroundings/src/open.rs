//! Opening and reading files: only regular files, whatever lies under their names, and never more of one than the reader takes.
//!
//! A results folder may come from somebody else. A link in it could have a run write to a file elsewhere, and a named pipe would have
//! it wait for ever; so no link is followed, nothing is waited for, and whatever is no regular file is refused before it is read.
//! `O_NONBLOCK` stays set, since it means nothing for regular files. Where a person names a file, a link is theirs, and is followed.

use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

use crate::interrupt;

/// The most bytes of an index, of verdicts, or of a list of hashes: far more than any has, and little enough to read.
pub const LARGEST_TEXT: u64 = 64 << 20;

/// Opens a file to read it.
pub fn regular(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}

/// Opens a file to read it and to write it, and makes it where there is none. What it holds stays.
pub fn or_create(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true).write(true).create(true).truncate(false))
}

/// Opens a file that is there, to write behind its end.
pub fn append(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().append(true))
}

/// Makes a file that was not there. A regular file of that name is one that a killed run has left: it goes.
pub fn create(path: &Path) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|about| about.is_file()) {
        fs::remove_file(path)?;
    }
    open(path, OpenOptions::new().read(true).write(true).create_new(true))
}

/// Makes a folder, and those above it, where they are missing; not while a signal ends the program, which removes what is not to
/// outlive it.
pub fn make_folder(path: &Path) -> io::Result<()> {
    interrupt::make_folder(path)
}

/// All of a file that is no longer than `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    bounded(regular(path)?, most)
}

/// The text of a file that a person has named, of at most so many bytes. Links are followed.
///
/// # Errors
/// Where it cannot be read, is no regular file, is larger, or is not UTF-8.
pub fn read_named_text(path: &Path, most: u64) -> io::Result<String> {
    // A pipe would be waited for, and a device has no end.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let text = format!("it has more than {most} bytes, which is the limit for such a file");
    let bytes = at_most(File::open(path)?, most, text)?;
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// All that can be read, if it is no longer than `most` bytes.
pub fn bounded(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    at_most(from, most, format!("it has more than {} MiB, which is the limit for such a file", most >> 20))
}

fn at_most(from: impl Read, most: u64, too_large: String) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more tells a file that is too large, also where it grows meanwhile.
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_large));
    }
    Ok(bytes)
}

/// What there is in place of a regular file; none where it is one.
pub fn other_kind(kind: FileType) -> Option<&'static str> {
    Some(match () {
        () if kind.is_file() => return None,
        () if kind.is_symlink() => "a link",
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    })
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = options.custom_flags(flags.bits().cast_signed()).open(path);
    let kind = match &opened {
        Ok(file) => file.metadata()?.file_type(),
        // The system says of a link that there are too many, of a pipe that there is no device.
        Err(_) => match fs::symlink_metadata(path) {
            Ok(about) => about.file_type(),
            Err(_) => return opened,
        },
    };
    match other_kind(kind) {
        None => opened,
        Some(other) => {
            let text = format!("it is {other}, but must be a regular file");
            Err(io::Error::new(io::ErrorKind::InvalidInput, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn nothing_but_regular_files_is_opened_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("elsewhere"), "kept").unwrap();
        symlink(path("elsewhere"), path("link")).unwrap();
        symlink(path("nowhere"), path("dangling")).unwrap();
        fs::create_dir(path("folder")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), rustix::fs::Mode::RWXU).unwrap();
        let _socket = UnixListener::bind(path("socket")).unwrap();
        symlink("/dev/zero", path("zero")).unwrap();
        for (name, kind) in [
            ("link", "a link"),
            ("dangling", "a link"),
            ("zero", "a link"),
            ("folder", "a folder"),
            ("pipe", "a named pipe"),
            ("socket", "a socket"),
        ] {
            for open in [regular, or_create, append, create] {
                let error = open(&path(name)).unwrap_err().to_string();
                assert_eq!(error, format!("it is {kind}, but must be a regular file"), "{name}");
            }
        }
        assert_eq!(fs::read(path("elsewhere")).unwrap(), b"kept");
        assert!(!path("nowhere").exists());
        assert!(regular(Path::new("/dev/zero")).unwrap_err().to_string().contains("a device"));
        assert_eq!(regular(&path("absent")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_file_is_made_anew_kept_or_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "left over").unwrap();
        assert_eq!(or_create(&path).unwrap().metadata().unwrap().len(), 9);
        assert_eq!(read(&path, 9).unwrap(), b"left over");
        assert_eq!(read(&path, 8).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(create(&path).unwrap().metadata().unwrap().len(), 0);
    }

    #[test]
    fn a_named_file_is_read_up_to_its_limit_and_refused_beyond() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("f"), folder.path().join("link"));
        fs::write(&file, "12345").unwrap();
        symlink(&file, &link).unwrap();
        assert_eq!(read_named_text(&file, 5).unwrap(), "12345");
        assert_eq!(read_named_text(&link, 5).unwrap(), "12345");
        let error = read_named_text(&file, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 4 bytes, which is the limit for such a file");
        fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_named_text(&file, 5).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_device_without_an_end_is_no_file() {
        for path in ["/dev/zero", "/"] {
            let error = read_named_text(Path::new(path), 5).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{path}");
        }
    }
}
