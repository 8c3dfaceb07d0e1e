//! Evidence: the stored games of every experiment, as far as statistics need them. It is read from records
//! alone.

use jobs::{Canonical as _, Key};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use manifest::Study;
use platform::hash::sha256_of;
use platform::{ConfinedPath, plain, threads};
use records::store::{read_timing, read_timing_file};
use records::{
    GameTiming, Header, Index, IndexEntry, IndexError, Layout, Outcome, Provenance, RecordsReader, StoreError,
};
use studies::{ReadStudy, StoredStudies, StoredStudy, TrialRow};

use metrics::LastBoard;
pub use metrics::{FileHashes, Games};

/// The games of all experiments that have been played.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Experiments that share a records file share their games.
    experiments: BTreeMap<Key, Arc<Games>>,
    studies: BTreeMap<Key, StudyEvidence>,
}

/// A study that was run to its end, as its manifest has it.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyEvidence {
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

/// Why there is no evidence.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum EvidenceError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Store(#[from] StoreError),
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
    pub fn load(layout: &Layout) -> Result<Self, EvidenceError> {
        Self::load_beside(layout, &Self::default())
    }

    /// The same, where other evidence is at hand: of files that hold the same bytes as there, nothing is
    /// decoded again.
    pub fn load_beside(layout: &Layout, other: &Self) -> Result<Self, EvidenceError> {
        Self::of_index(layout, &Index::read(layout)?, other)
    }

    /// The same by an index that need not be the folder's own.
    pub fn of_index(layout: &Layout, index: &Index, other: &Self) -> Result<Self, EvidenceError> {
        let mut files: Vec<&IndexEntry> = index.experiments.values().collect();
        files.sort_by(|one, other| one.records.cmp(&other.records));
        files.dedup_by(|one, other| one.records == other.records);
        let load = |entry: &&IndexEntry| {
            let known = other.experiments.get(&entry.records);
            let same = known.and_then(|known| same_games(layout, entry, known));
            let games = same.map_or_else(|| load_games(layout, entry).map(Arc::new), Ok)?;
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
    pub fn with_studies(mut self, stored: StoredStudies, layout: &Layout) -> Result<Self, EvidenceError> {
        for ReadStudy { key, study, stored } in stored.0 {
            let stored = match stored {
                Err(StoreError::Stale { .. }) => None,
                stored => stored?,
            };
            if let Some(stored) = stored {
                let timings = read_timing(&layout.timing(&key, None))?;
                self.studies.insert(key, StudyEvidence::of(study, stored, timings));
            }
        }
        Ok(self)
    }

    /// The trials of a study; `None` if it was not run as its manifest has it.
    pub fn study(&self, key: &Key) -> Option<&StudyEvidence> {
        self.studies.get(key)
    }

    /// The studies that were run, in the order of their names.
    pub fn studies(&self) -> impl Iterator<Item = (&Key, &StudyEvidence)> {
        self.studies.iter()
    }

    /// The games of an experiment; `None` if it was not played.
    pub fn games(&self, key: &Key) -> Option<&Games> {
        self.experiments.get(key).map(Arc::as_ref)
    }

    /// Whether all games are known to be the same as other ones: they were read from files with the same
    /// bytes.
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

impl StudyEvidence {
    fn of(study: Study, stored: StoredStudy, timings: Vec<GameTiming>) -> Self {
        let StoredStudy { header, rows, digest } = stored;
        Self { study, identity: header.identity.hash(), rows, digest, provenance: header.provenance, timings }
    }
}

/// Known games, if the files that the index names hold the very same.
fn same_games(layout: &Layout, entry: &IndexEntry, known: &Arc<Games>) -> Option<Arc<Games>> {
    let is_same = known.records == entry.records
        && known.digest == entry.digest
        && file_hashes(layout, &entry.records)? == known.hashes
        && known.identity.hash() == entry.identity;
    let file = layout.records(&entry.records, None);
    match is_same {
        false => None,
        true if known.file == file => Some(Arc::clone(known)),
        true => Some(Arc::new(Games { file, ..Games::clone(known) })),
    }
}

/// Hashes the files of an experiment; `None` if one cannot be read, which the reader of its games reports.
fn file_hashes(layout: &Layout, records: &Key) -> Option<FileHashes> {
    let sha256 = |path: &ConfinedPath| path.open().and_then(sha256_of);
    let timing = match sha256(&layout.timing(records, None)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        hash => Some(hash.ok()?),
    };
    Some(FileHashes { records: Some(sha256(&layout.records(records, None)).ok()?), timing })
}

fn load_games(layout: &Layout, entry: &IndexEntry) -> Result<Games, EvidenceError> {
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
    Ok(Games {
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

/// Whether the last board exists and has the game's stated largest tile.
fn has_board(outcome: &Outcome) -> bool {
    LastBoard::of(outcome).is_some_and(|board| board.max_tile().unwrap_or(0) == outcome.max_tile)
}
