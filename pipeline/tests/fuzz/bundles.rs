//! Bundles: a damaged archive is unpacked below its folder or refused.

use bundle::archive::unpack;

use crate::common::repository::tar_of;
use crate::prelude::*;

/// A small archive, not packed yet.
fn archive() -> Vec<u8> {
    tar_of([
        ("retile-b/README.md", &b"# A bundle\n"[..]),
        ("retile-b/results/tables/one", b"1"),
        ("retile-b/results/tables/two", &[7; 700]),
    ])
}

/// Puts the checksums of headers right again, so that damage gets behind them.
fn with_checksums(mut archive: Vec<u8>) -> Vec<u8> {
    for block in archive.chunks_exact_mut(512) {
        if &block[257..262] == b"ustar" {
            block[148..156].fill(b' ');
            let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
            block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    archive
}

/// Unpacks these bytes, and sees that nothing appeared but plain files below the folder for it.
fn check(packed: &[u8]) {
    let outer = tempfile::tempdir().unwrap();
    let (file, into) = (outer.path().join("bundle.tar.zst"), outer.path().join("into"));
    fs::write(&file, packed).unwrap();
    fs::create_dir(&into).unwrap();
    let _ = unpack(&file, &confined(&into));
    let mut names: Vec<_> =
        fs::read_dir(outer.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["bundle.tar.zst", "into"]);
    assert!(!Path::new("/evil").exists());
    assert_plain(&into);
}

fn assert_plain(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        assert!(kind.is_file() || kind.is_dir(), "{}", entry.path().display());
        if kind.is_dir() {
            assert_plain(&entry.path());
        }
    }
}

#[test]
fn the_archive_that_is_damaged_is_itself_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bundle.tar.zst");
    fs::write(&file, zstd::encode_all(&with_checksums(archive())[..], 3).unwrap()).unwrap();
    let into = folder.path().join("into");
    unpack(&file, &confined(&into)).unwrap();
    assert_eq!(fs::read(into.join("results/tables/one")).unwrap(), b"1");
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn a_damaged_archive_is_unpacked_in_its_folder_or_refused(changes in changes()) {
        let archive = with_checksums(damaged(&archive(), &changes));
        check(&zstd::encode_all(&archive[..], 1).unwrap());
    }

    #[test]
    fn damaged_packing_is_refused_or_does_no_harm(changes in changes()) {
        check(&damaged(&zstd::encode_all(&archive()[..], 1).unwrap(), &changes));
    }
}
