//! Evidence that is read from a results folder.

use super::*;
use crate::EvidenceError;
use jobs::{Canonical as _, Key};
use records::{Header, Index, IndexEntry, Layout};

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

/// Writes games of these directions as the records of an experiment.
fn write(layout: &Layout, name: &str, seed: u64, played: &[&str]) -> IndexEntry {
    let records = key(name);
    let header = Header { experiment: name.to_owned(), ..fixtures::header(fixtures::identity(seed), "cpu") };
    let games = (0..).zip(played).map(|(game, directions)| fixtures::record(game, directions));
    let digest = fixtures::write(&layout.records(&records, None), &header, games);
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
    assert_eq!(evidence.games(&key("q/two")).unwrap().identity, fixtures::identity(2));
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
    let other_identity = IndexEntry { identity: fixtures::identity(2).hash(), ..entry.clone() };
    assert_eq!(refused(other_identity), "identity");
    let other_digest = IndexEntry { digest: "0".repeat(64), ..entry.clone() };
    assert_eq!(refused(other_digest), "digest");
    Index::enter(&layout, entry).unwrap();
    assert_eq!(Evidence::load(&layout).unwrap().games(&key("p/one")).unwrap().scores(), [0.0]);
}

/// Puts the files of an experiment and the index of one folder into another.
fn copy(from: &Layout, to: &Layout, name: &str) {
    let pairs = [(from.records(&key(name), None), to.records(&key(name), None)), (from.index(), to.index())];
    for (from, to) in pairs {
        std::fs::create_dir_all(to.parent().unwrap().path()).unwrap();
        std::fs::copy(from.path(), to.path()).unwrap();
    }
}

/// Games as they are known, of which the scores are others than in their file: they tell whether the file was
/// decoded again.
fn known(layout: &Layout, change: impl Fn(&mut Games)) -> Evidence {
    let evidence = Evidence::load(layout).unwrap();
    let changed = |(key, games): (&Key, &Games)| {
        let mut games = games.clone();
        games.outcomes.iter_mut().for_each(|outcome| outcome.score = 77);
        change(&mut games);
        (key.clone(), games)
    };
    evidence.iter().map(changed).collect()
}

#[test]
fn games_of_files_with_the_same_bytes_are_taken_from_where_they_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let [here, there] = ["here", "there"].map(|name| Layout::new(folder.path().join(name)));
    Index::enter(&here, write(&here, "p/one", 1, &["U", "R"])).unwrap();
    copy(&here, &there, "p/one");
    let beside = |layout: &Layout, change: fn(&mut Games)| {
        let evidence = Evidence::load_beside(layout, &known(&here, change)).unwrap();
        let games = evidence.games(&key("p/one")).unwrap();
        assert_eq!(games.file, layout.records(&key("p/one"), None), "they are told by their own file");
        games.scores()
    };
    let (taken, decoded) = ([77.0, 77.0], Evidence::load(&here).unwrap());
    let decoded = decoded.games(&key("p/one")).unwrap().scores();
    assert_ne!(decoded, taken);
    assert_eq!((beside(&here, |_| ()), beside(&there, |_| ())), (taken.to_vec(), taken.to_vec()));
    let others: [fn(&mut Games); 5] = [
        |games| games.records = key("p/other"),
        |games| games.digest = "0".repeat(64),
        |games| games.hashes.records = Some("0".repeat(64)),
        |games| games.hashes.timing = Some("0".repeat(64)),
        |games| games.identity = fixtures::identity(2),
    ];
    for (number, change) in others.into_iter().enumerate() {
        assert_eq!(beside(&there, change), decoded, "{number}");
    }
    let timing = [GameTiming { game: 0, cpu_ns: 7, wall_ns: 8 }];
    records::store::write_timing(&there.timing(&key("p/one"), None), &timing).unwrap();
    assert_eq!(beside(&there, |_| ()), decoded, "there is a timing now");
    std::fs::write(there.timing(&key("p/one"), None).path(), "no timing").unwrap();
    assert!(Evidence::load_beside(&there, &known(&here, |_| ())).is_err());
    std::fs::remove_file(there.timing(&key("p/one"), None).path()).unwrap();
    std::fs::create_dir(there.timing(&key("p/one"), None).path()).unwrap();
    let unreadable = Evidence::load_beside(&there, &known(&here, |_| ()));
    assert!(unreadable.is_err(), "a timing that cannot be read is not one that is absent");
}

#[test]
fn evidence_is_the_same_where_all_of_it_was_read_from_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(folder.path().join("results"));
    let (one, two) = (write(&layout, "p/one", 1, &["U"]), write(&layout, "p/two", 2, &["R"]));
    Index::update(&layout, &[(vec![key("p/one")], one), (vec![key("p/two")], two)]).unwrap();
    let evidence = Evidence::load(&layout).unwrap();
    assert!(evidence.is_same_as(&known(&layout, |_| ())), "what was made of the bytes is not asked for");
    let differs = |change: fn(&mut Games)| !evidence.is_same_as(&known(&layout, change));
    assert!(differs(|games| games.records = key("p/two")));
    assert!(differs(|games| games.hashes.records = None));
    assert!(differs(|games| games.hashes.timing = Some(String::new())));
    let unread = known(&layout, |games| games.hashes.records = None);
    assert!(!unread.is_same_as(&unread.clone()), "games without a file are known to nobody");
    let mut fewer = evidence.clone();
    fewer.retain(|key| key.id == "one");
    assert!(!evidence.is_same_as(&fewer) && !fewer.is_same_as(&evidence));
}
