//! The store: records as Parquet files, through polars.
//!
//! A file holds one experiment's games by number, and in its footer all that they are: the identity, the
//! manifest's words, the provenance and the logical digest. It appears under its name by a rename only, when
//! it is whole. Bytes are checked against a seal before polars decodes them, since polars itself does not
//! notice a flipped bit.

mod columns;
mod job_file;
mod panic_guard;
mod read;
mod seal;
mod sealed;
mod table;
mod timing;
mod write;

use engine::Spawning;
use jobs::{Canonical as _, Difference, Words};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use columns::{COLUMNS, Cells, column};
pub use job_file::{JobFooter, JobHeader, JobTable};
pub use jobs::{Shard, StoreError};
use read::Footer;
pub use read::RecordsReader;
pub use seal::Extent;
use sealed::{Effort, name_file, replace_larger};
pub use table::SealedTable;
pub use timing::{TimingFile, read_timing, read_timing_file, renew_timing, write_timing};
pub use write::RecordsWriter;

use crate::{EXPERIMENT, Identity, Provenance};
use platform::{ConfinedPath, ScratchFile};

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
    /// Reads a file's footer; `None` if there is no file.
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

/// Writes a records file from before the seal of the whole file again, with one, and says whether it did.
/// The games and all that the file says of itself stay the same.
///
/// # Errors
/// Returns an error if it cannot be read or written; it stays as it is then.
pub fn seal_records(path: &ConfinedPath) -> Result<bool, StoreError> {
    let mut reader = RecordsReader::open(path)?;
    if reader.sealed() == Extent::Whole {
        return Ok(false);
    }
    name_file(written_again(path, &mut reader, Effort::Quick)?, path)?;
    Ok(true)
}

/// Writes a records file again in as little space as possible, which takes time, and returns by how many
/// bytes it is smaller: none where it was as small before, and stays as it is. The games and all that the
/// file says of itself are the same.
///
/// # Errors
/// Returns an error if it cannot be read or written; it stays as it is then.
pub fn shrink_records(path: &ConfinedPath) -> Result<u64, StoreError> {
    let mut reader = RecordsReader::open(path)?;
    replace_larger(written_again(path, &mut reader, Effort::Thorough)?, path)
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

#[cfg(test)]
mod tests;
