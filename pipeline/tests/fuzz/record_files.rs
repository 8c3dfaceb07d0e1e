//! Records files: a damaged one is refused, or gives the very games that were written. It never gives others.

use jobs::identity::Canonical as _;
use platform::confined::ConfinedPath;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use engine::agent::Budget;
use engine::{Ending, Rules};
use proptest::prelude::*;
use proptest::sample::Index;
use records::identity::Identity;
use records::record::GameRecord;
use records::store::{Header, RecordsReader, RecordsSummary, RecordsWriter, StoreError};
use serde_json::{Map, Value, json};

use crate::cases;
use crate::damage::{Change, changes, damaged, hard_values, in_file, replaced};

fn record(game: u64) -> GameRecord {
    GameRecord {
        game,
        tile_seed: game.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        agent_seed: game,
        score: 4 * game as u32,
        max_tile: 8,
        moves: 3,
        directions: "URD".to_owned(),
        final_board: "2 4 8 . / . . . . / . . . . / . . . 2".to_owned(),
        nodes: 7 * game,
        ending: Ending::NoMoves,
        spawns: None,
    }
}

pub(crate) fn header() -> Header {
    let params = json!({"depth": 3, "name": "x"}).as_object().cloned().unwrap();
    let signature = Some("1:abc".to_owned());
    Header {
        experiment: "p/e".to_owned(),
        identity: Identity::new(Rules::default(), ("x", "1"), params, Budget::Nodes(5), 2048, signature),
        second_signature: None,
        manifest: Value::Object(Map::new()),
        provenance: Vec::new(),
        shard: None,
    }
}

/// Writes a small records file.
pub(crate) fn write(path: &Path) -> String {
    let mut writer = RecordsWriter::create(&ConfinedPath::file(path)).unwrap();
    (0..20).for_each(|game| writer.push(&record(game)).unwrap());
    writer.finish(&header()).unwrap()
}

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    in_file("e.parquet", b"", |file| {
        write(file);
        fs::read(file).unwrap()
    })
});

/// All that a file says, as far as it can be read.
fn read(path: &Path) -> Result<(RecordsSummary, Vec<GameRecord>), StoreError> {
    let mut reader = RecordsReader::open(&ConfinedPath::file(path))?;
    reader.outcomes()?;
    let games = reader.games().collect::<Result<Vec<_>, _>>()?;
    Ok((reader.summary.clone(), games))
}

fn check(changes: &[Change]) {
    match in_file("e.parquet", &damaged(&BYTES, changes), read) {
        Ok((summary, games)) => {
            assert_eq!(games, (0..20).map(record).collect::<Vec<_>>(), "{changes:?}");
            assert_eq!(summary.header, header(), "{changes:?}");
        }
        Err(error) => assert!(error.to_string().contains("e.parquet"), "{error}"),
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_damaged_file_is_refused_or_gives_the_same_games(changes in changes()) {
        check(&changes);
    }

    #[test]
    fn one_flipped_bit_is_noticed_or_does_no_harm(at in any::<Index>(), bit in 0..8_u8) {
        check(&[Change::Flip(at, 1 << bit)]);
    }

    #[test]
    fn a_header_with_another_value_is_read_or_refused(at in any::<Index>(), new in hard_values()) {
        let changed = replaced(&serde_json::to_value(header()).unwrap(), at, new);
        if let Ok(header) = serde_json::from_value::<Header>(changed) {
            // What was read can be hashed and compared.
            let ours = self::header().identity;
            assert_eq!(header.identity == ours, header.identity.hash() == ours.hash());
            assert_eq!(header.identity == ours, header.identity.differences(&ours).is_empty());
        }
    }
}
