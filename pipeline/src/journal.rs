//! The journal: finished games, written down at once, so that a run that is killed goes on where it stopped.
//!
//! It is a file of checked frames; the first is a title that says whose games follow, and a torn end is cut
//! off. A later run that is of another origin, as with another plugin file, puts its own title before its
//! first game. A worker writes its games to a spool of the same form, from which the run takes them over:
//! spools that a killed run has left lie beside the journal. Trials of a study have journals of the same
//! form.

mod leftovers;
mod scan;

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt as _;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use leftovers::{Leftovers, spool_path, spools};
use platform::ConfinedPath;
use records::{GameTiming, Provenance};
use scan::{FramePlace, Scan, timings};
use text::counted;
pub use workers::Title;
use workers::{HEAD, Played, frame};

/// An entry of a journal. Its text does not begin as that of a [`Title`] does.
pub trait JournalEntry: Serialize + DeserializeOwned {
    /// Its number, and what it cost.
    fn timing(&self) -> GameTiming;

    /// The same of an entry's text, which is not kept in memory; `None` if it is not an entry.
    fn timing_in(text: &[u8]) -> Option<GameTiming>;
}

impl JournalEntry for Played {
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

/// A journal of games.
pub type Journal = EntryJournal<Played>;

/// An open journal of games or of what else is finished one by one, and where each entry stands in it.
pub struct EntryJournal<E> {
    path: ConfinedPath,
    file: File,
    end: u64,
    games: BTreeMap<u64, FramePlace>,
    /// The title of the games that are added now.
    title: Title,
    /// The titles in the file, each with how many games stand below it.
    titles: Vec<(Title, usize)>,
    /// The frame that was written last: its room is used again.
    frame: Vec<u8>,
    entry: PhantomData<fn() -> E>,
}

/// What opening found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalRecovery {
    /// Bytes of a torn end that were cut off.
    pub torn_bytes: u64,
    /// Where a journal of another identity was moved to.
    pub set_aside: Option<ConfinedPath>,
}

impl JournalRecovery {
    /// What differs from how an earlier run left the journal, a sentence each.
    pub(crate) fn sentences<E: JournalEntry>(&self, journal: &EntryJournal<E>, row: &str) -> Vec<String> {
        let path = journal.path.display();
        let torn = (self.torn_bytes > 0).then(|| {
            let kept = counted(journal.games.len() as u64, &format!("whole {row}"));
            format!("{path}: dropped an incomplete end of {}, kept {kept}", counted(self.torn_bytes, "byte"))
        });
        let aside = self.set_aside.as_ref().map(|aside| {
            format!("{path}: the journal belongs to another identity and is kept as {}", aside.display())
        });
        torn.into_iter().chain(aside).collect()
    }
}

/// A journal that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: the journal cannot be read or written: {source}", path.display())]
pub struct JournalError {
    /// The journal's file.
    pub path: ConfinedPath,
    /// Why.
    pub source: io::Error,
}

impl JournalError {
    /// For `map_err`: what the system refused.
    pub(crate) fn at(path: &ConfinedPath) -> impl Fn(io::Error) -> Self + Copy {
        |source| Self { path: path.to_owned(), source }
    }
}

impl<E: JournalEntry> EntryJournal<E> {
    /// Opens the journal of games with this title, or begins one. A journal of another identity is set aside,
    /// never overwritten.
    pub fn open(path: &ConfinedPath, title: &Title) -> Result<(Self, JournalRecovery), JournalError> {
        Self::open_by(path, title, |_| Ok(()))
    }

    /// The same, for as long as no other process has it open in this way.
    pub fn open_alone(path: &ConfinedPath, title: &Title) -> Result<(Self, JournalRecovery), JournalError> {
        Self::open_by(path, title, |file| match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(io::Error::other("another process writes to it")),
            locked => Ok(locked?),
        })
    }

    fn open_by(
        path: &ConfinedPath,
        title: &Title,
        take: impl Fn(&File) -> io::Result<()>,
    ) -> Result<(Self, JournalRecovery), JournalError> {
        let in_journal = JournalError::at(path);
        let mut recovered = JournalRecovery::default();
        if let Some(folder) = path.parent() {
            folder.make_folder().map_err(in_journal)?;
        }
        let open = || path.open_or_create().and_then(|file| take(&file).map(|()| file)).map_err(in_journal);
        let mut file = open()?;
        let mut scan = Scan::of::<E>(&file).map_err(in_journal)?;
        if scan.is_of_other(title) {
            if scan.games.is_empty() {
                file.set_len(0).map_err(in_journal)?;
            } else {
                recovered.set_aside = Some(set_aside(path).map_err(in_journal)?);
                file = open()?;
            }
            scan = Scan::of::<E>(&file).map_err(in_journal)?;
        }
        recovered.torn_bytes = scan.torn_bytes;
        file.set_len(scan.end).map_err(in_journal)?;
        let mut journal = Self::of(path, file, title, scan);
        if journal.titles.is_empty() {
            journal.begin(&journal.title.clone())?;
        }
        Ok((journal, recovered))
    }

    /// What the games of an identity cost that are in the journal at this path and in its spools, by number;
    /// none if there is no journal, or it is another identity's. Nothing is written.
    pub fn peek(path: &ConfinedPath, title: &Title) -> Result<Vec<GameTiming>, JournalError> {
        let mut games = BTreeMap::new();
        for path in std::iter::once(path.to_owned()).chain(spools(path)) {
            games.extend(Self::look(&path, title)?.into_iter().flat_map(|journal| journal.games));
        }
        Ok(timings(&games).collect())
    }

    /// The journal of this title as it stands at this path, to be read and never written; `None` if there is
    /// none, or it is another identity's.
    pub fn look(path: &ConfinedPath, title: &Title) -> Result<Option<Self>, JournalError> {
        let file = match path.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(JournalError::at(path))?,
        };
        let scan = Scan::of::<E>(&file).map_err(JournalError::at(path))?;
        Ok((!scan.is_of_other(title)).then(|| Self::of(path, file, title, scan)))
    }

    /// The identity whose entries are in the journal at this path, and their numbers; `None` if it holds
    /// none, or those of several identities.
    pub fn entries_in(path: &ConfinedPath) -> Result<Option<(String, Vec<u64>)>, JournalError> {
        let scan = path.open().and_then(|file| Scan::of::<E>(&file)).map_err(JournalError::at(path))?;
        let first = scan.titles.first().filter(|(title, _)| !scan.is_of_other(title));
        let identity = first.map(|(title, _)| title.identity().to_owned());
        Ok(identity.map(|identity| (identity, scan.games.into_keys().collect())))
    }

    fn of(path: &ConfinedPath, file: File, title: &Title, scan: Scan) -> Self {
        let Scan { titles, games, end, .. } = scan;
        let (path, title, entry) = (path.to_owned(), title.clone(), PhantomData);
        Self { path, file, end, games, title, titles, frame: Vec::new(), entry }
    }

    /// Takes over the games that are `believed` of the spools which a killed run has left, and removes the
    /// spools.
    pub fn take_over(&mut self, believed: impl Fn(&E) -> bool) -> Result<(), JournalError> {
        for path in spools(&self.path) {
            let (spool, _) = Self::open(&path, &self.title)?;
            self.inherit(&spool, &believed)?;
            spool.remove()?;
        }
        Ok(())
    }

    /// Takes over the games of another journal that are `believed`, and leaves that as it is.
    pub fn inherit(&mut self, other: &Self, believed: impl Fn(&E) -> bool) -> Result<(), JournalError> {
        let mut games: Vec<(u64, u64)> =
            other.games.iter().map(|(&game, place)| (place.offset, game)).collect();
        games.sort_unstable();
        let mut games = games.into_iter().map(|(_, game)| game);
        // Each title stands before its games.
        for (title, count) in &other.titles {
            for game in games.by_ref().take(*count) {
                let played = other.read(game)?;
                if believed(&played) {
                    self.append_under(title, &played)?;
                }
            }
        }
        Ok(())
    }

    /// Writes a finished game down. A game that is there already stays as it is.
    ///
    /// # Errors
    /// Where the disk takes no more; the journal then ends with the last whole game.
    pub fn append(&mut self, played: &E) -> Result<(), JournalError> {
        self.append_under(&self.title.clone(), played)
    }

    /// The same, of a game that comes from where this title says.
    pub fn append_under(&mut self, title: &Title, played: &E) -> Result<(), JournalError> {
        let GameTiming { game, cpu_ns, wall_ns } = played.timing();
        if self.games.contains_key(&game) {
            return Ok(());
        }
        if self.titles.last().is_none_or(|(last, _)| !last.has_origin_of(title)) {
            self.begin(title)?;
        }
        let offset = self.end + HEAD;
        let length = self.write(played)?;
        self.games.insert(game, FramePlace { offset, length, cpu_ns, wall_ns });
        if let Some((_, games)) = self.titles.last_mut() {
            *games += 1;
        }
        Ok(())
    }

    /// Writes a title, below which the next games stand.
    fn begin(&mut self, title: &Title) -> Result<(), JournalError> {
        self.write(title)?;
        self.titles.push((title.clone(), 0));
        Ok(())
    }

    /// The origins of the games in it, if they are known.
    pub fn origins(&self) -> impl Iterator<Item = &Provenance> {
        self.titles.iter().filter(|(_, games)| *games > 0).filter_map(|(title, _)| title.origin.as_ref())
    }

    /// Whether it holds games, and none of them is said to come from this plugin file.
    pub fn is_of_other_plugin(&self, sha256: &str) -> bool {
        let mut with_games = self.titles.iter().filter(|(_, games)| *games > 0).peekable();
        with_games.peek().is_some() && with_games.all(|(title, _)| title.plugin() != Some(sha256))
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

    /// Its file.
    pub const fn path(&self) -> &ConfinedPath {
        &self.path
    }

    /// The games in the journal, by number.
    pub fn games(&self) -> impl Iterator<Item = u64> {
        self.games.keys().copied()
    }

    /// What the games in the journal cost, by number.
    pub fn timings(&self) -> impl Iterator<Item = GameTiming> {
        timings(&self.games)
    }

    /// Takes no more notice of the games from this number on. They stay in the file.
    pub fn forget_from(&mut self, game: u64) {
        self.games.split_off(&game);
    }

    /// Drops a game, so that another can be recorded in its place.
    pub fn forget(&mut self, game: u64) {
        self.games.remove(&game);
    }

    /// Whether a game is in the journal.
    pub fn contains(&self, game: u64) -> bool {
        self.games.contains_key(&game)
    }

    /// Reads a game back.
    pub fn read(&self, game: u64) -> Result<E, JournalError> {
        let place = self.games.get(&game);
        let place = place.ok_or_else(|| self.error(io::Error::other(format!("game {game} is not in it"))))?;
        let mut text = vec![0; place.length as usize];
        self.file.read_exact_at(&mut text, place.offset).map_err(|source| self.error(source))?;
        serde_json::from_slice(&text).map_err(|error| self.error(error.into()))
    }

    /// Moves the journal out of the way and says where it is now: what is in it is kept, and goes into no
    /// records.
    pub fn set_aside(self) -> Result<ConfinedPath, JournalError> {
        set_aside(&self.path).map_err(|source| self.error(source))
    }

    /// Removes the journal, once its games are in the records.
    pub fn remove(self) -> Result<(), JournalError> {
        self.path.remove().map_err(|source| JournalError { path: self.path.clone(), source })
    }

    pub(crate) fn error(&self, source: io::Error) -> JournalError {
        JournalError { path: self.path.clone(), source }
    }
}

/// Moves a journal out of the way, to the first free name.
fn set_aside(path: &ConfinedPath) -> io::Result<ConfinedPath> {
    let name = |number: u32| path.with_extension(&format!("journal.stale-{number}"));
    let free = (1..).map(name).find(|candidate| !candidate.exists());
    let free = free.ok_or_else(|| io::Error::other("there is no free name to move it to"))?;
    path.rename(&free)?;
    Ok(free)
}

#[cfg(test)]
mod tests;
