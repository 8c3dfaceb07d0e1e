//! Manifests: random bytes, and the real ones with their lines and bytes changed.

use manifest::{Paper, load};
use proptest::collection::vec;
use verdict::evidence::Evidence;

use crate::prelude::*;

/// The text of one of the repository's manifests, or of the example that has every key.
fn real(which: Index) -> String {
    let folder = root().join("paper-configs");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.push(root().join("pipeline/crates/manifest/src/example.toml"));
    files.sort();
    fs::read_to_string(which.get(&files)).unwrap()
}

/// Loads a manifest with these bytes: an error is plain text with its file, a paper can be used.
fn check(bytes: &[u8]) {
    match in_file("fuzzed.toml", bytes, load) {
        Ok(paper) => use_it(paper),
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("fuzzed.toml"), "{text}");
            assert!(text.len() < 20_000, "{} bytes", text.len());
            let is_plain = |letter| engine::abi::host::is_plain(letter) || letter == '\n';
            assert!(text.chars().all(is_plain), "{text:?}");
        }
    }
}

/// How many trials a study may have for its first batch to be made: large ones only take their time.
const FEW_TRIALS: u64 = 10_000;

/// Judges what can be judged without a game, begins its studies, and writes the paper as scripts get it.
fn use_it(paper: Paper) {
    serde_json::to_string(&paper).unwrap();
    for study in paper.studies.iter().filter(|study| study.method.facts().most_trials <= FEW_TRIALS) {
        let first = study.method.propose(&study.to_search(), &[]);
        assert!(!first.is_empty(), "{:?}", study.method);
        let params = first.iter().map(|proposal| study.params_at(&proposal.point));
        assert!(params.into_iter().all(|params| params.len() >= study.space.len()));
    }
    let papers = [paper];
    let verdicts = verdict::judge(&papers, &Evidence::default());
    assert_eq!(verdicts.len(), papers[0].claims.len());
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn random_bytes_are_refused_with_the_file(bytes in vec(any::<u8>(), 0..2000)) {
        check(&bytes);
    }

    #[test]
    fn random_lines_are_refused_with_the_file(text in "([a-z_\\[\\]]{1,12} ?=? ?[\"a-z0-9.{}\\[\\]]{0,12}\n){0,12}") {
        check(text.as_bytes());
    }

    #[test]
    fn real_manifests_with_other_bytes_are_read_or_refused(which in any::<Index>(), changes in changes()) {
        check(&damaged(real(which).as_bytes(), &changes));
    }

    #[test]
    fn real_manifests_with_other_lines_are_read_or_refused(which in any::<Index>(), edits in edits()) {
        check(edited(&real(which), &edits).as_bytes());
    }
}
