//! Sealed tables: Parquet files beside the records, such as the times of games and the trials of studies.

use std::collections::BTreeMap;

use polars::prelude::{DataFrame, ParallelStrategy, ParquetReader, SerReader as _};

use super::panic_guard::guarded;
use super::read::{Bounds, Footer, check_extents, check_frame, check_pages, check_rows};
use super::seal::{BYTES_KEY, Extent, SEAL_KEY, WHOLE_KEY};
use super::sealed::{Checked, Effort, SealedWriter, check_seal, name_file, new_file, replace_larger};
use jobs::StoreError;
use platform::{ConfinedPath, ScratchFile};

/// A table that was read, and whose seal is whole if it has one.
#[derive(Clone, Debug)]
pub struct SealedTable {
    /// Its rows.
    pub frame: DataFrame,
    /// What it says of itself, by key.
    pub metadata: BTreeMap<String, String>,
    /// How much of it a seal covers.
    pub sealed: Extent,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl SealedTable {
    /// Writes a table with what it says of itself, by a rename.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; a file that was there before stays as it is.
    pub fn write(
        path: &ConfinedPath,
        frame: &DataFrame,
        metadata: Vec<(String, String)>,
    ) -> Result<(), StoreError> {
        name_file(Self::begin(path, frame, metadata)?, path)
    }

    /// Writes a table again in as little space as it takes, and says how many bytes that saves: none
    /// where it was as small before, and stays as it is.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or written; it stays as it is then.
    pub fn shrink(path: &ConfinedPath) -> Result<u64, StoreError> {
        let Some(Self { frame, metadata, sealed: Extent::Whole, .. }) = Self::read(path)? else {
            return Ok(0);
        };
        let own =
            metadata.into_iter().filter(|(key, _)| ![BYTES_KEY, SEAL_KEY, WHOLE_KEY].contains(&key.as_str()));
        replace_larger(Self::begin(path, &frame, own.collect())?, path)
    }

    /// A whole file that has not its name yet. Tables are written seldom, so they are packed as small as they
    /// get.
    fn begin(
        path: &ConfinedPath,
        frame: &DataFrame,
        metadata: Vec<(String, String)>,
    ) -> Result<ScratchFile, StoreError> {
        let scratch = new_file(path)?;
        let mut writer = SealedWriter::new(&scratch, frame.schema(), Effort::Thorough)?;
        writer.write(frame)?;
        writer.finish(metadata)?;
        Ok(scratch)
    }

    /// Reads a table; `None` if there is no file.
    pub fn read(path: &ConfinedPath) -> Result<Option<Self>, StoreError> {
        let file = match path.open() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(StoreError::io(path, "open the file"))?,
        };
        let footer = Footer::of(path, &file)?;
        let Checked { extent: sealed, sha256 } = check_seal(path, &file, &footer)?;
        check_rows(path, &footer, Bounds::TABLE)?;
        // An older file without a seal has no digested bytes to lie in.
        if sealed != Extent::Nothing {
            check_extents(path, &footer)?;
        }
        check_pages(path, &file, &footer, Bounds::TABLE)?;
        let metadata = footer.entries().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        // On this thread: where many files are read, there is one for each core already.
        let mut reader = ParquetReader::new(file).read_parallel(ParallelStrategy::None);
        reader.set_metadata(footer.metadata());
        let frame = guarded(path, "read the table", || reader.finish())?;
        check_frame(path, &frame, footer.games(), Bounds::TABLE)?;
        Ok(Some(Self { frame, metadata, sealed, sha256 }))
    }
}
