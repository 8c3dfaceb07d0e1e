//! What journals are made of: whatever is finished one by one, has a number, and cost something.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use records::record::GameTiming;
use workers::worker::protocol::Played;

/// An entry of a journal. Its text does not begin as that of a [`Title`](super::Title) does.
pub trait Entry: Serialize + DeserializeOwned {
    /// Its number, and what it cost.
    fn timing(&self) -> GameTiming;

    /// The same of an entry's text, which is not kept in memory; none where it is no entry.
    fn timing_in(text: &[u8]) -> Option<GameTiming>;
}

impl Entry for Played {
    fn timing(&self) -> GameTiming {
        GameTiming { game: self.record.game, ..self.timing }
    }

    fn timing_in(text: &[u8]) -> Option<GameTiming> {
        #[derive(Deserialize)]
        struct GameEntry {
            record: Number,
            timing: GameTiming,
        }
        #[derive(Deserialize)]
        struct Number {
            game: u64,
        }
        let GameEntry { record, timing } = serde_json::from_slice(text).ok()?;
        Some(GameTiming { game: record.game, ..timing })
    }
}
