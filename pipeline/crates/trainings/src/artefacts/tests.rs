//! What is packed is found again; what is damaged, swapped or swollen is not lent.

use platform::ConfinedPath;
use platform::hash::sha256;
use std::fs;

use super::*;

fn store() -> (tempfile::TempDir, Artefacts) {
    let folder = tempfile::tempdir().unwrap();
    let artefacts = Artefacts::new(folder.path().join("artefacts"));
    (folder, artefacts)
}

/// Weights that neither repeat nor are noise.
fn content() -> Vec<u8> {
    (0u32..60_000).flat_map(|number| (number.wrapping_mul(2_654_435_761) >> 20).to_le_bytes()).collect()
}

fn packed(folder: &tempfile::TempDir, artefacts: &Artefacts, content: &[u8]) -> Packed {
    let raw = folder.path().join("raw");
    fs::write(&raw, content).unwrap();
    artefacts.pack(&ConfinedPath::file(&raw)).unwrap()
}

fn told(artefacts: &Artefacts, sha256: &str) -> String {
    let found = artefacts.find(sha256).unwrap_err().to_string();
    assert_eq!(found, artefacts.check(sha256).unwrap_err().to_string());
    found.replace(&format!("{}/", artefacts.folder().display()), "").replace(sha256, "NAME")
}

#[test]
fn an_artefact_is_found_by_its_hash_and_unpacked_once() {
    let (folder, artefacts) = store();
    assert_eq!(artefacts.list().unwrap(), Vec::<String>::new());
    let one = packed(&folder, &artefacts, &content());
    assert_eq!(one.sha256, sha256(content()));
    assert_eq!(one.raw_bytes, 240_000);
    assert_eq!(fs::metadata(artefacts.path(&one.sha256).path()).unwrap().len(), one.packed_bytes);
    assert!(one.packed_bytes < one.raw_bytes);
    let path = artefacts.find(&one.sha256).unwrap();
    assert_eq!(fs::read(path.path()).unwrap(), content());
    let before = fs::metadata(path.path()).unwrap().modified().unwrap();
    assert_eq!(Artefacts::below(artefacts.folder()).find(&one.sha256).unwrap(), path);
    assert_eq!(fs::metadata(path.path()).unwrap().modified().unwrap(), before);
    assert_eq!(artefacts.list().unwrap(), std::slice::from_ref(&one.sha256));
    assert_eq!(artefacts.check(&one.sha256).unwrap(), 240_000);
}

#[test]
fn packing_twice_gives_the_same_bytes() {
    let (folder, artefacts) = store();
    let one = packed(&folder, &artefacts, &content());
    let bytes = fs::read(artefacts.path(&one.sha256).path()).unwrap();
    // A later version of zstd may pack otherwise: the content counts, and whoever changes this must say so in
    // the changelog.
    assert_eq!(sha256(&bytes), "0076c3821f396b0ed6b55bba8f8da32ed3d04ad1a30027fa8ae845da3c725d91");
    fs::remove_file(artefacts.path(&one.sha256).path()).unwrap();
    assert_eq!(packed(&folder, &artefacts, &content()), one);
    assert_eq!(fs::read(artefacts.path(&one.sha256).path()).unwrap(), bytes);
    let mut pieces = Vec::new();
    write_packed(Trickle(content(), 0), 240_000, &mut pieces).unwrap();
    assert_eq!(pieces, bytes, "however it is read");
}

/// Gives a few bytes at a time.
struct Trickle(Vec<u8>, usize);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let few = buffer.len().min(777).min(self.0.len() - self.1);
        buffer[..few].copy_from_slice(&self.0[self.1..self.1 + few]);
        self.1 += few;
        Ok(few)
    }
}

#[test]
fn what_is_missing_truncated_or_swapped_is_not_lent() {
    let (folder, artefacts) = store();
    let one = packed(&folder, &artefacts, &content());
    let path = artefacts.path(&one.sha256);
    let whole = fs::read(path.path()).unwrap();
    fs::remove_file(path.path()).unwrap();
    assert_eq!(told(&artefacts, &one.sha256), "NAME: there is no such file");
    assert!(artefacts.find(&one.sha256).unwrap_err().is_missing());
    assert!(!artefacts.folder().join(UNPACKED).exists());
    fs::write(path.path(), &whole[..whole.len() / 2]).unwrap();
    assert!(told(&artefacts, &one.sha256).starts_with("NAME: it cannot be unpacked: "));
    fs::write(path.path(), "").unwrap();
    assert_eq!(told(&artefacts, &one.sha256), "NAME: it is no frame of zstd that says its size; remove it");
    let other = packed(&folder, &artefacts, b"other");
    fs::copy(artefacts.path(&other.sha256).path(), path.path()).unwrap();
    let swapped = format!("NAME: its content has the SHA-256 {}; remove it", other.sha256);
    assert_eq!(told(&artefacts, &one.sha256), swapped);
    assert_eq!(
        fs::read_dir(artefacts.folder().join(UNPACKED).path()).unwrap().count(),
        0,
        "nothing is left half-made"
    );
    assert_eq!(packed(&folder, &artefacts, &content()), one, "packing mends it");
    assert_eq!(fs::read(path.path()).unwrap(), whole);
}

#[test]
fn every_flipped_byte_of_a_frame_is_noticed() {
    let (folder, artefacts) = store();
    let one = packed(&folder, &artefacts, &content());
    let whole = fs::read(artefacts.path(&one.sha256).path()).unwrap();
    for place in (0..whole.len()).step_by(997).chain(0..18) {
        let mut flipped = whole.clone();
        flipped[place] ^= 64;
        fs::write(artefacts.path(&one.sha256).path(), flipped).unwrap();
        assert!(artefacts.check(&one.sha256).is_err(), "byte {place}");
    }
}

#[test]
fn what_is_unpacked_is_held_against_its_name_and_made_again() {
    let (folder, artefacts) = store();
    let one = packed(&folder, &artefacts, &content());
    let path = artefacts.find(&one.sha256).unwrap();
    fs::write(path.path(), "tampered with").unwrap();
    assert_eq!(Artefacts::below(artefacts.folder()).find(&one.sha256).unwrap(), path);
    assert_eq!(fs::read(path.path()).unwrap(), content());
}

#[test]
fn a_frame_that_grows_beyond_its_word_or_the_limit_is_stopped() {
    let (_folder, artefacts) = store();
    fs::create_dir_all(artefacts.folder().path()).unwrap();
    let name = sha256("x");
    let unsaid = zstd::stream::encode_all(&b"x"[..], 3).unwrap();
    fs::write(artefacts.path(&name).path(), unsaid).unwrap();
    assert_eq!(told(&artefacts, &name), "NAME: it is no frame of zstd that says its size; remove it");
    let mut huge = Encoder::new(Vec::new(), 3).unwrap();
    huge.set_pledged_src_size(Some(LARGEST_CONTENT + 1)).unwrap();
    huge.write_all(&[0; 1 << 20]).unwrap();
    huge.flush().unwrap();
    fs::write(artefacts.path(&name).path(), huge.get_ref()).unwrap();
    assert_eq!(told(&artefacts, &name), "NAME: it says that its content has more than 4096 MiB; remove it");
    let mut two = Vec::new();
    write_packed(&b"x"[..], 1, &mut two).unwrap();
    write_packed(&b"more"[..], 4, &mut two).unwrap();
    fs::write(artefacts.path(&name).path(), two).unwrap();
    assert_eq!(told(&artefacts, &name), "NAME: something comes after its frame; remove it");
}

#[test]
fn git_is_told_what_is_not_for_it() {
    let (folder, artefacts) = store();
    packed(&folder, &artefacts, &content());
    let ignored = artefacts.folder().join(".gitignore");
    assert_eq!(fs::read_to_string(ignored.path()).unwrap(), "/.unpacked/\n");
    let large = sha256("large");
    File::create(artefacts.path(&large).path()).unwrap().set_len(LARGEST_COMMITTED + 1).unwrap();
    File::create(artefacts.path(&sha256("fits")).path()).unwrap().set_len(LARGEST_COMMITTED).unwrap();
    packed(&folder, &artefacts, b"another");
    assert_eq!(fs::read_to_string(ignored.path()).unwrap(), format!("/.unpacked/\n/{large}\n"));
}

#[test]
fn a_foreign_entry_with_the_name_of_an_artefact_keeps_nothing_from_being_packed() {
    let (folder, artefacts) = store();
    fs::create_dir_all(artefacts.path(&sha256("folder")).path()).unwrap();
    std::os::unix::fs::symlink("/nonexistent", artefacts.path(&sha256("link")).path()).unwrap();
    let pipe = artefacts.path(&sha256("pipe"));
    assert!(std::process::Command::new("mkfifo").arg(pipe.path()).status().unwrap().success());
    let one = packed(&folder, &artefacts, &content());
    assert_eq!(artefacts.check(&one.sha256).unwrap(), 240_000);
    assert_eq!(fs::read_to_string(artefacts.folder().join(".gitignore").path()).unwrap(), "/.unpacked/\n");
    fs::remove_file(artefacts.folder().join(".gitignore").path()).unwrap();
    fs::create_dir(artefacts.folder().join(".gitignore").path()).unwrap();
    let other = packed(&folder, &artefacts, b"another");
    assert_eq!(artefacts.check(&other.sha256).unwrap(), 7);
}
