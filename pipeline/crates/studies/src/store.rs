//! The store of studies: a row a trial in Parquet, sealed like records.
//!
//! Beside what was measured stand means and intervals, for readers who want no arithmetic; whoever reads a
//! file here has them checked.

use jobs::{Canonical as _, Provenance, StoreError, StoredIdentity, StoredJob, Words};
use manifest::Study;
use platform::ConfinedPath;
use platform::hash::sha256;
use records::{JobFooter, JobHeader, JobTable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::identity::differences_from;
use crate::{STUDY, TrialOutcome, TrialRow, columns};

/// What a study's file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyHeader {
    /// The study, as `paper/study`.
    pub study: String,
    /// All that determines the trials.
    pub identity: StoredIdentity,
    /// The study as the manifest has it.
    pub manifest: Value,
    /// Where the trials come from; several where a study was resumed elsewhere.
    pub provenance: Vec<Provenance>,
}

/// A study that is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredStudy {
    /// What it says of itself.
    pub header: StudyHeader,
    /// Its trials by number.
    pub rows: Vec<TrialRow>,
    /// The logical digest of its rows.
    pub digest: String,
}

impl JobHeader for StudyHeader {
    const WORDS: &'static Words = &STUDY;
    const FORM_KEY: &'static str = "retile.study_form";

    fn identity_hash(&self) -> String {
        self.identity.hash()
    }
}

/// Writes a whole study, by a rename. Returns the logical digest of its rows.
///
/// # Errors
/// Returns an error if it cannot be written; a file that was there before stays as it is.
pub fn write(
    path: &ConfinedPath,
    study: &Study,
    header: &StudyHeader,
    rows: &[TrialRow],
) -> Result<String, StoreError> {
    let frame = columns::frame(study, rows).map_err(StoreError::parquet(path, "build the columns"))?;
    let digest = digest(rows);
    JobTable::write(path, header, &digest, &frame)?;
    Ok(digest)
}

/// What a study's file says of itself; `None` if there is no file.
pub fn summary(path: &ConfinedPath) -> Result<Option<StoredJob>, StoreError> {
    Ok(table(path)?.map(|table| stored_job(&table)))
}

pub(crate) fn table(path: &ConfinedPath) -> Result<Option<JobTable<StudyHeader>>, StoreError> {
    JobTable::read(path)
}

pub(crate) fn stored_job(table: &JobTable<StudyHeader>) -> StoredJob {
    let JobFooter { header, digest, .. } = table.footer.clone();
    StoredJob {
        key: header.study,
        identity: header.identity,
        second_signature: None,
        digest,
        rows: table.frame.height() as u64,
        shard: None,
        artefact: None,
        provenance: header.provenance,
    }
}

/// Reads the trials of a study, and checks their arithmetic; `None` if there is no file.
pub fn read(path: &ConfinedPath, study: &Study) -> Result<Option<StoredStudy>, StoreError> {
    table(path)?.map(|table| rows_of(path, study, table)).transpose()
}

pub(crate) fn rows_of(
    path: &ConfinedPath,
    study: &Study,
    table: JobTable<StudyHeader>,
) -> Result<StoredStudy, StoreError> {
    let JobFooter { header, digest: stated, .. } = table.footer;
    let differences = differences_from(&header.identity, study);
    if !differences.is_empty() {
        return Err(StoreError::Stale { path: path.to_owned(), words: &STUDY, differences });
    }
    let rows = columns::rows(path, study, &table.frame)?;
    if digest(&rows) != stated {
        return Err(StoreError::form(path, &STUDY, "its trials do not match its digest"));
    }
    Ok(StoredStudy { header, rows, digest: stated })
}

/// The logical digest of trials: SHA-256 over a line each, of which the file's form is no part.
///
/// A line is the fields trial, batch, origin, parameters (as JSON), first game, games, and the digest of the
/// games with their scores, moves and nodes, or else the fault, with tabs between them and a new line at its
/// end.
pub fn digest(rows: &[TrialRow]) -> String {
    let mut text = String::new();
    for TrialRow { trial, batch, origin, point, games, outcome } in rows {
        let origin = columns::origin_name(*origin);
        let values: Vec<String> = point.values().iter().map(ToString::to_string).collect();
        let (first, count) = (games.start, games.end - games.start);
        text.push_str(&format!("{trial}\t{batch}\t{origin}\t{}\t{first}\t{count}\t", values.join(" ")));
        match outcome {
            TrialOutcome::Played { scores, efforts, digest } => {
                let [scores, moves, nodes] = columns::texts(scores, efforts);
                text.push_str(&format!("{digest}\t{scores}\t{moves}\t{nodes}\n"));
            }
            TrialOutcome::Faulted { game, ending, reason } => {
                text.push_str(&format!("fault\t{game}\t{ending}\t{reason}\n"));
            }
        }
    }
    sha256(text)
}

#[cfg(test)]
mod tests;
