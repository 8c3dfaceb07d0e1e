//! Games that nobody played, for tests of what is done with records. They need not replay: whatever a test does not look at is the same
//! in all of them.

use surroundings::confined::ConfinedPath;

use engine::agent::Budget;
use engine::{Ending, Rules};
use records::identity::Identity;
use records::provenance::Provenance;
use records::record::GameRecord;
use records::store::{Header, RecordsWriter};
use serde_json::{Map, Value};

/// The record of a game that went in these directions.
#[must_use]
pub fn record(game: u64, directions: &str) -> GameRecord {
    GameRecord {
        game,
        tile_seed: game,
        agent_seed: game,
        score: 0,
        max_tile: 2,
        moves: directions.len() as u32,
        directions: directions.to_owned(),
        final_board: "2 . . . / . . . . / . . . . / . . . .".to_owned(),
        nodes: 0,
        ending: Ending::NoMoves,
        spawns: None,
    }
}

/// What determines the games of an experiment with this master seed.
#[must_use]
pub fn identity(seed: u64) -> Identity {
    let signature = Some("s".to_owned());
    Identity::new(Rules::default(), ("a", "1"), Map::new(), Budget::None, seed, signature)
}

/// What the records of the experiment `p/e` say of themselves, all of whose games were played on one machine.
#[must_use]
pub fn header(identity: Identity, cpu: &str) -> Header {
    let provenance =
        Provenance { cpu: cpu.to_owned(), platform: "linux".to_owned(), ..Provenance::now(None) };
    Header {
        experiment: "p/e".to_owned(),
        identity,
        second_signature: None,
        manifest: Value::Null,
        provenance: vec![provenance],
        shard: None,
    }
}

/// Writes a records file, and gives its digest.
///
/// # Panics
/// Where it cannot be written.
pub fn write(file: &ConfinedPath, header: &Header, records: impl IntoIterator<Item = GameRecord>) -> String {
    let mut writer = RecordsWriter::create(file).expect("the folder can be written to");
    for record in records {
        writer.push(&record).expect("games come by number");
    }
    writer.finish(header).expect("the file can be written")
}
