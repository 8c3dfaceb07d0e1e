//! The index of results: damaged, it is read or refused, and never leads out of its folder.

use jobs::identity::Canonical as _;
use std::fs;

use jobs::Key;
use proptest::prelude::*;
use proptest::sample;
use records::index::{Index, IndexEntry};
use records::layout::Layout;
use serde_json::Value;
use tempfile::TempDir;
use verdict::evidence::Evidence;

use crate::cases;
use crate::damage::{changes, damaged, hard_values, replaced};
use crate::record_files;

/// A results folder with one experiment.
fn results() -> (TempDir, Layout) {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path().join("results"));
    let key = Key::new("p", "e");
    let digest = record_files::write(layout.records(&key, None).path());
    let entry =
        IndexEntry { records: key, identity: record_files::header().identity.hash(), digest, games: 20 };
    Index::enter(&layout, entry).unwrap();
    (folder, layout)
}

/// Reads a results folder with this index: what comes of it are the games that are there, or nothing.
fn check(layout: &Layout, index: &[u8]) {
    fs::write(layout.index().path(), index).unwrap();
    if let Ok(evidence) = Evidence::load(layout) {
        assert!(evidence.iter().all(|(_, games)| games.outcomes.len() == 20));
    }
}

#[test]
fn the_index_that_is_damaged_is_itself_in_order() {
    let (_folder, layout) = results();
    assert_eq!(Evidence::load(&layout).unwrap().iter().count(), 1);
}

/// Every case has the same records, which take longest to write.
fn config() -> ProptestConfig {
    ProptestConfig { source_file: Some(file!()), ..cases(64) }
}

#[test]
fn an_index_with_another_value_is_read_or_refused() {
    let (_folder, layout) = results();
    let index: Value = serde_json::from_slice(&fs::read(layout.index().path()).unwrap()).unwrap();
    proptest!(config(), |(at in any::<sample::Index>(), new in hard_values())| {
        check(&layout, replaced(&index, at, new).to_string().as_bytes());
    });
}

#[test]
fn an_index_with_other_bytes_is_read_or_refused() {
    let (_folder, layout) = results();
    let index = fs::read(layout.index().path()).unwrap();
    proptest!(config(), |(changes in changes())| check(&layout, &damaged(&index, &changes)));
}
