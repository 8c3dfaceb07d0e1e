//! The parts of an experiment, merged.

use jobs::Canonical as _;
use std::path::Path;

use fixtures::{identity, record};
use platform::ConfinedPath;
use records::merge::merge_parts as merge;
use records::store::{read_timing, write_timing};
use records::{GameTiming, Header, Layout, RecordsReader, RecordsSummary, Shard};

/// What the machine of this name says of its part.
fn header(machine: &str, shard: Option<Shard>) -> Header {
    Header { shard, ..fixtures::header(identity(7), machine) }
}

/// Writes a part of these games in the results of a machine, with timing.
fn part(root: &Path, header: &Header, games: impl Iterator<Item = u64> + Clone) -> ConfinedPath {
    let layout = Layout::new(root.join(&header.provenance[0].cpu));
    let key = "p/e".parse().unwrap();
    let file = layout.records(&key, header.shard);
    fixtures::write(&file, header, games.clone().map(|game| record(game, "")));
    let timings: Vec<_> = games.map(|game| GameTiming { game, cpu_ns: game, wall_ns: 2 * game }).collect();
    write_timing(&layout.timing(&key, header.shard), &timings).unwrap();
    file
}

/// One of two machines' parts of this many games.
fn half(root: &Path, part_of: u64, games: u64) -> ConfinedPath {
    let shard = Shard { part: part_of, of: 2, games };
    let machine = if part_of == 1 { "one" } else { "two" };
    part(root, &header(machine, Some(shard)), (0..games).filter(|&game| shard.contains(game)))
}

#[test]
fn parts_of_many_row_groups_become_the_whole_with_all_that_they_say() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    // A row group holds 4096 games: each part has three of them.
    let games = 17_001;
    let parts = [half(root, 2, games), half(root, 1, games)];
    let layout = Layout::new(root.join("whole"));
    let entry = merge(&parts, &layout).unwrap();
    let file = layout.records(&entry.records, None);
    let mut reader = RecordsReader::open(&file).unwrap();
    let stored = reader.summary.header.clone();
    assert!(reader.games().map(|game| game.unwrap().game).eq(0..games));
    let machines: Vec<&str> = stored.provenance.iter().map(|origin| origin.cpu.as_str()).collect();
    assert_eq!((stored.shard, machines), (None, vec!["two", "one"]));
    assert_eq!((entry.records.to_string().as_str(), entry.games), ("p/e", games));
    assert_eq!(entry.identity, identity(7).hash());
    assert_eq!(entry.digest, RecordsSummary::read(&file).unwrap().unwrap().digest);
    let timings = read_timing(&layout.timing(&entry.records, None)).unwrap();
    assert!(
        timings.iter().map(|timing| (timing.game, timing.cpu_ns)).eq((0..games).map(|game| (game, game)))
    );
    assert_eq!(merge(&parts, &layout).unwrap().digest, entry.digest, "merging again changes nothing");
    assert!(!file.with_extension("merged.parquet").exists());
}

#[test]
fn a_gap_names_the_part_that_holds_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let shard = |part| Shard { part, of: 3, games: 9 };
    let of = |number: u64, machine: &str, lost: u64| {
        let shard = shard(number);
        let games = (0..9).filter(move |&game| shard.contains(game) && game != lost);
        part(folder.path(), &header(machine, Some(shard)), games)
    };
    let parts = [of(1, "one", 99), of(2, "two", 7), of(3, "three", 99)];
    let told = merge(&parts, &Layout::new(folder.path().join("whole"))).unwrap_err().to_string();
    assert_eq!(told, "game 7 is in none of the parts: play part 2 of 3 too");
    let parts = [of(1, "one", 99), of(2, "two", 99), of(3, "three", 2)];
    let told = merge(&parts, &Layout::new(folder.path().join("whole"))).unwrap_err().to_string();
    assert_eq!(told, "game 2 is in none of the parts: play part 3 of 3 too");
    assert!(merge(&[], &Layout::new(folder.path())).unwrap_err().to_string().contains("no parts"));
}

#[test]
fn parts_of_different_experiments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shard = |part, of, games| Some(Shard { part, of, games });
    let write = |header: &Header| part(folder.path(), header, std::iter::empty());
    let one = write(&header("one", shard(1, 2, 4)));
    let told = |other: &Header| {
        let layout = Layout::new(folder.path().join("whole"));
        merge(&[one.clone(), write(other)], &layout).unwrap_err().to_string()
    };
    let mut seeded = header("two", shard(2, 2, 4));
    seeded.identity.seed = "8".to_owned();
    assert!(told(&seeded).ends_with(
        "different experiments, seed is \"0000000000000007\" in the first and \"8\" in the second"
    ));
    let sizes = |of, games| told(&header("two", shard(2, of, games)));
    assert!(sizes(3, 4).ends_with("2 parts of 4 games in the first and 3 parts of 4 games in the second"));
    assert!(sizes(2, 5).ends_with("2 parts of 4 games in the first and 2 parts of 5 games in the second"));
    assert!(told(&header("two", None)).ends_with("this is a whole experiment, not a part of one"));
}
