//! Bundles with what agents have learned.

use crate::common::prelude::*;

use crate::forge::{self, mend_and_pack};

/// A repository with a training, an experiment with its weights, and a bundle, also unpacked; the weights.
fn opened(more: &str) -> (Lab, String) {
    let lab = copy_of("learned", || {
        let learned = experiment("learned", "ntuple", 3, "files = { weights = \"tiny\" }");
        let lab = Lab::with(&(learned + &training("tiny", 100, "")));
        lab.succeed("train --quiet");
        track(&lab);
        lab
    });
    forge::open(&lab, more);
    lab.succeed("verify b.tar.zst");
    let is_hash = |name: &String| name.len() == 64;
    let weights = files(&lab.path("artefacts")).into_keys().find(is_hash).unwrap();
    (lab, weights)
}

#[test]
fn artefacts_and_curves_come_along_are_described_and_played_with_again() {
    let (lab, sha256) = opened("");
    let artefact = format!("artefacts/{sha256}");
    let copy = fs::read(lab.path(format!("open/{artefact}"))).unwrap();
    assert_eq!(copy, lab.bytes(&artefact));
    assert!(lab.exists("open/results/trainings/p/tiny.parquet"));
    assert!(!lab.exists(&format!("open/source/{artefact}")), "once is enough");
    let stated = lab.json("open/bundle.json");
    assert_eq!((&stated["trainings"], &stated["artefacts"]), (&json!(1), &json!(1)));
    assert_has(&lab.read("open/SHA256SUMS"), &[&artefact]);
    let metadata = lab.json("open/ro-crate-metadata.json");
    let of = |prefix: &str| {
        let is_it = |entity: &&Value| entity["@id"].as_str().unwrap().starts_with(prefix);
        list(&metadata["@graph"]).iter().find(is_it).unwrap()
    };
    let id = json!({"@id": artefact});
    assert!(list(&of("#train-")["result"]).contains(&id));
    assert!(list(&of("#run-")["object"]).contains(&id));
    assert_eq!(of(&artefact)["encodingFormat"], "application/zstd");

    lab.remove("artefacts");
    lab.succeed("reproduce --from open --quiet").assert_prints(&["p/learned"]);
    lab.succeed("verify open");
}

#[test]
fn a_bundle_without_artefacts_names_them() {
    let (lab, sha256) = opened("--without-artefacts");
    assert!(!lab.exists("open/artefacts") && !lab.exists(&format!("open/source/artefacts/{sha256}")));
    assert_eq!(lab.json("open/bundle.json")["artefacts_left_out"][0], *sha256);
    lab.succeed("verify open").assert_prints(&["1 artefact is not in the bundle, which names it."]);
}

#[test]
fn damaged_trainings_and_artefacts_are_found_before_a_game_is_played_though_checksums_fit() {
    let (lab, sha256) = opened("");
    let (artefact, training) = (format!("artefacts/{sha256}"), "results/trainings/p/tiny.parquet");
    let whole = |name: &str| fs::read(lab.path("open").join(name)).unwrap();
    let flipped = |name: &str| flip(&whole(name), whole(name).len() / 2);
    for (name, damaged) in [
        (&*artefact, zstd::encode_all(&b"other weights"[..], 3).unwrap()),
        (&*artefact, flipped(&artefact)),
        (training, flipped(training)),
        (training, b"no curve".to_vec()),
    ] {
        let kept = whole(name);
        lab.write(&format!("open/{name}"), damaged);
        mend_and_pack(&lab);
        for bundle in ["open", "evil.tar.zst"] {
            let ran = lab.run(&format!("reproduce --from {bundle} --out played"));
            ran.assert_fails(1, &["the bundle is damaged", &format!("\n  {name}: ")]);
            assert!(!lab.exists("played"), "{name}: {ran:?}");
        }
        lab.run("verify open").assert_finds(&[&format!("{name}: ")]);
        lab.write(&format!("open/{name}"), kept);
    }
}
