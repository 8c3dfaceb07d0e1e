//! The sealed file of a job, whatever its kind: a header, its identity's hash and the digest of its rows in
//! the metadata of a Parquet file.

use jobs::{StoreError, Words};
use platform::ConfinedPath;
use polars::prelude::DataFrame;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::seal::Extent;
use super::table::SealedTable;

/// The version of the files' form, the same for every kind.
const FORM: &str = "1";
const HEADER_KEY: &str = "retile.header";
const IDENTITY_KEY: &str = "retile.identity";
const DIGEST_KEY: &str = "retile.digest";

/// What the file of a kind of job says of itself.
pub trait JobHeader: Serialize + DeserializeOwned {
    /// The words for the kind.
    const WORDS: &'static Words;
    /// The metadata key of the form's version.
    const FORM_KEY: &'static str;

    /// The hash of the identity.
    fn identity_hash(&self) -> String;

    /// What no file can say, if this one does.
    fn problem(&self) -> Option<String> {
        None
    }
}

/// What a file says of itself, once its form and its identity's hash are checked.
#[derive(Clone, Debug, PartialEq)]
pub struct JobFooter<H> {
    /// The header.
    pub header: H,
    /// The hash of the identity.
    pub identity: String,
    /// The logical digest of the rows.
    pub digest: String,
}

impl<H: JobHeader> JobFooter<H> {
    /// Reads a file's metadata.
    pub fn parse<'a>(
        path: &ConfinedPath,
        metadata: impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Self, StoreError> {
        let wrong = |reason: String| StoreError::form(path, H::WORDS, reason);
        let value = |key: &str| metadata(key).ok_or_else(|| wrong(format!("its metadata has no {key}")));
        let form = value(H::FORM_KEY)?;
        if form != FORM {
            return Err(wrong(format!("it has form {form}, but this program reads form {FORM}")));
        }
        let header: H = serde_json::from_str(value(HEADER_KEY)?)
            .map_err(|error| wrong(format!("its header is wrong: {error}")))?;
        let identity = header.identity_hash();
        if value(IDENTITY_KEY)? != identity {
            return Err(wrong("its identity does not match its hash".to_owned()));
        }
        match header.problem() {
            Some(problem) => Err(wrong(problem)),
            None => Ok(Self { digest: value(DIGEST_KEY)?.to_owned(), header, identity }),
        }
    }

    /// The metadata of a file.
    pub fn metadata(
        path: &ConfinedPath,
        header: &H,
        digest: &str,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let json = serde_json::to_string(header).map_err(|error| {
            StoreError::form(path, H::WORDS, format!("its header cannot be written: {error}"))
        })?;
        let metadata = [
            (H::FORM_KEY, FORM.to_owned()),
            (IDENTITY_KEY, header.identity_hash()),
            (DIGEST_KEY, digest.to_owned()),
            (HEADER_KEY, json),
        ];
        Ok(metadata.map(|(key, value)| (key.to_owned(), value)).to_vec())
    }
}

/// A job whose rows are one table.
#[derive(Clone, Debug)]
pub struct JobTable<H> {
    /// What the file says of itself.
    pub footer: JobFooter<H>,
    /// Its rows.
    pub frame: DataFrame,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl<H: JobHeader> JobTable<H> {
    /// Writes a job, by a rename.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; the file that was there before stays.
    pub fn write(path: &ConfinedPath, header: &H, digest: &str, frame: &DataFrame) -> Result<(), StoreError> {
        SealedTable::write(path, frame, JobFooter::metadata(path, header, digest)?)
    }

    /// Reads a job; `None` if there is no file.
    pub fn read(path: &ConfinedPath) -> Result<Option<Self>, StoreError> {
        let Some(SealedTable { frame, metadata, sealed, sha256 }) = SealedTable::read(path)? else {
            return Ok(None);
        };
        let footer = JobFooter::parse(path, |key| metadata.get(key).map(String::as_str))?;
        if sealed != Extent::Whole {
            return Err(StoreError::form(path, H::WORDS, "it has no seal"));
        }
        Ok(Some(Self { footer, frame, sha256 }))
    }
}
