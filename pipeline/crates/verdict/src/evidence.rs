//! Evidence: the stored games of every experiment, as far as statistics need them. It is read from records alone.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use engine::{Ending, Game, TileSeed};

use manifest::{Event, Given, Quantity, Study};
use records::identity::Identity;
use records::index::{Index, IndexEntry, IndexError};
use records::key::Key;
use records::layout::Layout;
use records::provenance::Provenance;
use records::record::{GameTiming, Outcome};
use records::store::{Header, RecordsReader, StoreError, read_timing, read_timing_file};
use studies::store::StoredStudy;
use studies::{ReadStudy, StoredStudies, StudyError, TrialRow};
use surroundings::confined::ConfinedPath;
use surroundings::hash::sha256_of;
use surroundings::{plain, threads};

use crate::last_board::LastBoard;

/// The games of all experiments that have been played.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Experiments that share a records file share their games.
    experiments: BTreeMap<Key, Arc<Games>>,
    studies: BTreeMap<Key, Searched>,
}

/// A study that was run to its end, as its manifest has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The study.
    pub study: Study,
    /// The hash of all that determines its trials.
    pub identity: String,
    /// Its trials, by number.
    pub rows: Vec<TrialRow>,
    /// Their logical digest.
    pub digest: String,
    /// Where they come from.
    pub provenance: Vec<Provenance>,
    /// What each trial cost, as far as it was measured, by its number.
    pub timings: Vec<GameTiming>,
}

/// The games of one experiment.
#[derive(Clone, Debug)]
pub struct Games {
    /// The experiment whose file holds them.
    pub records: Key,
    /// That file.
    pub file: ConfinedPath,
    /// All that determines them.
    pub identity: Identity,
    /// What their agent decides on the second set of frozen positions, where it is known.
    pub second_signature: Option<String>,
    /// Their logical digest.
    pub digest: String,
    /// Where they come from.
    pub provenance: Vec<Provenance>,
    /// What came of each, in the order of their numbers.
    pub outcomes: Vec<Outcome>,
    /// What each cost, as far as it was measured.
    pub timings: Vec<GameTiming>,
    /// The hashes of the files that all of this was read from.
    pub hashes: FileHashes,
}

/// The hashes of the files that games were read from. Files with the same bytes hold the same games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHashes {
    /// Of the records; none for games that were not read from a file.
    pub records: Option<String>,
    /// Of the timing; none where there is none.
    pub timing: Option<String>,
}

impl FileHashes {
    /// Hashes the files of an experiment; none where a file cannot be read, which is for the reader of its games to tell.
    fn of(layout: &Layout, records: &Key) -> Option<Self> {
        let sha256 = |path: &ConfinedPath| path.open().and_then(sha256_of);
        let timing = match sha256(&layout.timing(records, None)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            hash => Some(hash.ok()?),
        };
        Some(Self { records: Some(sha256(&layout.records(records, None)).ok()?), timing })
    }
}

/// Why there is no evidence.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EvidenceError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(
        "{path}: its {part} differs from the one in the index, {index}; run `pipeline reproduce` to bring them in line",
        path = path.display(),
        index = index.display()
    )]
    Differs { path: ConfinedPath, part: &'static str, index: ConfinedPath },
    #[error("{}: its header names `{}`, or a part of an experiment; remove the file, and run `pipeline run {records}`", path.display(), plain::line(says))]
    Other { path: ConfinedPath, says: String, records: Key },
    #[error("{}: game {game}: `{}` is not a board with {max_tile} as its largest tile", path.display(), plain::line(board))]
    Board { path: ConfinedPath, game: u64, board: String, max_tile: u32 },
}

impl Evidence {
    /// Reads the records of a results folder that its index names.
    ///
    /// # Errors
    /// Where the index is missing, or a file is missing, broken, or another than the index says.
    pub fn load(layout: &Layout) -> Result<Self, EvidenceError> {
        Self::load_beside(layout, &Self::default())
    }

    /// The same, where other evidence is at hand: of files that hold the same bytes as there, nothing is decoded again.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn load_beside(layout: &Layout, other: &Self) -> Result<Self, EvidenceError> {
        Self::of_index(layout, &Index::read(layout)?, other)
    }

    /// The same by an index that need not be the folder's own.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn of_index(layout: &Layout, index: &Index, other: &Self) -> Result<Self, EvidenceError> {
        let mut files: Vec<&IndexEntry> = index.experiments.values().collect();
        files.sort_by(|one, other| one.records.cmp(&other.records));
        files.dedup_by(|one, other| one.records == other.records);
        let load = |entry: &&IndexEntry| {
            let known = other.experiments.get(&entry.records);
            let same = known.and_then(|known| Games::same(layout, entry, known));
            let games = same.map_or_else(|| Games::load(layout, entry).map(Arc::new), Ok)?;
            Ok((entry.records.clone(), games))
        };
        let loaded = threads::map(&files, load);
        let games = loaded.into_iter().collect::<Result<BTreeMap<Key, Arc<Games>>, EvidenceError>>()?;
        let experiments = index.experiments.iter().filter_map(|(key, entry)| {
            let key: Key = key.parse().ok()?;
            Some((key, Arc::clone(games.get(&entry.records)?)))
        });
        Ok(Self { experiments: experiments.collect(), studies: BTreeMap::new() })
    }

    /// Adds the studies of papers, as far as they were run as the manifests have them.
    ///
    /// # Errors
    /// Where a file is broken. One of another study than its manifest asks for is none.
    pub fn with_studies(mut self, stored: StoredStudies, layout: &Layout) -> Result<Self, EvidenceError> {
        for ReadStudy { key, study, stored } in stored {
            let stored = match stored {
                Err(StudyError::Other { .. }) => None,
                stored => stored?,
            };
            if let Some(stored) = stored {
                let timings = read_timing(&layout.timing(&key, None))?;
                self.studies.insert(key, Searched::of(study, stored, timings));
            }
        }
        Ok(self)
    }

    /// The trials of a study; none where it was not run as its manifest has it.
    #[must_use]
    pub fn searched(&self, key: &Key) -> Option<&Searched> {
        self.studies.get(key)
    }

    /// The studies that were run, in the order of their names.
    pub fn studies(&self) -> impl Iterator<Item = (&Key, &Searched)> {
        self.studies.iter()
    }

    /// The games of an experiment; none where it was not played.
    #[must_use]
    pub fn games(&self, key: &Key) -> Option<&Games> {
        self.experiments.get(key).map(Arc::as_ref)
    }

    /// Whether all games are known to be the same as other ones: they were read from files with the same bytes.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let is_same = |(one, other): (&Games, &Games)| {
            one.records == other.records && one.hashes.records.is_some() && one.hashes == other.hashes
        };
        let digests = |evidence: &'_ Self| -> Vec<(Key, String)> {
            evidence.studies().map(|(key, searched)| (key.clone(), searched.digest.clone())).collect()
        };
        self.experiments.keys().eq(other.experiments.keys())
            && digests(self) == digests(other)
            && self.iter().zip(other.iter()).all(|((_, one), (_, other))| is_same((one, other)))
    }

    /// Leaves out the experiments that are not wanted.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Key) -> bool) {
        self.experiments.retain(|key, _| is_wanted(key));
    }

    /// The experiments with games, in their order, with these.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Games)> {
        self.experiments.iter().map(|(key, games)| (key, games.as_ref()))
    }
}

impl FromIterator<(Key, Games)> for Evidence {
    fn from_iter<T: IntoIterator<Item = (Key, Games)>>(experiments: T) -> Self {
        let shared = experiments.into_iter().map(|(key, games)| (key, Arc::new(games)));
        Self { experiments: shared.collect(), studies: BTreeMap::new() }
    }
}

impl Searched {
    fn of(study: Study, stored: StoredStudy, timings: Vec<GameTiming>) -> Self {
        let StoredStudy { header, rows, digest } = stored;
        Self { study, identity: header.identity.hash(), rows, digest, provenance: header.provenance, timings }
    }
}

impl Games {
    /// Known games, where the files that the index names hold the very same; none where they do not, or the index says otherwise.
    fn same(layout: &Layout, entry: &IndexEntry, known: &Arc<Self>) -> Option<Arc<Self>> {
        let is_same = known.records == entry.records
            && known.digest == entry.digest
            && FileHashes::of(layout, &entry.records)? == known.hashes
            && known.identity.hash() == entry.identity;
        let file = layout.records(&entry.records, None);
        match is_same {
            false => None,
            true if known.file == file => Some(Arc::clone(known)),
            true => Some(Arc::new(Self { file, ..Self::clone(known) })),
        }
    }

    fn load(layout: &Layout, entry: &IndexEntry) -> Result<Self, EvidenceError> {
        let path = layout.records(&entry.records, None);
        let mut reader = RecordsReader::open(&path)?;
        let differs = |part| EvidenceError::Differs { path: path.clone(), part, index: layout.index() };
        if reader.summary.identity != entry.identity {
            return Err(differs("identity"));
        }
        if reader.summary.digest != entry.digest {
            return Err(differs("digest"));
        }
        let Header { experiment, shard, .. } = &reader.summary.header;
        if *experiment != entry.records.to_string() || shard.is_some() {
            let (says, records) = (experiment.clone(), entry.records.clone());
            return Err(EvidenceError::Other { path, says, records });
        }
        let outcomes = reader.outcomes()?;
        if let Some(wrong) = outcomes.iter().find(|outcome| !has_board(outcome)) {
            let Outcome { game, max_tile, .. } = *wrong;
            return Err(EvidenceError::Board { path, game, board: wrong.final_board.clone(), max_tile });
        }
        let timing = read_timing_file(&layout.timing(&entry.records, None))?;
        let (timings, timing) = timing.map(|file| (file.timings, file.sha256)).unzip();
        let hashes = FileHashes { records: Some(reader.sha256().to_owned()), timing };
        let summary = reader.summary;
        Ok(Self {
            records: entry.records.clone(),
            file: path,
            identity: summary.header.identity,
            second_signature: summary.header.second_signature,
            digest: summary.digest,
            provenance: summary.header.provenance,
            outcomes,
            timings: timings.unwrap_or_default(),
            hashes,
        })
    }

    /// How many games an agent's fault ended.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.outcomes.iter().filter(|outcome| outcome.ending.is_fault()).count() as u64
    }

    /// The scores, in the order of the games.
    #[must_use]
    pub fn scores(&self) -> Vec<f64> {
        self.values(Quantity::Score, Given::Always)
    }

    /// A quantity of every game that counts. Nodes and merges are told for moves, so a game without any has none.
    #[must_use]
    pub fn values(&self, quantity: Quantity, given: Given) -> Vec<f64> {
        self.counted(given).filter_map(|outcome| self.value(outcome, quantity)).collect()
    }

    /// In how many of the games that count something happens, and how many count.
    #[must_use]
    pub fn count(&self, event: Event, given: Given) -> (u64, u64) {
        let happened = self.counted(given).filter(|outcome| self.happens(outcome, event)).count() as u64;
        (happened, self.counted(given).count() as u64)
    }

    fn counted(&self, given: Given) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(move |outcome| match given {
            Given::Always => true,
            Given::Reached(tile) => outcome.max_tile >= tile,
            Given::NotReached(tile) => outcome.max_tile < tile,
        })
    }

    /// CPU time for a move in each game whose time is known, in nanoseconds.
    #[must_use]
    pub fn cpu_ns_per_move(&self) -> Vec<f64> {
        let moves: BTreeMap<u64, u32> =
            self.outcomes.iter().map(|outcome| (outcome.game, outcome.moves)).collect();
        let per_move = |timing: &GameTiming| {
            let moves = *moves.get(&timing.game).filter(|&&moves| moves > 0)?;
            Some(timing.known_cpu_ns()? as f64 / f64::from(moves))
        };
        self.timings.iter().filter_map(per_move).collect()
    }

    fn value(&self, outcome: &Outcome, quantity: Quantity) -> Option<f64> {
        Some(match quantity {
            Quantity::Score => f64::from(outcome.score),
            Quantity::TileSum => f64::from(last_board(outcome)?.tile_sum()),
            Quantity::MaxTile => f64::from(outcome.max_tile),
            Quantity::BoardValue(value) => last_board(outcome)?.value(value),
            Quantity::Nodes | Quantity::Merges if outcome.moves == 0 => return None,
            Quantity::Nodes => outcome.nodes as f64 / f64::from(outcome.moves),
            Quantity::Merges => 1000.0 * self.merges(outcome)? / f64::from(outcome.moves),
        })
    }

    /// Every spawn adds a tile and every merge takes one away, so that the tiles at both ends of a game tell its merges.
    fn merges(&self, outcome: &Outcome) -> Option<f64> {
        let seed = TileSeed::derive(self.identity.master_seed().ok()?, outcome.game);
        let first = 16 - Game::new(&self.identity.rules, seed).board().empty_count();
        // The move that makes a tile which ends the game is followed by no spawn.
        let unfollowed = matches!(outcome.ending, Ending::StoppedAtTile | Ending::TileCap);
        let spawned = outcome.moves - u32::from(unfollowed);
        Some(f64::from(first + spawned) - f64::from(last_board(outcome)?.tiles()))
    }

    fn happens(&self, outcome: &Outcome, event: Event) -> bool {
        match event {
            Event::Reach(tile) => outcome.max_tile >= tile,
            Event::ScoreBelow(score) => outcome.score < score,
            Event::AtLeast(quantity, number) => {
                self.value(outcome, quantity).is_some_and(|value| value >= f64::from(number))
            }
            Event::MaxTileIn(part) => last_board(outcome).is_some_and(|board| board.has_max_tile_in(part)),
        }
    }
}

/// Whether the last board exists and has the game's stated largest tile.
fn has_board(outcome: &Outcome) -> bool {
    last_board(outcome).is_some_and(|board| board.max_tile().unwrap_or(0) == outcome.max_tile)
}

/// The last board, which was checked when it was read.
fn last_board(outcome: &Outcome) -> Option<LastBoard> {
    LastBoard::parse(&outcome.final_board)
}

#[cfg(test)]
mod tests {

    use super::*;

    fn outcome(board: &str, score: u32) -> Outcome {
        let max_tile = board.split_whitespace().filter_map(|cell| cell.parse().ok()).max().unwrap_or(0);
        let final_board = board.to_owned();
        Outcome { game: 0, score, max_tile, moves: 10, final_board, nodes: 25, ending: Ending::NoMoves }
    }

    /// A quantity of one game under the standard rules.
    fn value(outcome: &Outcome, quantity: Quantity) -> Option<f64> {
        games(Vec::new(), Vec::new()).value(outcome, quantity)
    }

    fn happens(outcome: &Outcome, event: Event) -> bool {
        games(Vec::new(), Vec::new()).happens(outcome, event)
    }

    #[test]
    fn quantities_are_taken_from_the_last_board() {
        let outcome = outcome("2 4 . . / . 65536 . . / . . . . / . . . 8", 100);
        assert_eq!(value(&outcome, Quantity::TileSum), Some(65550.0));
        assert_eq!(value(&outcome, Quantity::MaxTile), Some(65536.0));
        assert_eq!(value(&outcome, Quantity::Nodes), Some(2.5));
        let unmoved = Outcome { moves: 0, ..outcome };
        assert_eq!(value(&unmoved, Quantity::Nodes), None);
        assert_eq!(value(&unmoved, Quantity::Merges), None);
    }

    /// Two tiles at the beginning and one more with each of ten moves are twelve; four are left, so eight were merged away.
    #[test]
    fn merges_are_what_the_tiles_at_both_ends_leave_over() {
        let outcome = outcome("2 4 . . / . 65536 . . / . . . . / . . . 8", 100);
        assert_eq!(value(&outcome, Quantity::Merges), Some(800.0));
        for ending in [Ending::StoppedAtTile, Ending::TileCap] {
            // No tile follows the last move.
            assert_eq!(value(&Outcome { ending, ..outcome.clone() }, Quantity::Merges), Some(700.0));
        }
    }

    #[test]
    fn a_number_that_is_met_is_reached() {
        let outcome = outcome("1024 512 . . / . . . . / . . . . / . . . .", 100);
        let reaches = |quantity, number| happens(&outcome, Event::AtLeast(quantity, number));
        assert!(reaches(Quantity::TileSum, 1536) && !reaches(Quantity::TileSum, 1537));
        assert!(reaches(Quantity::Score, 100) && !reaches(Quantity::Score, 101));
    }

    fn games(outcomes: Vec<Outcome>, timings: Vec<GameTiming>) -> Games {
        let identity = Identity::new(
            engine::Rules::default(),
            ("random", "1"),
            serde_json::Map::new(),
            engine::agent::Budget::None,
            1,
            None,
        );
        let (records, digest) = ("p/e".parse().unwrap(), String::new());
        let (file, second_signature, provenance) = (ConfinedPath::root(""), None, Vec::new());
        let hashes = FileHashes::default();
        Games { records, file, identity, second_signature, digest, provenance, outcomes, timings, hashes }
    }

    #[test]
    fn games_whose_time_is_not_known_are_no_fast_ones() {
        let outcomes: Vec<Outcome> = (0..3)
            .map(|game| Outcome { game, ..outcome("2 . . . / . . . . / . . . . / . . . .", 0) })
            .collect();
        let timing = |(game, cpu_ns)| GameTiming { game, cpu_ns, wall_ns: 1 };
        let games = games(outcomes, [(0, 500), (1, 0), (2, 700)].map(timing).to_vec());
        assert_eq!(games.cpu_ns_per_move(), [50.0, 70.0]);
        let mut unmoved = games;
        unmoved.outcomes[2].moves = 0;
        assert_eq!(unmoved.cpu_ns_per_move(), [50.0], "a game without a move has no time for one");
    }

    /// Every game either reaches a tile or does not: the two conditions share all games between them, the tile itself being reached.
    #[test]
    fn games_that_do_not_reach_a_tile_are_the_rest_of_those_that_do() {
        let tiles = [2_u32, 1024, 2048, 2048, 4096];
        let outcomes =
            (0..).zip(tiles).map(|(score, tile)| outcome(&format!("{tile} . . ."), score)).collect();
        let games = games(outcomes, Vec::new());
        let scores = |given| games.values(Quantity::Score, given);
        assert_eq!(scores(Given::Reached(2048)), [2.0, 3.0, 4.0]);
        assert_eq!(scores(Given::NotReached(2048)), [0.0, 1.0]);
        for rank in 1..=16 {
            let tile = 1 << rank;
            let mut both = scores(Given::Reached(tile));
            both.extend(scores(Given::NotReached(tile)));
            both.sort_by(f64::total_cmp);
            assert_eq!(both, scores(Given::Always), "{tile}");
        }
        let below = |given| games.count(Event::ScoreBelow(3), given);
        assert_eq!((below(Given::Reached(2048)), below(Given::NotReached(2048))), ((1, 3), (2, 2)));
        assert_eq!(games.count(Event::Reach(2048), Given::NotReached(2048)), (0, 2));
    }

    #[test]
    fn scores_below_a_number_are_strictly_below() {
        let outcome = outcome("2 . . . / . . . . / . . . . / . . . .", 60_000);
        assert!(!happens(&outcome, Event::ScoreBelow(60_000)));
        assert!(happens(&outcome, Event::ScoreBelow(60_001)));
        assert!(happens(&outcome, Event::Reach(2)));
        assert!(!happens(&outcome, Event::Reach(4)));
    }
}
