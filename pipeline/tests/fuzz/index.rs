//! The index of results: damaged, it is read or refused, and never leads out of its folder.

use jobs::Key;
use records::{Index as ResultsIndex, IndexEntry, Layout};
use tempfile::TempDir;
use verdict::evidence::Evidence;

use crate::prelude::*;
use crate::record_files::{self, HEADER};

/// A results folder with one experiment.
fn results() -> (TempDir, Layout) {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path().join("results"));
    let key = Key::new("p", "e");
    let digest = record_files::write(layout.records(&key, None).path());
    let entry = IndexEntry { records: key, identity: HEADER.identity.hash(), digest, games: 20 };
    ResultsIndex::enter(&layout, entry).unwrap();
    (folder, layout)
}

/// Reads a results folder with this index: what comes of it are the games that are there, or nothing.
fn check(layout: &Layout, index: &[u8]) {
    fs::write(layout.index().path(), index).unwrap();
    if let Ok(evidence) = Evidence::load(layout) {
        assert!(evidence.iter().all(|(_, games)| games.outcomes.len() == 20));
    }
}

/// Every case has the same records, which take longest to write.
fn config() -> ProptestConfig {
    ProptestConfig { source_file: Some(file!()), ..cases(64) }
}

#[test]
fn an_index_with_another_value_or_other_bytes_is_read_or_refused() {
    let (_folder, layout) = results();
    assert_eq!(Evidence::load(&layout).unwrap().iter().count(), 1, "undamaged, it is in order");
    let bytes = fs::read(layout.index().path()).unwrap();
    let index: Value = serde_json::from_slice(&bytes).unwrap();
    proptest!(config(), |(at in any::<Index>(), new in hard_values())| {
        check(&layout, replaced(&index, at, new).to_string().as_bytes());
    });
    proptest!(config(), |(changes in changes())| check(&layout, &damaged(&bytes, &changes)));
}
