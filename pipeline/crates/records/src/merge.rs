//! Merging: the parts of an experiment, played on several machines, become one records file.

use std::iter::Peekable;
use std::path::Path;

use jobs::{Canonical as _, Key};

use crate::store::{read_timing, write_timing};
use crate::{
    GameRecord, Header, IndexEntry, Layout, Provenance, RecordsReader, RecordsSummary, RecordsWriter,
    StoreError,
};
use platform::ConfinedPath;

/// A problem with merging parts.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The parts do not fit together.
    #[error("{0}")]
    Parts(String),
    #[error(
        "{}: there are already other records here; those to be merged are in {}: compare them with `pipeline games`, and move one of them away",
        stored.display(),
        merged.display()
    )]
    Differs { stored: ConfinedPath, merged: ConfinedPath },
}

/// One part, read game by game, with one row group in memory.
struct PartFile {
    file: ConfinedPath,
    header: Header,
    games: Peekable<Box<dyn Iterator<Item = Result<GameRecord, StoreError>>>>,
}

/// Merges the parts of one experiment into a records file, and returns its entry for the index.
///
/// # Errors
/// Returns an error if games are missing or there twice, or if the parts have different identities: nothing
/// is written then. If other records are stored already, those stay.
pub fn merge_parts(files: &[ConfinedPath], layout: &Layout) -> Result<IndexEntry, MergeError> {
    let mut parts = files.iter().map(PartFile::open).collect::<Result<Vec<_>, _>>()?;
    let first = parts.first().ok_or_else(|| MergeError::Parts("there are no parts to merge".to_owned()))?;
    let (header, shard) = (first.header.clone(), first.shard()?);
    for other in &parts[1..] {
        first.fits(other)?;
    }
    let provenance: Vec<Provenance> = parts.iter().flat_map(|part| part.header.provenance.clone()).collect();
    let whole = Header { shard: None, provenance, ..header };
    let key = key_of(&parts[0].file, &whole.experiment)?;
    let target = layout.records(&key, None);
    let merged = target.with_extension("merged.parquet");
    // Read before anything is written: if it is not a records file, it stays unchanged, with nothing beside
    // it.
    let stored = RecordsSummary::read(&target)?;
    let mut writer = RecordsWriter::create(&merged)?;
    for game in 0..shard.games {
        let mut found: Option<(String, GameRecord)> = None;
        for part in &mut parts {
            let is_it = |next: &Result<GameRecord, _>| next.as_ref().map_or(true, |next| next.game == game);
            let Some(record) = part.games.next_if(is_it) else { continue };
            let file = part.file.display();
            if let Some((one, _)) = found {
                return Err(MergeError::Parts(format!("game {game} is in two parts, {one} and {file}")));
            }
            found = Some((file, record?));
        }
        let (_, record) = found.ok_or_else(|| {
            let (part, of) = (game % shard.of + 1, shard.of);
            MergeError::Parts(format!("game {game} is in none of the parts: play part {part} of {of} too"))
        })?;
        writer.push(&record)?;
    }
    let digest = writer.finish(&whole)?;
    if stored.is_some_and(|stored| stored.digest != digest) {
        return Err(MergeError::Differs { stored: target, merged });
    }
    merged.rename(&target).map_err(StoreError::io(&target, "give the merged file its name"))?;
    merge_timings(files, &layout.timing(&key, None))?;
    Ok(IndexEntry { records: key, identity: whole.identity.hash(), digest, games: shard.games })
}

/// The experiment that a file names, if its name can be part of a path.
fn key_of(file: &ConfinedPath, experiment: &str) -> Result<Key, MergeError> {
    experiment.parse().map_err(|error| MergeError::Parts(format!("{}: {error}", file.display())))
}

/// Merges the times of all parts that have timing files where a run writes them.
pub fn merge_timings(parts: &[ConfinedPath], target: &ConfinedPath) -> Result<(), StoreError> {
    let mut timings = Vec::new();
    for file in parts.iter().filter_map(timing_of) {
        timings.extend(read_timing(&file)?);
    }
    timings.sort_unstable_by_key(|timing| timing.game);
    if timings.is_empty() { Ok(()) } else { write_timing(target, &timings) }
}

/// `…/timing/paper/name` for `…/records/paper/name` or `…/studies/paper/name`.
fn timing_of(records: &ConfinedPath) -> Option<ConfinedPath> {
    let (name, paper) = (records.file_name()?, records.path().parent()?);
    let is_timed = |folder: &&Path| ["records", "studies"].iter().any(|part| folder.ends_with(part));
    let folder = paper.parent().filter(is_timed)?;
    let results = ConfinedPath::root(folder.parent()?);
    Some(results.join("timing").join(paper.file_name()?).join(name))
}

impl PartFile {
    fn open(file: &ConfinedPath) -> Result<Self, MergeError> {
        let reader = RecordsReader::open(file)?;
        let header = reader.summary.header.clone();
        let games: Box<dyn Iterator<Item = _>> = Box::new(reader.into_games());
        Ok(Self { file: file.to_owned(), header, games: games.peekable() })
    }

    fn shard(&self) -> Result<crate::store::Shard, MergeError> {
        let reason = || format!("{}: this is a whole experiment, not a part of one", self.file.display());
        self.header.shard.ok_or_else(|| MergeError::Parts(reason()))
    }

    fn fits(&self, other: &Self) -> Result<(), MergeError> {
        let files = (self.file.display(), other.file.display());
        let mixed = |what: String| {
            MergeError::Parts(format!("{} and {} belong to different experiments, {what}", files.0, files.1))
        };
        let Header { identity, second_signature, .. } = &other.header;
        let differences = self.header.differences(identity, second_signature.as_deref());
        if let Some(difference) = differences.first() {
            let (component, one, other) = (&difference.component, &difference.one, &difference.other);
            return Err(mixed(format!("{component} is {one} in the first and {other} in the second")));
        }
        let (one, two) = (self.shard()?, other.shard()?);
        if (one.of, one.games) != (two.of, two.games) {
            return Err(mixed(format!(
                "{} parts of {} games in the first and {} parts of {} games in the second",
                one.of, one.games, two.of, two.games
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_out_of_the_results_is_refused() {
        assert_eq!(key_of(&ConfinedPath::file(Path::new("f")), "p/e-1").unwrap().to_string(), "p/e-1");
        for wrong in ["p", "../e", "p/..", "p/e/f", "/e"] {
            let told = key_of(&ConfinedPath::file(Path::new("f")), wrong).unwrap_err().to_string();
            assert_eq!(told, format!("f: `{wrong}` does not name a job: write PAPER/NAME"));
        }
    }

    #[test]
    fn timing_is_looked_for_beside_the_records_only() {
        let of = |records: &str| {
            timing_of(&ConfinedPath::file(Path::new(records))).map(|file| file.path().to_owned())
        };
        assert_eq!(of("r/records/p/e.parquet"), Some("r/timing/p/e.parquet".into()));
        assert_eq!(of("records/p/e.part-1-of-2.parquet"), Some("timing/p/e.part-1-of-2.parquet".into()));
        assert_eq!(of("downloads/p/e.parquet"), None);
        assert_eq!(of("e.parquet"), None);
    }
}
