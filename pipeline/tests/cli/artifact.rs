//! What an artifact review reads: the table from every claim to the command that tests it, and the version.

use crate::common::prelude::*;
use crate::common::stored::sources;

use manifest::{Claim, ClaimKind, Paper, load_folder};
use platform::plain::markdown;

const HEAD: &str = "\
# Every claim, and the command that tests it

`pipeline claims PAPER/CLAIM` tells all of one claim: what the paper says, the verdict and why, the numbers with their interval and power, the
readings, and the games behind it. The commands below play these games again and compare them with the stored ones: the same
games give the same verdict. Below, `pipeline` is `target/release/pipeline`. A test keeps this page in step with the manifests;
`RETILE_BLESS=1 cargo test --release --test cli artifact` writes it anew.
";

/// What tests a claim.
fn tested_by(paper: &Paper, claim: &Claim) -> String {
    let keys = |ids: Vec<&str>| {
        let mut keys: Vec<String> = ids.into_iter().map(|id| format!("{}/{id}", paper.id)).collect();
        keys.dedup();
        keys.join(" ")
    };
    match &claim.kind {
        ClaimKind::Numeric { .. } | ClaimKind::Ordinal { .. } => {
            format!("`pipeline run --fresh {}`", keys(claim.experiments()))
        }
        ClaimKind::OrdinalOfStudies { .. } => format!("`pipeline study --fresh {}`", keys(claim.studies())),
        ClaimKind::Arithmetic { .. } => {
            format!("no game, a computation: `pipeline claims {}/{}`", paper.id, claim.id)
        }
        ClaimKind::Untestable { .. } => {
            format!("nothing here; `pipeline claims {}/{}` says why", paper.id, claim.id)
        }
    }
}

fn page(papers: &[Paper]) -> String {
    let mut page = HEAD.to_owned();
    for paper in papers.iter().filter(|paper| !paper.claims.is_empty()) {
        page += &format!(
            "\n## {}: {}\n\n| claim | where | what tests it |\n|---|---|---|\n",
            paper.id,
            markdown(&paper.citation.title)
        );
        for claim in &paper.claims {
            let place =
                if claim.audit { format!("{}, a check of ours", claim.place) } else { claim.place.clone() };
            page += &format!("| `{}` | {} | {} |\n", claim.id, markdown(&place), tested_by(paper, claim));
        }
    }
    page
}

#[test]
fn artifact_every_claim_has_the_command_that_tests_it() {
    let papers = load_folder(&root().join("paper-configs")).unwrap();
    let expected = page(&papers);
    let file = root().join("docs/claims.md");
    if std::env::var_os("RETILE_BLESS").is_some() {
        fs::write(&file, &expected).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap();
    let claims: usize = papers.iter().map(|paper| paper.claims.len()).sum();
    assert_eq!(found.lines().filter(|line| line.starts_with("| `")).count(), claims);
    let differs = found.lines().zip(expected.lines()).find(|(one, other)| one != other);
    assert!(
        found == expected,
        "docs/claims.md is not in step with the manifests, first at {differs:?}; set RETILE_BLESS=1 to write it anew"
    );
}

#[test]
fn artifact_the_citation_has_the_version_of_the_program() {
    let citation = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let version = citation.lines().find_map(|line| line.strip_prefix("version: "));
    assert_eq!(version, Some(env!("CARGO_PKG_VERSION")));
}

/// The recipe names the folder that `cargo vendor` fills, and the Rust version of the crates.
#[test]
fn artifact_the_container_builds_from_vendored_sources_and_has_every_file_that_one_includes() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let (recipe, manifest) = (read("Containerfile"), read("Cargo.toml"));
    let needed = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).unwrap();
    assert_has(&recipe, &[&format!("rust:{}-", needed.trim_matches('"'))]);
    assert_has(
        &recipe,
        &["cargo vendor --locked vendor ", "--locked --offline", "source.vendored.directory=\"vendor\""],
    );
    let copied = recipe.lines().filter_map(|line| line.strip_prefix("COPY ")).flat_map(str::split_whitespace);
    let copied: Vec<&str> = copied.collect();
    for name in copied.iter().filter(|name| !matches!(**name, "vendor" | "./")) {
        assert!(root().join(name).exists(), "{name} is copied, and is not there");
    }
    let files = ["engine", "agents", "pipeline"].into_iter().flat_map(sources);
    let included: Vec<PathBuf> = files.flat_map(|(name, text)| included(&name, &text)).collect();
    assert!(included.contains(&PathBuf::from("rustfmt.toml")), "the sources are looked through");
    for file in included {
        let is_copied = copied.iter().any(|name| file.starts_with(name));
        assert!(is_copied, "{} is included by a source, and not copied", file.display());
    }
}

/// The files that a source includes, from the root of the tree.
fn included(name: &str, text: &str) -> Vec<PathBuf> {
    let (root, file) = (root().canonicalize().unwrap(), root().join(name));
    let openings = ["include_str!(\"", "include_bytes!(\""];
    let rests = openings.iter().flat_map(|opening| text.split(opening).skip(1));
    let paths = rests.map(|rest| file.parent().unwrap().join(rest.split('"').next().unwrap()));
    let paths = paths.filter_map(|path| path.canonicalize().ok());
    paths.map(|path| path.strip_prefix(&root).unwrap().to_owned()).collect()
}
