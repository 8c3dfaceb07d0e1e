//! Timing files: what each game cost, apart from the records, since no two runs agree on it.

use std::fs::{self, File};
use std::path::Path;

use polars::error::PolarsResult;
use polars::prelude::{
    DataFrame, DataType, Field, IntoColumn, NamedFrom as _, ParquetReader, Schema, SchemaRef, SerReader as _,
    Series,
};

use super::error::StoreError;
use super::panic_guard::guarded;
use super::read::Footer;
use super::seal::Extent;
use super::sealed::{SealedWriter, check_seal};
use super::{begin, end};
use crate::record::GameTiming;
use surroundings::open;

/// The columns, which are all numbers.
const COLUMNS: [&str; 3] = ["game", "cpu_ns", "wall_ns"];
/// The version of the files' form. Those from before it have no seal.
const FORM: &str = "1";

/// Writes a timing file, by a rename.
///
/// # Errors
/// Where it cannot be written.
pub fn write_timing(path: &Path, timings: &[GameTiming]) -> Result<(), StoreError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(StoreError::io(folder, "make the folder"))?;
    }
    let fields = COLUMNS.map(|name| Field::new(name.into(), DataType::UInt64));
    let schema = SchemaRef::new(Schema::from_iter(fields));
    let (scratch, file) = begin(path)?;
    let mut writer = SealedWriter::new(scratch.path(), file, &schema)?;
    writer.write(&frame(timings).map_err(StoreError::parquet(path, "build the columns"))?)?;
    writer.finish(vec![("retile.timing".to_owned(), FORM.to_owned())])?;
    end(scratch, path)
}

/// Writes a timing file from before seals once more, with one, and says whether it did.
///
/// # Errors
/// Where it cannot be read or written; it stays as it is then.
pub fn seal_timing(path: &Path) -> Result<bool, StoreError> {
    match read_checked(path)? {
        Some((timings, Extent::Nothing | Extent::Contents)) => write_timing(path, &timings).map(|()| true),
        Some((_, Extent::Whole)) | None => Ok(false),
    }
}

/// How much of a timing file its seal covers; none where there is no file.
///
/// # Errors
/// Where it cannot be read.
pub fn timing_extent(path: &Path) -> Result<Option<Extent>, StoreError> {
    Ok(read_checked(path)?.map(|(_, extent)| extent))
}

fn frame(timings: &[GameTiming]) -> PolarsResult<DataFrame> {
    let column = |name: &str, value: fn(&GameTiming) -> u64| {
        let values: Vec<u64> = timings.iter().map(value).collect();
        Series::new(name.into(), values).into_column()
    };
    let values: [fn(&GameTiming) -> u64; 3] =
        [|timing| timing.game, |timing| timing.cpu_ns, |timing| timing.wall_ns];
    let columns = COLUMNS.into_iter().zip(values).map(|(name, value)| column(name, value)).collect();
    DataFrame::new(timings.len(), columns)
}

/// Reads a timing file; empty where there is none.
///
/// # Errors
/// Where it cannot be read, or has been changed.
pub fn read_timing(path: &Path) -> Result<Vec<GameTiming>, StoreError> {
    Ok(read_checked(path)?.map_or_else(Vec::new, |(timings, _)| timings))
}

/// What a timing file holds, and how much of it a seal covers; none where there is no file.
fn read_checked(path: &Path) -> Result<Option<(Vec<GameTiming>, Extent)>, StoreError> {
    let file = match open::regular(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(StoreError::io(path, "open the file"))?,
    };
    let read = |file: File| {
        let extent = check_seal(path, &file, &Footer::of(path, &file)?)?;
        let timings = guarded(path, "read the timing", || timings(&ParquetReader::new(file).finish()?))?;
        Ok((timings, extent))
    };
    read(file).map(Some).map_err(StoreError::of_timing)
}

fn timings(frame: &DataFrame) -> PolarsResult<Vec<GameTiming>> {
    let column = |name: &str| frame.column(name)?.u64();
    let [games, cpu, wall] = COLUMNS;
    let (games, cpu, wall) = (column(games)?, column(cpu)?, column(wall)?);
    let rows = games.iter().zip(cpu.iter()).zip(wall.iter());
    let whole = |((game, cpu_ns), wall_ns): ((Option<u64>, Option<u64>), Option<u64>)| {
        Some(GameTiming { game: game?, cpu_ns: cpu_ns?, wall_ns: wall_ns? })
    };
    Ok(rows.filter_map(whole).collect())
}
