//! Evidence that is read from a results folder.

use super::*;
use crate::evidence::EvidenceError;
use records::index::{Index, IndexEntry};
use records::key::Key;
use records::layout::Layout;

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

/// Writes games of these directions as the records of an experiment.
fn write(layout: &Layout, name: &str, seed: u64, played: &[&str]) -> IndexEntry {
    let records = key(name);
    let header = made_up::header(made_up::identity(seed), "cpu");
    let games = (0..).zip(played).map(|(game, directions)| made_up::record(game, directions));
    let digest = made_up::write(&layout.records(&records, None), &header, games);
    IndexEntry { records, identity: header.identity.hash(), digest, games: played.len() as u64 }
}

#[test]
fn every_experiment_has_the_games_of_the_file_that_the_index_names() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path().join("results"));
    let (one, other) =
        (write(&layout, "p/one", 1, &["U", "R"]), write(&layout, "q/two", 2, &["D", "L", "U"]));
    Index::update(&layout, &[(vec![key("p/one"), key("q/same")], one), (vec![key("q/two")], other)]).unwrap();
    let mut evidence = Evidence::load(&layout).unwrap();
    let counts = |evidence: &Evidence| -> Vec<(String, String, usize)> {
        evidence
            .iter()
            .map(|(key, games)| (key.to_string(), games.records.to_string(), games.scores().len()))
            .collect()
    };
    let row = |key: &str, records: &str, games| (key.to_owned(), records.to_owned(), games);
    assert_eq!(
        counts(&evidence),
        [row("p/one", "p/one", 2), row("q/same", "p/one", 2), row("q/two", "q/two", 3)]
    );
    assert_eq!(evidence.games(&key("q/two")).unwrap().identity, made_up::identity(2));
    assert!(evidence.games(&key("q/none")).is_none());
    evidence.retain(|key| key.paper != "p");
    assert_eq!(counts(&evidence).len(), 2);
}

#[test]
fn records_that_are_not_those_of_the_index_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path().join("results"));
    let entry = write(&layout, "p/one", 1, &["U"]);
    let refused = |entry: IndexEntry| {
        Index::enter(&layout, entry).unwrap();
        match Evidence::load(&layout) {
            Err(EvidenceError::Differs { part, .. }) => part,
            other => panic!("{other:?}"),
        }
    };
    let other_identity = IndexEntry { identity: made_up::identity(2).hash(), ..entry.clone() };
    assert_eq!(refused(other_identity), "identity");
    let other_digest = IndexEntry { digest: "0".repeat(64), ..entry.clone() };
    assert_eq!(refused(other_digest), "digest");
    Index::enter(&layout, entry).unwrap();
    assert_eq!(Evidence::load(&layout).unwrap().games(&key("p/one")).unwrap().scores(), [0.0]);
}
