//! The store: records as Parquet files, through polars.
//!
//! A file holds one experiment's games by number, and in its footer all that they are: the identity, the
//! manifest's words, the provenance and the logical digest. It appears under its name by a rename only, when
//! it is whole. Bytes are checked against a seal before polars decodes them, since polars itself does not
//! notice a flipped bit.

mod column;
mod job_file;
mod panic_guard;
mod read;
mod seal;
mod sealed;
mod table;
mod timing;
mod write;

use jobs::identity::Canonical as _;
use std::fs::File;

use engine::Spawning;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use column::Column;
pub use job_file::{JobFooter, JobHeader, JobTable};
pub use jobs::{Shard, StoreError};
use read::{FileReader, Footer, games, outcomes};
pub use seal::Extent;
use sealed::Effort;
pub use table::SealedTable;
pub use timing::{TimingFile, read_timing, read_timing_file, renew_timing, write_timing};
use write::{FileWriter, Limits};

use crate::EXPERIMENT;
use crate::digest::RecordDigest;
use crate::identity::Identity;
use crate::provenance::Provenance;
use crate::record::{GameRecord, Outcome};
use jobs::{Difference, Words};
use platform::confined::ConfinedPath;
use platform::scratch::ScratchFile;

/// What a records file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The experiment, as `paper/experiment`.
    pub experiment: String,
    /// All that determines the records.
    pub identity: Identity,
    /// The agent's decisions on the second set of frozen positions.
    /// Absent if the games are not repeatable, and in records from before
    /// there was such a set, which the next run adds it to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_signature: Option<String>,
    /// The experiment as the manifest has it.
    pub manifest: Value,
    /// Where the records come from; several where games were added later.
    pub provenance: Vec<Provenance>,
    /// Which part of the games this is, where it is not all.
    pub shard: Option<Shard>,
}

impl Header {
    /// In what the agent and the rules that made these records differ from others, as far as both say.
    pub fn differences(&self, identity: &Identity, second_signature: Option<&str>) -> Vec<Difference> {
        let mut differences = self.identity.differences(identity);
        let own = self.second_signature.as_deref();
        Difference::add_second_signatures(&mut differences, own, second_signature);
        differences
    }
}

impl JobHeader for Header {
    const WORDS: &'static Words = &EXPERIMENT;
    const FORM_KEY: &'static str = "retile.form";

    fn identity_hash(&self) -> String {
        self.identity.hash()
    }

    fn problem(&self) -> Option<String> {
        let is_wrong = self.shard.is_some_and(|shard| shard.part == 0 || shard.part > shard.of);
        is_wrong.then(|| "there can be no such part of an experiment".to_owned())
    }
}

/// A file that is not a records file.
fn layout_error(path: &ConfinedPath, reason: impl Into<String>) -> StoreError {
    StoreError::form(path, &EXPERIMENT, reason)
}

/// What is known of a records file without reading its games.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordsSummary {
    /// What it says of itself.
    pub header: Header,
    /// The hash of the identity in it.
    pub identity: String,
    /// The logical digest of its records.
    pub digest: String,
    /// How many games it holds.
    pub games: u64,
}

impl RecordsSummary {
    /// Reads a file's footer; none where there is no file.
    pub fn read(path: &ConfinedPath) -> Result<Option<Self>, StoreError> {
        match path.kind() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            _ => Self::of(path, &Footer::read(path)?).map(Some),
        }
    }

    fn of(path: &ConfinedPath, footer: &Footer) -> Result<Self, StoreError> {
        let JobFooter { header, identity, digest } = JobFooter::parse(path, |key| footer.value(key))?;
        Ok(Self { header, identity, digest, games: footer.games() as u64 })
    }
}

/// Writes a records file: games by number, then the footer, then a rename.
pub struct RecordsWriter {
    target: ConfinedPath,
    scratch: ScratchFile,
    file: FileWriter,
    digest: RecordDigest,
    last_game: Option<u64>,
}

impl RecordsWriter {
    /// Begins a file that will appear as `target` once it is finished.
    pub fn create(target: &ConfinedPath) -> Result<Self, StoreError> {
        Self::begin(target, Effort::Quick)
    }

    fn begin(target: &ConfinedPath, effort: Effort) -> Result<Self, StoreError> {
        if let Some(folder) = target.parent() {
            folder.make_folder().map_err(StoreError::io(&folder, "make the folder"))?;
        }
        let (scratch, file) = begin(target)?;
        let file = FileWriter::new(scratch.path(), file, Limits::default(), effort)?;
        let target = target.to_owned();
        Ok(Self { target, scratch, file, digest: RecordDigest::default(), last_game: None })
    }

    /// Adds the next game, whose number is above the last.
    pub fn push(&mut self, record: &GameRecord) -> Result<(), StoreError> {
        if self.last_game.is_some_and(|last| last >= record.game) {
            let reason = format!("game {} comes after game {:?}", record.game, self.last_game);
            return Err(layout_error(&self.target, reason));
        }
        self.last_game = Some(record.game);
        self.digest.add(record);
        self.file.push(record)
    }

    /// Ends the file and gives it its name. Returns the logical digest.
    ///
    /// # Errors
    /// Where the disk takes no more; a file that was there before stays as it is.
    pub fn finish(self, header: &Header) -> Result<String, StoreError> {
        let target = self.target.clone();
        let (digest, scratch) = self.complete(header)?;
        end(scratch, &target)?;
        Ok(digest)
    }

    /// Ends the file, which has no name of its own yet.
    fn complete(self, header: &Header) -> Result<(String, ScratchFile), StoreError> {
        if self.last_game.is_some() {
            check_spawns(&self.target, self.file.has_spawns(), header)?;
        }
        let digest = self.digest.finish();
        let mut metadata = JobFooter::metadata(&self.target, header, &digest)?;
        metadata.insert(1, ("retile.experiment".to_owned(), header.experiment.clone()));
        self.file.finish(metadata)?;
        Ok((digest, self.scratch))
    }
}

/// Begins a file that is to become `target`.
fn begin(target: &ConfinedPath) -> Result<(ScratchFile, File), StoreError> {
    let scratch = ScratchFile::named_after(target);
    scratch
        .and_then(|scratch| scratch.as_file().try_clone().map(|file| (scratch, file)))
        .map_err(StoreError::io(target, "create the file"))
}

/// Gives a finished file its name.
fn end(scratch: ScratchFile, target: &ConfinedPath) -> Result<(), StoreError> {
    scratch.become_lasting_file(target).map_err(StoreError::io(target, "give the finished file its name"))
}

/// Games have placed tiles where the rules leave these to an adversary, and only there.
fn check_spawns(path: &ConfinedPath, has_spawns: bool, header: &Header) -> Result<(), StoreError> {
    match (has_spawns, header.identity.rules.spawn) {
        (true, Spawning::Random) => {
            Err(layout_error(path, "it has placed tiles, but by its rules chance spawns them"))
        }
        (false, Spawning::Adversarial) => {
            Err(layout_error(path, "it has no placed tiles, but by its rules the agent places them"))
        }
        _ => Ok(()),
    }
}

/// Writes a records file from before the seal of the whole file once more, with one, and says whether it did.
/// The games and all that the file says of itself stay the same.
///
/// # Errors
/// Where it cannot be read or written; it stays as it is then.
pub fn seal_records(path: &ConfinedPath) -> Result<bool, StoreError> {
    let mut reader = RecordsReader::open(path)?;
    if reader.sealed() == Extent::Whole {
        return Ok(false);
    }
    let scratch = written_again(path, &mut reader, Effort::Quick)?;
    end(scratch, path)?;
    Ok(true)
}

/// Writes a records file once more in as little space as possible, which takes time, and returns by how many
/// bytes it is smaller: none where it was as small before, and stays as it is. The games and all that the
/// file says of itself are the same.
///
/// # Errors
/// Where it cannot be read or written; it stays as it is then.
pub fn shrink_records(path: &ConfinedPath) -> Result<u64, StoreError> {
    let mut reader = RecordsReader::open(path)?;
    let scratch = written_again(path, &mut reader, Effort::Thorough)?;
    let before = path.size().map_err(StoreError::io(path, "read the file"))?;
    let after = scratch.as_file().metadata().map_err(StoreError::io(path, "read the new file"))?.len();
    if after < before {
        end(scratch, path)?;
    }
    Ok(before.saturating_sub(after))
}

/// A new file with the games and the header of an old one, not yet in its place.
fn written_again(
    path: &ConfinedPath,
    reader: &mut RecordsReader,
    effort: Effort,
) -> Result<ScratchFile, StoreError> {
    let mut writer = RecordsWriter::begin(path, effort)?;
    let RecordsSummary { header, digest, .. } = reader.summary.clone();
    for game in reader.games() {
        writer.push(&game?)?;
    }
    let (found, scratch) = writer.complete(&header)?;
    if found != digest {
        return Err(layout_error(path, "its games do not match its digest"));
    }
    Ok(scratch)
}

/// Reads a records file, row group by row group.
pub struct RecordsReader {
    path: ConfinedPath,
    file: FileReader,
    /// What the file says of itself.
    pub summary: RecordsSummary,
}

impl RecordsReader {
    /// Opens a file and checks its seal.
    pub fn open(path: &ConfinedPath) -> Result<Self, StoreError> {
        let file = FileReader::open(path)?;
        let summary = RecordsSummary::of(path, file.footer())?;
        check_spawns(path, file.has_spawns, &summary.header)?;
        Ok(Self { path: path.to_owned(), file, summary })
    }

    /// How much of the file its seal covers; the rest of an older file's footer could change unnoticed.
    pub const fn sealed(&self) -> Extent {
        self.file.checked.extent
    }

    /// The SHA-256 of the file when it was opened, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.file.checked.sha256
    }

    /// The games, one row group after the other.
    pub fn row_groups(&mut self) -> impl Iterator<Item = Result<Vec<GameRecord>, StoreError>> {
        let path = self.path.clone();
        let columns = Column::of(self.file.has_spawns);
        self.file.row_groups(columns).map(move |group| games(&path, &group?))
    }

    /// What came of every game, without the columns that only a replay needs.
    pub fn outcomes(&mut self) -> Result<Vec<Outcome>, StoreError> {
        let mut all = Vec::with_capacity(self.file.footer().games());
        let path = self.path.clone();
        for group in self.file.row_groups(Column::OUTCOME.to_vec()) {
            all.extend(outcomes(&path, &group?)?);
        }
        Ok(all)
    }

    /// The games of the row group at this place; none behind the last one.
    pub fn row_group(&mut self, index: usize) -> Result<Option<Vec<GameRecord>>, StoreError> {
        if index >= self.file.group_count() {
            return Ok(None);
        }
        let columns = Column::of(self.file.has_spawns);
        games(&self.path, &self.file.row_group(index, &columns)?).map(Some)
    }

    /// The games, one after the other.
    pub fn games(&mut self) -> impl Iterator<Item = Result<GameRecord, StoreError>> {
        self.row_groups().flat_map(|group| match group {
            Ok(games) => games.into_iter().map(Ok).collect::<Vec<_>>(),
            Err(error) => vec![Err(error)],
        })
    }
}

#[cfg(test)]
mod tests;
