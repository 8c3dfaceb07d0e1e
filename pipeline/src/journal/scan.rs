//! Reading a whole journal or spool: whose games are in it, where each stands, and where the last whole frame
//! ends.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Seek as _, SeekFrom};

use super::JournalEntry;
use records::GameTiming;
use workers::{HEAD, Title, frame};

/// The place of an entry's text, and the cost of its game: the timing of all games is known without reading
/// them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FramePlace {
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) cpu_ns: u64,
    pub(super) wall_ns: u64,
}

/// What games cost, by number.
pub(super) fn timings(games: &BTreeMap<u64, FramePlace>) -> impl Iterator<Item = GameTiming> {
    games.iter().map(|(&game, &FramePlace { cpu_ns, wall_ns, .. })| GameTiming { game, cpu_ns, wall_ns })
}

/// What a reading of a whole journal finds.
pub(super) struct Scan {
    /// The titles in it, each with how many games stand below it.
    pub(super) titles: Vec<(Title, usize)>,
    pub(super) games: BTreeMap<u64, FramePlace>,
    /// Where the last whole frame ends.
    pub(super) end: u64,
    pub(super) torn_bytes: u64,
}

impl Scan {
    pub(super) fn of<E: JournalEntry>(file: &File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let mut from = BufReader::with_capacity(1 << 20, file);
        from.seek(SeekFrom::Start(0))?;
        let mut scan = Self { titles: Vec::new(), games: BTreeMap::new(), end: 0, torn_bytes: 0 };
        while let Some(text) = frame::read(&mut from, size - scan.end)? {
            if text.starts_with(Title::BEGIN) {
                let Ok(title) = serde_json::from_slice(&text) else { break };
                scan.titles.push((title, 0));
            } else {
                let Some((_, games)) = scan.titles.last_mut() else { break };
                let Some(GameTiming { game, cpu_ns, wall_ns }) = E::timing_in(&text) else { break };
                *games += 1;
                let (offset, length) = (scan.end + HEAD, text.len() as u32);
                let place = FramePlace { offset, length, cpu_ns, wall_ns };
                scan.games.entry(game).or_insert(place);
            }
            scan.end += HEAD + text.len() as u64;
        }
        scan.torn_bytes = size - scan.end;
        Ok(scan)
    }

    /// Whether it holds anything that does not belong to games with this title.
    pub(super) fn is_of_other(&self, title: &Title) -> bool {
        self.titles.iter().any(|(other, _)| !title.is_of(other))
    }
}
