use super::*;
use platform::confined::ConfinedPath;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

fn played(game: u64) -> Played {
    let record = fixtures::record(game, &"U".repeat(game as usize));
    Played { record, timing: GameTiming { game, cpu_ns: 1, wall_ns: 2 }, complaint: None }
}

fn title(identity: &str) -> Title {
    Title::new(identity.to_owned(), None, None)
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("retile-journal-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder.join("x.journal")
}

fn write_games(path: &Path, games: impl IntoIterator<Item = u64>) {
    let (mut journal, _) = Journal::open(&ConfinedPath::file(path), &title("identity")).unwrap();
    for game in games {
        journal.append(&played(game)).unwrap();
    }
}

#[test]
fn games_are_read_back_by_number_after_reopening() {
    let path = scratch("order");
    write_games(&path, [5, 1, 3]);
    let seen = Journal::peek(&ConfinedPath::file(&path), &title("identity")).unwrap();
    let (journal, recovered) = Journal::open(&ConfinedPath::file(&path), &title("identity")).unwrap();
    assert_eq!(recovered, Recovered::default());
    assert!(journal.timings().eq(seen));
    assert_eq!(journal.games().collect::<Vec<_>>(), [1, 3, 5]);
    assert_eq!(journal.read(3).unwrap(), played(3));
    assert!(journal.timings().eq([1, 3, 5].map(|game| played(game).timing)));
    assert!(journal.read(2).is_err());
    journal.remove().unwrap();
    assert!(!path.exists());
    assert!(Journal::peek(&ConfinedPath::file(&path), &title("identity")).unwrap().is_empty());
}

#[test]
fn a_journal_cut_anywhere_keeps_its_whole_games() {
    let path = scratch("torn");
    write_games(&path, 0..4);
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (mut journal, recovered) = Journal::open(&ConfinedPath::file(&path), &title("identity")).unwrap();
        let kept: Vec<u64> = journal.games().collect();
        assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
        assert!(kept.iter().all(|&game| journal.read(game).unwrap() == played(game)));
        assert!(recovered.set_aside.is_none() && recovered.torn_bytes <= length as u64);
        journal.append(&played(9)).unwrap();
        let (again, recovered) = Journal::open(&ConfinedPath::file(&path), &title("identity")).unwrap();
        assert!(again.contains(9) && recovered.torn_bytes == 0);
    }
}

#[test]
fn a_journal_that_is_a_link_or_a_pipe_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, precious) = (folder.path().join("x.journal"), folder.path().join("precious"));
    fs::write(&precious, "kept").unwrap();
    std::os::unix::fs::symlink(&precious, &path).unwrap();
    let refused = |kind: &str| {
        let errors = [
            Journal::open(&ConfinedPath::file(&path), &title("identity")).err(),
            Journal::peek(&ConfinedPath::file(&path), &title("identity")).err(),
        ];
        errors.into_iter().all(|error| error.is_some_and(|error| error.to_string().contains(kind)))
    };
    assert!(refused("it is a link"));
    assert_eq!(fs::read(&precious).unwrap(), b"kept");
    fs::remove_file(&path).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
    assert!(refused("it is a named pipe"));
}

#[test]
fn a_flipped_bit_ends_the_journal_there() {
    let path = scratch("flipped");
    write_games(&path, 0..4);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let (journal, recovered) = Journal::open(&ConfinedPath::file(&path), &title("identity")).unwrap();
    assert!(journal.games().count() < 4);
    assert!(recovered.torn_bytes > 0);
}

#[test]
fn a_journal_of_another_identity_is_set_aside_whole() {
    let path = scratch("stale");
    write_games(&path, 0..2);
    let before = fs::read(&path).unwrap();
    assert!(Journal::peek(&ConfinedPath::file(&path), &title("other")).unwrap().is_empty());
    let (journal, recovered) = Journal::open(&ConfinedPath::file(&path), &title("other")).unwrap();
    assert_eq!(journal.games().count(), 0);
    assert_eq!(fs::read(recovered.set_aside.unwrap().path()).unwrap(), before);
    // One without games holds nothing to keep.
    let (_, recovered) = Journal::open(&ConfinedPath::file(&path), &title("third")).unwrap();
    assert_eq!(recovered, Recovered::default());
    assert_eq!(Journal::open(&ConfinedPath::file(&path), &title("third")).unwrap().1, Recovered::default());
}

#[test]
fn games_of_spools_are_taken_over_if_they_are_believed() {
    let path = scratch("spools");
    write_games(&path, 0..2);
    write_games(spool_path(&ConfinedPath::file(&path), 0).path(), [1, 4]);
    write_games(spool_path(&ConfinedPath::file(&path), 1).path(), [3, 2]);
    drop(Journal::open(&spool_path(&ConfinedPath::file(&path), 2), &title("other")).unwrap());
    write_games(&path.with_extension("fresh.journal"), [9]);
    let seen: Vec<u64> = Journal::peek(&ConfinedPath::file(&path), &title("identity"))
        .unwrap()
        .iter()
        .map(|timing| timing.game)
        .collect();
    assert_eq!(seen, [0, 1, 2, 3, 4]);
    let folder = path.parent().unwrap();
    let records = ConfinedPath::root(folder.parent().unwrap());
    let journal = records.join(folder.file_name().unwrap()).join(path.file_name().unwrap());
    let left = Leftovers::below(&records);
    assert!(left.contains(&journal) && left.contains(&journal.with_extension("fresh.journal")));
    fs::remove_file(&path).unwrap();
    let left = Leftovers::below(&records);
    assert!(left.contains(&journal), "its spools are left");
    assert!(!left.contains(&journal.with_file_name("y.journal")));
    write_games(&path, 0..2);
    let (mut journal, _) = Journal::open(&ConfinedPath::file(&path), &title("identity")).unwrap();
    journal.take_over(|played| played.record.game != 3).unwrap();
    assert_eq!(journal.games().collect::<Vec<_>>(), [0, 1, 2, 4]);
    assert!(spools(&ConfinedPath::file(&path)).is_empty());
}

/// A title of games that a plugin file of this hash played.
fn from(plugin: &str, second_signature: Option<&str>) -> Title {
    let origin = Provenance {
        pipeline: "0".to_owned(),
        commit: None,
        dirty: None,
        rustc: String::new(),
        cpu: String::new(),
        platform: String::new(),
        date: plugin.repeat(3),
        plugin_sha256: plugin.to_owned(),
        kernel: None,
        program_sha256: None,
    };
    Title::new("identity".to_owned(), second_signature.map(str::to_owned), Some(origin))
}

#[test]
fn games_of_each_origin_stand_below_its_title() {
    let path = scratch("origins");
    let add = |title: &Title, game| {
        let (mut journal, recovered) = Journal::open(&ConfinedPath::file(&path), title).unwrap();
        assert_eq!(recovered, Recovered::default());
        journal.append(&played(game)).unwrap();
        journal
    };
    assert!(
        !Journal::open(&ConfinedPath::file(&path), &from("a", None)).unwrap().0.is_of_other_plugin("b"),
        "no games"
    );
    add(&from("a", None), 1);
    assert!(add(&from("a", Some("s")), 2).is_of_other_plugin("b"));
    let mut journal = add(&from("b", Some("s")), 3);
    assert!(!journal.is_of_other_plugin("a") && !journal.is_of_other_plugin("b"));
    // What a worker of a third left is of the third.
    let mut spool =
        Journal::open(&spool_path(&ConfinedPath::file(&path), 0), &from("c", Some("s"))).unwrap().0;
    spool.append(&played(4)).unwrap();
    drop(spool);
    journal.take_over(|_| true).unwrap();
    let (journal, _) = Journal::open(&ConfinedPath::file(&path), &from("b", Some("s"))).unwrap();
    let plugins: Vec<&str> = journal.origins().map(|origin| origin.plugin_sha256.as_str()).collect();
    assert_eq!(plugins, ["a", "b", "c"]);
    assert_eq!(journal.games().collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn games_of_other_decisions_on_the_second_set_are_set_aside() {
    let path = scratch("second");
    let (mut journal, _) = Journal::open(&ConfinedPath::file(&path), &from("a", Some("s"))).unwrap();
    journal.append(&played(1)).unwrap();
    assert!(Journal::peek(&ConfinedPath::file(&path), &from("a", Some("t"))).unwrap().is_empty());
    assert_eq!(Journal::peek(&ConfinedPath::file(&path), &from("b", Some("s"))).unwrap().len(), 1);
    let (journal, recovered) = Journal::open(&ConfinedPath::file(&path), &from("a", Some("t"))).unwrap();
    assert!(recovered.set_aside.is_some() && journal.games().count() == 0);
}
