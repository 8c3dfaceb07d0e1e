//! The store of studies: a row a trial in Parquet, sealed like records.
//!
//! Beside what was measured stand means and intervals, for readers who want no arithmetic; whoever reads a file here has them checked.

use jobs::identity::Canonical as _;
use manifest::Study;
use platform::confined::ConfinedPath;
use platform::hash::sha256;
use polars::prelude::DataFrame;
use records::provenance::Provenance;
use records::store::{Extent, SealedTable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::columns;
use crate::error::StudyError;
use crate::identity::differences_from;
use crate::row::{Came, TrialRow};
use jobs::identity::StoredIdentity;

/// The version of the files' form.
const FORM: &str = "1";
const FORM_KEY: &str = "retile.study_form";
const HEADER_KEY: &str = "retile.header";
const IDENTITY_KEY: &str = "retile.identity";
const DIGEST_KEY: &str = "retile.digest";

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

/// What is known of a stored study without reading its trials.
#[derive(Clone, Debug, PartialEq)]
pub struct StudySummary {
    /// What it says of itself.
    pub header: StudyHeader,
    /// The logical digest of its rows.
    pub digest: String,
    /// How many trials it holds.
    pub trials: u64,
}

/// Writes a whole study, by a rename. Returns the logical digest of its rows.
///
/// # Errors
/// Where it cannot be written; a file that was there before stays as it is.
pub fn write(
    path: &ConfinedPath,
    study: &Study,
    header: &StudyHeader,
    rows: &[TrialRow],
) -> Result<String, StudyError> {
    let frame = columns::frame(study, rows)
        .map_err(|error| StudyError::form(path, format!("its columns cannot be made: {error}")))?;
    let json = serde_json::to_string(header)
        .map_err(|error| StudyError::form(path, format!("its header cannot be written: {error}")))?;
    let digest = digest(rows);
    let metadata = [
        (FORM_KEY, FORM.to_owned()),
        (IDENTITY_KEY, header.identity.hash()),
        (DIGEST_KEY, digest.clone()),
        (HEADER_KEY, json),
    ];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value)).to_vec();
    SealedTable::write(path, &frame, metadata)?;
    Ok(digest)
}

/// What a study's file says of itself; none where there is no file.
///
/// # Errors
/// Where it cannot be read, or is no study's.
pub fn summary(path: &ConfinedPath) -> Result<Option<StudySummary>, StudyError> {
    Ok(table(path)?.map(|(summary, _)| summary))
}

/// Reads the trials of a study, and checks their arithmetic; none where there is no file.
///
/// # Errors
/// Where it cannot be read, has been changed, holds the trials of another study, or a mean that does not follow from its games.
pub fn read(path: &ConfinedPath, study: &Study) -> Result<Option<StoredStudy>, StudyError> {
    let Some((StudySummary { header, digest: said, .. }, frame)) = table(path)? else { return Ok(None) };
    let differences = differences_from(&header.identity, study);
    if !differences.is_empty() {
        return Err(StudyError::Other { path: path.to_owned(), differences });
    }
    let rows = columns::rows(path, study, &frame)?;
    if digest(&rows) != said {
        return Err(StudyError::form(path, "its trials do not match its digest"));
    }
    Ok(Some(StoredStudy { header, rows, digest: said }))
}

fn table(path: &ConfinedPath) -> Result<Option<(StudySummary, DataFrame)>, StudyError> {
    let Some(SealedTable { frame, metadata, sealed, .. }) = SealedTable::read(path)? else { return Ok(None) };
    let value = |key: &str| {
        metadata.get(key).ok_or_else(|| StudyError::form(path, format!("its metadata has no {key}")))
    };
    let form = value(FORM_KEY)?;
    if form != FORM {
        return Err(StudyError::OtherForm { path: path.to_owned(), form: form.clone(), known: FORM });
    }
    if sealed != Extent::Whole {
        return Err(StudyError::form(path, "it has no seal"));
    }
    let header: StudyHeader = serde_json::from_str(value(HEADER_KEY)?)
        .map_err(|error| StudyError::form(path, format!("its header is wrong: {error}")))?;
    if *value(IDENTITY_KEY)? != header.identity.hash() {
        return Err(StudyError::form(path, "its identity does not match its hash"));
    }
    let digest = value(DIGEST_KEY)?.clone();
    let trials = frame.height() as u64;
    Ok(Some((StudySummary { header, digest, trials }, frame)))
}

/// The logical digest of trials: SHA-256 over a line each, of which the file's form is no part.
///
/// A line is the fields trial, batch, origin, parameters (as JSON), first game, games, and the digest of the games with their scores,
/// moves and nodes, or else the fault, with tabs between them and a new line at its end.
#[must_use]
pub fn digest(rows: &[TrialRow]) -> String {
    let mut text = String::new();
    for TrialRow { trial, batch, origin, point, games, came } in rows {
        let origin = columns::origin_name(*origin);
        let values: Vec<String> = point.values().iter().map(ToString::to_string).collect();
        let (first, count) = (games.start, games.end - games.start);
        text.push_str(&format!("{trial}\t{batch}\t{origin}\t{}\t{first}\t{count}\t", values.join(" ")));
        match came {
            Came::Played { scores, efforts, digest } => {
                let [scores, moves, nodes] = columns::texts(scores, efforts);
                text.push_str(&format!("{digest}\t{scores}\t{moves}\t{nodes}\n"));
            }
            Came::Faulted { game, ending, reason } => {
                text.push_str(&format!("fault\t{game}\t{ending}\t{reason}\n"));
            }
        }
    }
    sha256(text)
}

#[cfg(test)]
mod tests;
