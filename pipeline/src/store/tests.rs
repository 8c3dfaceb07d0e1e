use std::path::PathBuf;

use engine::agent::Budget;
use engine::{Ending, Rules};
use serde_json::{Map, json};

use super::*;
use crate::record::GameTiming;

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("retile-store-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn records(count: u64) -> Vec<GameRecord> {
    let letters = ['U', 'R', 'D', 'L'];
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
        ending: Ending::ALL[(game % 8) as usize],
    };
    (0..count).map(record).collect()
}

fn header() -> Header {
    let rules = Rules::default();
    let identity = Identity::new(rules, ("random", "1.0.0"), Map::new(), Budget::None, 7, Some("s".into()));
    let experiment = "paper/é".to_owned();
    Header { experiment, identity, manifest: json!({"games": 3}), provenance: vec![], shard: None }
}

fn write(path: &Path, records: &[GameRecord]) -> String {
    let mut writer = RecordsWriter::create(path).unwrap();
    records.iter().for_each(|record| writer.push(record).unwrap());
    writer.finish(&header()).unwrap()
}

fn read(path: &Path) -> Result<Vec<GameRecord>, StoreError> {
    RecordsReader::open(path)?.games().collect()
}

#[test]
fn games_header_and_digest_come_back() {
    for count in [0, 1, 4096, 4100] {
        let path = scratch(&format!("back-{count}.parquet"));
        let all = records(count);
        let digest = write(&path, &all);
        assert_eq!(read(&path).unwrap(), all);
        let summary = Summary::read(&path).unwrap().unwrap();
        assert_eq!(summary, Summary { header: header(), digest, games: count });
    }
    assert_eq!(Summary::read(&scratch("none.parquet")).unwrap(), None);
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
    let bytes = fs::read(&good).unwrap();
    for length in (0..bytes.len()).step_by(31) {
        fs::write(&bad, &bytes[..length]).unwrap();
        let error = read(&bad).expect_err("a cut file");
        assert!(error.to_string().contains("cut.parquet"));
    }
}

/// A flipped bit may hit bytes that nobody reads, but must never change a game.
#[test]
fn a_flipped_bit_never_changes_a_game() {
    let (good, bad) = (scratch("sound.parquet"), scratch("flipped.parquet"));
    let all = records(60);
    write(&good, &all);
    let bytes = fs::read(&good).unwrap();
    let mut refused = 0;
    for position in (0..bytes.len()).step_by(13) {
        let mut copy = bytes.clone();
        copy[position] ^= 0x11;
        fs::write(&bad, &copy).unwrap();
        match read(&bad) {
            Ok(read) => assert_eq!(read, all, "byte {position}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > bytes.len() / 13 / 2);
}

#[test]
fn timings_come_back() {
    let path = scratch("timing.parquet");
    let timings: Vec<_> =
        (0..10).map(|game| GameTiming { game, cpu_ns: game * 3, wall_ns: game * 5 }).collect();
    write_timing(&path, &timings).unwrap();
    assert_eq!(read_timing(&path).unwrap(), timings);
    assert_eq!(read_timing(&scratch("no-timing.parquet")).unwrap(), []);
}
