//! Links below a results folder or beside artefacts: no command reads, writes or deletes through one.

use crate::common::prelude::*;
use crate::common::stored::sources;

/// A laboratory with results, and a folder beside them that must not change.
fn lab() -> Lab {
    let lab = Lab::with(&experiment("r", "random", 4, ""));
    lab.succeed("reproduce --quiet");
    lab.make_folder("victim");
    lab
}

/// Replaces a folder of the results with a link to the victim, and moves its files there.
fn link(lab: &Lab, part: &str) {
    let (place, victim) = (lab.path("results").join(part), lab.path("victim/linked"));
    match place.exists() {
        true => fs::rename(&place, &victim).unwrap(),
        false => fs::create_dir(&victim).unwrap(),
    }
    symlink(&victim, &place).unwrap();
}

#[test]
fn no_folder_of_the_results_that_is_a_link_is_written_to() {
    let more = "run --games 9 --quiet";
    for (part, command) in [
        ("records", more),
        ("records/p", more),
        ("timing", more),
        ("timing/p", more),
        ("tables", "render"),
        ("figures", "render"),
        ("report", "render"),
        ("report", "reproduce --quiet"),
    ] {
        let lab = lab();
        link(&lab, part);
        // Anything redrawn would have different bytes.
        lab.write("victim/linked/README.md", "precious");
        let before = files(&lab.path("victim"));
        let ran = lab.run(command);
        assert_ne!(ran.code, Some(0), "{part}: {ran:?}");
        let words = format!("results/{part} is a link, but must be a folder");
        assert!(ran.stderr.contains(&words), "{part}: {ran:?}");
        assert_eq!(files(&lab.path("victim")), before, "{part}");
    }
}

#[test]
fn merge_and_weights_write_through_no_link_and_foreign_verdicts_and_caches_are_not_read_through_one() {
    let lab = lab();
    lab.succeed("run --shard 1/1 --out part --quiet");
    lab.make_folder("out/records");
    lab.link(lab.path("victim"), "out/records/p");
    lab.run("merge part --out out").assert_fails(1, &["out/records/p is a link, but must be a folder"]);
    assert_eq!(fs::read_dir(lab.path("victim")).unwrap().count(), 0);
    lab.make_folder("artefacts");
    lab.link(lab.path("victim"), "artefacts/.unpacked");
    let weights = fs::read_dir(root().join("artefacts")).unwrap().map(Result::unwrap);
    let smallest = weights.filter(|file| file.file_name().len() == 64);
    let smallest = smallest.min_by_key(|file| file.metadata().unwrap().len()).unwrap();
    fs::copy(smallest.path(), lab.path("artefacts").join(smallest.file_name())).unwrap();
    let spec = format!("ntuple,weights={}", smallest.file_name().to_str().unwrap());
    let ran = lab.run(&format!("ask {spec} '2 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2'"));
    assert!(ran.code != Some(0) && ran.stderr.contains("is a link, but must be a folder"), "{ran:?}");
    assert_eq!(fs::read_dir(lab.path("victim")).unwrap().count(), 0);
    lab.succeed("reproduce --quiet --out foreign/results");
    fs::rename(lab.path("foreign/results/claims.json"), lab.path("victim/claims.json")).unwrap();
    lab.named_pipe("victim/pipe");
    for target in ["victim/claims.json", "victim/pipe"] {
        let link = lab.path("foreign/results/claims.json");
        let _ = fs::remove_file(&link);
        symlink(lab.path(target), &link).unwrap();
        // Without manifests, the stored verdicts are what could be compared.
        let ran = lab.run("diff foreign/results results");
        assert!(ran.code.is_some(), "{target}: {ran:?}");
    }
    lab.remove("results/.cache");
    link(&lab, ".cache");
    lab.succeed("run --games 6 --quiet");
    assert_eq!(fs::read_dir(lab.path("victim/linked")).unwrap().count(), 0);
}

#[test]
fn a_results_folder_that_is_itself_a_link_is_its_owners() {
    let lab = lab();
    fs::rename(lab.path("results"), lab.path("elsewhere")).unwrap();
    lab.link(lab.path("elsewhere"), "results");
    for command in ["run --games 6 --quiet", "render", "verify"] {
        lab.succeed(command);
    }
    assert!(lab.exists("elsewhere/records/p/r.parquet"));
}

/// The files of the program that open paths which the user or the system names, and what each opens.
/// Everything below results, artefacts and bundles is opened by a `ConfinedPath`.
const NAMED_BY_OTHERS: [(&str, &str); 19] = [
    ("crates/bundle/src/archive/read.rs", "the bundle's file"),
    ("crates/bundle/src/check.rs", "the bundle's file, and its checksum beside it"),
    ("crates/bundle/src/contents.rs", "manifests and the source"),
    ("crates/bundle/src/metadata.rs", "CITATION.cff"),
    ("crates/bundle/src/open.rs", "the folder to unpack to"),
    ("crates/bundle/src/repository.rs", "the source"),
    ("crates/manifest/src/lib.rs", "manifests"),
    ("crates/records/src/holder.rs", "/proc"),
    ("crates/jobs/src/provenance.rs", "/proc"),
    ("crates/platform/src/confined.rs", "the root"),
    ("crates/platform/src/hash.rs", "a file that a person names"),
    ("crates/platform/src/interrupt.rs", "/proc"),
    ("crates/platform/src/open.rs", "a file that a person names"),
    ("crates/verdict/src/gate.rs", "the file of a gate"),
    ("crates/workers", "plugins, programs and /proc"),
    ("crates/cluster/src/copies.rs", "programs and plugins to be copied"),
    ("src/commands/cluster", "/proc"),
    ("src/commands/new_agent", "templates"),
    ("src/commands/unbundle.rs", "the folder to unpack to"),
];

/// A source without the module of tests at its end.
fn product(source: &str) -> &str {
    let mark = "#[cfg(test)]\n";
    let is_module = |place: &usize| source[place + mark.len()..].lines().next().unwrap().ends_with('{');
    let tests = source.match_indices(mark).map(|(place, _)| place).find(is_module);
    tests.map_or(source, |place| &source[..place])
}

#[test]
fn only_these_files_open_paths_that_are_not_confined() {
    let calls = "fs::read fs::write fs::copy fs::rename fs::remove fs::create fs::metadata fs::symlink_metadata \
                 fs::set_permissions File::open File::create OpenOptions";
    let is_name = |text: &str| text.ends_with(|letter: char| letter.is_alphanumeric());
    let is_call = |text: &str, call: &str| text.match_indices(call).any(|(at, _)| !is_name(&text[..at]));
    let is_used = |text: &str| calls.split_whitespace().any(|call| is_call(text, call));
    let mut unused = NAMED_BY_OTHERS.to_vec();
    for (name, text) in ["pipeline/src", "pipeline/crates"].into_iter().flat_map(sources) {
        let name = name.strip_prefix("pipeline/").unwrap();
        let is_test = ["tests.rs", "testing.rs", "/tests/", "fuzz.rs", "fixtures"]
            .iter()
            .any(|part| name.contains(part));
        let code: String =
            product(&text).lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        if is_test || !is_used(&code) {
            continue;
        }
        assert!(!code.contains("fs::symlink("), "{name}");
        let allowed = NAMED_BY_OTHERS.iter().any(|(prefix, _)| name.starts_with(prefix));
        assert!(allowed, "{name} opens a path by itself: use ConfinedPath, or say here what it opens");
        unused.retain(|(prefix, _)| !name.starts_with(prefix));
    }
    assert_eq!(unused, [], "these no longer open anything by themselves");
}
