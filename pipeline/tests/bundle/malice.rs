//! Malice: archives that would write where they should not, or more than they should, are refused.

use crate::common::prelude::*;

use std::io::Write as _;

use bundle::archive::unpack;
use tar::{Builder, EntryType, Header};

/// An archive of these entries: name, kind, link, size as the header states it, and bytes.
struct HostileEntry<'a> {
    name: &'a str,
    kind: EntryType,
    link: &'a str,
    size: Option<u64>,
    bytes: &'a [u8],
}

const fn plain(name: &str) -> HostileEntry<'_> {
    HostileEntry { name, kind: EntryType::Regular, link: "", size: None, bytes: b"x" }
}

fn archive(path: &Path, entries: &[HostileEntry<'_>]) {
    let mut builder = Builder::new(Vec::new());
    for entry in entries {
        let mut header = Header::new_ustar();
        // The crate refuses to write such names, so they are put into the header by hand.
        header.as_ustar_mut().unwrap().name[..entry.name.len()].copy_from_slice(entry.name.as_bytes());
        header.set_entry_type(entry.kind);
        header.as_ustar_mut().unwrap().linkname[..entry.link.len()].copy_from_slice(entry.link.as_bytes());
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_size(entry.size.unwrap_or(entry.bytes.len() as u64));
        header.set_cksum();
        builder.append(&header, entry.bytes).unwrap();
    }
    fs::write(path, zstd::encode_all(&*builder.into_inner().unwrap(), 3).unwrap()).unwrap();
}

/// A folder, and in it the path for an archive and an empty folder to unpack it to.
fn scratch() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (file, into) = (folder.path().join("b.tar.zst"), folder.path().join("into"));
    fs::create_dir(&into).unwrap();
    (folder, file, into)
}

#[test]
fn only_plain_files_below_one_folder_are_unpacked() {
    let link = |kind, link| HostileEntry { name: "retile-b/README.md", kind, link, size: None, bytes: b"" };
    let huge = HostileEntry { size: Some(1 << 31), ..plain("retile-b/README.md") };
    let unbounded = HostileEntry { size: Some(1 << 60), ..plain("retile-b/README.md") };
    let cases: &[(&[HostileEntry<'_>], &str)] = &[
        (&[plain("retile-b/../../evil")], "leaves its folder"),
        (&[plain("../evil")], "leaves its folder"),
        (&[plain("/evil")], "absolute"),
        (&[plain("retile-b//evil")], "empty part"),
        (&[plain("retile-b\\..\\evil")], "backslash"),
        (&[plain("retile-b/a\nb")], "control character"),
        (&[plain("evil")], "not in the bundle's folder"),
        (&[plain("retile-b/README.md"), plain("retile-c/README.md")], "not in the bundle's folder"),
        (&[plain("retile-b/source/a"), plain("retile-b/source/A")], "twice"),
        (&[plain(".git/config")], "named like a bundle"),
        (&[plain("b/README.md")], "named like a bundle"),
        (&[plain("retile-b/.git/config")], "hidden"),
        (&[plain("retile-b/source/.GIT/config")], "hidden"),
        (&[plain("retile-b/source/.cargo/config.toml")], "hidden"),
        (&[plain("retile-b/results/x.sh")], "no place in a bundle"),
        (&[plain("retile-b/source/a\u{202e}b")], "makes it look like another"),
        (&[link(EntryType::Symlink, "/etc/passwd")], "symbolic link"),
        (&[link(EntryType::Link, "../../evil")], "link"),
        (&[link(EntryType::Directory, "")], "folder"),
        (&[link(EntryType::Fifo, "")], "pipe"),
        (&[link(EntryType::Char, "")], "device"),
        (&[link(EntryType::GNULongName, "")], "extension of tar"),
        (&[link(EntryType::XHeader, "")], "extension of tar"),
        (&[huge], "more than a bundle may hold"),
        (&[unbounded], "more than a bundle may hold"),
    ];
    for (entries, words) in cases {
        let (folder, file, into) = scratch();
        archive(&file, entries);
        let error = unpack(&file, &confined(&into)).unwrap_err().to_string();
        assert_has(&error, &["refused", words]);
        let written = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(written, 2, "{words}: something was written beside the folder");
    }
}

#[test]
fn a_decompression_bomb_is_refused_before_it_is_unpacked() {
    let (_folder, file, into) = scratch();
    let mut encoder = zstd::Encoder::new(fs::File::create(&file).unwrap(), 3).unwrap();
    let mut header = Header::new_ustar();
    header.set_path("retile-b/README.md").unwrap();
    header.set_mode(0o644);
    header.set_size(4 << 30);
    header.set_cksum();
    encoder.write_all(header.as_bytes()).unwrap();
    let zeros = vec![0; 1 << 20];
    (0..64).for_each(|_| encoder.write_all(&zeros).unwrap());
    encoder.finish().unwrap();
    assert!(fs::metadata(&file).unwrap().len() < 100_000);
    let error = unpack(&file, &confined(&into)).unwrap_err().to_string();
    assert_has(&error, &["4294967296 bytes"]);
    assert_eq!(fs::read_dir(into).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_not_an_archive_is_damage_and_no_panic() {
    let (_folder, file, into) = scratch();
    for bytes in [&b""[..], b"no archive", &zstd::encode_all(&b"no archive"[..], 3).unwrap()] {
        fs::write(&file, bytes).unwrap();
        let unpacked = unpack(&file, &confined(&into)).unwrap();
        assert!(unpacked.files.is_empty());
        assert!(unpacked.damage.is_some(), "{bytes:?}");
    }
    archive(&file, &[plain("retile-b/source/a"), plain("retile-b/source/a/b")]);
    assert!(unpack(&file, &confined(&into)).is_err());
}
