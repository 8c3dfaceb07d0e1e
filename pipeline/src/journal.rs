//! The journal: finished games, written down at once, so that a run that is killed goes on where it stopped.
//!
//! It is a file of checked frames; the first names the identity that the games belong to, and a torn end is cut off. A worker
//! writes its games to a spool of the same form, from which the run takes them over: spools that a killed run has left lie beside
//! the journal.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::frame::{self, HEAD, Title};
use crate::record::GameTiming;
use crate::worker::protocol::Played;

/// What comes behind a journal's name in the names of its spools.
const SPOOL: &str = ".spool-";

/// An open journal, and where each game stands in it.
pub struct Journal {
    path: PathBuf,
    file: File,
    end: u64,
    games: BTreeMap<u64, Place>,
    /// The frame that was written last: its room is used again.
    frame: Vec<u8>,
}

/// Where an entry's text stands, and what its game cost: the timing of all games is then had without reading them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    offset: u64,
    length: u32,
    cpu_ns: u64,
    wall_ns: u64,
}

/// What opening found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Bytes of a torn end that were cut off.
    pub torn_bytes: u64,
    /// Where a journal of another identity was moved to.
    pub set_aside: Option<PathBuf>,
}

/// A journal that cannot be read or written.
#[derive(Debug)]
pub struct JournalError {
    /// The journal's file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the journal cannot be read or written: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Journal {
    /// Opens the journal of an identity, or begins one. A journal of another identity is set aside, never overwritten.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn open(path: &Path, identity: &str) -> Result<(Self, Recovered), JournalError> {
        let in_journal = |source| JournalError { path: path.to_owned(), source };
        let mut recovered = Recovered::default();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(in_journal)?;
        }
        let options = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options().map_err(in_journal)?;
        let mut scan = Scan::of(&file).map_err(in_journal)?;
        if scan.title.as_ref().is_some_and(|title| !title.is_of(identity)) {
            if scan.games.is_empty() {
                file.set_len(0).map_err(in_journal)?;
            } else {
                recovered.set_aside = Some(set_aside(path).map_err(in_journal)?);
                file = options().map_err(in_journal)?;
            }
            scan = Scan::of(&file).map_err(in_journal)?;
        }
        recovered.torn_bytes = scan.torn_bytes;
        file.set_len(scan.end).map_err(in_journal)?;
        let Scan { title, games, end, .. } = scan;
        let mut journal = Self { path: path.to_owned(), file, end, games, frame: Vec::new() };
        if title.is_none() {
            journal.write(&Title::of(identity))?;
        }
        Ok((journal, recovered))
    }

    /// What the games of an identity cost that are in the journal at this path and in its spools, by number; none where there is
    /// no journal, or it is another identity's. Nothing is written.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn peek(path: &Path, identity: &str) -> Result<Vec<GameTiming>, JournalError> {
        let mut games = BTreeMap::new();
        for path in std::iter::once(path.to_owned()).chain(spools(path)) {
            let in_journal = |source| JournalError { path: path.clone(), source };
            let file = match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file.map_err(in_journal)?,
            };
            let scan = Scan::of(&file).map_err(in_journal)?;
            if scan.title.is_some_and(|title| title.is_of(identity)) {
                games.extend(scan.games);
            }
        }
        Ok(timings(&games).collect())
    }

    /// Takes over the games that are `believed` of the spools which a killed run has left, and removes the spools.
    ///
    /// # Errors
    /// Where a file cannot be read, written or removed.
    pub fn take_over(
        &mut self,
        identity: &str,
        believed: impl Fn(&Played) -> bool,
    ) -> Result<(), JournalError> {
        for path in spools(&self.path) {
            let (spool, _) = Self::open(&path, identity)?;
            for game in spool.games() {
                let played = spool.read(game)?;
                if believed(&played) {
                    self.append(&played)?;
                }
            }
            spool.remove()?;
        }
        Ok(())
    }

    /// Writes a finished game down. A game that is there already stays as it is.
    ///
    /// # Errors
    /// Where the disk takes no more; the journal then ends with the last whole game.
    pub fn append(&mut self, played: &Played) -> Result<(), JournalError> {
        if self.games.contains_key(&played.record.game) {
            return Ok(());
        }
        let offset = self.end + HEAD;
        let length = self.write(played)?;
        let GameTiming { cpu_ns, wall_ns, .. } = played.timing;
        self.games.insert(played.record.game, Place { offset, length, cpu_ns, wall_ns });
        Ok(())
    }

    /// Writes an entry in one piece, and returns the length of its text.
    fn write(&mut self, entry: &impl Serialize) -> Result<u32, JournalError> {
        let length = frame::fill(&mut self.frame, entry).map_err(|source| self.error(source))?;
        if let Err(error) = self.file.write_all_at(&self.frame, self.end) {
            // What was half written is cut off, so that the journal ends with a whole game.
            let _ = self.file.set_len(self.end);
            return Err(self.error(error));
        }
        self.end += self.frame.len() as u64;
        Ok(length)
    }

    /// The games in the journal, by number.
    pub fn games(&self) -> impl Iterator<Item = u64> {
        self.games.keys().copied()
    }

    /// What the games in the journal cost, by number.
    pub fn timings(&self) -> impl Iterator<Item = GameTiming> {
        timings(&self.games)
    }

    /// Whether a game is in the journal.
    #[must_use]
    pub fn contains(&self, game: u64) -> bool {
        self.games.contains_key(&game)
    }

    /// Reads a game back.
    ///
    /// # Errors
    /// Where it is not in the journal, or cannot be read.
    pub fn read(&self, game: u64) -> Result<Played, JournalError> {
        let place = self.games.get(&game);
        let place = place.ok_or_else(|| self.error(io::Error::other(format!("game {game} is not in it"))))?;
        let mut text = vec![0; place.length as usize];
        self.file.read_exact_at(&mut text, place.offset).map_err(|source| self.error(source))?;
        serde_json::from_slice(&text).map_err(|error| self.error(error.into()))
    }

    /// Removes the journal, once its games are in the records.
    ///
    /// # Errors
    /// Where the file cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        fs::remove_file(&self.path).map_err(|source| JournalError { path: self.path.clone(), source })
    }

    fn error(&self, source: io::Error) -> JournalError {
        JournalError { path: self.path.clone(), source }
    }
}

fn timings(games: &BTreeMap<u64, Place>) -> impl Iterator<Item = GameTiming> {
    games.iter().map(|(&game, &Place { cpu_ns, wall_ns, .. })| GameTiming { game, cpu_ns, wall_ns })
}

/// The name of a spool of the journal at this path.
#[must_use]
pub fn spool_path(journal: &Path, number: usize) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    // The process makes the name its own: a worker of a killed run may still be writing to the old one.
    name.push(format!("{SPOOL}{}-{number}", std::process::id()));
    name.into()
}

/// The spools that lie beside the journal at this path.
#[must_use]
pub fn spools(journal: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (journal.parent(), journal.file_name().and_then(|name| name.to_str()))
    else {
        return Vec::new();
    };
    let prefix = format!("{name}{SPOOL}");
    let is_spool = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&prefix))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut spools: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_spool).collect();
    spools.sort();
    spools
}

/// What a reading of a whole journal finds.
struct Scan {
    title: Option<Title>,
    games: BTreeMap<u64, Place>,
    /// Where the last whole frame ends.
    end: u64,
    torn_bytes: u64,
}

impl Scan {
    fn of(file: &File) -> io::Result<Self> {
        /// What of an entry is kept in memory.
        #[derive(Deserialize)]
        struct Entry {
            record: Number,
            timing: GameTiming,
        }
        #[derive(Deserialize)]
        struct Number {
            game: u64,
        }
        let size = file.metadata()?.len();
        let mut from = BufReader::with_capacity(1 << 20, file);
        from.seek(SeekFrom::Start(0))?;
        let mut scan = Self { title: None, games: BTreeMap::new(), end: 0, torn_bytes: 0 };
        while let Some(text) = frame::read(&mut from, size - scan.end)? {
            if scan.title.is_none() {
                let Ok(title) = serde_json::from_slice(&text) else { break };
                scan.title = Some(title);
            } else {
                let Ok(entry) = serde_json::from_slice::<Entry>(&text) else { break };
                let (offset, length) = (scan.end + HEAD, text.len() as u32);
                let GameTiming { cpu_ns, wall_ns, .. } = entry.timing;
                let place = Place { offset, length, cpu_ns, wall_ns };
                scan.games.entry(entry.record.game).or_insert(place);
            }
            scan.end += HEAD + text.len() as u64;
        }
        scan.torn_bytes = size - scan.end;
        Ok(scan)
    }
}

/// Moves a journal out of the way, to the first free name.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| path.with_extension(format!("journal.stale-{number}"));
    let free = (1..).map(name).find(|candidate| !candidate.exists());
    let free = free.ok_or_else(|| io::Error::other("no free name to move it to"))?;
    fs::rename(path, &free)?;
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameRecord;
    use engine::Ending;

    fn played(game: u64) -> Played {
        let record = GameRecord {
            game,
            tile_seed: game,
            agent_seed: game,
            score: 4,
            max_tile: 4,
            moves: 1,
            directions: "U".repeat(game as usize),
            final_board: String::new(),
            nodes: 0,
            ending: Ending::NoMoves,
        };
        Played { record, timing: GameTiming { game, cpu_ns: 1, wall_ns: 2 }, complaint: None }
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("retile-journal-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder.join("x.journal")
    }

    fn write_games(path: &Path, games: impl IntoIterator<Item = u64>) {
        let (mut journal, _) = Journal::open(path, "identity").unwrap();
        for game in games {
            journal.append(&played(game)).unwrap();
        }
    }

    #[test]
    fn games_are_read_back_by_number_after_reopening() {
        let path = scratch("order");
        write_games(&path, [5, 1, 3]);
        let seen = Journal::peek(&path, "identity").unwrap();
        let (journal, recovered) = Journal::open(&path, "identity").unwrap();
        assert_eq!(recovered, Recovered::default());
        assert!(journal.timings().eq(seen));
        assert_eq!(journal.games().collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(journal.read(3).unwrap(), played(3));
        assert!(journal.timings().eq([1, 3, 5].map(|game| played(game).timing)));
        assert!(journal.read(2).is_err());
        journal.remove().unwrap();
        assert!(!path.exists());
        assert!(Journal::peek(&path, "identity").unwrap().is_empty());
    }

    #[test]
    fn a_journal_cut_anywhere_keeps_its_whole_games() {
        let path = scratch("torn");
        write_games(&path, 0..4);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, recovered) = Journal::open(&path, "identity").unwrap();
            let kept: Vec<u64> = journal.games().collect();
            assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
            assert!(kept.iter().all(|&game| journal.read(game).unwrap() == played(game)));
            assert!(recovered.set_aside.is_none() && recovered.torn_bytes <= length as u64);
            journal.append(&played(9)).unwrap();
            let (again, recovered) = Journal::open(&path, "identity").unwrap();
            assert!(again.contains(9) && recovered.torn_bytes == 0);
        }
    }

    #[test]
    fn a_flipped_bit_ends_the_journal_there() {
        let path = scratch("flipped");
        write_games(&path, 0..4);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let (journal, recovered) = Journal::open(&path, "identity").unwrap();
        assert!(journal.games().count() < 4);
        assert!(recovered.torn_bytes > 0);
    }

    #[test]
    fn a_journal_of_another_identity_is_set_aside_whole() {
        let path = scratch("stale");
        write_games(&path, 0..2);
        let before = fs::read(&path).unwrap();
        assert!(Journal::peek(&path, "other").unwrap().is_empty());
        let (journal, recovered) = Journal::open(&path, "other").unwrap();
        assert_eq!(journal.games().count(), 0);
        assert_eq!(fs::read(recovered.set_aside.unwrap()).unwrap(), before);
        // One without games holds nothing to keep.
        let (_, recovered) = Journal::open(&path, "third").unwrap();
        assert_eq!(recovered, Recovered::default());
        assert_eq!(Journal::open(&path, "third").unwrap().1, Recovered::default());
    }

    #[test]
    fn games_of_spools_are_taken_over_if_they_are_believed() {
        let path = scratch("spools");
        write_games(&path, 0..2);
        write_games(&spool_path(&path, 0), [1, 4]);
        write_games(&spool_path(&path, 1), [3, 2]);
        drop(Journal::open(&spool_path(&path, 2), "other").unwrap());
        write_games(&path.with_extension("fresh.journal"), [9]);
        let seen: Vec<u64> =
            Journal::peek(&path, "identity").unwrap().iter().map(|timing| timing.game).collect();
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        let (mut journal, _) = Journal::open(&path, "identity").unwrap();
        journal.take_over("identity", |played| played.record.game != 3).unwrap();
        assert_eq!(journal.games().collect::<Vec<_>>(), [0, 1, 2, 4]);
        assert!(spools(&path).is_empty());
    }
}
