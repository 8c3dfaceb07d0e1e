//! Timing files: what each game cost, apart from the records, since no two runs agree on it.

use std::fs::{self, File};
use std::path::Path;

use polars::error::PolarsResult;
use polars::prelude::{
    DataFrame, IntoColumn, NamedFrom as _, ParquetCompression, ParquetReader, ParquetWriter, SerReader as _,
    Series,
};

use super::contain::contained;
use super::error::StoreError;
use super::seal::Summed;
use super::temporary::Temporary;
use crate::record::GameTiming;

/// Writes a timing file, by a rename.
///
/// # Errors
/// Where it cannot be written.
pub fn write_timing(path: &Path, timings: &[GameTiming]) -> Result<(), StoreError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(StoreError::io(folder, "make the folder"))?;
    }
    let temporary = Temporary::beside(path);
    let file = File::create(&temporary.path).map_err(StoreError::io(&temporary.path, "create the file"))?;
    let mut frame = frame(timings).map_err(StoreError::parquet(path, "build the columns"))?;
    let (sink, watch) = Summed::new(file);
    ParquetWriter::new(sink)
        .with_compression(ParquetCompression::Zstd(None))
        .set_parallel(false)
        .finish(&mut frame)
        .map_err(watch.failed(path, "write the timing"))?;
    temporary.become_file(path)
}

fn frame(timings: &[GameTiming]) -> PolarsResult<DataFrame> {
    let column = |name: &str, value: fn(&GameTiming) -> u64| {
        let values: Vec<u64> = timings.iter().map(value).collect();
        Series::new(name.into(), values).into_column()
    };
    let columns = vec![
        column("game", |timing| timing.game),
        column("cpu_ns", |timing| timing.cpu_ns),
        column("wall_ns", |timing| timing.wall_ns),
    ];
    DataFrame::new(timings.len(), columns)
}

/// Reads a timing file; empty where there is none.
///
/// # Errors
/// Where it cannot be read.
pub fn read_timing(path: &Path) -> Result<Vec<GameTiming>, StoreError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file.map_err(StoreError::io(path, "open the file"))?,
    };
    contained(path, "read the timing", || timings(&ParquetReader::new(file).finish()?))
        .map_err(StoreError::of_timing)
}

fn timings(frame: &DataFrame) -> PolarsResult<Vec<GameTiming>> {
    let column = |name: &str| frame.column(name)?.u64();
    let (games, cpu, wall) = (column("game")?, column("cpu_ns")?, column("wall_ns")?);
    let rows = games.iter().zip(cpu.iter()).zip(wall.iter());
    let whole = |((game, cpu_ns), wall_ns): ((Option<u64>, Option<u64>), Option<u64>)| {
        Some(GameTiming { game: game?, cpu_ns: cpu_ns?, wall_ns: wall_ns? })
    };
    Ok(rows.filter_map(whole).collect())
}
