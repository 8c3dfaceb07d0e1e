use platform::ConfinedPath;
use std::collections::BTreeSet;
use std::fs;

use engine::Rules;
use engine::agent::Budget;
use serde_json::{Map, json};

use super::*;
use crate::{GameRecord, GameTiming};

fn scratch(name: &str) -> ConfinedPath {
    let folder = std::env::temp_dir().join(format!("retile-store-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    ConfinedPath::root(folder).join(name)
}

fn records(count: u64) -> Vec<GameRecord> {
    let letters = ['U', 'R', 'D', 'L'];
    let endings =
        "no-moves stopped-at-tile tile-cap illegal-move agent-error agent-crash timeout resource-limit";
    let endings: Vec<&str> = endings.split(' ').collect();
    let record = |game: u64| GameRecord {
        game,
        tile_seed: u64::MAX - game,
        agent_seed: game.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        score: 4 * game as u32,
        max_tile: 2 << (game % 11),
        moves: 100,
        directions: (0..100).map(|i| letters[((i * game) % 4) as usize]).collect(),
        final_board: "2 4 . . / . . . . / . . . . / . . . 65536".to_owned(),
        nodes: 1000 * game,
        ending: endings[(game % 8) as usize].parse().unwrap(),
        spawns: None,
    };
    (0..count).map(record).collect()
}

fn header() -> Header {
    let rules = Rules::default();
    let identity = Identity::new(rules, ("random", "1.0.0"), Map::new(), Budget::None, 7, Some("s".into()));
    let experiment = "paper/é".to_owned();
    Header {
        experiment,
        identity,
        second_signature: None,
        manifest: json!({"games": 3}),
        provenance: vec![],
        shard: None,
    }
}

fn write(path: &ConfinedPath, records: &[GameRecord]) -> String {
    let mut writer = RecordsWriter::create(path).unwrap();
    records.iter().for_each(|record| writer.push(record).unwrap());
    writer.finish(&header()).unwrap()
}

fn read(path: &ConfinedPath) -> Result<Vec<GameRecord>, StoreError> {
    RecordsReader::open(path)?.games().collect()
}

#[test]
fn games_header_and_digest_come_back() {
    for count in [0, 1, 4096, 4100] {
        let path = scratch(&format!("back-{count}.parquet"));
        let all = records(count);
        let digest = write(&path, &all);
        assert_eq!(read(&path).unwrap(), all);
        let summary = RecordsSummary::read(&path).unwrap().unwrap();
        let identity = header().identity.hash();
        assert_eq!(summary, RecordsSummary { header: header(), identity, digest, games: count });
    }
    assert_eq!(RecordsSummary::read(&scratch("none.parquet")).unwrap(), None);
}

#[test]
fn placed_tiles_come_back_and_belong_to_rules_that_ask_for_them() {
    let placed =
        |game: GameRecord| GameRecord { spawns: Some(format!("f{}", 2 + 2 * (game.game % 2))), ..game };
    let (plain, all) = (records(3), records(4100).into_iter().map(placed).collect::<Vec<_>>());
    let mut adversarial = header();
    adversarial.identity.rules.spawn = engine::Spawning::Adversarial;
    let write_as = |name: &str, records: &[GameRecord], header: &Header| {
        let path = scratch(name);
        let mut writer = RecordsWriter::create(&path).unwrap();
        records.iter().try_for_each(|record| writer.push(record))?;
        writer.finish(header).map(|digest| (path, digest))
    };
    let (path, digest) = write_as("placed.parquet", &all, &adversarial).unwrap();
    assert_eq!(read(&path).unwrap(), all);
    assert_eq!(RecordsReader::open(&path).unwrap().row_groups().nth(1).unwrap().unwrap(), all[4096..]);
    assert_eq!(RecordsSummary::read(&path).unwrap().unwrap().digest, digest);
    let refused = |records: &[GameRecord], header: &Header| {
        write_as("refused.parquet", records, header).unwrap_err().to_string()
    };
    assert!(refused(&all, &header()).contains("by its rules chance spawns them"));
    assert!(refused(&plain, &adversarial).contains("by its rules the agent places them"));
    assert!(refused(&[all[0].clone(), plain[1].clone()], &adversarial).contains("game 1"));
    assert!(refused(&[plain[0].clone(), all[1].clone()], &header()).contains("game 1"));
}

#[test]
fn games_out_of_order_are_refused() {
    let mut writer = RecordsWriter::create(&scratch("order.parquet")).unwrap();
    let all = records(2);
    writer.push(&all[1]).unwrap();
    assert!(writer.push(&all[0]).is_err());
    assert!(writer.push(&all[1]).is_err());
}

#[test]
fn an_unfinished_file_leaves_the_old_one_alone() {
    let path = scratch("unfinished.parquet");
    write(&path, &records(5));
    let mut writer = RecordsWriter::create(&path).unwrap();
    writer.push(&records(1)[0]).unwrap();
    drop(writer);
    assert_eq!(read(&path).unwrap().len(), 5);
}

#[test]
fn every_truncation_is_an_error() {
    let (good, bad) = (scratch("whole.parquet"), scratch("cut.parquet"));
    write(&good, &records(60));
    let bytes = fs::read(good.path()).unwrap();
    for length in (0..bytes.len()).step_by(31) {
        fs::write(bad.path(), &bytes[..length]).unwrap();
        let error = read(&bad).expect_err("a cut file");
        assert!(error.to_string().contains("cut.parquet"));
    }
}

/// A file of which any one byte is another, by a bit or by all of them, is refused by `read`.
fn every_flip_is_refused<T>(path: &ConfinedPath, read: impl Fn(&ConfinedPath) -> Result<T, StoreError>) {
    let bad = path.with_extension("flipped.parquet");
    let bytes = fs::read(path.path()).unwrap();
    for position in 0..bytes.len() {
        for mask in [1 << (position % 8), 0xff] {
            let mut copy = bytes.clone();
            copy[position] ^= mask;
            fs::write(bad.path(), &copy).unwrap();
            assert!(read(&bad).is_err(), "byte {position} of {} with {mask:#04x} flipped", bytes.len());
        }
    }
}

#[test]
fn every_flipped_bit_of_a_records_file_is_noticed() {
    let path = scratch("sound.parquet");
    write(&path, &records(3));
    every_flip_is_refused(&path, RecordsReader::open);
}

#[test]
fn every_flipped_bit_of_a_timing_file_is_noticed() {
    let path = scratch("sound-timing.parquet");
    write_timing(&path, &timings(3)).unwrap();
    every_flip_is_refused(&path, read_timing);
}

/// A records file as it was written before files were sealed to their last byte.
fn older_records(path: &ConfinedPath, records: &[GameRecord]) {
    write(path, records);
    let bytes = fs::read(path.path()).unwrap();
    // The entry, its key and value and all, out of the list of metadata, which is one shorter, and so is the
    // footer.
    let key = memchr::memmem::find(&bytes, b"\x18\x11retile.whole_seal").unwrap();
    let end = key + 2 + "retile.whole_seal".len() + 2 + 64 + 1;
    let form = memchr::memmem::find(&bytes, b"\x18\x0bretile.form").unwrap();
    let mut older = bytes.clone();
    older[form - 1] -= 0x10;
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap());
    let at = older.len() - 8;
    older[at..at + 4].copy_from_slice(&(length - (end - key) as u32).to_le_bytes());
    older.drain(key..end);
    fs::write(path.path(), older).unwrap();
}

#[test]
fn an_older_records_file_is_read_and_can_be_sealed() {
    let (path, all) = (scratch("older.parquet"), records(5));
    older_records(&path, &all);
    let before = RecordsSummary::read(&path).unwrap();
    assert_eq!(RecordsReader::open(&path).unwrap().sealed(), Extent::Contents);
    assert_eq!(read(&path).unwrap(), all);
    assert!(seal_records(&path).unwrap());
    assert_eq!(RecordsReader::open(&path).unwrap().sealed(), Extent::Whole);
    assert_eq!((RecordsSummary::read(&path).unwrap(), read(&path).unwrap()), (before, all));
    assert!(!seal_records(&path).unwrap(), "it is sealed already");
}

/// How much of a timing file its seal covers; `None` if there is no file.
fn sealed(timing: &ConfinedPath) -> Option<Extent> {
    read_timing_file(timing).unwrap().map(|file| file.sealed)
}

#[test]
fn readers_know_the_hash_of_their_file() {
    let (path, timing) = (scratch("hashed.parquet"), scratch("hashed-timing.parquet"));
    write(&path, &records(3));
    write_timing(&timing, &timings(3)).unwrap();
    let of_file = |path: &ConfinedPath| platform::hash::file_sha256(path.path()).unwrap();
    assert_eq!(RecordsReader::open(&path).unwrap().sha256(), of_file(&path));
    assert_eq!(read_timing_file(&timing).unwrap().unwrap().sha256, of_file(&timing));
    // Neither of the seals is the hash, also where there is only one, or none.
    older_records(&path, &records(3));
    assert_eq!(RecordsReader::open(&path).unwrap().sha256(), of_file(&path));
    fs::write(timing.path(), include_bytes!("older-timing.parquet")).unwrap();
    assert_eq!(read_timing_file(&timing).unwrap().unwrap().sha256, of_file(&timing));
}

#[test]
fn a_shrunk_file_is_smaller_and_has_the_same_games() {
    let path = scratch("shrunk.parquet");
    // Letters without a pattern, of which three are more frequent than the fourth.
    let mut state = 1_u64;
    let mut letter = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ['U', 'L', 'U', 'R', 'L', 'D', 'U', 'L'][(state >> 61) as usize]
    };
    let mut games = records(500);
    games.iter_mut().for_each(|game| game.directions = (0..600).map(&mut letter).collect());
    let digest = write(&path, &games);
    let bytes = || fs::metadata(path.path()).unwrap().len();
    let before = bytes();
    let saved = shrink_records(&path).unwrap();
    assert!(saved > before / 50 && bytes() == before - saved, "{saved} of {before}");
    let mut reader = RecordsReader::open(&path).unwrap();
    assert_eq!((reader.summary.digest.clone(), reader.sealed()), (digest, Extent::Whole));
    assert!(reader.games().map(Result::unwrap).eq(games), "the games are the same");
    assert_eq!(shrink_records(&path).unwrap(), 0, "it cannot be smaller");
}

#[test]
fn an_older_timing_file_is_read_and_can_be_renewed() {
    let path = scratch("older-timing.parquet");
    fs::write(path.path(), include_bytes!("older-timing.parquet")).unwrap();
    assert_eq!(sealed(&path), Some(Extent::Nothing));
    assert_eq!(read_timing(&path).unwrap(), timings(3));
    assert!(renew_timing(&path).unwrap());
    assert_eq!(sealed(&path), Some(Extent::Whole));
    assert_eq!(read_timing(&path).unwrap(), timings(3));
    assert!(!renew_timing(&path).unwrap() && !renew_timing(&scratch("no-timing.parquet")).unwrap());
    // One that is sealed, and does not say what its columns mean.
    let now = SealedTable::read(&path).unwrap().unwrap();
    SealedTable::write(&path, &now.frame, vec![("retile.timing".to_owned(), "1".to_owned())]).unwrap();
    for is_renewed in [true, false] {
        assert_eq!((sealed(&path), read_timing(&path).unwrap()), (Some(Extent::Whole), timings(3)));
        assert_eq!(renew_timing(&path).unwrap(), is_renewed);
    }
}

#[test]
fn a_timing_file_says_what_each_of_its_columns_means() {
    let path = scratch("meanings.parquet");
    write_timing(&path, &timings(3)).unwrap();
    let SealedTable { frame, metadata, .. } = SealedTable::read(&path).unwrap().unwrap();
    let meanings: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&metadata["retile.columns"]).unwrap();
    let names: BTreeSet<&str> = frame.get_column_names().into_iter().map(|name| name.as_str()).collect();
    assert_eq!(meanings.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
    assert!(meanings["cpu_ns"].as_str().unwrap().contains("nanoseconds"), "{meanings:?}");
}

#[test]
fn nothing_is_written_through_a_link_nor_waited_for_at_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| ConfinedPath::root(folder.path()).join(name);
    fs::write(at("precious").path(), "kept").unwrap();
    for name in ["e.parquet.tmp", "f.parquet.tmp"] {
        std::os::unix::fs::symlink(at("precious").path(), at(name).path()).unwrap();
    }
    assert!(RecordsWriter::create(&at("e.parquet")).is_err());
    assert!(write_timing(&at("f.parquet"), &timings(1)).is_err());
    assert_eq!(at("precious").read(9).unwrap(), b"kept");
    let pipe = at("pipe.parquet");
    rustix::fs::mkfifoat(rustix::fs::CWD, pipe.path(), rustix::fs::Mode::RWXU).unwrap();
    for error in
        [RecordsReader::open(&pipe).err(), read_timing(&pipe).err(), RecordsSummary::read(&pipe).err()]
    {
        let text = platform::errors::chain(&error.unwrap());
        assert!(text.contains("pipe.parquet") && text.contains("it is a named pipe"), "{text}");
    }
}

fn timings(count: u64) -> Vec<GameTiming> {
    (0..count).map(|game| GameTiming { game, cpu_ns: game * 3, wall_ns: game * 5 }).collect()
}

#[test]
fn timings_come_back() {
    let path = scratch("timing.parquet");
    for timings in [timings(0), timings(10)] {
        write_timing(&path, &timings).unwrap();
        assert_eq!(read_timing(&path).unwrap(), timings);
    }
    assert_eq!(read_timing(&scratch("no-timing.parquet")).unwrap(), []);
}
