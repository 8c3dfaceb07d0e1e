//! The store of trainings: a learning curve in Parquet, sealed like records, with its result.

use jobs::{Canonical as _, Provenance, StoreError, Words};
use records::{JobFooter, JobHeader, JobTable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::artefacts::is_sha256;
use crate::{Curve, TRAINING, TrainingIdentity};
use platform::ConfinedPath;

/// What a training's file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingHeader {
    /// The training, as `paper/training`.
    pub training: String,
    /// All that determines what was learned.
    pub identity: TrainingIdentity,
    /// The training as the manifest has it.
    pub manifest: Value,
    /// The file that it gave.
    pub artefact: ArtefactOf,
    /// What it cost.
    pub cost: Cost,
    /// Where it ran; several if it was resumed elsewhere.
    pub provenance: Vec<Provenance>,
}

/// The file that a training gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtefactOf {
    /// The role that its agent gives it.
    pub role: String,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// Its size.
    pub raw_bytes: u64,
    /// Its size among the artefacts, compressed.
    pub packed_bytes: u64,
}

/// What a training cost. Time is shown and decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The games that were learned from.
    pub games: u64,
    /// Their moves.
    pub moves: u64,
    /// The processor's time, in nanoseconds.
    pub cpu_ns: u64,
}

impl Cost {
    /// The processor's time in hours.
    pub fn cpu_hours(&self) -> f64 {
        self.cpu_ns as f64 / 3.6e12
    }
}

/// A training that is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredTraining {
    /// What it says of itself.
    pub header: TrainingHeader,
    /// How its games went.
    pub curve: Curve,
    /// The logical digest of the curve.
    pub digest: String,
}

impl JobHeader for TrainingHeader {
    const WORDS: &'static Words = &TRAINING;
    const FORM_KEY: &'static str = "retile.training_form";

    fn identity_hash(&self) -> String {
        self.identity.hash()
    }

    /// The hash becomes part of paths.
    fn problem(&self) -> Option<String> {
        let sha256 = &self.artefact.sha256;
        (!is_sha256(sha256)).then(|| format!("its artefact is `{sha256}`, which is not a SHA-256"))
    }
}

/// Writes a training, by a rename. Returns the logical digest of its curve.
///
/// # Errors
/// Returns an error if it cannot be written; the file that was there before stays.
pub fn write(path: &ConfinedPath, header: &TrainingHeader, curve: &Curve) -> Result<String, StoreError> {
    let frame = curve.frame().map_err(StoreError::parquet(path, "build the columns"))?;
    let digest = curve.digest();
    JobTable::write(path, header, &digest, &frame)?;
    Ok(digest)
}

/// Reads a training; `None` if there is no file.
pub fn read(path: &ConfinedPath) -> Result<Option<StoredTraining>, StoreError> {
    Ok(read_file(path)?.map(|(stored, _)| stored))
}

/// Reads a training, and returns it with the SHA-256 of its file.
pub(crate) fn read_file(path: &ConfinedPath) -> Result<Option<(StoredTraining, String)>, StoreError> {
    let Some(JobTable { footer, frame, sha256 }) = JobTable::<TrainingHeader>::read(path)? else {
        return Ok(None);
    };
    let wrong = |reason: String| StoreError::form(path, &TRAINING, reason);
    let JobFooter { header, digest, .. } = footer;
    let curve = Curve::of(&frame).map_err(|reason| wrong(format!("its columns are wrong: {reason}")))?;
    if curve.digest() != digest {
        return Err(wrong("its rows do not match its digest".to_owned()));
    }
    Ok(Some((StoredTraining { header, curve, digest }, sha256)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{curve, header};
    use records::SealedTable;

    const FORM_KEY: &str = TrainingHeader::FORM_KEY;
    const HEADER_KEY: &str = "retile.header";
    const IDENTITY_KEY: &str = "retile.identity";
    const DIGEST_KEY: &str = "retile.digest";

    #[test]
    fn a_training_is_read_as_it_was_written_and_packing_it_again_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("p/t.parquet");
        assert_eq!(read(&path).unwrap(), None);
        let digest = write(&path, &header(&"aa".repeat(32)), &curve()).unwrap();
        let expected = StoredTraining { header: header(&"aa".repeat(32)), curve: curve(), digest };
        assert_eq!(read(&path).unwrap().unwrap(), expected);
        SealedTable::shrink(&path).unwrap();
        assert_eq!(read(&path).unwrap().unwrap(), expected);
    }

    #[test]
    fn other_files_and_other_forms_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = ConfinedPath::root(folder.path()).join("t.parquet");
        let forged = |metadata: &[(&str, String)]| {
            let metadata = metadata.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
            SealedTable::write(&path, &curve().frame().unwrap(), metadata).unwrap();
            read(&path).unwrap_err().to_string()
        };
        let missing = "t.parquet: not the curve of a training: its metadata has no retile.training_form";
        assert!(forged(&[]).contains(missing));
        let form = "it has form 2, but this program reads form 1";
        assert!(forged(&[(FORM_KEY, "2".to_owned())]).contains(form));
        let form = || (FORM_KEY, "1".to_owned());
        assert!(forged(&[form(), (HEADER_KEY, "{}".to_owned())]).contains("its header is wrong"));
        let json = || (HEADER_KEY, serde_json::to_string(&header(&"aa".repeat(32))).unwrap());
        let told = forged(&[form(), json(), (IDENTITY_KEY, "00".to_owned())]);
        assert!(told.contains("its identity does not match its hash"), "{told}");
        let hash = || (IDENTITY_KEY, header(&"aa".repeat(32)).identity.hash());
        let told = forged(&[form(), json(), hash(), (DIGEST_KEY, "00".to_owned())]);
        assert!(told.contains("its rows do not match its digest"), "{told}");
    }
}
