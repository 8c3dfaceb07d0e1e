//! The spool: a file to which a worker writes its games by itself.
//!
//! A game in it is safe at once, whichever process is killed, and the run need not wake for it: it takes the
//! games over in batches, with the heartbeats. Waking for each game would cost more than everything else that
//! the pipeline does for it. A spool has the form of a journal; its games are replayed like anything that
//! comes from a worker.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;

use super::protocol::Played;
use crate::{Title, frame};
use platform::ConfinedPath;

/// The size in bytes from which a spool is emptied.
const LARGE: u64 = 1 << 20;

/// The run's end of a spool. Dropping it removes the file.
pub struct Spool {
    path: ConfinedPath,
    file: File,
    /// Where the games start.
    begin: u64,
    /// The end of the games that were taken over.
    taken: u64,
    chunk: Vec<u8>,
    is_kept: bool,
}

impl Spool {
    /// Creates an empty spool for games with this title.
    pub fn create(path: &ConfinedPath, title: &Title) -> io::Result<Self> {
        let mut frame = Vec::new();
        frame::fill(&mut frame, title)?;
        let file = path.create()?;
        file.write_all_at(&frame, 0)?;
        let begin = frame.len() as u64;
        Ok(Self { path: path.to_owned(), file, begin, taken: begin, chunk: Vec::new(), is_kept: false })
    }

    /// The file, for the worker.
    pub fn path(&self) -> &ConfinedPath {
        &self.path
    }

    /// Takes over the games written since the last call, up to the first that is not whole, and counts them.
    pub(super) fn drain(&mut self, mut take: impl FnMut(Played)) -> usize {
        let end = self.file.metadata().map_or(0, |metadata| metadata.len());
        let length = usize::try_from(end.saturating_sub(self.taken)).unwrap_or(0);
        self.chunk.resize(length, 0);
        if self.file.read_exact_at(&mut self.chunk, self.taken).is_err() {
            return 0;
        }
        let (mut left, mut count) = (self.chunk.as_slice(), 0);
        loop {
            let room = left.len() as u64;
            let Ok(Some(text)) = frame::read(&mut left, room) else { return count };
            let Ok(played) = serde_json::from_slice(&text) else { return count };
            self.taken += frame::HEAD + text.len() as u64;
            count += 1;
            take(played);
        }
    }

    /// Empties a large spool. All of its games must be journalled.
    pub fn clear(&mut self) {
        if self.taken > LARGE && self.file.set_len(self.begin).is_ok() {
            self.taken = self.begin;
        }
    }

    /// Leaves the file for the next run, because some games could not be journalled.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = self.path.remove();
        }
    }
}

/// The worker's end of a spool.
pub(super) struct SpoolWriter {
    file: File,
    frame: Vec<u8>,
}

impl SpoolWriter {
    pub(super) fn open(path: &ConfinedPath) -> io::Result<Self> {
        Ok(Self { file: path.append()?, frame: Vec::new() })
    }

    /// Writes a game in one piece.
    pub(super) fn write(&mut self, played: &Played) -> io::Result<()> {
        frame::fill(&mut self.frame, played)?;
        self.file.write_all(&self.frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{Ending, Game, Rules};
    use records::{Course, GameRecord, GameTiming, Seeds};
    use std::fs;

    fn played(number: u64) -> Played {
        let seeds = Seeds::derive(1, number);
        let game = Game::new(&Rules::default(), seeds.tiles);
        let record = GameRecord::of(&game, seeds, Course::new(&Rules::default()), Ending::AgentCrash);
        Played { record, timing: GameTiming { game: number, cpu_ns: 1, wall_ns: 2 }, complaint: None }
    }

    fn drained(spool: &mut Spool) -> Vec<u64> {
        let mut games = Vec::new();
        let count = spool.drain(|played| games.push(played.record.game));
        assert_eq!(count, games.len());
        games
    }

    #[test]
    fn neither_end_writes_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, precious) = (folder.path().join("x.journal.spool-1"), folder.path().join("precious"));
        fs::write(&precious, "kept").unwrap();
        std::os::unix::fs::symlink(&precious, &path).unwrap();
        let title = Title::new("identity".to_owned(), None, None);
        assert!(Spool::create(&ConfinedPath::file(&path), &title).is_err());
        assert!(SpoolWriter::open(&ConfinedPath::file(&path)).is_err());
        assert_eq!(fs::read(&precious).unwrap(), b"kept");
    }

    #[test]
    fn games_are_taken_over_once_and_garbage_ends_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal.spool-1");
        let title = Title::new("identity".to_owned(), None, None);
        let mut spool = Spool::create(&ConfinedPath::file(&path), &title).unwrap();
        let mut writer = SpoolWriter::open(&ConfinedPath::file(&path)).unwrap();
        assert!(drained(&mut spool).is_empty());
        [3, 1].into_iter().for_each(|game| writer.write(&played(game)).unwrap());
        assert_eq!(drained(&mut spool), [3, 1]);
        while spool.taken > spool.begin {
            writer.write(&played(5)).unwrap();
            assert_eq!(drained(&mut spool), [5]);
            spool.clear();
        }
        assert_eq!(writer.file.metadata().unwrap().len(), spool.begin);
        writer.write(&played(2)).unwrap();
        assert_eq!(drained(&mut spool), [2]);
        writer.file.write_all(b"garbage in every pipe").unwrap();
        writer.write(&played(4)).unwrap();
        assert!(drained(&mut spool).is_empty());
        writer.file.set_len(5).unwrap();
        assert!(drained(&mut spool).is_empty());
        drop(spool);
        assert!(!path.exists());
    }
}
