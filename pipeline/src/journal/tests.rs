use super::*;
use platform::ConfinedPath;
use std::fs;

fn played(game: u64) -> Played {
    let record = fixtures::record(game, &"U".repeat(game as usize));
    Played { record, timing: GameTiming { game, cpu_ns: 1, wall_ns: 2 }, complaint: None }
}

fn title(identity: &str) -> Title {
    Title::new(identity.to_owned(), None, None)
}

/// The path of a journal in a new folder.
fn scratch() -> (tempfile::TempDir, ConfinedPath) {
    let folder = tempfile::tempdir().unwrap();
    let path = ConfinedPath::root(folder.path()).join("p").join("x.journal");
    (folder, path)
}

fn open(path: &ConfinedPath, title: &Title) -> (Journal, JournalRecovery) {
    Journal::open(path, title).unwrap()
}

fn peek(path: &ConfinedPath, title: &Title) -> Vec<u64> {
    Journal::peek(path, title).unwrap().iter().map(|timing| timing.game).collect()
}

fn write_games(path: &ConfinedPath, games: impl IntoIterator<Item = u64>) {
    let (mut journal, _) = open(path, &title("identity"));
    for game in games {
        journal.append(&played(game)).unwrap();
    }
}

#[test]
fn games_are_read_back_by_number_after_reopening() {
    let (_folder, path) = scratch();
    write_games(&path, [5, 1, 3]);
    let seen = Journal::peek(&path, &title("identity")).unwrap();
    let (journal, recovered) = open(&path, &title("identity"));
    assert_eq!(recovered, JournalRecovery::default());
    assert!(journal.timings().eq(seen));
    assert_eq!(journal.games().collect::<Vec<_>>(), [1, 3, 5]);
    assert_eq!(journal.read(3).unwrap(), played(3));
    assert!(journal.timings().eq([1, 3, 5].map(|game| played(game).timing)));
    assert!(journal.read(2).is_err());
    journal.remove().unwrap();
    assert!(!path.exists());
    assert!(peek(&path, &title("identity")).is_empty());
}

#[test]
fn a_journal_cut_anywhere_keeps_its_whole_games() {
    let (_folder, path) = scratch();
    write_games(&path, 0..4);
    let whole = fs::read(path.path()).unwrap();
    for length in 0..whole.len() {
        fs::write(path.path(), &whole[..length]).unwrap();
        let (mut journal, recovered) = open(&path, &title("identity"));
        let kept: Vec<u64> = journal.games().collect();
        assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
        assert!(kept.iter().all(|&game| journal.read(game).unwrap() == played(game)));
        assert!(recovered.set_aside.is_none() && recovered.torn_bytes <= length as u64);
        journal.append(&played(9)).unwrap();
        let (again, recovered) = open(&path, &title("identity"));
        assert!(again.contains(9) && recovered.torn_bytes == 0);
    }
}

#[test]
fn a_journal_that_is_a_link_or_a_pipe_is_refused() {
    let (folder, path) = scratch();
    let precious = folder.path().join("precious");
    fs::write(&precious, "kept").unwrap();
    fs::create_dir(folder.path().join("p")).unwrap();
    std::os::unix::fs::symlink(&precious, path.path()).unwrap();
    let refused = |kind: &str| {
        let errors =
            [Journal::open(&path, &title("identity")).err(), Journal::peek(&path, &title("identity")).err()];
        errors.into_iter().all(|error| error.is_some_and(|error| error.to_string().contains(kind)))
    };
    assert!(refused("it is a link"));
    assert_eq!(fs::read(&precious).unwrap(), b"kept");
    fs::remove_file(path.path()).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, path.path(), rustix::fs::Mode::RWXU).unwrap();
    assert!(refused("it is a named pipe"));
}

#[test]
fn a_flipped_bit_ends_the_journal_there() {
    let (_folder, path) = scratch();
    write_games(&path, 0..4);
    let mut bytes = fs::read(path.path()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path.path(), &bytes).unwrap();
    let (journal, recovered) = open(&path, &title("identity"));
    assert!(journal.games().count() < 4);
    assert!(recovered.torn_bytes > 0);
}

#[test]
fn a_journal_of_another_identity_is_set_aside_whole() {
    let (_folder, path) = scratch();
    write_games(&path, 0..2);
    let before = fs::read(path.path()).unwrap();
    assert!(peek(&path, &title("other")).is_empty());
    let (journal, recovered) = open(&path, &title("other"));
    assert_eq!(journal.games().count(), 0);
    assert_eq!(fs::read(recovered.set_aside.unwrap().path()).unwrap(), before);
    // One without games holds nothing to keep.
    let (_, recovered) = open(&path, &title("third"));
    assert_eq!(recovered, JournalRecovery::default());
    assert_eq!(open(&path, &title("third")).1, JournalRecovery::default());
}

#[test]
fn games_of_spools_are_taken_over_if_they_are_believed() {
    let (folder, path) = scratch();
    write_games(&path, 0..2);
    write_games(&spool_path(&path, 0), [1, 4]);
    write_games(&spool_path(&path, 1), [3, 2]);
    drop(Journal::open(&spool_path(&path, 2), &title("other")).unwrap());
    write_games(&path.with_extension("fresh.journal"), [9]);
    assert_eq!(peek(&path, &title("identity")), [0, 1, 2, 3, 4]);
    let records = ConfinedPath::root(folder.path());
    let left = Leftovers::below(&records);
    assert!(left.contains(&path) && left.contains(&path.with_extension("fresh.journal")));
    fs::remove_file(path.path()).unwrap();
    let left = Leftovers::below(&records);
    assert!(left.contains(&path), "its spools are left");
    assert!(!left.contains(&path.with_file_name("y.journal")));
    write_games(&path, 0..2);
    let (mut journal, _) = open(&path, &title("identity"));
    journal.take_over(|played| played.record.game != 3).unwrap();
    assert_eq!(journal.games().collect::<Vec<_>>(), [0, 1, 2, 4]);
    assert!(spools(&path).is_empty());
}

/// A title of games that a plugin file of this hash played.
fn from(plugin: &str, second_signature: Option<&str>) -> Title {
    let origin = Provenance { date: plugin.repeat(3), ..Provenance::now(None).by_plugin(plugin) };
    Title::new("identity".to_owned(), second_signature.map(str::to_owned), Some(origin))
}

#[test]
fn games_of_each_origin_stand_below_its_title() {
    let (_folder, path) = scratch();
    let add = |title: &Title, game| {
        let (mut journal, recovered) = open(&path, title);
        assert_eq!(recovered, JournalRecovery::default());
        journal.append(&played(game)).unwrap();
        journal
    };
    assert!(!open(&path, &from("a", None)).0.is_of_other_plugin("b"), "no games");
    add(&from("a", None), 1);
    assert!(add(&from("a", Some("s")), 2).is_of_other_plugin("b"));
    let mut journal = add(&from("b", Some("s")), 3);
    assert!(!journal.is_of_other_plugin("a") && !journal.is_of_other_plugin("b"));
    // What a worker of a third left is of the third.
    let (mut spool, _) = open(&spool_path(&path, 0), &from("c", Some("s")));
    spool.append(&played(4)).unwrap();
    drop(spool);
    journal.take_over(|_| true).unwrap();
    let (journal, _) = open(&path, &from("b", Some("s")));
    let plugins: Vec<&str> = journal.origins().map(|origin| origin.plugin_sha256.as_str()).collect();
    assert_eq!(plugins, ["a", "b", "c"]);
    assert_eq!(journal.games().collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn games_of_other_decisions_on_the_second_set_are_set_aside() {
    let (_folder, path) = scratch();
    let (mut journal, _) = open(&path, &from("a", Some("s")));
    journal.append(&played(1)).unwrap();
    assert!(peek(&path, &from("a", Some("t"))).is_empty());
    assert_eq!(peek(&path, &from("b", Some("s"))), [1]);
    let (journal, recovered) = open(&path, &from("a", Some("t")));
    assert!(recovered.set_aside.is_some() && journal.games().count() == 0);
}
