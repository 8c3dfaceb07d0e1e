//! Which results a name means, and the manifests that belong to them.

use std::fs;
use std::path::Path;

use super::git::{commit, git};
use super::*;

/// The side of this name, or what is wrong with it.
fn named(path: &Path) -> Result<Side, String> {
    let tree = WorkTree { results: Path::new("/nowhere"), configs: Path::new("/nowhere") };
    Side::named(path.to_str().unwrap(), tree, None).map_err(|error| error.to_string())
}

fn games_of(side: &Side) -> usize {
    side.evidence.games(&"p/e".parse().unwrap()).unwrap().outcomes.len()
}

#[test]
fn a_folder_is_results_or_lies_around_them() {
    let folder = tempfile::tempdir().unwrap();
    side(folder.path(), "results", 1, &["U", "RD"]);
    let [around, itself] = ["", "results"].map(|name| named(&folder.path().join(name)).unwrap());
    assert_eq!((games_of(&around), games_of(&itself)), (2, 2));
    assert_eq!(itself.label, folder.path().join("results").to_str().unwrap());
    assert!(itself.commit.is_none());
    // Results that hold a folder of that name are results all the same.
    side(&folder.path().join("results"), "results", 1, &["L"]);
    assert_eq!(games_of(&named(&folder.path().join("results")).unwrap()), 2);
    assert_eq!(games_of(&named(&folder.path().join("results/results")).unwrap()), 1);
}

#[test]
fn manifests_are_those_beside_the_results() {
    let folder = tempfile::tempdir().unwrap();
    side(folder.path(), "results", 1, &["U"]);
    let papers = |name: &str| named(&folder.path().join(name)).unwrap().papers;
    assert_eq!(papers("results").unwrap_err(), "there are no manifests beside the results");
    fs::create_dir(folder.path().join("paper-configs")).unwrap();
    fs::write(folder.path().join("paper-configs/p.toml"), "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n")
        .unwrap();
    for name in ["", "results"] {
        assert_eq!(papers(name).unwrap()[0].id, "p", "{name}");
    }
    fs::write(folder.path().join("paper-configs/p.toml"), "from = \"another time\"\n").unwrap();
    assert!(papers("results").unwrap_err().contains("p.toml"));
}

#[test]
fn what_holds_no_results_is_told_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let told = |name: &str| named(&folder.path().join(name)).unwrap_err();
    assert!(told("").contains(": it holds no results: there is no index.json"), "{}", told(""));
    fs::write(folder.path().join("index.json"), "torn").unwrap();
    let torn = told("");
    assert!(torn.starts_with(folder.path().to_str().unwrap()) && !torn.contains("there is no"), "{torn}");
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(told("file").ends_with("file: this file is neither a results folder nor a bundle"));
    fs::write(folder.path().join("b.tar.zst"), "no archive").unwrap();
    let damaged = told("b.tar.zst");
    assert!(
        damaged.contains("b.tar.zst: the bundle is damaged: not a bundle, or its beginning is"),
        "{damaged}"
    );
}

#[test]
fn a_revision_has_the_results_and_the_manifests_of_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path().canonicalize().unwrap();
    let (results, configs) = (top.join("results"), top.join("paper-configs"));
    let tree = WorkTree { results: &results, configs: &configs };
    git(&top, &["init", "--quiet"]);
    fs::write(top.join("README"), "").unwrap();
    let empty = commit(&top);
    side(&top, "results", 1, &["U", "RD"]);
    let first = commit(&top);
    side(&top, "results", 1, &["U", "RD", "L"]);
    fs::create_dir(&configs).unwrap();
    fs::write(configs.join("p.toml"), "[citation]\ntitle = \"T\"\nauthors = [\"A\"]\n").unwrap();
    git(&top, &["add", "--all"]);
    git(&top, &["commit", "--quiet", "--message", "m"]);
    git(&top, &["tag", "later"]);
    fs::remove_dir_all(&results).unwrap();

    let at = |name: &str| Side::revision(name, &top, tree, None);
    let before = at(&first[..10]).unwrap();
    assert_eq!((before.label.as_str(), games_of(&before)), (&first[..7], 2));
    assert!(before.papers.is_err());
    let after = at("later").unwrap();
    let commit = after.commit.clone().unwrap();
    assert_eq!((after.label.clone(), games_of(&after)), (format!("later ({})", &commit[..7]), 3));
    assert_eq!(after.papers.as_ref().unwrap()[0].id, "p");
    let none = at(&empty).unwrap_err().to_string();
    assert!(
        none.starts_with(&format!("{}: it holds no results: there is no index.json", &empty[..7])),
        "{none}"
    );
}

#[test]
fn results_from_before_the_index_are_known_by_their_records_files() {
    let folder = tempfile::tempdir().unwrap();
    side(folder.path(), "results", 1, &["U", "RD"]);
    let results = folder.path().join("results");
    let indexed = named(&results).unwrap();
    assert!(!indexed.lacks_index);
    fs::remove_file(results.join("index.json")).unwrap();
    // Parts and leftovers of a run are no experiments.
    let paper = fs::read_dir(results.join("records")).unwrap().next().unwrap().unwrap().path();
    fs::write(paper.join("e.part-1-of-2.parquet"), "a part").unwrap();
    fs::write(paper.join("e.journal"), "a journal").unwrap();
    let bare = named(&results).unwrap();
    assert!(bare.lacks_index);
    assert_eq!(games_of(&bare), 2);
    assert!(bare.evidence.is_same_as(&indexed.evidence));
    assert!(!results.join("index.json").exists(), "nothing is written");
}
