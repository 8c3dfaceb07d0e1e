//! Bundles with what agents have learned.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::git;
use crate::common::lab::{Lab, experiment};
use crate::forge::{mend_checksums, pack};
use crate::repository::{CITATION, bundle, commit};

const TRAINING: &str = "[[training]]\nid = \"tiny\"\nagent = \"ntuple\"\ngames = 100\nparams = { tuples = \"0123 0145\", step = 1.0 }\n";

/// A repository with a training and an experiment that plays with what it gave, and the hash of that.
fn repository() -> (Lab, String) {
    let learned = experiment("learned", "ntuple", 3, "files = { weights = \"tiny\" }");
    let lab = Lab::with(&format!("{learned}{TRAINING}"));
    fs::write(lab.path("CITATION.cff"), CITATION).unwrap();
    fs::write(lab.path(".gitignore"), "/results/.lock\n/results/.cache/\n/plugins\n/bundles*\n/retile-*\n")
        .unwrap();
    let told = lab.succeed(&["train", "--quiet", "--json"]).json();
    lab.succeed(&["reproduce", "--quiet"]);
    git(&lab.path(""), &["init", "--quiet"]);
    commit(&lab);
    (lab, told["trainings"][0]["sha256"].as_str().unwrap().to_owned())
}

/// A bundle, unpacked.
fn unpacked(lab: &Lab, to: &str, more: &[&str]) -> PathBuf {
    let file = bundle(lab, to, more);
    let folder = lab.path(&format!("{to}/unpacked"));
    lab.succeed(&["unbundle", file.to_str().unwrap(), folder.to_str().unwrap()]);
    lab.succeed(&["verify", file.to_str().unwrap()]);
    folder
}

fn statement(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("bundle.json")).unwrap()).unwrap()
}

#[test]
fn artefacts_and_curves_come_along_are_described_and_played_with_again() {
    let (lab, sha256) = repository();
    let folder = unpacked(&lab, "bundles", &[]);
    let artefact = format!("artefacts/{sha256}");
    assert_eq!(fs::read(folder.join(&artefact)).unwrap(), fs::read(lab.path(&artefact)).unwrap());
    assert!(folder.join("results/trainings/p/tiny.parquet").is_file());
    assert!(!folder.join("source").join(&artefact).exists(), "once is enough");
    let stated = statement(&folder);
    assert_eq!((&stated["trainings"], &stated["artefacts"]), (&1.into(), &1.into()));
    assert!(fs::read_to_string(folder.join("SHA256SUMS")).unwrap().contains(&artefact));
    let described = fs::read_to_string(folder.join("ro-crate-metadata.json")).unwrap();
    let graph: Value = serde_json::from_str(&described).unwrap();
    let of = |prefix: &str| {
        let actions = graph["@graph"].as_array().unwrap().iter();
        actions
            .filter(|entity| entity["@id"].as_str().unwrap().starts_with(prefix))
            .cloned()
            .collect::<Vec<_>>()
    };
    let id = serde_json::json!({"@id": artefact});
    assert!(of("#training-")[0]["result"].as_array().unwrap().contains(&id));
    assert!(of("#run-")[0]["object"].as_array().unwrap().contains(&id));
    assert_eq!(of(&artefact)[0]["encodingFormat"], "application/zstd");

    fs::remove_dir_all(lab.path("artefacts")).unwrap();
    let played = lab.succeed(&["reproduce", "--from", folder.to_str().unwrap(), "--quiet"]);
    assert!(played.stdout.contains("p/learned"), "{played:?}");
    lab.succeed(&["verify", folder.to_str().unwrap()]);
}

#[test]
fn a_bundle_without_artefacts_names_them() {
    let (lab, sha256) = repository();
    let folder = unpacked(&lab, "bundles", &["--without-artefacts"]);
    assert!(!folder.join("artefacts").exists());
    assert!(!folder.join("source/artefacts").join(&sha256).exists());
    assert_eq!(statement(&folder)["artefacts_left_out"][0], *sha256);
    let verified = lab.succeed(&["verify", folder.to_str().unwrap()]).stdout;
    assert!(verified.contains("1 artefact is not in the bundle, which names it."), "{verified}");
}

#[test]
fn damaged_trainings_and_artefacts_are_found_before_a_game_is_played() {
    let (lab, sha256) = repository();
    let folder = unpacked(&lab, "bundles", &[]);
    let (artefact, training) = (format!("artefacts/{sha256}"), "results/trainings/p/tiny.parquet");
    let flipped = |mut bytes: Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    };
    let other = zstd::encode_all(&b"other weights"[..], 3).unwrap();
    let whole = |name: &str| fs::read(folder.join(name)).unwrap();
    for (name, damaged) in [
        (&*artefact, other),
        (&*artefact, flipped(whole(&artefact))),
        (training, flipped(whole(training))),
        (training, b"no curve".to_vec()),
    ] {
        let kept = whole(name);
        fs::write(folder.join(name), damaged).unwrap();
        mend_checksums(&folder);
        pack(&folder, "retile-x", &lab.path("evil.tar.zst"));
        for bundle in [folder.to_str().unwrap(), "evil.tar.zst"] {
            let ran = lab.run(&["reproduce", "--from", bundle, "--out", "played"]);
            ran.assert_fails(1, &["the bundle is damaged", &format!("\n  {name}: ")]);
            assert!(!lab.path("played").exists(), "{name}: {ran:?}");
        }
        fs::write(folder.join(name), kept).unwrap();
    }
}

#[test]
fn an_artefact_that_was_swapped_is_found_though_its_checksum_was_written_again() {
    let (lab, sha256) = repository();
    let folder = unpacked(&lab, "bundles", &[]);
    let path = folder.join("artefacts").join(&sha256);
    let name = format!("artefacts/{sha256}");
    let sums = fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    let old = sums.lines().find(|line| line.ends_with(&name)).unwrap().to_owned();
    let mut swapped = Vec::new();
    zstd::stream::copy_encode(&b"other weights"[..], &mut swapped, 3).unwrap();
    fs::write(&path, &swapped).unwrap();
    let new = format!("{}  {name}", surroundings::hash::sha256(&swapped));
    fs::write(folder.join("SHA256SUMS"), sums.replace(&old, &new)).unwrap();
    let ran = lab.run(&["verify", folder.to_str().unwrap()]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains(&format!("{name}: ")), "{ran:?}");
}
