//! Timing files: what each game cost, apart from the records, since no two runs agree on it.

use polars::error::PolarsResult;
use polars::prelude::DataFrame;
use serde_json::{Map, Value};

use super::columns::{Cells, column};
use super::layout_error;
use super::seal::Extent;
use super::table::SealedTable;
use crate::GameTiming;
use jobs::StoreError;
use platform::ConfinedPath;

/// The columns, which are all numbers, and what the file says of each.
const COLUMNS: [(&str, &str); 3] = [
    (
        "game",
        "the game's number in its experiment; for a study the number of a batch of trials, whose times are added up",
    ),
    ("cpu_ns", "CPU time of the thread that played, in nanoseconds; 0 where it is not known"),
    ("wall_ns", "wall time, in nanoseconds; 0 where it is not known"),
];
/// The metadata key of the version of the files' form: those of form 1 do not say what their columns mean,
/// and those from before have no seal either.
const FORM_KEY: &str = "retile.timing";
const FORM: &str = "2";
/// The metadata key of what the columns mean.
const COLUMNS_KEY: &str = "retile.columns";

/// Writes a timing file, by a rename.
pub fn write_timing(path: &ConfinedPath, timings: &[GameTiming]) -> Result<(), StoreError> {
    let frame = frame(timings).map_err(StoreError::parquet(path, "build the columns"))?;
    SealedTable::write(path, &frame, metadata())
}

/// What a file says of itself.
fn metadata() -> Vec<(String, String)> {
    let columns: Map<String, Value> =
        COLUMNS.into_iter().map(|(name, meaning)| (name.to_owned(), meaning.into())).collect();
    [(FORM_KEY, FORM.to_owned()), (COLUMNS_KEY, Value::from(columns).to_string())]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
}

/// Rewrites a timing file of an older form, with a seal and with what its columns mean, and says
/// whether it did.
///
/// # Errors
/// Returns an error if it cannot be read or written; it stays as it is then.
pub fn renew_timing(path: &ConfinedPath) -> Result<bool, StoreError> {
    match read_timing_file(path)? {
        Some(file) if file.is_older => write_timing(path, &file.timings).map(|()| true),
        Some(_) | None => Ok(false),
    }
}

fn frame(timings: &[GameTiming]) -> PolarsResult<DataFrame> {
    let values: [fn(&GameTiming) -> u64; 3] =
        [|timing| timing.game, |timing| timing.cpu_ns, |timing| timing.wall_ns];
    let columns = COLUMNS.into_iter().zip(values);
    let columns =
        columns.map(|((name, _), value)| column(name, timings.iter().map(value).collect::<Vec<u64>>()));
    DataFrame::new(timings.len(), columns.collect())
}

/// Reads a timing file; empty where there is none.
pub fn read_timing(path: &ConfinedPath) -> Result<Vec<GameTiming>, StoreError> {
    Ok(read_timing_file(path)?.map_or_else(Vec::new, |file| file.timings))
}

/// A timing file that was read.
#[derive(Clone, Debug)]
pub struct TimingFile {
    /// What is in it.
    pub timings: Vec<GameTiming>,
    /// How much of it its seal covers.
    pub sealed: Extent,
    /// Whether it is of an older form, without a seal or without the meaning of its columns.
    pub is_older: bool,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

/// Reads a timing file, and says how it lies there; `None` if there is no file.
pub fn read_timing_file(path: &ConfinedPath) -> Result<Option<TimingFile>, StoreError> {
    let read = || -> Result<_, StoreError> {
        let Some(SealedTable { frame, metadata, sealed, sha256 }) = SealedTable::read(path)? else {
            return Ok(None);
        };
        let cells = Cells::new(&frame);
        let cell = |place: usize, row| cells.u64(COLUMNS[place].0, row);
        let timing =
            |row| Some(GameTiming { game: cell(0, row)?, cpu_ns: cell(1, row)?, wall_ns: cell(2, row)? });
        let timings = (0..frame.height()).map(timing).collect::<Option<_>>();
        let wrong = || layout_error(path, "it has other columns than times, or a time is missing");
        let timings = timings.ok_or_else(wrong)?;
        let is_older = sealed != Extent::Whole || !metadata.contains_key(COLUMNS_KEY);
        Ok(Some(TimingFile { timings, sealed, is_older, sha256 }))
    };
    read().map_err(StoreError::of_timing)
}
