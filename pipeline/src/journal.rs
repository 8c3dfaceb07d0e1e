//! The journal: finished games, written down at once, so that a run that is killed goes on where it stopped.
//!
//! It is a file of checked frames; the first is a title that says whose games follow, and a torn end is cut off. A later run that is
//! of another origin, as with another plugin file, puts its own title before its first game. A worker writes its games to a spool of
//! the same form, from which the run takes them over: spools that a killed run has left lie beside the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use records::provenance::Provenance;
use records::record::GameTiming;
use surroundings::open;
pub use workers::frame::Title;
use workers::frame::{self, HEAD};
use workers::worker::protocol::Played;

/// What comes behind a journal's name in the names of its spools.
const SPOOL: &str = ".spool-";

/// An open journal, and where each game stands in it.
pub struct Journal {
    path: PathBuf,
    file: File,
    end: u64,
    games: BTreeMap<u64, FramePlace>,
    /// The title of the games that are added now.
    title: Title,
    /// The titles in the file, each with how many games stand below it.
    titles: Vec<(Title, usize)>,
    /// The frame that was written last: its room is used again.
    frame: Vec<u8>,
}

/// Where an entry's text stands, and what its game cost: the timing of all games is then had without reading them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FramePlace {
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
    /// Opens the journal of games with this title, or begins one. A journal of another identity is set aside, never overwritten.
    ///
    /// # Errors
    /// Where the file cannot be read or written.
    pub fn open(path: &Path, title: &Title) -> Result<(Self, Recovered), JournalError> {
        let in_journal = |source| JournalError { path: path.to_owned(), source };
        let mut recovered = Recovered::default();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(in_journal)?;
        }
        let mut file = open::or_create(path).map_err(in_journal)?;
        let mut scan = Scan::of(&file).map_err(in_journal)?;
        if scan.is_of_other(title) {
            if scan.games.is_empty() {
                file.set_len(0).map_err(in_journal)?;
            } else {
                recovered.set_aside = Some(set_aside(path).map_err(in_journal)?);
                file = open::or_create(path).map_err(in_journal)?;
            }
            scan = Scan::of(&file).map_err(in_journal)?;
        }
        recovered.torn_bytes = scan.torn_bytes;
        file.set_len(scan.end).map_err(in_journal)?;
        let Scan { titles, games, end, .. } = scan;
        let (path, title) = (path.to_owned(), title.clone());
        let mut journal = Self { path, file, end, games, title, titles, frame: Vec::new() };
        if journal.titles.is_empty() {
            journal.begin(&journal.title.clone())?;
        }
        Ok((journal, recovered))
    }

    /// What the games of an identity cost that are in the journal at this path and in its spools, by number; none where there is
    /// no journal, or it is another identity's. Nothing is written.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn peek(path: &Path, title: &Title) -> Result<Vec<GameTiming>, JournalError> {
        let mut games = BTreeMap::new();
        for path in std::iter::once(path.to_owned()).chain(spools(path)) {
            let in_journal = |source| JournalError { path: path.clone(), source };
            let file = match open::regular(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => file.map_err(in_journal)?,
            };
            let scan = Scan::of(&file).map_err(in_journal)?;
            if !scan.is_of_other(title) {
                games.extend(scan.games);
            }
        }
        Ok(timings(&games).collect())
    }

    /// Takes over the games that are `believed` of the spools which a killed run has left, and removes the spools.
    ///
    /// # Errors
    /// Where a file cannot be read, written or removed.
    pub fn take_over(&mut self, believed: impl Fn(&Played) -> bool) -> Result<(), JournalError> {
        for path in spools(&self.path) {
            let (spool, _) = Self::open(&path, &self.title)?;
            let Some((title, _)) = spool.titles.first() else { continue };
            for game in spool.games() {
                let played = spool.read(game)?;
                if believed(&played) {
                    self.append_under(title, &played)?;
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
        self.append_under(&self.title.clone(), played)
    }

    fn append_under(&mut self, title: &Title, played: &Played) -> Result<(), JournalError> {
        if self.games.contains_key(&played.record.game) {
            return Ok(());
        }
        if self.titles.last().is_none_or(|(last, _)| !last.has_origin_of(title)) {
            self.begin(title)?;
        }
        let offset = self.end + HEAD;
        let length = self.write(played)?;
        let GameTiming { cpu_ns, wall_ns, .. } = played.timing;
        self.games.insert(played.record.game, FramePlace { offset, length, cpu_ns, wall_ns });
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

    /// Where the games in it come from, as far as they say.
    pub fn origins(&self) -> impl Iterator<Item = &Provenance> {
        self.titles.iter().filter(|(_, games)| *games > 0).filter_map(|(title, _)| title.origin.as_ref())
    }

    /// Whether it holds games, and none of them is said to come from this plugin file.
    #[must_use]
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

fn timings(games: &BTreeMap<u64, FramePlace>) -> impl Iterator<Item = GameTiming> {
    games.iter().map(|(&game, &FramePlace { cpu_ns, wall_ns, .. })| GameTiming { game, cpu_ns, wall_ns })
}

/// The name of a spool of the journal at this path.
#[must_use]
pub fn spool_path(journal: &Path, number: usize) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    // The process makes the name its own: a worker of a killed run may still be writing to the old one.
    name.push(format!("{SPOOL}{}-{number}", std::process::id()));
    name.into()
}

/// The journals that runs which were stopped or killed have left in a results folder, by themselves or in spools. The folders are
/// listed once: asking for every journal by itself would take a look at all files for each.
#[derive(Clone, Debug, Default)]
pub struct Leftovers {
    journals: BTreeSet<PathBuf>,
}

impl Leftovers {
    /// Looks through the folder of the records.
    #[must_use]
    pub fn below(records: &Path) -> Self {
        let folders = fs::read_dir(records).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let journal = |file: fs::DirEntry| {
            let name = file.file_name().into_string().ok()?;
            let name = name.split_once(SPOOL).map_or(name.as_str(), |(journal, _)| journal);
            name.ends_with(".journal").then(|| file.path().with_file_name(name))
        };
        Self { journals: files.filter_map(journal).collect() }
    }

    /// Whether something is left of the journal at this path.
    #[must_use]
    pub fn contains(&self, journal: &Path) -> bool {
        self.journals.contains(journal)
    }
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
    /// The titles in it, each with how many games stand below it.
    titles: Vec<(Title, usize)>,
    games: BTreeMap<u64, FramePlace>,
    /// Where the last whole frame ends.
    end: u64,
    torn_bytes: u64,
}

impl Scan {
    fn of(file: &File) -> io::Result<Self> {
        /// What of an entry is kept in memory.
        #[derive(Deserialize)]
        struct GameEntry {
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
        let mut scan = Self { titles: Vec::new(), games: BTreeMap::new(), end: 0, torn_bytes: 0 };
        while let Some(text) = frame::read(&mut from, size - scan.end)? {
            if text.starts_with(Title::BEGIN) {
                let Ok(title) = serde_json::from_slice(&text) else { break };
                scan.titles.push((title, 0));
            } else {
                let Some((_, games)) = scan.titles.last_mut() else { break };
                let Ok(entry) = serde_json::from_slice::<GameEntry>(&text) else { break };
                *games += 1;
                let (offset, length) = (scan.end + HEAD, text.len() as u32);
                let GameTiming { cpu_ns, wall_ns, .. } = entry.timing;
                let place = FramePlace { offset, length, cpu_ns, wall_ns };
                scan.games.entry(entry.record.game).or_insert(place);
            }
            scan.end += HEAD + text.len() as u64;
        }
        scan.torn_bytes = size - scan.end;
        Ok(scan)
    }

    /// Whether it holds anything that does not belong to games with this title.
    fn is_of_other(&self, title: &Title) -> bool {
        self.titles.iter().any(|(other, _)| !title.is_of(other))
    }
}

/// Moves a journal out of the way, to the first free name.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |number: u32| path.with_extension(format!("journal.stale-{number}"));
    let free = (1..).map(name).find(|candidate| !candidate.exists());
    let free = free.ok_or_else(|| io::Error::other("there is no free name to move it to"))?;
    fs::rename(path, &free)?;
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Ending;
    use records::record::GameRecord;

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
            spawns: None,
        };
        Played { record, timing: GameTiming { game, cpu_ns: 1, wall_ns: 2 }, complaint: None }
    }

    fn title(identity: &str) -> Title {
        Title::new(identity.to_owned(), None, None)
    }

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("retile-journal-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder.join("x.journal")
    }

    fn write_games(path: &Path, games: impl IntoIterator<Item = u64>) {
        let (mut journal, _) = Journal::open(path, &title("identity")).unwrap();
        for game in games {
            journal.append(&played(game)).unwrap();
        }
    }

    #[test]
    fn games_are_read_back_by_number_after_reopening() {
        let path = scratch("order");
        write_games(&path, [5, 1, 3]);
        let seen = Journal::peek(&path, &title("identity")).unwrap();
        let (journal, recovered) = Journal::open(&path, &title("identity")).unwrap();
        assert_eq!(recovered, Recovered::default());
        assert!(journal.timings().eq(seen));
        assert_eq!(journal.games().collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(journal.read(3).unwrap(), played(3));
        assert!(journal.timings().eq([1, 3, 5].map(|game| played(game).timing)));
        assert!(journal.read(2).is_err());
        journal.remove().unwrap();
        assert!(!path.exists());
        assert!(Journal::peek(&path, &title("identity")).unwrap().is_empty());
    }

    #[test]
    fn a_journal_cut_anywhere_keeps_its_whole_games() {
        let path = scratch("torn");
        write_games(&path, 0..4);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, recovered) = Journal::open(&path, &title("identity")).unwrap();
            let kept: Vec<u64> = journal.games().collect();
            assert_eq!(kept, (0..kept.len() as u64).collect::<Vec<_>>());
            assert!(kept.iter().all(|&game| journal.read(game).unwrap() == played(game)));
            assert!(recovered.set_aside.is_none() && recovered.torn_bytes <= length as u64);
            journal.append(&played(9)).unwrap();
            let (again, recovered) = Journal::open(&path, &title("identity")).unwrap();
            assert!(again.contains(9) && recovered.torn_bytes == 0);
        }
    }

    #[test]
    fn a_journal_that_is_a_link_or_a_pipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, precious) = (folder.path().join("x.journal"), folder.path().join("precious"));
        fs::write(&precious, "kept").unwrap();
        std::os::unix::fs::symlink(&precious, &path).unwrap();
        let refused = |kind: &str| {
            let errors = [
                Journal::open(&path, &title("identity")).err(),
                Journal::peek(&path, &title("identity")).err(),
            ];
            errors.into_iter().all(|error| error.is_some_and(|error| error.to_string().contains(kind)))
        };
        assert!(refused("it is a link"));
        assert_eq!(fs::read(&precious).unwrap(), b"kept");
        fs::remove_file(&path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        assert!(refused("it is a named pipe"));
    }

    #[test]
    fn a_flipped_bit_ends_the_journal_there() {
        let path = scratch("flipped");
        write_games(&path, 0..4);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let (journal, recovered) = Journal::open(&path, &title("identity")).unwrap();
        assert!(journal.games().count() < 4);
        assert!(recovered.torn_bytes > 0);
    }

    #[test]
    fn a_journal_of_another_identity_is_set_aside_whole() {
        let path = scratch("stale");
        write_games(&path, 0..2);
        let before = fs::read(&path).unwrap();
        assert!(Journal::peek(&path, &title("other")).unwrap().is_empty());
        let (journal, recovered) = Journal::open(&path, &title("other")).unwrap();
        assert_eq!(journal.games().count(), 0);
        assert_eq!(fs::read(recovered.set_aside.unwrap()).unwrap(), before);
        // One without games holds nothing to keep.
        let (_, recovered) = Journal::open(&path, &title("third")).unwrap();
        assert_eq!(recovered, Recovered::default());
        assert_eq!(Journal::open(&path, &title("third")).unwrap().1, Recovered::default());
    }

    #[test]
    fn games_of_spools_are_taken_over_if_they_are_believed() {
        let path = scratch("spools");
        write_games(&path, 0..2);
        write_games(&spool_path(&path, 0), [1, 4]);
        write_games(&spool_path(&path, 1), [3, 2]);
        drop(Journal::open(&spool_path(&path, 2), &title("other")).unwrap());
        write_games(&path.with_extension("fresh.journal"), [9]);
        let seen: Vec<u64> =
            Journal::peek(&path, &title("identity")).unwrap().iter().map(|timing| timing.game).collect();
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        let left = Leftovers::below(path.parent().unwrap().parent().unwrap());
        assert!(left.contains(&path) && left.contains(&path.with_extension("fresh.journal")));
        fs::remove_file(&path).unwrap();
        let left = Leftovers::below(path.parent().unwrap().parent().unwrap());
        assert!(left.contains(&path), "its spools are left");
        assert!(!left.contains(&path.with_file_name("y.journal")));
        write_games(&path, 0..2);
        let (mut journal, _) = Journal::open(&path, &title("identity")).unwrap();
        journal.take_over(|played| played.record.game != 3).unwrap();
        assert_eq!(journal.games().collect::<Vec<_>>(), [0, 1, 2, 4]);
        assert!(spools(&path).is_empty());
    }

    /// A title of games that a plugin file of this hash played.
    fn from(plugin: &str, second_signature: Option<&str>) -> Title {
        let origin = Provenance {
            pipeline: "0".to_owned(),
            commit: None,
            dirty: None,
            rustc: String::new(),
            cpu: String::new(),
            platform: String::new(),
            date: plugin.repeat(3),
            plugin_sha256: plugin.to_owned(),
        };
        Title::new("identity".to_owned(), second_signature.map(str::to_owned), Some(origin))
    }

    #[test]
    fn games_of_each_origin_stand_below_its_title() {
        let path = scratch("origins");
        let add = |title: &Title, game| {
            let (mut journal, recovered) = Journal::open(&path, title).unwrap();
            assert_eq!(recovered, Recovered::default());
            journal.append(&played(game)).unwrap();
            journal
        };
        assert!(!Journal::open(&path, &from("a", None)).unwrap().0.is_of_other_plugin("b"), "no games");
        add(&from("a", None), 1);
        assert!(add(&from("a", Some("s")), 2).is_of_other_plugin("b"));
        let mut journal = add(&from("b", Some("s")), 3);
        assert!(!journal.is_of_other_plugin("a") && !journal.is_of_other_plugin("b"));
        // What a worker of a third left is of the third.
        let mut spool = Journal::open(&spool_path(&path, 0), &from("c", Some("s"))).unwrap().0;
        spool.append(&played(4)).unwrap();
        drop(spool);
        journal.take_over(|_| true).unwrap();
        let (journal, _) = Journal::open(&path, &from("b", Some("s"))).unwrap();
        let plugins: Vec<&str> = journal.origins().map(|origin| origin.plugin_sha256.as_str()).collect();
        assert_eq!(plugins, ["a", "b", "c"]);
        assert_eq!(journal.games().collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn games_of_other_decisions_on_the_second_set_are_set_aside() {
        let path = scratch("second");
        let (mut journal, _) = Journal::open(&path, &from("a", Some("s"))).unwrap();
        journal.append(&played(1)).unwrap();
        assert!(Journal::peek(&path, &from("a", Some("t"))).unwrap().is_empty());
        assert_eq!(Journal::peek(&path, &from("b", Some("s"))).unwrap().len(), 1);
        let (journal, recovered) = Journal::open(&path, &from("a", Some("t"))).unwrap();
        assert!(recovered.set_aside.is_some() && journal.games().count() == 0);
    }
}
