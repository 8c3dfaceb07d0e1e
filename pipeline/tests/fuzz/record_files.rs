//! Records files: a damaged one is refused, or gives the very games that were written. It never gives others.

use engine::agent::Budget;
use records::{Header, Identity, RecordsReader, RecordsSummary, StoreError};

use crate::prelude::*;

fn record(game: u64) -> GameRecord {
    let tile_seed = game.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    GameRecord { tile_seed, score: 4 * game as u32, nodes: 7 * game, ..fixtures::record(game, "URD") }
}

pub(crate) static HEADER: LazyLock<Header> = LazyLock::new(|| {
    let params = json!({"depth": 3, "name": "x"}).as_object().cloned().unwrap();
    let signature = Some("1:abc".to_owned());
    let identity = Identity::new(Rules::default(), ("x", "1"), params, Budget::Nodes(5), 2048, signature);
    fixtures::header(identity, "a processor")
});

/// Writes a small records file.
pub(crate) fn write(path: &Path) -> String {
    fixtures::write(&confined(path), &HEADER, (0..20).map(record))
}

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    in_file("e.parquet", b"", |file| {
        write(file);
        fs::read(file).unwrap()
    })
});

/// All that a file says, as far as it can be read.
fn read(path: &Path) -> Result<(RecordsSummary, Vec<GameRecord>), StoreError> {
    let mut reader = RecordsReader::open(&confined(path))?;
    reader.outcomes()?;
    let games = reader.games().collect::<Result<Vec<_>, _>>()?;
    Ok((reader.summary.clone(), games))
}

fn check(changes: &[Change]) {
    match in_file("e.parquet", &damaged(&BYTES, changes), read) {
        Ok((summary, games)) => {
            assert_eq!(games, (0..20).map(record).collect::<Vec<_>>(), "{changes:?}");
            assert_eq!(summary.header, *HEADER, "{changes:?}");
        }
        Err(error) => assert!(error.to_string().contains("e.parquet"), "{error}"),
    }
}

proptest! {
    #![proptest_config(cases(192))]

    #[test]
    fn a_damaged_file_is_refused_or_gives_the_same_games(changes in changes()) {
        check(&changes);
    }

    #[test]
    fn a_header_with_another_value_is_read_or_refused(at in any::<Index>(), new in hard_values()) {
        let changed = replaced(&serde_json::to_value(&*HEADER).unwrap(), at, new);
        if let Ok(header) = serde_json::from_value::<Header>(changed) {
            // What was read can be hashed and compared.
            let ours = &HEADER.identity;
            assert_eq!(header.identity == *ours, header.identity.hash() == ours.hash());
            assert_eq!(header.identity == *ours, header.identity.differences(ours).is_empty());
        }
    }
}
