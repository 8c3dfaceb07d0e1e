//! Damage: one flipped byte, wherever it is, is found, and the file is named.

use std::fs;
use surroundings::confined::ConfinedPath;

use bundle::{archive, check_archive, files};

use crate::common::lab::{Lab, Ran};
use crate::forge::mend_checksums;
use crate::repository::{bundle, repository};

#[test]
fn an_undamaged_bundle_is_verified_with_nothing_but_itself() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let alone = Lab::new();
    fs::remove_dir(alone.path("paper-configs")).unwrap();
    fs::copy(&file, alone.path("b.tar.zst")).unwrap();
    let verified = alone.succeed(&["verify", "b.tar.zst"]);
    for words in ["Replayed 10 games", "Rendered again", "Signatures are not computed again", "All as stored"]
    {
        assert!(verified.stdout.contains(words), "{words}: {verified:?}");
    }
    let outcome = alone.succeed(&["verify", "b.tar.zst", "--json"]).json();
    assert_eq!((&outcome["is_as_packed"], &outcome["problems"]), (&true.into(), &serde_json::json!([])));
    alone.succeed(&["unbundle", "b.tar.zst", "open"]);
    alone.succeed(&["verify", "open"]);
    alone.run(&["unbundle", "b.tar.zst", "open"]).assert_fails(2, &["open", "already exists"]);
}

#[test]
fn a_flipped_byte_anywhere_in_the_archive_is_found() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let whole = fs::read(&file).unwrap();
    let damaged = lab.path("damaged.tar.zst");
    // The beginning and the end, where headers and the checksum are, byte by byte; the rest at many places.
    let step = whole.len() / 40;
    let places = (0..12).chain((12..whole.len() - 8).step_by(step)).chain(whole.len() - 8..whole.len());
    for place in places {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::write(&damaged, bytes).unwrap();
        let found = check_archive(&damaged).map(|checked| checked.problems);
        assert!(
            found.as_ref().is_err() || found.as_ref().is_ok_and(|found| !found.is_empty()),
            "byte {place}"
        );
    }
    for length in [0, 1, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(&damaged, &whole[..length]).unwrap();
        let found = check_archive(&damaged).map(|checked| checked.problems);
        assert!(
            found.as_ref().is_err() || found.as_ref().is_ok_and(|found| !found.is_empty()),
            "{length} bytes"
        );
    }
    fs::write(&damaged, [&*whole, b"x"].concat()).unwrap();
    lab.run(&["verify", "damaged.tar.zst"]).assert_fails(1, &["problem"]);
    lab.run(&["unbundle", "damaged.tar.zst"]).assert_fails(1, &["after the compressed stream"]);
}

#[test]
fn a_flipped_byte_in_any_file_is_found_and_the_file_named() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let folder = lab.path("open");
    fs::create_dir(&folder).unwrap();
    let unpacked = archive::unpack(&file, &ConfinedPath::root(&folder)).unwrap();
    assert_eq!(files(&ConfinedPath::root(&folder)).unwrap(), unpacked.files);
    assert!(unpacked.damage.is_none());
    for (place, name) in unpacked.files.iter().enumerate() {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        assert!(!whole.is_empty(), "{name}");
        let mut bytes = whole.clone();
        let at = (place * 7919) % bytes.len();
        bytes[at] ^= 1 << (place % 8);
        fs::write(&path, &bytes).unwrap();
        let found = bundle::checksum_problems(&ConfinedPath::root(&folder), &unpacked.files);
        match found {
            // A checksum that is itself flipped accuses the file that it is of, or is no checksum.
            Ok(problems) if name == "SHA256SUMS" => assert!(!problems.is_empty()),
            Ok(problems) => {
                assert!(
                    problems.len() == 1 && problems[0].starts_with(name.as_str()),
                    "{name}: {problems:?}"
                );
            }
            Err(error) => {
                assert!(name == "SHA256SUMS" && error.to_string().contains(name), "{name}: {error}")
            }
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_forger_who_mends_the_checksums_is_found_too() {
    let lab = repository();
    let file = bundle(&lab, "bundles", &[]);
    let forge = |name: &str, change: &dyn Fn(Vec<u8>) -> Vec<u8>| -> Ran {
        let _ = fs::remove_dir_all(lab.path("open"));
        lab.succeed(&["unbundle", file.to_str().unwrap(), "open"]);
        let path = lab.path("open").join(name);
        let bytes = change(fs::read(&path).unwrap_or_default());
        fs::write(&path, bytes).unwrap();
        mend_checksums(&lab.path("open"));
        lab.run(&["verify", "open"])
    };
    let found = forge("results/tables/README.md", &|bytes| [&*bytes, b"x"].concat());
    assert!(
        found.code == Some(1)
            && found.stdout.contains("results/tables/README.md: it differs from what is made again"),
        "{found:?}"
    );
    let other = lab.records_file("p/c");
    let found = forge("results/records/p/r.parquet", &|_| fs::read(&other).unwrap());
    assert!(found.code == Some(1) && found.stdout.contains("results/records/p/r.parquet"), "{found:?}");
    let found = forge("results/figures/mine.svg", &|_| b"<svg/>".to_vec());
    assert!(found.code == Some(1) && found.stdout.contains("results/figures/mine.svg"), "{found:?}");
    let unknown = forge("README.md", &|bytes| bytes);
    assert_eq!(unknown.code, Some(0), "{unknown:?}");
    fs::write(lab.path("open/paper-configs/more.toml"), "").unwrap();
    let found = lab.run(&["verify", "open"]);
    assert!(
        found.code == Some(1) && found.stdout.contains("paper-configs/more.toml: it is not in SHA256SUMS"),
        "{found:?}"
    );
}
