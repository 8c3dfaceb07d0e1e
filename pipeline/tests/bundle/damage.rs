//! Damage: one flipped byte, wherever it is, is found, and the file is named.

use crate::common::prelude::*;

use bundle::{OpenBundle, archive, check};

use crate::common::stored::flip_bit;
use crate::forge::{mend_checksums, opened};

#[test]
fn a_flipped_byte_in_the_archive_or_any_file_is_found_and_a_forger_who_mends_checksums_too() {
    let lab = opened();
    let (whole, damaged) = (lab.bytes("b.tar.zst"), lab.path("damaged.tar.zst"));
    let assert_found = |bytes: &[u8], what: &str| {
        fs::write(&damaged, bytes).unwrap();
        assert!(!check(&damaged).is_ok_and(|checked| checked.problems.is_empty()), "{what}");
    };
    // The beginning and the end, where headers and the checksum are, byte by byte; the rest at many places.
    let step = whole.len() / 40;
    let places = (0..12).chain((12..whole.len() - 8).step_by(step)).chain(whole.len() - 8..whole.len());
    for place in places {
        assert_found(&flip_bit(&whole, place, place % 8), &format!("byte {place}"));
    }
    for length in [0, 1, 100, whole.len() / 2, whole.len() - 1] {
        assert_found(&whole[..length], &format!("{length} bytes"));
    }
    fs::write(&damaged, [&*whole, b"x"].concat()).unwrap();
    lab.run("verify damaged.tar.zst").assert_fails(1, &["problem"]);
    lab.run("unbundle damaged.tar.zst").assert_fails(1, &["after the compressed stream"]);
    let folder = lab.path("unpacked");
    fs::create_dir(&folder).unwrap();
    let unpacked = archive::unpack(&lab.path("b.tar.zst"), &ConfinedPath::root(&folder)).unwrap();
    assert_eq!(OpenBundle::open(&folder).unwrap().files, unpacked.files);
    assert!(unpacked.damage.is_none());
    for (place, name) in unpacked.files.iter().enumerate() {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        assert!(!whole.is_empty(), "{name}");
        fs::write(&path, flip_bit(&whole, (place * 7919) % whole.len(), place % 8)).unwrap();
        let found = OpenBundle::open(&folder).unwrap().file_problems();
        match found {
            // A checksum that is itself flipped accuses the file that it is of, or is no checksum.
            Ok(problems) if name == "SHA256SUMS" => assert!(!problems.is_empty()),
            Ok(found) => assert!(found.len() == 1 && found[0].starts_with(&**name), "{name}: {found:?}"),
            Err(error) => assert!(name == "SHA256SUMS" && error.to_string().contains(name), "{error}"),
        }
        fs::write(&path, whole).unwrap();
    }
    let other = fs::read(lab.records_file("p/c")).unwrap();
    let table = [lab.bytes("open/results/tables/README.md"), b"x".to_vec()].concat();
    for (name, content, words) in [
        ("results/tables/README.md", table, "results/tables/README.md: it differs from what is made again"),
        ("results/records/p/r.parquet", other, "results/records/p/r.parquet"),
        ("results/figures/mine.svg", b"<svg/>".to_vec(), "results/figures/mine.svg"),
    ] {
        lab.remove("open");
        lab.succeed("unbundle b.tar.zst open");
        lab.write(&format!("open/{name}"), content);
        mend_checksums(&lab);
        lab.run("verify open").assert_finds(&[words]);
    }
    lab.remove("open");
    lab.succeed("unbundle b.tar.zst open");
    mend_checksums(&lab);
    lab.succeed("verify open");
    lab.write("open/paper-configs/more.toml", "");
    lab.run("verify open").assert_finds(&["paper-configs/more.toml: it is not in SHA256SUMS"]);
}
